"""Rounds of a bracket. The best players of each table advance until one table is left.

The draw of a round follows from its seeds, and the next seeds follow from the results.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

from games.rules.text import _, ngettext
from tournament.pure.arrangement.costs import SeatingError, SeatingRules, table_sizes
from tournament.pure.brackets.tables import NO_RULES, build_snake, separate_players
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
    """Raised if no bracket is possible. The message explains why and suggests a remedy."""


@dataclass(frozen=True)
class Shape:
    """The organizer's settings for a bracket.

    * `table_size`: the target size.
    * `advance`: the number of players who advance from each table.
    * `minimum`, `maximum`: the smallest and largest table that the rule set allows.
    * `ties`, `lots_key`, `breakers`: as in `QualifyingRule`.
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
    """One round of a bracket.

    * `sizes`: the table sizes, largest first.
    * `byes`: the number of byes, which go to the highest seeds. There are byes only if no table
      sizes fit all players.
    * `advance`: the number of players who advance from each table.
    * `fill`: the number of further players who advance to fill the tables of the next round. They
      have the best shares of table points among the others.
    * `through`: the total number of players who advance.

    In the final, `advance` and `through` are 0.
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
        """The number of players still in the bracket, including byes."""
        return sum(self.sizes) + self.byes

    def sentence(self, name: Sentence | str) -> Sentence:
        """Describe the round. `name` is the round's name."""
        if self.is_final:
            return bracket_final(name, self.sizes[0])
        sizes = listed_sizes(sorted(set(self.sizes), reverse=True))
        groups = [bracket_tables(len(self.sizes), sizes, self.advance)]
        groups += [bracket_byes(self.byes)] if self.byes else []
        groups += [bracket_fill(self.fill)] if self.fill else []
        return bracket_round(name, groups, self.through)


@stored_sentence("bracket_final")
def bracket_final(round: Sentence | str, size: int) -> str:
    """Describe the final."""
    return _("{round}: one table of {size}.").format(round=round, size=size)


@stored_sentence("bracket_round")
def bracket_round(round: Sentence | str, ways: Sequence[Sentence], through: int) -> str:
    """Describe a round before the final, and how players advance from it."""
    text = _("{round}: {ways}. {through} players advance.")
    return text.format(round=round, ways="; ".join(map(str, ways)), through=through)


@stored_sentence("listed_sizes")
def listed_sizes(sizes: Sequence[int]) -> str:
    """Return a phrase that lists table sizes."""
    return join_words(sizes)


@stored_sentence("bracket_tables")
def bracket_tables(count: int, sizes: Sentence, best: int) -> str:
    """Return a phrase with the number of tables and of players who advance from each table."""
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
    """Return a phrase with the number of byes."""
    return ngettext("{count} player with a bye", "{count} players with a bye", count).format(
        count=count
    )


@stored_sentence("bracket_fill")
def bracket_fill(count: int) -> str:
    """Return a phrase with the number of players who advance by share of table points."""
    text = ngettext(
        "{count} more player by share of table points",
        "{count} more players by share of table points",
        count,
    )
    return text.format(count=count)


def plan_round(count: int, shape: Shape) -> RoundPlan:
    """Plan a round for a number of players.

    Raises BracketError if they cannot fill a table.
    """
    return plan_tables(*shape.split(count), shape)


def plan_tables(sizes: Sequence[int], byes: int, shape: Shape) -> RoundPlan:
    """Plan a round with tables of these sizes and a number of byes."""
    ordered = tuple(sorted(sizes, reverse=True))
    if len(ordered) == 1 and not byes:
        return RoundPlan(ordered, 0, 0, 0, 0)
    # Even the smallest table must eliminate a player, unless it has only one.
    advance = max(1, min(shape.advance, ordered[-1] - 1))
    through = byes + advance * len(ordered)
    filled_seats = -(-through // shape.table_size) * shape.table_size
    fill = filled_seats - through if filled_seats < sum(ordered) + byes else 0
    return RoundPlan(ordered, byes, advance, fill, through + fill)


def plan_bracket(count: int, shape: Shape) -> tuple[RoundPlan, ...]:
    """Plan all rounds up to the final for a number of players.

    The plan assumes that no one withdraws and that ties let no additional players advance. Raises
    BracketError if the players cannot fill a table, or if a round would eliminate no one.
    """
    rounds = [plan_round(count, shape)]
    while not rounds[-1].is_final:
        previous = rounds[-1]
        if previous.through >= previous.players:
            text = _(
                "In one round, all {players} players would advance, so there would never be a "
                "final. Make the tables larger or let fewer players advance."
            )
            raise BracketError(text.format(players=previous.players))
        rounds.append(plan_round(previous.through, shape))
    return tuple(rounds)


@dataclass(frozen=True)
class BracketDraw:
    """The draw of a round.

    * `tables`: the players at each table, highest seed first.
    * `byes`: the players with a bye.
    """

    tables: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...] = ()


def draw_tables(
    seeds: Sequence[int],
    shape: Shape,
    met: Sequence[Collection[int]] = (),
    rules: SeatingRules = NO_RULES,
) -> BracketDraw:
    """Draw the tables by snake seeding.

    For example, the tables of 16 players are 1-8-9-16, 2-7-10-15, 3-6-11-14 and 4-5-12-13.

    * `seeds`: the players, best first.
    * `met`: the tables of the previous round.
    * `rules`: only `apart` and `fixed` are used.

    Players are swapped within a row of the snake to follow the rules, and then to separate players
    who met in the previous round.
    """
    sizes, byes = shape.split(len(seeds))
    rows = build_snake(seeds[byes:], len(sizes))
    separate_players(rows, met, rules)
    tables = tuple(tuple(row[table] for row in rows if table in row) for table in range(len(sizes)))
    return BracketDraw(tables, tuple(seeds[:byes]))


@dataclass(frozen=True)
class NextRound:
    """The seeds of the next round, or the tie-break hands that have to be played first.

    * `seeds`: the advancing players, best first, or () until all `playoffs` have been played.
    * `decisions`: one for each player of the round. In addition to the codes in `Decision`, there
      are "bye" and "fill" for players who advance.
    * `playoffs`: tie-break hands still to be played.
    * `played`: tie-break hands that have decided a place.
    """

    seeds: tuple[int, ...]
    decisions: tuple[Decision, ...]
    playoffs: tuple[Playoff, ...]
    played: tuple[Playoff, ...]


def seed_next_round(
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

    * `results`: the results in the order of the tables of `draw`.
    * `names`: names by id. Other players get no place.
    * `seeds`: the players of this round, best first.
    * `removed`: the reason for each player who cannot advance. The next player of the table
      advances instead, or else the player with the best share.
    * `hands`: as in `qualify`.

    The number of advancing players follows from the tables that were played, because their sizes
    may have been changed by hand. The next seeds are ordered by bye, place at the table, share of
    the table's points and earlier seed. Raises BracketError if a result is missing or the round is
    the final.
    """
    unavailable = removed or {}
    round_plan = plan_tables([len(table) for table in draw.tables], len(draw.byes), shape)
    if round_plan.is_final or len(results) != len(draw.tables):
        text = _(
            "The next round can be drawn only once all tables have results, and no round "
            "follows the final."
        )
        raise BracketError(text)
    contenders = [Contender(player, names[player], unavailable.get(player, "")) for player in seeds]
    playing = [contender for contender in contenders if contender.player not in draw.byes]
    ties = CutTies(shape.ties, shape.lots_key, shape.breakers)
    cut = best_of_tables(playing, results, round_plan.advance, ties, hands)
    decided = {decision.player: decision for decision in cut.decisions}
    decided.update(
        {
            contender.player: _decide_bye(contender)
            for contender in contenders
            if contender.player in draw.byes
        }
    )
    player_results = dict(_iterate_player_results(results, shape, names))
    ranked = sorted(
        player_results,
        key=lambda player: (
            player_results[player].place,
            -player_results[player].share,
            seeds.index(player),
        ),
    )
    if not cut.playoffs:
        free = round_plan.through - sum(bool(decision.through) for decision in decided.values())
        _fill_spots(decided, _list_best_shares(decided, player_results, seeds), free)
    through = [player for player in (*draw.byes, *ranked) if decided[player].through]
    through.sort(key=lambda player: decided[player].code == "fill")
    decisions = tuple(decided[player] for player in seeds)
    next_seeds = () if cut.playoffs else tuple(through)
    return NextRound(next_seeds, decisions, cut.playoffs, cut.played)


def _decide_bye(player: Contender) -> Decision:
    if player.gone:
        return player.decide_gone()
    return Decision(player.player, player.name, True, "bye", had_bye())


class _PlayerResult(NamedTuple):
    """A player's result at a table. A higher share is better."""

    share: Fraction
    place: int


def _iterate_player_results(
    results: Sequence[MatchResult], shape: Shape, names: Mapping[int, str]
) -> Iterator[tuple[int, _PlayerResult]]:
    for result in results:
        places = table_order(result, names, shape.breakers).places
        for player in exclude_bots(places):
            yield player, _PlayerResult(result.normalized_share(player), places[player])


def _list_best_shares(
    decided: Mapping[int, Decision],
    player_results: Mapping[int, _PlayerResult],
    seeds: Sequence[int],
) -> list[int]:
    """List the players who did not advance from their table, by share, then place, then seed."""
    missed = ("behind", "lost_lots", "lost_hand")
    candidates = [player for player in seeds if decided[player].code in missed]
    return sorted(
        candidates, key=lambda player: (-player_results[player].share, player_results[player].place)
    )


def _fill_spots(decided: dict[int, Decision], candidates: Sequence[int], spots: int) -> None:
    for player in candidates[: max(0, spots)]:
        decided[player] = replace(decided[player], through=True, code="fill", why=fills_table())


@stored_sentence("had_bye")
def had_bye() -> str:
    """Return the reason for a player who advances with a bye."""
    return _("Has a bye and advances without playing.")


@stored_sentence("fills_table")
def fills_table() -> str:
    """Return the reason for a player who fills a seat by share of table points."""
    return _(
        "Fills an open seat in the next round thanks to one of the best remaining "
        "shares of table points."
    )
