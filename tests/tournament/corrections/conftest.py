"""Fixtures of the organizer's desk, where all corrections are made."""

from tests.tournament.web.admin.conftest import client, drafted_round, event_defaults

__all__ = ["client", "drafted_round", "event_defaults"]
