"""Fixtures for live matches."""

import pytest


@pytest.fixture
def no_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clocks to the millisecond: nobody is waited for after the time is up."""
    monkeypatch.setattr("games.clocks.lag.MOST_GRACE", 0.0)
