"""Chances of advancing, based on many simulations of a stage's remaining matches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from games.json_values.codec import JsonValue
from tournament.pure import brackets
from tournament.pure.arrangement import SeatingRules, Tables, table_sizes
from tournament.pure.simulation.hands import HandPool
from tournament.pure.simulation.matches import MatchProgress, MatchSampler, PlannedLimits
from tournament.pure.simulation.places import select_best
from tournament.pure.simulation.rounds import HumanPace
from tournament.pure.simulation.scenarios import PlannedEvent, PlannedStage

# Number of simulated endings of the stage. This number limits the standard error of a chance to two
# percentage points.
ENDINGS = 600


class SeatOutcome(NamedTuple):
    """The outcome of a match for one seat.

    * `player`: the player, or None for a bot.
    * `place`: the place at the table, or 0 at a simulated table. There, only points count, and
      chance replaces the tie-breaks.
    """

    player: int | None
    points: int
    place: int = 0


TableOutcome = Sequence[SeatOutcome]


@dataclass(frozen=True)
class TableProgress:
    """A table that is in progress or has finished.

    * `players`: the player on each seat, or None for a bot.
    * `begun`: the progress of the match.
    * `lost`: the numbers of seats whose points do not count, however the match ends.
    * `places`: the place of each seat once the table has finished. The match is then not simulated.
    """

    players: tuple[int | None, ...]
    begun: MatchProgress
    lost: tuple[int, ...] = ()
    places: tuple[int, ...] = ()


@dataclass(frozen=True)
class Standing(JsonValue):
    """The current state of a stage.

    * `course`: the plan of the event. Its first part is this stage.
    * `points`: the points of the players who can still advance, by id, without those in `tables`.
    * `played`: the number of matches of these players, by id, without those in `tables`.
    * `tables`: the tables in progress. In a bracket, all tables of the round.
    * `rounds`: the number of rounds that have not been drawn.
    * `coming`: the tables of each round that has been drawn but has not begun.
    * `byes`: in a bracket, the number of players with a bye in this round.
    * `pace`: the pace of the players.
    * `seeds`: in a bracket, the players by seed. The seed decides if share and place are equal.
    * `finished`: if the best of each table advance, the tables of the round in progress whose
      results are already included in `points`.
    """

    course: PlannedEvent
    points: Mapping[int, int]
    played: Mapping[int, int]
    tables: tuple[TableProgress, ...] = ()
    rounds: int = 0
    coming: tuple[Tables, ...] = ()
    byes: int = 0
    pace: HumanPace = field(default_factory=HumanPace)
    seeds: tuple[int, ...] = ()
    finished: tuple[TableProgress, ...] = ()


class StageSimulator:
    """A simulator for the remaining matches of a stage.

    Stages with the same rules may share `hands`. Raises OptionError, SeatingError or RuleError if
    the stage cannot be played.
    """

    def __init__(self, standing: Standing, rng: Random, hands: HandPool | None = None) -> None:
        self.standing, self.rng = standing, rng
        course = standing.course
        rules, limits = course.rules, PlannedLimits(course.hand_limit, course.round_minutes)
        self.matches = MatchSampler(hands or HandPool(rules, rng), standing.pace, limits, rng)
        self.seating = SeatingRules(course.table_size, rules.min_seats, rules.max_seats)
        self.low = rules.scoring != "winner-takes"
        self.through = dict.fromkeys(standing.points, 0)
        self.endings = 0

    @property
    def stage(self) -> PlannedStage:
        return self.standing.course.parts[0]

    def simulate(self, endings: int = ENDINGS) -> Iterator[int]:
        """Simulate a number of endings. After each ending, yield the number simulated in total."""
        for _ in range(endings):
            for player in self._simulate_ending():
                self.through[player] += 1
            self.endings += 1
            yield self.endings

    def compute_shares(self) -> dict[int, float]:
        """Return the share of endings in which a player advanced, by player."""
        return {player: count / self.endings for player, count in self.through.items()}

    def _simulate_ending(self) -> list[int]:
        """Simulate one ending, and return the advancing players."""
        points, played = dict(self.standing.points), dict(self.standing.played)
        tables = [self._finish_table(table) for table in self.standing.tables]
        if self.stage.format == "bracket":
            return self._list_advancing(tables)
        _add_results(points, played, tables)
        for seats in self._iterate_rounds(points):
            tables = [self._draw_result(players) for players in seats]
            _add_results(points, played, tables)
        if self.stage.each_table:
            if not self.standing.rounds and not self.standing.coming:
                tables += [_make_recorded_outcome(table) for table in self.standing.finished]
            per_table = self.stage.each_table
            return [player for table in tables for player in self._list_best(table, per_table)]
        took_part = [
            player for player in points if played[player] >= max(1, self.stage.min_matches)
        ]
        # The headline metric is the points, or the average per match if the lowest score wins.
        scores = {
            player: -points[player] / played[player] if self.low else points[player]
            for player in took_part
        }
        places = self.stage.places(len(took_part))
        return select_best(scores, places, self.rng, together=self.stage.together)[0]

    def _iterate_rounds(self, points: Mapping[int, int]) -> Iterator[Iterable[Sequence[int]]]:
        """Yield the tables of each round that has not begun.

        A round that has not been drawn is drawn once the previous round has been played.
        """
        yield from self.standing.coming
        for _ in range(self.standing.rounds):
            yield self._iterate_tables(points)

    def _finish_table(self, table: TableProgress) -> TableOutcome:
        if table.places:
            return _make_recorded_outcome(table)
        totals = self.matches.play_to_end(len(table.players), table.begun).totals
        worst = max(totals) if self.low else 0
        counted = [worst if number in table.lost else total for number, total in enumerate(totals)]
        return list(map(SeatOutcome, table.players, counted))

    def _iterate_tables(self, points: Mapping[int, int]) -> Iterator[Sequence[int]]:
        """Draw the tables of a round, at random or by points, as the stage requires."""
        order = self.rng.sample(list(points), len(points))
        if self.stage.by_points:
            order.sort(key=lambda player: -points[player])
        sizes, _byes = table_sizes(len(order), self.seating)
        for size in sizes:
            yield order[:size]
            del order[:size]

    def _draw_result(self, players: Sequence[int]) -> TableOutcome:
        return list(map(SeatOutcome, players, self.matches.sample_match(len(players)).totals))

    def _list_advancing(self, tables: Sequence[TableOutcome]) -> list[int]:
        """Return the players who advance from a bracket round.

        These are the best players of each table, then those with the best shares of table points.
        """
        shape = self.stage.shape(self.standing.course)
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

    def _iterate_shares(self, table: TableOutcome) -> Iterator[tuple[int, tuple[float, int, int]]]:
        """Yield pairs of a player and a sort key: share of table points, place and seed."""
        total, seeds = sum(seat.points for seat in table), self.standing.seeds
        for seat in table:
            if seat.player is None or seat.player not in self.standing.points:
                continue
            share = seat.points / total if total else 1 / len(table)
            has_seed = bool(seat.place) and seat.player in seeds
            seed = seeds.index(seat.player) if has_seed else 0
            yield seat.player, (-share if self.low else share, -seat.place, -seed)

    def _list_best(self, table: TableOutcome, per_table: int) -> list[int]:
        """Return the best players of a table by the result of its match."""
        return select_best(
            self._map_scores(table), per_table, self.rng, together=self.stage.together
        )[0]

    def _map_scores(self, table: TableOutcome) -> dict[int, int]:
        """Return the scores of the players who can still advance, by id. Higher is better."""
        sign = -1 if self.low else 1
        contenders = self.standing.points
        return {
            seat.player: -seat.place or sign * seat.points
            for seat in table
            if seat.player is not None and seat.player in contenders
        }


def _add_results(
    points: dict[int, int], match_counts: dict[int, int], tables: Sequence[TableOutcome]
) -> None:
    for table in tables:
        for seat in table:
            if seat.player in points:
                points[seat.player] += seat.points
                match_counts[seat.player] += 1


def _make_recorded_outcome(table: TableProgress) -> TableOutcome:
    """Return the recorded outcome of a finished table."""
    return list(map(SeatOutcome, table.players, table.begun.hands[0], table.places))
