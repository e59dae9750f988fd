"""Fixtures of what organizers do; a file with an event of its own has its organizer too."""

import pytest

from tests.factories import make_event, make_organizer
from tournament.models import Event, User


@pytest.fixture(autouse=True)
def matches_begin_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody sits at these tables whose share in the first deal could be waited for."""
    monkeypatch.setattr("games.services.SHARE_SECONDS", 0)


@pytest.fixture
def event() -> Event:
    """An event with an eligibility list, still empty, and one organizer."""
    event = make_event(eligibility_required=True)
    make_organizer(event)
    return event


@pytest.fixture
def organizer(event: Event) -> User:
    return event.organizers.get()
