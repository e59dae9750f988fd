"""Chances to advance during a stage, by simulating the remaining play many times."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from games.json_values.codec import JsonValue
from tournament.pure import brackets
from tournament.pure.arrangement import SeatingRules, Tables, table_sizes
from tournament.pure.simulation.hands import Hands
from tournament.pure.simulation.matches import MatchSampler, PlannedLimits, SimulatedStart
from tournament.pure.simulation.places import best
from tournament.pure.simulation.rounds import HumanPace
from tournament.pure.simulation.scenarios import Course, CoursePart

# With this many simulated endings, the standard error of a share is at most two percent.
ENDINGS = 600


class SeatEnd(NamedTuple):
    """A seat at the end of its match: its player (None for a bot) and the outcome.

    `place` is 0 at a table that was simulated. Only points count there, and chance replaces the
    tie-breaks.
    """

    player: int | None
    points: int
    place: int = 0


TableEnd = Sequence[SeatEnd]


@dataclass(frozen=True)
class TableStands:
    """A table in play: ids by seat (None: a bot), and the progress of its match.

    `lost`: the numbers of the seats whose points do not count, whatever is played.
    `places`: by seat, once the table has finished; then nothing is played or drawn there.
    """

    players: tuple[int | None, ...]
    begun: SimulatedStart
    lost: tuple[int, ...] = ()
    places: tuple[int, ...] = ()


@dataclass(frozen=True)
class Standing(JsonValue):
    """The current state of a stage.

    `points`, `played`: by id, of players who can still advance, without the points of `tables`.
    `rounds` have not begun. `coming` have not begun either, but their seats are known.
    The course's first part has the rule.
    In a bracket, `tables` are all tables of its round, `byes` advance as well, and advancing
    players enter its next round. `seeds` order players there whose share and place are equal.
    `finished`: tables of the running round whose points are in `points`, if the best of each
    table advance.
    """

    course: Course
    points: Mapping[int, int]
    played: Mapping[int, int]
    tables: tuple[TableStands, ...] = ()
    rounds: int = 0
    coming: tuple[Tables, ...] = ()
    byes: int = 0
    pace: HumanPace = field(default_factory=HumanPace)
    seeds: tuple[int, ...] = ()
    finished: tuple[TableStands, ...] = ()


class Chances:
    """Simulator for the rest of a stage. Raises OptionError, SeatingError and RuleError.

    `hands` of the same rules may be shared by several standings.
    """

    def __init__(self, standing: Standing, rng: Random, hands: Hands | None = None) -> None:
        self.standing, self.rng = standing, rng
        course = standing.course
        rules, limits = course.rules, PlannedLimits(course.hand_limit, course.round_minutes)
        self.matches = MatchSampler(hands or Hands(rules, rng), standing.pace, limits, rng)
        self.seating = SeatingRules(course.table_size, rules.min_seats, rules.max_seats)
        self.low = rules.scoring != "winner-takes"
        self.through = dict.fromkeys(standing.points, 0)
        self.endings = 0

    @property
    def part(self) -> CoursePart:
        return self.standing.course.parts[0]

    def steps(self, endings: int = ENDINGS) -> Iterator[int]:
        """Simulate this number of endings, and yield the total after each."""
        for _ in range(endings):
            for player in self._simulate_ending():
                self.through[player] += 1
            self.endings += 1
            yield self.endings

    def shares(self) -> dict[int, float]:
        """Return the share of endings in which each player advanced."""
        return {player: count / self.endings for player, count in self.through.items()}

    def _simulate_ending(self) -> list[int]:
        """Simulate one ending and return the players who advance."""
        points, played = dict(self.standing.points), dict(self.standing.played)
        tables = [self._play_on(table) for table in self.standing.tables]
        if self.part.format == "bracket":
            return self._list_advancing(tables)
        _count(points, played, tables)
        for seats in self._iterate_rounds(points):
            tables = [self._draw_result(players) for players in seats]
            _count(points, played, tables)
        if self.part.each_table:
            if not self.standing.rounds and not self.standing.coming:
                tables += [_read_finished(table) for table in self.standing.finished]
            each = self.part.each_table
            return [player for table in tables for player in self._list_best(table, each)]
        took_part = [p for p in points if played[p] >= max(1, self.part.min_matches)]
        # The headline metric: points, or the mean of a match if few points are good.
        worth = {p: -points[p] / played[p] if self.low else points[p] for p in took_part}
        places = self.part.places(len(took_part))
        return best(worth, places, self.rng, together=self.part.together)[0]

    def _iterate_rounds(self, points: Mapping[int, int]) -> Iterator[Iterable[Sequence[int]]]:
        """Yield the tables of each coming round, drawn once the previous round is played."""
        yield from self.standing.coming
        for _ in range(self.standing.rounds):
            yield self._iterate_tables(points)

    def _play_on(self, table: TableStands) -> TableEnd:
        if table.places:
            return _read_finished(table)
        totals = self.matches.played_on(len(table.players), table.begun).totals
        nothing = max(totals) if self.low else 0
        won = [nothing if n in table.lost else total for n, total in enumerate(totals)]
        return list(map(SeatEnd, table.players, won))

    def _iterate_tables(self, points: Mapping[int, int]) -> Iterator[Sequence[int]]:
        """Yield tables drawn at random, or in order of points if the stage seats by points."""
        order = self.rng.sample(list(points), len(points))
        if self.part.by_points:
            order.sort(key=lambda player: -points[player])
        sizes, _byes = table_sizes(len(order), self.seating)
        for size in sizes:
            yield order[:size]
            del order[:size]

    def _draw_result(self, players: Sequence[int]) -> TableEnd:
        return list(map(SeatEnd, players, self.matches.sample_match(len(players)).totals))

    def _list_advancing(self, tables: Sequence[TableEnd]) -> list[int]:
        """Return who advances from a bracket round: the best of each table, then by share."""
        shape = self.part.shape(self.standing.course)
        plan = brackets.plan_tables(list(map(len, tables)), self.standing.byes, shape)
        on = [player for table in tables for player in self._list_best(table, plan.advance)]
        free = plan.through - self.standing.byes - len(on)
        shares = {
            player: share
            for table in tables
            for player, share in self._iterate_shares(table)
            if player not in on
        }
        return on + best(shares, max(0, free), self.rng)[0]

    def _iterate_shares(self, table: TableEnd) -> Iterator[tuple[int, tuple[float, int, int]]]:
        """Yield the draw's criteria for filling tables: share of points, place and seed."""
        whole, seeds = sum(seat.points for seat in table), self.standing.seeds
        for seat in table:
            if seat.player is None or seat.player not in self.standing.points:
                continue
            share = seat.points / whole if whole else 1 / len(table)
            known = bool(seat.place) and seat.player in seeds
            seed = seeds.index(seat.player) if known else 0
            yield seat.player, (-share if self.low else share, -seat.place, -seed)

    def _list_best(self, table: TableEnd, per_table: int) -> list[int]:
        """Return the best players of a table by its own points."""
        return best(self._map_worths(table), per_table, self.rng, together=self.part.together)[0]

    def _map_worths(self, table: TableEnd) -> dict[int, int]:
        """Map the players who can still advance to their worth at the table; more is better."""
        sign = -1 if self.low else 1
        here = self.standing.points
        return {
            seat.player: -seat.place or sign * seat.points
            for seat in table
            if seat.player is not None and seat.player in here
        }


def _count(
    points: dict[int, int], match_counts: dict[int, int], tables: Sequence[TableEnd]
) -> None:
    for table in tables:
        for seat in table:
            if seat.player in points:
                points[seat.player] += seat.points
                match_counts[seat.player] += 1


def _read_finished(table: TableStands) -> TableEnd:
    """Return the end of a finished table unchanged."""
    return list(map(SeatEnd, table.players, table.begun.hands[0], table.places))
