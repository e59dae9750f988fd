"""A bracket of tables: the best of each table advance until one table is left.

Nothing is stored: a round's draw follows from the seeds, and the next round's seeds from the
results.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

from games.rules.text import _, ngettext
from tournament.pure.arrangement.costs import SeatingError, SeatingRules, table_sizes
from tournament.pure.brackets.tables import NO_RULES, separate, snake
from tournament.pure.qualifying import (
    Contender,
    CutTies,
    Decision,
    Playoff,
    best_of_tables,
    table_order,
)
from tournament.pure.ranking import MatchResult, exclude_bots
from tournament.pure.sentences import Sentence, stored_sentence
from tournament.pure.words import join_words


class BracketError(ValueError):
    """Raised if no such bracket is possible; the message says why and suggests a remedy."""


@dataclass(frozen=True)
class Shape:
    """The organizer's settings for a bracket.

    `table_size`: the target size. `advance`: how many of each table advance. `minimum`,
    `maximum`: numbers of players that the rule set allows. `ties`, `lots_key`, `breakers`: as in
    qualifying.
    """

    table_size: int = 4
    advance: int = 2
    minimum: int = 2
    maximum: int = 10
    ties: str = "together"
    lots_key: str = ""
    breakers: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not 1 <= self.advance < self.table_size:
            text = _(
                "From tables of {size}, between 1 and {most} players can advance, not {advance}."
            )
            size, advance = self.table_size, self.advance
            raise BracketError(text.format(size=size, most=size - 1, advance=advance))

    def split(self, count: int) -> tuple[tuple[int, ...], int]:
        """Return the table sizes, largest first, and the number of byes for `count` players."""
        try:
            return table_sizes(count, SeatingRules(self.table_size, self.minimum, self.maximum))
        except SeatingError as error:
            raise BracketError(str(error)) from error


@dataclass(frozen=True)
class RoundPlan:
    """One round of a bracket: `advance` of each table, `byes` and `fill` add up to `through`.

    `byes`: the highest seeds, who advance without playing if no tables hold everyone. `fill`: the
    best players who missed, by share of table points, who complete the next tables.
    In the final, the only table of its round, `advance` and `through` are 0.
    """

    sizes: tuple[int, ...]
    byes: int
    advance: int
    fill: int
    through: int

    @property
    def is_final(self) -> bool:
        return len(self.sizes) == 1 and not self.byes

    @property
    def players(self) -> int:
        """Number of players still in the bracket, byes included."""
        return sum(self.sizes) + self.byes

    def sentence(self, name: Sentence | str) -> Sentence:
        """Describe the round with this name for the organizer and the public page."""
        if self.is_final:
            return bracket_final(name, self.sizes[0])
        sizes = listed_sizes(sorted(set(self.sizes), reverse=True))
        ways = [bracket_tables(len(self.sizes), sizes, self.advance)]
        ways += [bracket_byes(self.byes)] if self.byes else []
        ways += [bracket_fill(self.fill)] if self.fill else []
        return bracket_round(name, ways, self.through)


@stored_sentence("bracket_final")
def bracket_final(round: Sentence | str, size: int) -> str:
    """Describe the last round."""
    return _("{round}: one table of {size}.").format(round=round, size=size)


@stored_sentence("bracket_round")
def bracket_round(round: Sentence | str, ways: Sequence[Sentence], through: int) -> str:
    """Describe a round before the last one, and how players advance from it."""
    text = _("{round}: {ways}. {through} players advance.")
    return text.format(round=round, ways="; ".join(map(str, ways)), through=through)


@stored_sentence("listed_sizes")
def listed_sizes(sizes: Sequence[int]) -> str:
    """Join table sizes for a sentence."""
    return join_words(sizes)


@stored_sentence("bracket_tables")
def bracket_tables(count: int, sizes: Sentence, best: int) -> str:
    """Describe the tables and how many of each advance, as part of a sentence."""
    if best == 1:
        text = ngettext(
            "{count} table of {sizes} (the winner advances)",
            "{count} tables of {sizes} (each winner advances)",
            count,
        )
    else:
        text = ngettext(
            "{count} table of {sizes} (the top {best} advance)",
            "{count} tables of {sizes} (the top {best} of each advance)",
            count,
        )
    return text.format(count=count, sizes=sizes, best=best)


@stored_sentence("bracket_byes")
def bracket_byes(count: int) -> str:
    """Describe the number of byes, as part of a sentence."""
    return ngettext("{count} player with a bye", "{count} players with a bye", count).format(
        count=count
    )


@stored_sentence("bracket_fill")
def bracket_fill(count: int) -> str:
    """Describe the players who advance by share of table points, as part of a sentence."""
    text = ngettext(
        "{count} more player by share of table points",
        "{count} more players by share of table points",
        count,
    )
    return text.format(count=count)


def plan_round(count: int, shape: Shape) -> RoundPlan:
    """Plan the round for this number of players.

    Raises BracketError if they cannot fill a table.
    """
    return plan_tables(*shape.split(count), shape)


def plan_tables(sizes: Sequence[int], byes: int, shape: Shape) -> RoundPlan:
    """Plan the round for tables of these sizes, even if they were changed by hand."""
    ordered = tuple(sorted(sizes, reverse=True))
    if len(ordered) == 1 and not byes:
        return RoundPlan(ordered, 0, 0, 0, 0)
    # The smallest table must eliminate at least one player, unless only one sits there.
    advance = max(1, min(shape.advance, ordered[-1] - 1))
    through = byes + advance * len(ordered)
    full = -(-through // shape.table_size) * shape.table_size
    fill = full - through if full < sum(ordered) + byes else 0
    return RoundPlan(ordered, byes, advance, fill, through + fill)


def plan(count: int, shape: Shape) -> tuple[RoundPlan, ...]:
    """Plan all rounds from this one to the final.

    The plan assumes that no player withdraws or advances through a tie.

    Raises BracketError if the players cannot fill a table, or if none would ever be eliminated.
    """
    rounds = [plan_round(count, shape)]
    while not rounds[-1].is_final:
        before = rounds[-1]
        if before.through >= before.players:
            text = _(
                "In one round, all {players} players would advance, so there would never be a "
                "final. Make the tables larger or let fewer players advance."
            )
            raise BracketError(text.format(players=before.players))
        rounds.append(plan_round(before.through, shape))
    return tuple(rounds)


@dataclass(frozen=True)
class BracketDraw:
    """A round's `tables` of ids, highest seed first, and the players with a bye."""

    tables: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...] = ()


def draw(
    seeds: Sequence[int],
    shape: Shape,
    met: Sequence[Collection[int]] = (),
    rules: SeatingRules = NO_RULES,
) -> BracketDraw:
    """Draw the tables by snake seeding.

    With four tables: 1-8-9-16, 2-7-10-15, 3-6-11-14, 4-5-12-13.

    `seeds`: ids, best first. `met`: tables of the previous round. Players are exchanged within a
    row of the snake, as far as possible. First, players who are `apart` by the rules do not
    share a table. A player with a `fixed` table does not share it with a player who needs
    another one. Then players who sat together are kept apart.
    """
    sizes, byes = shape.split(len(seeds))
    rows = snake(seeds[byes:], len(sizes))
    separate(rows, met, rules)
    tables = tuple(tuple(row[t] for row in rows if t in row) for t in range(len(sizes)))
    return BracketDraw(tables, tuple(seeds[:byes]))


@dataclass(frozen=True)
class NextRound:
    """Seeds of the next round, or the playoffs that must be played first.

    `seeds`: advancing players, best first; () while `playoffs` have to be played.
    `played`: hands for a place that were decisive.
    `decisions`: one for every player of the round, with a sentence. The codes are those of
    qualifying, and "bye" and "fill".
    """

    seeds: tuple[int, ...]
    decisions: tuple[Decision, ...]
    playoffs: tuple[Playoff, ...]
    played: tuple[Playoff, ...]


def next_round(
    draw: BracketDraw,
    results: Sequence[MatchResult],
    shape: Shape,
    names: Mapping[int, str],
    seeds: Sequence[int],
    *,
    removed: Mapping[int, str] | None = None,
    hands: Sequence[Sequence[int]] = (),
) -> NextRound:
    """Decide who advances from a round before the final, and with which seed.

    `results` are in the order of `BracketDraw.tables`. A player who is not in `names` takes no
    place. `seeds`: the seeds of this round. `removed`: id -> why the player cannot advance; the
    next player of the table advances instead, or else the best share. `hands`: as in `qualify`. The
    number of advancing players follows from the tables that were played, which may differ from a
    fresh draw for that many players. Next seeds: byes, then by place at the table, share of its
    points, and earlier seed.
    """
    missing = removed or {}
    shaped = plan_tables([len(table) for table in draw.tables], len(draw.byes), shape)
    if shaped.is_final or len(results) != len(draw.tables):
        text = _(
            "The next round can be drawn only once all tables have results, and no round "
            "follows the final."
        )
        raise BracketError(text)
    contenders = [Contender(p, names[p], missing.get(p, "")) for p in seeds]
    playing = [c for c in contenders if c.player not in draw.byes]
    ties = CutTies(shape.ties, shape.lots_key, shape.breakers)
    cut = best_of_tables(playing, results, shaped.advance, ties, hands)
    decided = {d.player: d for d in cut.decisions}
    decided.update({c.player: _decide_bye(c) for c in contenders if c.player in draw.byes})
    worth = dict(_iterate_worths(results, shape, names))
    ranked = sorted(worth, key=lambda p: (worth[p].place, -worth[p].share, seeds.index(p)))
    if not cut.playoffs:
        free = shaped.through - sum(bool(d.through) for d in decided.values())
        _fill(decided, _list_best_shares(decided, worth, seeds), free)
    through = [p for p in (*draw.byes, *ranked) if decided[p].through]
    through.sort(key=lambda p: decided[p].code == "fill")
    decisions = tuple(decided[p] for p in seeds)
    on = () if cut.playoffs else tuple(through)
    return NextRound(on, decisions, cut.playoffs, cut.played)


def _decide_bye(player: Contender) -> Decision:
    if player.gone:
        return player.cannot_go_on()
    return Decision(player.player, player.name, True, "bye", had_bye())


class _Worth(NamedTuple):
    """A player's achievement at a table: share of its points (more is better), and place."""

    share: Fraction
    place: int


def _iterate_worths(
    results: Sequence[MatchResult], shape: Shape, names: Mapping[int, str]
) -> Iterator[tuple[int, _Worth]]:
    for result in results:
        places = table_order(result, names, shape.breakers).places
        for player in exclude_bots(places):
            yield player, _Worth(result.goodness(player), places[player])


def _list_best_shares(
    decided: Mapping[int, Decision], worth: Mapping[int, _Worth], seeds: Sequence[int]
) -> list[int]:
    """List the players who missed at their own table, best first.

    They are ordered by share, place and then the earlier seed.
    """
    missed = ("behind", "lost_lots", "lost_hand")
    waiting = [p for p in seeds if decided[p].code in missed]
    return sorted(waiting, key=lambda p: (-worth[p].share, worth[p].place))


def _fill(decided: dict[int, Decision], waiting: Sequence[int], free: int) -> None:
    for player in waiting[: max(0, free)]:
        decided[player] = replace(decided[player], through=True, code="fill", why=fills_table())


@stored_sentence("had_bye")
def had_bye() -> str:
    """Describe a player who advances with a bye."""
    return _("Has a bye and advances without playing.")


@stored_sentence("fills_table")
def fills_table() -> str:
    """Describe a player who missed at their own table but still advances."""
    return _(
        "Fills an open seat in the next round thanks to one of the best remaining "
        "shares of table points."
    )
