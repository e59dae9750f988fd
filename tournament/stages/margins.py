"""How far everybody is from the line: in what the standings are ranked by, else what decides."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from django.utils.translation import gettext as _

from tournament.pure.ranking import METRICS, StandingsRow, show

# This many rows on each side of the line are unfolded.
OPEN = 5


@dataclass(frozen=True)
class Margin:
    """A player's row on the page of the cut.

    `points`: the figure that ranks the standings. `parted`: the tie-break that separates the row
    from the one above, if one does. `last`: the line is directly below. `near`: among the rows
    around the line.
    """

    rank: int
    points: str
    parted: str
    text: str
    last: bool
    near: bool


def headline(rows: Sequence[StandingsRow]) -> str:
    """Return the title of the metric that ranks the standings."""
    return _(METRICS[rows[0].ranked.order[0]].title) if rows else ""


def margins(rows: Sequence[StandingsRow], above: int) -> dict[int, Margin]:
    """Return each player's margin, by player.

    `above`: the number of rows above the line; 0 if there is none.
    """
    last = rows[above - 1] if above else None
    first = rows[above] if 0 < above < len(rows) else None
    centre = above or OPEN
    parted = [False, *(_is_separated(*both) for both in pairwise(rows))]
    return {
        row.player: Margin(
            row.rank,
            show(row.values[0]),
            row.sentence if decided else "",
            _describe_margin(row, first if number <= above else last),
            number == above,
            centre - OPEN < number <= centre + OPEN,
        )
        for number, (row, decided) in enumerate(zip(rows, parted, strict=True), 1)
    }


def _is_separated(above: StandingsRow, row: StandingsRow) -> bool:
    """Return whether a tie-break, or nothing, separates the two rows."""
    return bool(row.played) and above.values[0] == row.values[0]


def _describe_margin(row: StandingsRow, other: StandingsRow | None) -> str:
    """How far the row is from the nearest on the other side of the line."""
    if other is None or not (row.played and other.played):
        return ""
    for key, mine, theirs in zip(row.ranked.order, row.values, other.values, strict=True):
        if mine is None or theirs is None or mine == theirs:
            continue
        if key != row.ranked.order[0]:
            text = _("tied; decided by {criterion}: {mine} to {theirs}")
            phrase = _(METRICS[key].phrase)
            return text.format(criterion=phrase, mine=show(mine), theirs=show(theirs))
        better = (mine < theirs) == METRICS[key].low
        text = _("ahead by {count}") if better else _("behind by {count}")
        return text.format(count=show(abs(Fraction(mine) - Fraction(theirs))))
    return _("tied")
