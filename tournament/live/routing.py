"""The event's socket by address."""

from tournament.live.consumers import EventSocket

event_sockets = {"ws/event/<slug:slug>/": EventSocket}
