"""Curves of the last hour, as SVG coordinates. No input or output."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log10
from typing import NamedTuple

WIDTH, HEIGHT = 360, 96
# Space above the curve for the number of the highest value.
TOP_MARGIN = 16


class Point(NamedTuple):
    x: float
    y: float


@dataclass(frozen=True)
class HourCurve:
    """A curve with one value per minute, oldest first.

    The value is None for minutes in which no process reported.
    """

    title: str
    text: str
    values: Sequence[float | None]

    @property
    def top(self) -> float:
        """The value at the upper edge: the maximum, rounded up to one significant digit."""
        highest = max((value for value in self.values if value is not None), default=0.0)
        step = 10.0 ** int(log10(highest)) if highest >= 1 else 1.0
        return max(1.0, ceil(highest / step) * step)

    @property
    def segments(self) -> list[str]:
        """The curve's segments as SVG polylines. A missing minute begins a new segment."""
        segments: list[list[Point]] = [[]]
        for number, value in enumerate(self.values):
            if value is None:
                segments.append([])
            else:
                segments[-1].append(self._make_point(number, value))
        return [_format_line(segment) for segment in segments if segment]

    def _make_point(self, number: int, value: float) -> Point:
        x = number * WIDTH / max(1, len(self.values) - 1)
        return Point(x, HEIGHT - value / self.top * (HEIGHT - TOP_MARGIN))


def _format_line(points: Sequence[Point]) -> str:
    """Format the points of an SVG polyline. A single minute becomes a short line."""
    if len(points) == 1:
        [point] = points
        points = [Point(point.x - 2, point.y), Point(point.x + 2, point.y)]
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
