"""The event's socket by address."""

from tournament.web.live.consumers import EventSocket

event_sockets = {"ws/event/<slug:slug>/": EventSocket}
