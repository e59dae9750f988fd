"""Margins between players and the cut line, in points or by the deciding tie-break."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from django.utils.translation import gettext as _

from tournament.pure.ranking import METRICS, StandingsRow, format_pair, format_value

# Number of rows on each side of the line that the page shows before the list is expanded.
OPEN_ROWS = 5


@dataclass(frozen=True)
class Margin:
    """A player's row on the cut page.

    * `rank`: the rank in the standings.
    * `points`: the value of the first metric.
    * `parted`: a description of the tie-break that separates the row from the one above, or "".
    * `text`: the distance from the line, such as “ahead by 12”.
    * `last`: whether the line is directly below this row.
    * `near`: whether the row is close to the line.
    """

    rank: int
    points: str
    parted: str
    text: str
    last: bool
    near: bool


def get_metric_title(rows: Sequence[StandingsRow]) -> str:
    """Return the title of the first metric of the standings."""
    return _(METRICS[rows[0].ranked.order[0]].title) if rows else ""


def margins(rows: Sequence[StandingsRow], above: int) -> dict[int, Margin]:
    """Return the margins of all rows, by player.

    `above` is the number of rows above the line, or 0 if there is no line.
    """
    last_above = rows[above - 1] if above else None
    first_below = rows[above] if 0 < above < len(rows) else None
    centre = above or OPEN_ROWS
    parted = [False, *(_needs_tie_break(*rows_pair) for rows_pair in pairwise(rows))]
    return {
        row.player: Margin(
            row.rank,
            format_value(row.values[0]),
            row.sentence if decided else "",
            _describe_margin(row, first_below if number <= above else last_above),
            number == above,
            centre - OPEN_ROWS < number <= centre + OPEN_ROWS,
        )
        for number, (row, decided) in enumerate(zip(rows, parted, strict=True), 1)
    }


def _needs_tie_break(above: StandingsRow, row: StandingsRow) -> bool:
    """Return whether two rows are equal in the first metric, so that a tie-break separates them."""
    return row.counts and above.values[0] == row.values[0]


def _describe_margin(row: StandingsRow, other: StandingsRow | None) -> str:
    """Describe the row's distance from the nearest row on the other side of the line."""
    if other is None or not (row.counts and other.counts):
        return ""
    for key, own_value, other_value in zip(row.ranked.order, row.values, other.values, strict=True):
        if own_value is None or other_value is None or own_value == other_value:
            continue
        if key != row.ranked.order[0]:
            text = _("tied; decided by {criterion}: {mine} to {theirs}")
            phrase = _(METRICS[key].phrase)
            mine, theirs = format_pair(own_value, other_value)
            return text.format(criterion=phrase, mine=mine, theirs=theirs)
        better = (own_value < other_value) == METRICS[key].low
        text = _("ahead by {count}") if better else _("behind by {count}")
        difference, _none = format_pair(
            abs(Fraction(own_value) - Fraction(other_value)), Fraction()
        )
        return text.format(count=difference)
    return _("tied")
