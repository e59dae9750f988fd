"""Order of players from different tables of a bracket.

Players with the same place at different tables are ordered by their share of the table's points.
Ties are decided by earlier rounds, latest first, and finally by the standings of the stage before
the bracket. A first round that was drawn by lot does not separate players.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from games.rules.text import _, gettext_noop
from tournament.pure.ranking import Holder, MatchResult

# Lower than any negated share, so that a bye comes first.
BYE = Fraction(-2)

Key = tuple[Fraction | int, ...]


@dataclass(frozen=True)
class SeedStep:
    """The contribution of one round to a player's seed.

    * `key`: the sort key. Lower is better.
    * `title`: the title of the round.
    * `place`: the place at the table, or None if the player had no table.
    * `points`: the player's points.
    * `total`: the points of the whole table.
    """

    key: Key
    title: str = ""
    place: int | None = None
    points: int = 0
    total: int = 0

    @property
    def is_bye(self) -> bool:
        return self.key[-1:] == (BYE,)


def make_bye_step(title: str) -> SeedStep:
    """Return the step for a bye. It ranks ahead of every result at a table."""
    return SeedStep((1, BYE), title)


def make_table_step(title: str, place: int, result: MatchResult, player: Holder) -> SeedStep:
    """Return the step for a player's result at a table."""
    points = result.points[result.players.index(player)]
    return SeedStep(
        (place, -result.normalized_share(player)), title, place, points, sum(result.points)
    )


def join_keys(steps: Iterable[SeedStep]) -> tuple[Key, ...]:
    """Join the keys of these steps into a sort key."""
    return tuple([step.key for step in steps])


@dataclass(frozen=True)
class DifferenceSentences:
    """Untranslated sentences that explain why a player ranks ahead of or behind another player."""

    bye: str
    standings: str
    place: str
    share: str
    shares: str


AHEAD = DifferenceSentences(
    bye=gettext_noop("Ahead of {name} after a bye in {round}."),
    standings=gettext_noop("Ahead of {name} in the standings."),
    place=gettext_noop("Ahead of {name} on place at the table in {round}."),
    share=gettext_noop("Ahead of {name} on share of table points in {round}."),
    shares=gettext_noop("Ahead of {name} on share of table points in {round}: {mine} to {theirs}."),
)
BEHIND = DifferenceSentences(
    bye=gettext_noop("Behind {name}, who had a bye in {round}."),
    standings=gettext_noop("Behind {name} in the standings."),
    place=gettext_noop("Behind {name} on place at the table in {round}."),
    share=gettext_noop("Behind {name} on share of table points in {round}."),
    shares=gettext_noop("Behind {name} on share of table points in {round}: {mine} to {theirs}."),
)


def explain_difference(
    mine: Sequence[SeedStep], theirs: Sequence[SeedStep], name: str, sentences: DifferenceSentences
) -> str:
    """Explain why a player ranks ahead of or behind another player.

    * `mine`: the player's steps, latest first.
    * `theirs`: the other player's steps, latest first.
    * `name`: the other player's name.
    * `sentences`: AHEAD or BEHIND.
    """
    step, other = _find_difference(mine, theirs)
    bye = next((each for each in (step, other) if each.is_bye), None)
    if bye:
        return _(sentences.bye).format(name=name, round=bye.title)
    if step.place is None or other.place is None:
        return _(sentences.standings).format(name=name)
    text = sentences.share
    if step.place != other.place:
        text = sentences.place
    elif step.total and other.total:
        text = sentences.shares
    shares = {"mine": _describe_share(step), "theirs": _describe_share(other)}
    return _(text).format(name=name, round=step.title, **shares)


def _describe_share(step: SeedStep) -> str:
    return _("{points} of {total}").format(points=step.points, total=step.total)


def _find_difference(
    mine: Sequence[SeedStep], theirs: Sequence[SeedStep]
) -> tuple[SeedStep, SeedStep]:
    """Return the first pair of steps that differ.

    If no steps differ, the standings decide. They are represented by two empty steps. A player who
    entered the bracket later has fewer steps.
    """
    for step, other in zip(mine, theirs, strict=False):
        if step.key != other.key:
            return step, other
    return SeedStep(()), SeedStep(())
