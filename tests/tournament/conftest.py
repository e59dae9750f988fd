"""Fixtures shared by all tests of an event's tables."""

import pytest


@pytest.fixture(autouse=True)
def start_matches_immediately(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start matches without waiting for shares.

    No player at these tables has a share in the first deal that is worth waiting for.
    """
    monkeypatch.setattr("games.services.SHARE_SECONDS", 0)
