"""Order of players from different tables of a bracket, as the next draw seeds them.

Players with the same place at different tables of a round are ordered by their share of the
table's points. If that is equal too, the round before decides, then the one before that, and at
last the standings of the stage before the bracket. A first round that is drawn by lot orders
nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from games.rules.text import _
from tournament.pure.ranking import Holder, MatchResult

# Before all shares of a table's points.
BYE = Fraction(-2)

Key = tuple[Fraction | int, ...]


@dataclass(frozen=True)
class SeedStep:
    """What one round contributes to a player's seed; a smaller `key` is better.

    `where`: the title of the round. `place`: the place at the table, or None if the step is not
    from a table. `points` of the table's `total`: the player's share, without a total if no one
    at the table has points.
    """

    key: Key
    where: str = ""
    place: int | None = None
    points: int = 0
    total: int = 0

    @property
    def is_bye(self) -> bool:
        return self.key[-1:] == (BYE,)


def make_bye_step(where: str) -> SeedStep:
    """Return the step of a bye, which is ahead of every table."""
    return SeedStep((1, BYE), where)


def make_table_step(where: str, place: int, result: MatchResult, player: Holder) -> SeedStep:
    """Return the step of a table with this result."""
    points = result.points[result.players.index(player)]
    return SeedStep((place, -result.goodness(player)), where, place, points, sum(result.points))


def list_keys(steps: Iterable[SeedStep]) -> tuple[Key, ...]:
    """Return the steps as a sort key."""
    return tuple([step.key for step in steps])


def explain_ahead(mine: Sequence[SeedStep], theirs: Sequence[SeedStep], name: str) -> str:
    """Describe what puts a player ahead of another one, who is called `name`.

    The steps are newest first.
    """
    step, other = _find_difference(mine, theirs)
    if step.is_bye:
        return _("Ahead of {name} after a bye in {round}.").format(name=name, round=step.where)
    if step.place is None or other.place is None:
        return _("Ahead of {name} in the standings.").format(name=name)
    text = _("Ahead of {name} on share of table points in {round}.")
    if step.place != other.place:
        text = _("Ahead of {name} by the place at the table in {round}.")
    elif step.total and other.total:
        text = _("Ahead of {name} on share of table points in {round}: {mine} to {theirs}.")
    return _fill(text, name, step, other)


def explain_behind(mine: Sequence[SeedStep], theirs: Sequence[SeedStep], name: str) -> str:
    """Describe what puts a player behind another one, like `explain_ahead`."""
    step, other = _find_difference(mine, theirs)
    if other.is_bye:
        return _("Behind {name}, who had a bye in {round}.").format(name=name, round=other.where)
    if step.place is None or other.place is None:
        return _("Behind {name} in the standings.").format(name=name)
    text = _("Behind {name} on share of table points in {round}.")
    if step.place != other.place:
        text = _("Behind {name} by the place at the table in {round}.")
    elif step.total and other.total:
        text = _("Behind {name} on share of table points in {round}: {mine} to {theirs}.")
    return _fill(text, name, step, other)


def _fill(text: str, name: str, step: SeedStep, other: SeedStep) -> str:
    mine, theirs = _describe_share(step), _describe_share(other)
    return text.format(name=name, round=step.where, mine=mine, theirs=theirs)


def _describe_share(step: SeedStep) -> str:
    return _("{points} of {total}").format(points=step.points, total=step.total)


def _find_difference(
    mine: Sequence[SeedStep], theirs: Sequence[SeedStep]
) -> tuple[SeedStep, SeedStep]:
    """Return the first steps that differ.

    A player who entered later has fewer steps. Then the standings come last, as without steps.
    """
    for step, other in zip(mine, theirs, strict=False):
        if step.key != other.key:
            return step, other
    return SeedStep(()), SeedStep(())
