"""Rows of the cut page: those near the cut line are shown, the others are collapsed."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournament.pure.qualifying import Decision
from tournament.stages.margins import Margin
from tournament.standings.rows import QualifyingChance

# A list of up to this many rows is not collapsed.
MOST_OPEN = 12


@dataclass(frozen=True)
class CutRow:
    """A player on the cut page.

    `badge` is the player's mark in the cut, whether previewed or made.
    """

    decision: Decision
    margin: Margin
    just_missed: bool
    badge: str
    chance: QualifyingChance | None


def fold_rows(rows: Sequence[CutRow]) -> dict[str, Sequence[CutRow]]:
    """Return the rows near the cut line, and the other rows before and after them."""
    near = [number for number, row in enumerate(rows) if row.margin.near]
    if len(rows) <= MOST_OPEN or not near:
        return {"open": rows}
    start, end = near[0], near[-1] + 1
    return {"before": rows[:start], "open": rows[start:end], "after": rows[end:]}
