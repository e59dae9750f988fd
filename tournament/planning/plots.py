"""An SVG bar chart of the durations of simulated events, with a panel for each plan."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournament.pure.simulation.answers import WIDTH, PlanAnswer

# Dimensions in SVG units.
WIDTH_UNITS, PANEL_HEIGHT, AXIS_HEIGHT = 640.0, 92.0, 22.0
# Maximum number of steps on the axis, and the possible lengths of a step in minutes.
MAX_STEPS = 8
STEPS = (5, 10, 15, 30, 60, 120, 240, 480, 1440, 10**6)


@dataclass(frozen=True)
class Bar:
    """A bar of the chart. `late` means that it is beyond the available time."""

    x: float
    y: float
    width: float
    height: float
    late: bool
    title: str


@dataclass(frozen=True)
class Panel:
    """The panel of one plan: its vertical position, bars and median."""

    answer: PlanAnswer
    top: float
    bottom: float
    bars: list[Bar]
    median: float


@dataclass(frozen=True)
class Plot:
    """A chart of simulated durations.

    `marks` are (position on the axis, minutes). `limit` is the position of the available time, or
    None if it is beyond the axis.
    """

    width: float
    height: float
    panels: list[Panel]
    marks: list[tuple[float, int]]
    limit: float | None

    @property
    def full_width(self) -> float:
        """The width, including half a label on each side."""
        return self.width + 24

    @property
    def bottom(self) -> float:
        return self.height - AXIS_HEIGHT


def plot(answers: Sequence[PlanAnswer], minutes: float) -> Plot:
    """Plot all plans on one axis in minutes. Each panel is scaled to its highest bar."""
    starts = [start for each in answers for start, _count in each.bars]
    low, high = min(starts), max(starts) + WIDTH
    if minutes > low - WIDTH * 12:
        low, high = min(low, int(minutes) - WIDTH), max(high, int(minutes) + WIDTH)
    scale = WIDTH_UNITS / (high - low)
    panels = [_draw_panel(each, n, low, scale, minutes) for n, each in enumerate(answers)]
    step = next(step_minutes for step_minutes in STEPS if (high - low) / step_minutes <= MAX_STEPS)
    marks = [
        ((minute - low) * scale, minute) for minute in range(-(-low // step) * step, high + 1, step)
    ]
    limit = (minutes - low) * scale if low <= minutes <= high else None
    return Plot(WIDTH_UNITS, PANEL_HEIGHT * len(answers) + AXIS_HEIGHT, panels, marks, limit)


def _draw_panel(answer: PlanAnswer, number: int, low: int, scale: float, minutes: float) -> Panel:
    top, bottom = number * PANEL_HEIGHT, (number + 1) * PANEL_HEIGHT
    highest, total = (aggregate(count for _start, count in answer.bars) for aggregate in (max, sum))
    bar_room = PANEL_HEIGHT - 26
    bars = [
        Bar(
            x=(start - low) * scale + 0.5,
            y=bottom - bar_room * count / highest,
            width=max(1.0, WIDTH * scale - 1),
            height=bar_room * count / highest,
            late=start >= minutes,
            title=_("{start}–{end} minutes: {share:.0%}").format(
                start=start, end=start + WIDTH, share=count / total
            ),
        )
        for start, count in answer.bars
    ]
    return Panel(answer, top, bottom, bars, (answer.median - low) * scale)
