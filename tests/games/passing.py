"""The clocks of this machine in the hands of a test, and what they say of a match."""

from datetime import datetime, timedelta
from types import SimpleNamespace

import pytest
from django.utils import timezone

from games import queries
from games.clocks.downtime import Reading
from games.models import Match
from tests.games.helpers import fresh
from tests.typed import sure


class Clock:
    """The clocks of this machine, which a test moves: by time, and by setting the wall clock.

    The database's clock is left alone: what it says counts for other machines.
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
        # However busy this machine is, a step of giving back takes no time.
        monotonic = SimpleNamespace(monotonic=lambda: self.ahead)
        monkeypatch.setattr("games.liveness.compensation.time", monotonic)

    def go_on(self, seconds: float) -> None:
        self.ahead += seconds

    def set(self, seconds: float) -> None:
        self.set_by += seconds


def get_seconds_left(match: Match) -> float:
    """Seconds until the turn that runs is over."""
    return (sure(fresh(match).turn_until) - timezone.now()).total_seconds()


def read_log(match: Match) -> list[str]:
    view = queries.match_view(fresh(match), match.seats.get(number=0).user)
    return [line["text"] for line in view["log"]][2:]
