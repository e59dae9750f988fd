"""Fixtures shared by all tests of an event's tables."""

import pytest


@pytest.fixture(autouse=True)
def start_matches_immediately(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start matches without waiting for shares, because the tests' players send none."""
    monkeypatch.setattr("games.services.SHARE_SECONDS", 0)
