"""Answers to planning questions, computed from simulated events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from games.json_values.codec import JsonValue
from tournament.pure.simulation.events import SimulatedEvent
from tournament.pure.simulation.rounds import percentile

# Width in minutes of a bar in the histogram.
WIDTH = 5


@dataclass(frozen=True)
class PlanAnswer(JsonValue):
    """The answer for one planned event.

    * `median`, `most`: the minutes within which 50 % and 90 % of the simulated events end.
    * `late`: the share of events that exceed the available time.
    * `level`: the share of events with a tie at a cut.
    * `through`: the share of events in which the strongest player advances at the first cut.
    * `first`: the share of events that the strongest player wins.
    * `bars`: the bars of a histogram of durations, as pairs of the start of a bar in minutes and
      the number of events.
    """

    name: str
    median: float
    most: float
    late: float
    level: float
    through: float
    first: float
    bars: tuple[tuple[int, int], ...]


def summarize_events(
    name: str, events: Sequence[SimulatedEvent], available_minutes: float
) -> PlanAnswer:
    """Summarize the simulated events of one plan. There must be at least one event."""
    minutes = sorted(event.minutes for event in events)
    bars = Counter(int(each // WIDTH) * WIDTH for each in minutes)
    return PlanAnswer(
        name=name,
        median=percentile(minutes, 0.5),
        most=percentile(minutes, 0.9),
        late=_compute_share([each > available_minutes for each in minutes]),
        level=_compute_share([event.level for event in events]),
        through=_compute_share([event.through for event in events]),
        first=_compute_share([event.first for event in events]),
        bars=tuple(sorted(bars.items())),
    )


def _compute_share(outcomes: Sequence[bool]) -> float:
    return sum(outcomes) / len(outcomes)
