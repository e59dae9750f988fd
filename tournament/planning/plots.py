"""Durations of simulated events as bars of an SVG: one course per panel, on one axis."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournament.pure.simulation.answers import WIDTH, PlanAnswer

# Dimensions of the drawing, in its own units.
ACROSS, HIGH, AXIS = 640.0, 92.0, 22.0
# The axis has about this many labels; STEPS are the possible minutes between two.
LABELS = 8
STEPS = (5, 10, 15, 30, 60, 120, 240, 480, 1440, 10**6)


@dataclass(frozen=True)
class Bar:
    """A rectangle; `late` if it lies beyond the time available."""

    x: float
    y: float
    width: float
    height: float
    late: bool
    title: str


@dataclass(frozen=True)
class Panel:
    """One course: the position of its name, its bars and its median."""

    answer: PlanAnswer
    top: float
    bottom: float
    bars: list[Bar]
    median: float


@dataclass(frozen=True)
class Plot:
    """A chart of simulated durations.

    `marks`: positions on the axis, with minutes.
    `limit`: position where the time is up, None if the axis ends before.
    """

    width: float
    height: float
    panels: list[Panel]
    marks: list[tuple[float, int]]
    limit: float | None

    @property
    def across(self) -> float:
        """Width with room for half a label on both sides."""
        return self.width + 24

    @property
    def bottom(self) -> float:
        return self.height - AXIS


def plot(answers: Sequence[PlanAnswer], minutes: float) -> Plot:
    """Plot all courses on one axis in minutes, each panel scaled to its own highest bar."""
    starts = [start for each in answers for start, _count in each.bars]
    low, high = min(starts), max(starts) + WIDTH
    if minutes > low - WIDTH * 12:
        low, high = min(low, int(minutes) - WIDTH), max(high, int(minutes) + WIDTH)
    scale = ACROSS / (high - low)
    panels = [_draw_panel(each, n, low, scale, minutes) for n, each in enumerate(answers)]
    step = next(s for s in STEPS if (high - low) / s <= LABELS)
    marks = [((m - low) * scale, m) for m in range(-(-low // step) * step, high + 1, step)]
    limit = (minutes - low) * scale if low <= minutes <= high else None
    return Plot(ACROSS, HIGH * len(answers) + AXIS, panels, marks, limit)


def _draw_panel(answer: PlanAnswer, number: int, low: int, scale: float, minutes: float) -> Panel:
    top, bottom = number * HIGH, (number + 1) * HIGH
    most, all_of_them = (f(count for _s, count in answer.bars) for f in (max, sum))
    room = HIGH - 26
    bars = [
        Bar(
            x=(start - low) * scale + 0.5,
            y=bottom - room * count / most,
            width=max(1.0, WIDTH * scale - 1),
            height=room * count / most,
            late=start >= minutes,
            title=_("{start}–{end} minutes: {share:.0%}").format(
                start=start, end=start + WIDTH, share=count / all_of_them
            ),
        )
        for start, count in answer.bars
    ]
    return Panel(answer, top, bottom, bars, (answer.median - low) * scale)
