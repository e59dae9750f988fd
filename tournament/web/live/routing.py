"""URL routing of the event's socket."""

from tournament.web.live.consumers import EventSocket

event_sockets = {"ws/event/<slug:slug>/": EventSocket}
