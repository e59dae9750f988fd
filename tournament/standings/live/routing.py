"""The event's socket by address."""

from tournament.standings.live.consumers import EventSocket

event_sockets = {"ws/event/<slug:slug>/": EventSocket}
