"""Clocks that a test controls, and helpers that read a match's remaining time and log."""

from datetime import datetime, timedelta
from types import SimpleNamespace

import pytest
from django.utils import timezone

from games import queries
from games.clocks.downtime import Reading
from games.models import Match
from tests.games.helpers import reload
from tests.typed import sure


class MovingClock:
    """This machine's clocks, controlled by a test.

    `advance` lets time pass, and `set_forward` sets the wall clock forward. The database's clock
    does not change, because it belongs to another machine.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ahead, self.set_by = 0.0, 0.0
        real, steady = timezone.now, Reading.take().steady
        start = real()

        def get_test_time() -> datetime:
            return start + timedelta(seconds=self.ahead + self.set_by)

        monkeypatch.setattr(timezone, "now", get_test_time)
        monkeypatch.setattr(
            Reading, "take", classmethod(lambda cls: cls(get_test_time(), steady + self.ahead))
        )
        # Compensation takes no time, however busy this machine is.
        monotonic = SimpleNamespace(monotonic=lambda: self.ahead)
        monkeypatch.setattr("games.liveness.compensation.time", monotonic)

    def advance(self, seconds: float) -> None:
        self.ahead += seconds

    def set_forward(self, seconds: float) -> None:
        self.set_by += seconds


def get_seconds_left(match: Match) -> float:
    """Return the number of seconds until the current turn ends."""
    return (sure(reload(match).turn_until) - timezone.now()).total_seconds()


def read_log(match: Match) -> list[str]:
    view = queries.match_view(reload(match), match.seats.get(number=0).user)
    return [line["text"] for line in view["log"]][2:]
