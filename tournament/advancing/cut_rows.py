"""Rows of the cut page. At first, the page shows only the rows near the cut line."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournament.pure.qualifying import Decision
from tournament.stages.margins import Margin
from tournament.standings.rows import QualifyingChance

# Lists of up to this many rows are always shown in full.
MAX_UNFOLDED_ROWS = 12


@dataclass(frozen=True)
class CutRow:
    """A player's row on the cut page.

    `badge` names the player's outcome, in a preview as well as in the final cut.
    """

    decision: Decision
    margin: Margin
    just_missed: bool
    badge: str
    chance: QualifyingChance | None


def fold_rows(rows: Sequence[CutRow]) -> dict[str, Sequence[CutRow]]:
    """Split the rows into parts before, near ("open") and after the cut line.

    A short list has only the part "open".
    """
    near = [number for number, row in enumerate(rows) if row.margin.near]
    if len(rows) <= MAX_UNFOLDED_ROWS or not near:
        return {"open": rows}
    start, end = near[0], near[-1] + 1
    return {"before": rows[:start], "open": rows[start:end], "after": rows[end:]}
