"""Simulation of whole events, to show how long they last and how much luck decides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from tournament.pure import brackets
from tournament.pure.arrangement import SeatingRules, partner_rounds, table_sizes
from tournament.pure.simulation.hands import HandPool
from tournament.pure.simulation.matches import (
    MatchProgress,
    MatchSampler,
    PlannedLimits,
    SimulatedResult,
)
from tournament.pure.simulation.places import select_best
from tournament.pure.simulation.rounds import HumanPace
from tournament.pure.simulation.scenarios import PlannedEvent, PlannedStage

# The id of the strongest player.
STRONGEST = 0


@dataclass(frozen=True)
class SimulatedEvent:
    """The outcome of a simulated event.

    * `minutes`: the duration of the event.
    * `level`: whether there was a tie at a cut.
    * `through`: whether the strongest player advanced at the first cut.
    * `first`: whether the strongest player won.
    """

    minutes: float
    level: bool
    through: bool
    first: bool


@dataclass(frozen=True)
class SimulatedTable:
    """A simulated table: its players in seat order, and the result of their match."""

    players: tuple[int, ...]
    result: SimulatedResult


class EventSimulator:
    """A simulator for whole events with the same plan.

    * `course`: the plan of the events.
    * `pause`: the minutes between two rounds.
    * `in_progress`: pairs of the number of seats and the progress of the match, for each table of
      the round in progress. () before the event.
    * `rounds_begun`: the number of rounds of the first stage that have begun.

    Raises OptionError, SeatingError or BracketError if the event cannot be played as planned.
    """

    def __init__(
        self,
        course: PlannedEvent,
        pace: HumanPace,
        rng: Random,
        *,
        pause: float = 10.0,
        in_progress: Sequence[tuple[int, MatchProgress]] = (),
        rounds_begun: int = 0,
    ) -> None:
        self.course, self.rng, self.pause, self.in_progress, self.rounds_begun = (
            course,
            rng,
            pause,
            in_progress,
            rounds_begun,
        )
        limits = PlannedLimits(course.hand_limit, course.round_minutes)
        self.matches = MatchSampler(HandPool(course.rules, rng), pace, limits, rng)
        rules = course.rules
        self.seating = SeatingRules(course.table_size, rules.min_seats, rules.max_seats)
        self.sign = 1 if rules.scoring == "winner-takes" else -1

    def simulate_event(self) -> SimulatedEvent:
        """Simulate one event."""
        event = _EventProgress(list(range(self.course.players)))
        ends = (self.matches.play_to_end(seats, begun) for seats, begun in self.in_progress)
        event.minutes += max((end.minutes for end in ends), default=0.0)
        for number, part in enumerate(self.course.parts):
            if event.over:
                break
            rounds = self.rounds_begun if number == 0 else 0
            last = number == len(self.course.parts) - 1
            if part.format == "bracket":
                self._play_bracket(event, part, begun=rounds > 0)
            else:
                self._play_rounds(event, part, rounds, last=last)
        pauses = max(0, event.rounds - (0 if self.in_progress else 1))
        minutes = event.minutes + pauses * self.pause
        first = event.players[:1] == [STRONGEST]
        through = event.through is not None and STRONGEST in event.through
        return SimulatedEvent(minutes, event.level, through, first)

    def _play_rounds(
        self, event: _EventProgress, part: PlannedStage, begun: int, *, last: bool
    ) -> None:
        """Play the rounds of a stage, then apply its cut.

        If this is the last stage, or turnout is too low for another one, the total points decide
        the final order.
        """
        total: dict[int, float] = dict.fromkeys(event.players, 0.0)
        tables: list[SimulatedTable] = []
        for number in range(begun, self._count_rounds(part, len(event.players))):
            order = self._sort_players(event.players, total if part.by_points and number else {})
            sizes, _byes = table_sizes(len(order), self.seating)
            tables = self._play_tables(event, _split_into_tables(order, sizes))
            for table in tables:
                for player, points in zip(table.players, table.result.totals, strict=True):
                    total[player] += self.sign * points
        places = 0 if last else part.each_table or part.places(len(total))
        if not places:
            event.players, _level = select_best(total, len(total), self.rng)
            event.over = True
        elif part.each_table and tables:
            self._select_best_of_tables(event, tables, part.each_table, together=part.together)
        else:
            event.players, level = select_best(total, places, self.rng, together=part.together)
            event.record_cut(level=level)

    def _count_rounds(self, part: PlannedStage, players: int) -> int:
        return len(partner_rounds(range(players))) if part.rotation else part.rounds

    def _sort_players(self, players: Sequence[int], scores: Mapping[int, float]) -> list[int]:
        """Sort players by their scores, highest first. Players with equal scores are shuffled."""
        drawn = self.rng.sample(players, len(players))
        return sorted(drawn, key=lambda player: -scores.get(player, 0.0))

    def _play_tables(
        self, event: _EventProgress, tables: Sequence[Sequence[int]]
    ) -> list[SimulatedTable]:
        """Play a round at these tables. The round lasts as long as its slowest table."""
        tables_played = [self._play_table(players) for players in tables]
        event.minutes += max(table.result.minutes for table in tables_played)
        event.rounds += 1
        return tables_played

    def _play_table(self, players: Sequence[int]) -> SimulatedTable:
        """Play one table, with the strongest player in the first seat, which is no advantage."""
        strong = STRONGEST in players
        seated = sorted(players) if strong else players
        return SimulatedTable(tuple(seated), self.matches.sample_match(len(players), strong=strong))

    def _select_best_of_tables(
        self,
        event: _EventProgress,
        tables: Sequence[SimulatedTable],
        per_table: int,
        *,
        together: bool,
    ) -> None:
        selections = [
            select_best(self._map_scores(table), per_table, self.rng, together=together)
            for table in tables
        ]
        event.players = [player for advancing, _level in selections for player in advancing]
        event.record_cut(level=any(level for _advancing, level in selections))

    def _map_scores(self, table: SimulatedTable) -> dict[int, float]:
        points = (self.sign * points for points in table.result.totals)
        return dict(zip(table.players, points, strict=True))

    def _play_bracket(self, event: _EventProgress, part: PlannedStage, *, begun: bool) -> None:
        """Play a bracket down to the final.

        If a round has already begun, the players who advance from it are chosen at random.
        """
        shape = part.shape(self.course)
        plans = (
            list(brackets.plan_bracket(len(event.players), shape)) if len(event.players) > 1 else []
        )
        if begun and plans:
            begun_plan = plans.pop(0)
            event.players = self.rng.sample(event.players, begun_plan.through)
        for plan in plans:
            order = self._sort_players(event.players, {})
            tables = self._play_tables(event, _split_into_tables(order[plan.byes :], plan.sizes))
            if plan.is_final:
                event.players, _level = select_best(
                    self._map_scores(tables[0]), len(order), self.rng
                )
                return
            self._select_best_of_tables(event, tables, plan.advance, together=False)
            event.players += order[: plan.byes] + self._select_fills(
                event.players, tables, plan.fill
            )

    def _select_fills(
        self, advancing: Sequence[int], tables: Sequence[SimulatedTable], places: int
    ) -> list[int]:
        """Select the players who advance by share of table points to fill the next round.

        `advancing` lists the players who have already advanced.
        """
        shares: dict[int, float] = {}
        for table in tables:
            total = sum(table.result.totals) or 1
            scores = self._map_scores(table)
            shares |= {
                player: scores[player] / total for player in scores if player not in advancing
            }
        return select_best(shares, places, self.rng)[0]


class _EventProgress:
    """The progress of a simulated event.

    * `players`: the players who have not been eliminated.
    * `through`: the players who advanced at the first cut, or None before it.
    * `minutes`: the duration without pauses.
    * `rounds`: the number of rounds played.
    * `level`: whether there was a tie at a cut.
    * `over`: whether the event has ended.
    """

    def __init__(self, players: list[int]) -> None:
        self.players = players
        self.through: list[int] | None = None
        self.minutes, self.rounds, self.level, self.over = 0.0, 0, False, False

    def record_cut(self, *, level: bool) -> None:
        """Record a cut, after `players` has been updated."""
        self.level = self.level or level
        self.through = self.players if self.through is None else self.through


def _split_into_tables(order: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    """Divide players into tables of these sizes, in order. Players left over are omitted."""
    remaining: Iterator[int] = iter(order)
    return [[next(remaining) for _ in range(size)] for size in sizes]


def measure_pace(
    pace: HumanPace,
    course: PlannedEvent,
    in_progress: Sequence[tuple[int, MatchProgress]],
    rng: Random,
) -> HumanPace:
    """Return the pace measured at the tables in progress, or `pace` if no hand has finished."""
    hands = HandPool(course.rules, rng)
    measured = [(seats, begun) for seats, begun in in_progress if begun.hands and begun.minutes]
    actions = sum(hands.average_actions(seats) * len(begun.hands) for seats, begun in measured)
    if not actions:
        return pace
    pauses = sum((len(begun.hands) - 1) * pace.between for _seats, begun in measured)
    seconds = sum(begun.minutes * 60 for _seats, begun in measured) - pauses
    return replace(pace, action=max(0.5, seconds / actions))
