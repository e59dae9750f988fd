"""On the organizer's desk, as all that is put right there."""

from tests.tournament.web.admin.conftest import client, drafted_round, usual_event

__all__ = ["client", "drafted_round", "usual_event"]
