"""The organizers' site; importing this registers its pages."""

from tournament.admin import events, log, people, registrations

__all__ = ["events", "log", "people", "registrations"]
