"""Fixtures for live matches."""

from collections.abc import Iterator

import pytest

from games.clocks.downtime import Pulse
from games.process import Process, here
from tests.games.moving_clock import MovingClock


@pytest.fixture
def remove_grace_period(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the grace period, so that clocks are exact to the millisecond."""
    monkeypatch.setattr("games.clocks.lag.MAX_GRACE", 0.0)


@pytest.fixture
def moving_clocks(monkeypatch: pytest.MonkeyPatch) -> MovingClock:
    """Provide clocks that only the test moves forward."""
    return MovingClock(monkeypatch)


@pytest.fixture
def serving_process() -> Iterator[None]:
    """Make this process a serving process, so that it sends an overdue beat before it acts."""
    here().part(Pulse).runs = True
    yield
    here().close()


@pytest.fixture
def other_process() -> Iterator[Process]:
    """Provide another process of the site, which uses the same database."""
    process = Process()
    yield process
    process.close()
