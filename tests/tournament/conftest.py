"""What holds at every table of an event in these tests."""

import pytest


@pytest.fixture(autouse=True)
def matches_begin_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody sits at these tables whose share in the first deal could be waited for."""
    monkeypatch.setattr("games.services.SHARE_SECONDS", 0)
