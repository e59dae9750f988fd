"""Chances of advancing, from many simulations of the rest of a stage."""

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
from tournament.pure.simulation.places import select_best
from tournament.pure.simulation.rounds import HumanPace
from tournament.pure.simulation.scenarios import Course, CoursePart

# With this many endings, the standard error of a share is at most two percentage points.
ENDINGS = 600


class SeatEnd(NamedTuple):
    """The outcome of a match for one seat.

    `player` is None for a bot. `place` is 0 at a simulated table, where only points count and
    chance replaces the tie-breaks.
    """

    player: int | None
    points: int
    place: int = 0


TableEnd = Sequence[SeatEnd]


@dataclass(frozen=True)
class TableProgress:
    """A table in progress or finished.

    * `players`: the player's id for each seat, or None for a bot.
    * `begun`: the progress of the match.
    * `lost`: seat numbers whose points do not count, however the match ends.
    * `places`: the place of each seat once the table has finished. Nothing is simulated then.
    """

    players: tuple[int | None, ...]
    begun: SimulatedStart
    lost: tuple[int, ...] = ()
    places: tuple[int, ...] = ()


@dataclass(frozen=True)
class Standing(JsonValue):
    """The current state of a stage.

    * `course`: the rules. Its first part is this stage.
    * `points`, `played`: points and number of matches for each player who can still advance, by
      id. The matches in `tables` are not included.
    * `tables`: the tables in progress. In a bracket, all tables of the round.
    * `rounds`: the number of rounds that are not drawn yet.
    * `coming`: the tables of drawn rounds that have not begun.
    * `byes`: in a bracket, the number of players who also advance from the round.
    * `seeds`: in a bracket, the players by seed, which decides between equal share and place.
    * `finished`: if the best of each table advance, the tables of the running round that `points`
      already includes.
    """

    course: Course
    points: Mapping[int, int]
    played: Mapping[int, int]
    tables: tuple[TableProgress, ...] = ()
    rounds: int = 0
    coming: tuple[Tables, ...] = ()
    byes: int = 0
    pace: HumanPace = field(default_factory=HumanPace)
    seeds: tuple[int, ...] = ()
    finished: tuple[TableProgress, ...] = ()


class Chances:
    """A simulator for the rest of a stage.

    `hands` may be shared by stages with the same rules. Raises OptionError, SeatingError or
    RuleError if the stage cannot be played.
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
        """Simulate this number of endings. Yield the total number after each."""
        for _ in range(endings):
            for player in self._simulate_ending():
                self.through[player] += 1
            self.endings += 1
            yield self.endings

    def shares(self) -> dict[int, float]:
        """Return for each player the share of endings in which the player advanced."""
        return {player: count / self.endings for player, count in self.through.items()}

    def _simulate_ending(self) -> list[int]:
        """Simulate one ending, and return the advancing players."""
        points, played = dict(self.standing.points), dict(self.standing.played)
        tables = [self._finish_table(table) for table in self.standing.tables]
        if self.part.format == "bracket":
            return self._list_advancing(tables)
        _add_results(points, played, tables)
        for seats in self._iterate_rounds(points):
            tables = [self._draw_result(players) for players in seats]
            _add_results(points, played, tables)
        if self.part.each_table:
            if not self.standing.rounds and not self.standing.coming:
                tables += [_read_finished_table(table) for table in self.standing.finished]
            per_table = self.part.each_table
            return [player for table in tables for player in self._list_best(table, per_table)]
        took_part = [player for player in points if played[player] >= max(1, self.part.min_matches)]
        # The headline metric: points, or the mean per match if the lowest score wins.
        scores = {
            player: -points[player] / played[player] if self.low else points[player]
            for player in took_part
        }
        places = self.part.places(len(took_part))
        return select_best(scores, places, self.rng, together=self.part.together)[0]

    def _iterate_rounds(self, points: Mapping[int, int]) -> Iterator[Iterable[Sequence[int]]]:
        """Yield the tables of each coming round.

        A round that is not drawn yet is drawn after the previous one has been played.
        """
        yield from self.standing.coming
        for _ in range(self.standing.rounds):
            yield self._iterate_tables(points)

    def _finish_table(self, table: TableProgress) -> TableEnd:
        if table.places:
            return _read_finished_table(table)
        totals = self.matches.play_to_end(len(table.players), table.begun).totals
        worst = max(totals) if self.low else 0
        counted = [worst if number in table.lost else total for number, total in enumerate(totals)]
        return list(map(SeatEnd, table.players, counted))

    def _iterate_tables(self, points: Mapping[int, int]) -> Iterator[Sequence[int]]:
        """Yield tables drawn at random, or by points if the stage seats players by points."""
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
        """Return the players who advance from a bracket round.

        They are the best of each table, and then the best shares of table points.
        """
        shape = self.part.shape(self.standing.course)
        plan = brackets.plan_tables(list(map(len, tables)), self.standing.byes, shape)
        advancing = [player for table in tables for player in self._list_best(table, plan.advance)]
        open_places = plan.through - self.standing.byes - len(advancing)
        shares = {
            player: share
            for table in tables
            for player, share in self._iterate_shares(table)
            if player not in advancing
        }
        return advancing + select_best(shares, max(0, open_places), self.rng)[0]

    def _iterate_shares(self, table: TableEnd) -> Iterator[tuple[int, tuple[float, int, int]]]:
        """Yield each player's sort key for filling places: share of points, place and seed."""
        total, seeds = sum(seat.points for seat in table), self.standing.seeds
        for seat in table:
            if seat.player is None or seat.player not in self.standing.points:
                continue
            share = seat.points / total if total else 1 / len(table)
            has_seed = bool(seat.place) and seat.player in seeds
            seed = seeds.index(seat.player) if has_seed else 0
            yield seat.player, (-share if self.low else share, -seat.place, -seed)

    def _list_best(self, table: TableEnd, per_table: int) -> list[int]:
        """Return the best players of a table by its own results."""
        return select_best(
            self._map_scores(table), per_table, self.rng, together=self.part.together
        )[0]

    def _map_scores(self, table: TableEnd) -> dict[int, int]:
        """Return the scores of the players who can still advance, by id. More is better."""
        sign = -1 if self.low else 1
        contenders = self.standing.points
        return {
            seat.player: -seat.place or sign * seat.points
            for seat in table
            if seat.player is not None and seat.player in contenders
        }


def _add_results(
    points: dict[int, int], match_counts: dict[int, int], tables: Sequence[TableEnd]
) -> None:
    for table in tables:
        for seat in table:
            if seat.player in points:
                points[seat.player] += seat.points
                match_counts[seat.player] += 1


def _read_finished_table(table: TableProgress) -> TableEnd:
    """Return the recorded outcome of a finished table."""
    return list(map(SeatEnd, table.players, table.begun.hands[0], table.places))
