"""Whole events simulated by the thousand: their duration, and the effect of skill and luck."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from tournament.pure import brackets
from tournament.pure.arrangement import SeatingRules, partner_rounds, table_sizes
from tournament.pure.simulation.hands import Hands
from tournament.pure.simulation.matches import (
    MatchSampler,
    PlannedLimits,
    SimulatedEnd,
    SimulatedStart,
)
from tournament.pure.simulation.places import best
from tournament.pure.simulation.rounds import HumanPace
from tournament.pure.simulation.scenarios import Course, CoursePart

# The strongest player of every simulated event.
STRONGEST = 0


@dataclass(frozen=True)
class Day:
    """One simulated event.

    It has the duration in minutes, whether points were level at a cut, and the strongest player's
    success (`through`: past the first cut).
    """

    minutes: float
    level: bool
    through: bool
    first: bool


@dataclass(frozen=True)
class SimulatedTable:
    """Players of a simulated table and the outcome of their match."""

    players: tuple[int, ...]
    ended: SimulatedEnd


class Days:
    """Simulator for events of one course.

    `stand`: tables of the running round, () before the event; `done`: rounds of the current
    stage, which is the first of the course, that have begun. Raises OptionError, SeatingError
    and BracketError if the course cannot be played.
    """

    def __init__(
        self,
        course: Course,
        pace: HumanPace,
        rng: Random,
        *,
        pause: float = 10.0,
        stand: Sequence[tuple[int, SimulatedStart]] = (),
        finished: int = 0,
    ) -> None:
        self.course, self.rng, self.pause, self.stand, self.done = (
            course,
            rng,
            pause,
            stand,
            finished,
        )
        limits = PlannedLimits(course.hand_limit, course.round_minutes)
        self.matches = MatchSampler(Hands(course.rules, rng), pace, limits, rng)
        rules = course.rules
        self.seating = SeatingRules(course.table_size, rules.min_seats, rules.max_seats)
        self.sign = 1 if rules.scoring == "winner-takes" else -1

    def one(self) -> Day:
        """Simulate the next event."""
        run = _Run(list(range(self.course.players)))
        rests = (self.matches.played_on(seats, begun) for seats, begun in self.stand)
        run.minutes += max((rest.minutes for rest in rests), default=0.0)
        for number, part in enumerate(self.course.parts):
            if run.over:
                break
            rounds = self.done if number == 0 else 0
            last = number == len(self.course.parts) - 1
            if part.format == "bracket":
                self._play_bracket(run, part, begun=rounds > 0)
            else:
                self._play_rounds(run, part, rounds, last=last)
        pauses = max(0, run.rounds - (0 if self.stand else 1))
        minutes = run.minutes + pauses * self.pause
        first = run.players[:1] == [STRONGEST]
        through = run.through is not None and STRONGEST in run.through
        return Day(minutes, run.level, through, first)

    def _play_rounds(self, run: _Run, part: CoursePart, begun: int, *, last: bool) -> None:
        """Play the stage's rounds, then apply its cut by total points.

        Without a cut, the total points give the final order.
        """
        total: dict[int, float] = dict.fromkeys(run.players, 0.0)
        tables: list[SimulatedTable] = []
        for number in range(begun, self._count(part, len(run.players))):
            order = self._order(run.players, total if part.by_points and number else {})
            sizes, _byes = table_sizes(len(order), self.seating)
            tables = self._play_tables(run, _split(order, sizes))
            for table in tables:
                for player, points in zip(table.players, table.ended.totals, strict=True):
                    total[player] += self.sign * points
        places = 0 if last else part.each_table or part.places(len(total))
        if not places:
            # By turnout there is no further stage, or this is the last: the standings decide.
            run.players, _level = best(total, len(total), self.rng)
            run.over = True
        elif part.each_table and tables:
            self._select_best_of_tables(run, tables, part.each_table, together=part.together)
        else:
            run.players, level = best(total, places, self.rng, together=part.together)
            run.cut(level=level)

    def _count(self, part: CoursePart, players: int) -> int:
        return len(partner_rounds(range(players))) if part.rotation else part.rounds

    def _order(self, players: Sequence[int], worth: Mapping[int, float]) -> list[int]:
        """Return the players in random order, then by `worth` where it is given."""
        drawn = self.rng.sample(players, len(players))
        return sorted(drawn, key=lambda player: -worth.get(player, 0.0))

    def _play_tables(self, run: _Run, tables: Sequence[Sequence[int]]) -> list[SimulatedTable]:
        """Play a round at these tables; its duration is that of the slowest table."""
        found = [self._play_table(players) for players in tables]
        run.minutes += max(table.ended.minutes for table in found)
        run.rounds += 1
        return found

    def _play_table(self, players: Sequence[int]) -> SimulatedTable:
        """Play one table, with the strongest player in the first seat.

        The choice of that seat makes no difference.
        """
        strong = STRONGEST in players
        seated = sorted(players) if strong else players
        return SimulatedTable(tuple(seated), self.matches.sample_match(len(players), strong=strong))

    def _select_best_of_tables(
        self, run: _Run, tables: Sequence[SimulatedTable], per_table: int, *, together: bool
    ) -> None:
        found = [
            best(self._map_worths(table), per_table, self.rng, together=together)
            for table in tables
        ]
        run.players = [player for on, _level in found for player in on]
        run.cut(level=any(level for _on, level in found))

    def _map_worths(self, table: SimulatedTable) -> dict[int, float]:
        points = (self.sign * points for points in table.ended.totals)
        return dict(zip(table.players, points, strict=True))

    def _play_bracket(self, run: _Run, part: CoursePart, *, begun: bool) -> None:
        """Play the bracket down to the final.

        If a round has begun, its advancing players are drawn at random.
        """
        shape = part.shape(self.course)
        plans = list(brackets.plan(len(run.players), shape)) if len(run.players) > 1 else []
        if begun and plans:
            gone = plans.pop(0)
            run.players = self.rng.sample(run.players, gone.through)
        for plan in plans:
            order = self._order(run.players, {})
            tables = self._play_tables(run, _split(order[plan.byes :], plan.sizes))
            if plan.is_final:
                run.players, _level = best(self._map_worths(tables[0]), len(order), self.rng)
                return
            self._select_best_of_tables(run, tables, plan.advance, together=False)
            run.players += order[: plan.byes] + self._fill(run.players, tables, plan.fill)

    def _fill(self, on: Sequence[int], tables: Sequence[SimulatedTable], places: int) -> list[int]:
        """Fill the remaining places by share of table points.

        Only players who missed the cut are considered.
        """
        shares: dict[int, float] = {}
        for table in tables:
            whole = sum(table.ended.totals) or 1
            worth = self._map_worths(table)
            shares |= {player: worth[player] / whole for player in worth if player not in on}
        return best(shares, places, self.rng)[0]


class _Run:
    """One event in progress; `players` are those still in it."""

    def __init__(self, players: list[int]) -> None:
        self.players = players
        self.through: list[int] | None = None
        self.minutes, self.rounds, self.level, self.over = 0.0, 0, False, False

    def cut(self, *, level: bool) -> None:
        """Record a cut; the first one determines which players are `through`."""
        self.level = self.level or level
        self.through = self.players if self.through is None else self.through


def _split(order: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    """Divide the order into tables of these sizes; players left over have a bye."""
    rest: Iterator[int] = iter(order)
    return [[next(rest) for _ in range(size)] for size in sizes]


def measure_pace(
    pace: HumanPace, course: Course, stand: Sequence[tuple[int, SimulatedStart]], rng: Random
) -> HumanPace:
    """Return the pace of these tables so far, if they have finished hands."""
    hands = Hands(course.rules, rng)
    known = [(seats, begun) for seats, begun in stand if begun.hands and begun.minutes]
    actions = sum(hands.actions(seats) * len(begun.hands) for seats, begun in known)
    if not actions:
        return pace
    pauses = sum((len(begun.hands) - 1) * pace.between for _seats, begun in known)
    seconds = sum(begun.minutes * 60 for _seats, begun in known) - pauses
    return replace(pace, action=max(0.5, seconds / actions))
