"""Results of simulated events, converted to and from JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from games.json_values.codec import JsonValue
from tournament.pure.simulation.days import Day
from tournament.pure.simulation.rounds import percentile

# Width of one bar, in minutes.
WIDTH = 5


@dataclass(frozen=True)
class PlanAnswer(JsonValue):
    """The results of simulating one course.

    * `median`, `most`: the minutes within which 50 % and 90 % of the events end.
    * `late`: the share of events that exceed the available time.
    * `level`: the share of events with a tie at a cut.
    * `through`: the share of events in which the strongest player survives the first cut.
    * `first`: the share of events that the strongest player wins.
    * `bars`: pairs of a start and the number of events that end within WIDTH minutes from it.
    """

    name: str
    median: float
    most: float
    late: float
    level: float
    through: float
    first: float
    bars: tuple[tuple[int, int], ...]


def summarize_days(name: str, days: Sequence[Day], minutes_there: float) -> PlanAnswer:
    """Summarize the simulated events of a course. There must be at least one."""
    minutes = sorted(day.minutes for day in days)
    bars = Counter(int(each // WIDTH) * WIDTH for each in minutes)
    return PlanAnswer(
        name=name,
        median=percentile(minutes, 0.5),
        most=percentile(minutes, 0.9),
        late=_compute_share([each > minutes_there for each in minutes]),
        level=_compute_share([day.level for day in days]),
        through=_compute_share([day.through for day in days]),
        first=_compute_share([day.first for day in days]),
        bars=tuple(sorted(bars.items())),
    )


def _compute_share(outcomes: Sequence[bool]) -> float:
    return sum(outcomes) / len(outcomes)
