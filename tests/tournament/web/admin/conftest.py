"""Fixtures for tests of the desk: an event, and the browser of its organizer."""

from typing import Any

import pytest
from django.test import Client

from tests.tournament.helpers import first_stage
from tournament.models import Event, Round, User
from tournament.seating.services import seat_round


@pytest.fixture
def event_defaults() -> dict[str, Any]:
    """Return the fields of an event with eight players and matches of one hand."""
    return {"players": 8, "hand_limit": 1, "title": "Chem Fest"}


@pytest.fixture
def client(organizer: User) -> Client:
    """Provide the organizer's browser, signed in."""
    client = Client()
    client.force_login(organizer)
    return client


@pytest.fixture
def drafted_round(event: Event, organizer: User) -> Round:
    return seat_round(first_stage(event), organizer)
