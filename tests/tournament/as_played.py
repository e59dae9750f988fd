"""Places computed independently from the results, as people would do it by hand.

The site's code for places and standings is not used. Tests compare the site's results with these
places.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor
from typing import Any

from django.db.models import Q

from games.rules.ruleset import rulesets
from tournament.models import Event, Registration, Result, Round, Stage, Table

# Places by player: people by registration key, bots by negative numbers.
Places = dict[int, int]
# Byes by stage and round of a bracket.
Byes = Mapping[tuple[int, int], Collection[int]]
# Sort key. It is nested, because the key of a bracket's last round contains the earlier keys.
ProgressKey = tuple[Any, ...]


@dataclass(frozen=True)
class PlayedTable:
    """A table that has been played, with its values in seat order.

    `left`: the points left in the cards, or () for physical cards. `losers`: the players who
    lose and get no points regardless of what they played.
    """

    stage: int
    bracket: bool
    round: int
    who: tuple[int, ...]
    points: tuple[int, ...]
    low: bool = False
    left: tuple[int, ...] = ()
    losers: frozenset[int] = frozenset()

    def counted_points(self, player: int) -> int:
        mine = self.points[self.who.index(player)]
        if player in self.losers:
            return max(self.points) if self.low else 0
        return mine

    def place(self, player: int) -> int:
        return 1 + sum(
            self._get_inverse_rank_key(player) > self._get_inverse_rank_key(other)
            for other in self.who
        )

    def _get_inverse_rank_key(self, player: int) -> tuple[bool, int]:
        if player in self.losers:
            return True, 0
        mine = self.points[self.who.index(player)]
        return False, mine if self.low else -mine

    def placement(self, player: int) -> Fraction:
        """Return 1 for first place and 0 for last place. Tied players get their average."""
        others = [self.place(each) for each in self.who if each != player]
        mine = self.place(player)
        behind = sum((2 if place > mine else place == mine) for place in others)
        return Fraction(behind, 2 * len(others)) if others else Fraction(1)

    def share(self, player: int) -> Fraction:
        whole = sum(self.counted_points(each) for each in self.who)
        part = Fraction(self.counted_points(player), whole) if whole else Fraction(1, len(self.who))
        return 1 - part if self.low else part


@dataclass(frozen=True)
class ExpectedMetrics:
    """The metrics of players, computed from the tables played in certain rounds.

    `byes`: the players with a bye, by round. A bye counts as the mean of the player's matches, or
    of everyone in that round if the player has no matches.
    """

    tables: Sequence[PlayedTable]
    byes: Mapping[int, Collection[int]] = field(default_factory=dict)

    def list_tables(self, player: int) -> list[PlayedTable]:
        return [at for at in self.tables if player in at.who]

    def headline(self, player: int, _level: Collection[int]) -> Fraction:
        played = len(self.list_tables(player))
        points = sum(at.counted_points(player) for at in self.list_tables(player))
        free = [number for number, players in self.byes.items() if player in players]
        low = any(at.low for at in self.tables)
        if not played:
            average = sum(map(self._average_points, free))
            return -Fraction(ceil(average), len(free)) if low else Fraction(floor(average))
        if low:
            return -Fraction(points, played)
        return Fraction(points + points * len(free) // played)

    def _average_points(self, round_: int) -> Fraction:
        scores = [
            at.counted_points(each) for at in self.tables if at.round == round_ for each in at.who
        ]
        return Fraction(sum(scores), len(scores))

    def wins(self, player: int, _level: Collection[int]) -> Fraction:
        won = [at.place(player) == 1 and player not in at.losers for at in self.list_tables(player)]
        return Fraction(sum(won))

    def placement(self, player: int, _level: Collection[int]) -> Fraction:
        return sum((at.placement(player) for at in self.list_tables(player)), Fraction(0))

    def share(self, player: int, _level: Collection[int]) -> Fraction | None:
        parts = [at.share(player) for at in self.list_tables(player)]
        return sum(parts, Fraction(0)) / len(parts) if parts else None

    def sum_points_left_in_hand(self, player: int, _level: Collection[int]) -> Fraction | None:
        played = self.list_tables(player)
        if not played or not all(at.left for at in played):
            return None
        return -Fraction(sum(at.left[at.who.index(player)] for at in self.list_tables(player)))

    def opponents(self, player: int, _level: Collection[int]) -> Fraction | None:
        met = [each for at in self.list_tables(player) for each in at.who if each != player]
        means = [self.placement(each, ()) / len(self.list_tables(each)) for each in met]
        return sum(means, Fraction(0)) / len(met) if met else None

    def head_to_head(self, player: int, level: Collection[int]) -> Fraction | None:
        balance = 0
        for other in set(level) - {player}:
            met = [at for at in self.list_tables(player) if other in at.who]
            if not met:
                return None
            mine = [(at.place(player), at.place(other)) for at in met]
            balance += sum((a < b) - (a > b) for a, b in mine)
        return Fraction(balance)

    def rank_tied_players(self, level: Collection[int], criterion: int = 0) -> Iterator[set[int]]:
        """Split tied players into groups by the criteria from `criterion` on, best group first."""
        if len(level) < 2 or criterion == len(CRITERIA):
            yield set(level)
            return
        values = {each: CRITERIA[criterion](self, each, level) for each in level}
        if None in values.values():
            yield from self.rank_tied_players(level, criterion + 1)
            return
        for best in sorted({value for value in values.values() if value is not None}, reverse=True):
            equals = [each for each, value in values.items() if value == best]
            yield from self.rank_tied_players(equals, criterion + 1)


Criterion = Callable[[ExpectedMetrics, int, Collection[int]], Fraction | None]
CRITERIA: tuple[Criterion, ...] = (
    *(
        ExpectedMetrics.headline,
        ExpectedMetrics.wins,
        ExpectedMetrics.placement,
        ExpectedMetrics.share,
    ),
    *(
        ExpectedMetrics.sum_points_left_in_hand,
        ExpectedMetrics.opponents,
        ExpectedMetrics.head_to_head,
    ),
)


def break_ties_for_place(at: PlayedTable, player: int) -> int:
    """Return the player's place at a bracket table, after tie-breaks for equal points."""
    level = {each for each in at.who if at.place(each) == at.place(player) and each > 0}
    ahead = 0
    for group in ExpectedMetrics([at]).rank_tied_players(level, 1):
        if player in group:
            break
        ahead += len(group)
    return at.place(player) + ahead


def compute_expected_places(
    tables: Sequence[PlayedTable],
    people: Mapping[int, str],
    out: Collection[int] = (),
    byes: Byes | None = None,
) -> Places:
    """Return the expected place of everyone in `people`, by progress in the event.

    Players in `out` are last, by name. `byes` contains the byes by stage and round.
    """
    ways = {pk: _get_progress_key(pk, tables, set(people) - set(out), byes or {}) for pk in people}
    found = {
        pk: 1 + sum(ways[pk] > ways[other] for other in people if other not in out)
        for pk in people
        if pk not in out
    }
    last = sorted(out, key=lambda pk: (people[pk].casefold(), pk))
    return found | {pk: len(found) + n for n, pk in enumerate(last, 1)}


def _get_progress_key(
    player: int, tables: Sequence[PlayedTable], people: Collection[int], byes: Byes
) -> ProgressKey:
    """Return a sort key. The farther the player got, the smaller it is.

    It depends on the last stage that the player reached. In a bracket only, earlier stages separate
    players who are level in all of its rounds.
    """
    for stage in sorted({at.stage for at in tables}, reverse=True):
        if came := _get_stage_progress(player, stage, tables, people, byes):
            return (-stage, *came)
    return (0,)


def _get_stage_progress(
    player: int, stage: int, tables: Sequence[PlayedTable], people: Collection[int], byes: Byes
) -> ProgressKey:
    """Return the player's progress in the stage, or () if the player did not reach it."""
    here = [at for at in tables if at.stage == stage]
    if here[0].bracket:
        return _get_bracket_progress(player, tables, people, byes, stage)
    played = {each for at in here for each in at.who} & set(people)
    free = {number: who for (at, number), who in byes.items() if at == stage}
    # Players who had only byes take part too.
    ranked = played | (set().union(*free.values()) & set(people))
    groups = ExpectedMetrics(here, free).rank_tied_players(ranked)
    return next(((n,) for n, group in enumerate(groups) if player in group), ())


def _get_bracket_progress(
    player: int, tables: Sequence[PlayedTable], people: Collection[int], byes: Byes, stage: int
) -> ProgressKey:
    """Return the last round, the place in it and, except for a final, the seed of the next draw.

    The seed is the share of the table's points, then place and share in each earlier round, and
    then the progress in the stages before the bracket.
    """
    here = [at for at in tables if at.stage == stage]
    rounds: dict[int, ProgressKey] = {
        number: (1, -2) for (at, number), who in byes.items() if at == stage and player in who
    }
    own = [at for at in here if player in at.who]
    rounds |= {at.round: (break_ties_for_place(at, player), -at.share(player)) for at in own}
    if not rounds:
        return ()
    last = max(rounds)
    alone = sum(at.round == last for at in here) == 1 and not byes.get((stage, last))
    if alone:
        return -last, rounds[last][0]
    earlier = [at for at in tables if at.stage < stage]
    seed = [rounds[number] for number in sorted(rounds, reverse=True)]
    return -last, rounds[last][0], (*seed, _get_progress_key(player, earlier, people, byes))


def compute_places(event: Event) -> Places:
    """Return the expected places of an event that has been played to the end."""
    sat = Q(seats__isnull=False) | Q(state=Registration.State.APPROVED)
    found = event.registrations.filter(sat).distinct()
    people = {one.pk: one.name for one in found}
    out = {one.pk for one in found if one.state == Registration.State.DISQUALIFIED}
    shown = Table.objects.filter(round__stage__event=event).exclude(round__state="draft")
    tables = [_read_table(table, out) for table in shown.select_related("round__stage__event")]
    rounds = {table.round for table in shown.select_related("round__stage")}
    byes = {
        (played.stage.number, played.number): _list_counted_byes(played, found) for played in rounds
    }
    return compute_expected_places(tables, people, out, byes)


def _list_counted_byes(round_: Round, people: Iterable[Registration]) -> set[int]:
    """Return the players with a bye in this round, except those whose bye does not count.

    In rounds for points, the bye of a player who has left does not count.
    """
    bracket = round_.stage.format == Stage.Format.BRACKET
    counting = {one.pk for one in people if bracket or one.state == Registration.State.APPROVED}
    return counting & set(round_.seating.byes)


def _read_table(table: Table, out: Collection[int]) -> PlayedTable:
    stage, seats = table.round.stage, list(table.seats.order_by("number"))
    who = tuple(seat.registration_id or -seat.pk for seat in seats)
    bracket = stage.format == Stage.Format.BRACKET
    lost = {pk for seat, pk in zip(seats, who, strict=True) if seat.forfeited}
    points, left = _read_points(table)
    rules = rulesets.make(stage.event.ruleset, stage.event.options)
    low = rules.scoring != "winner-takes"
    losers = frozenset(lost | (set(out) & set(who) if bracket else set()))
    return PlayedTable(stage.number, bracket, table.round.number, who, points, low, left, losers)


def _read_points(table: Table) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the table's points and the points left in the cards, both by seat.

    The points are the last ones entered or, without any, the sum of the hands on the site. For
    entered points, the second tuple is ().
    """
    entered = table.results.filter(state=Result.State.CONFIRMED).order_by("pk").last()
    if entered:
        return tuple(entered.points), ()
    assert table.match is not None
    hands = table.match.hands.filter(points__isnull=False, void=False)
    points = [hand.points or [] for hand in hands]
    left = [hand.left or [] for hand in hands]
    return _sum_columns(points), _sum_columns(left)


def _sum_columns(rows: Sequence[Sequence[int]]) -> tuple[int, ...]:
    return tuple(map(sum, zip(*rows, strict=True)))
