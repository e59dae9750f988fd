"""Seating of a round: the table and seat of each player.

Each round is seated separately from the history of meetings, because players arrive late and leave
early. The rules apply in strict order (`costs.RULES`). The result includes the key, a hash of the
input and the cost by each rule, so that anyone can repeat the draw.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from games.rules.text import _
from tournament.pure.arrangement.annealing import AnnealingState, anneal, combine_levels
from tournament.pure.arrangement.bounds import lower_bounds
from tournament.pure.arrangement.costs import (
    CostLevel,
    Costs,
    PastRound,
    SeatingError,
    SeatingProblem,
    Tables,
    seat_cost,
    table_sizes,
)
from tournament.pure.arrangement.kept import RoundSeating
from tournament.pure.arrangement.quality import compute_costs

# Limits of the annealing: steps per attempt, attempts per rule, seatings to compare, and total
# steps, which take about two seconds.
STEPS = 60_000
STEPS_PER_PAIR = 150
TRIES = 5
PROSPECTS = 30
MOST_STEPS = 1_500_000


@dataclass(frozen=True)
class Seating:
    """A draft of a seating, with the data needed to repeat its draw.

    * `tables`: the ids at each table, in seat order.
    * `byes`: the players who sit out.
    * `costs`, `bounds`: by rule (keys of RULES). No seating can cost less than the bound.
    """

    tables: Tables
    byes: tuple[int, ...]
    key: str
    digest: str
    costs: dict[str, int]
    bounds: dict[str, int]

    def as_stored(self) -> RoundSeating:
        """Return the draft in the form that is stored with the round."""
        return RoundSeating(
            byes=self.byes,
            key=self.key,
            digest=self.digest,
            costs=self.costs,
            bounds=self.bounds,
        )


def seat_round(problem: SeatingProblem, key: str) -> Seating:
    """Seat all players for one round. The same problem and key always give the same seating.

    Of several seatings with equal cost, choose the one that leads to the fewest repeated meetings
    in the next `SeatingRules.rounds_to_come` rounds. The simulation assumes that all players stay.
    Raises SeatingError if no table can be filled. The message suggests a remedy.
    """
    counter = _StepCounter()
    best = _seat_players(problem, key, TRIES, counter)
    outlook = _estimate_outlook(problem, best, counter)
    for number in range(2, PROSPECTS + 1):
        if outlook <= 0 or counter.steps > MOST_STEPS:
            break
        other = replace(_seat_players(problem, f"{key}/{number}", TRIES, counter), key=key)
        if (other_costs := list(other.costs.values())) <= (best_costs := list(best.costs.values())):
            other_outlook = _estimate_outlook(problem, other, counter)
            if other_costs < best_costs or other_outlook < outlook:
                best, outlook = other, other_outlook
    return best


class _StepCounter:
    """A counter that limits annealing by steps.

    With a time limit, the result would depend on the machine.
    """

    steps = 0


def _estimate_outlook(problem: SeatingProblem, seating: Seating, counter: _StepCounter) -> int:
    """Simulate the next rounds with the same players.

    Returns the number of repeated meetings above the lower bound.
    """
    history, excess = problem.history, 0
    plain_rules = replace(problem.rules, by_points=False, groups_apart=False)
    for number in range(problem.rules.rounds_to_come):
        history += (PastRound(seating.tables, seating.byes),)
        next_problem = replace(problem, history=history, rules=plain_rules)
        seating = _seat_players(next_problem, f"{seating.key}+{number}", 1, counter)
        excess += seating.costs["repeats"] - seating.bounds["repeats"]
    return excess


def _seat_players(problem: SeatingProblem, key: str, tries: int, counter: _StepCounter) -> Seating:
    sizes, byes = table_sizes(len(problem.ids), problem.rules)
    costs = Costs(problem, sizes, byes)
    _check_fixed(problem, sizes)
    bounds = lower_bounds(problem, sizes)
    rng = _make_stream(key)
    state = AnnealingState(costs.sizes, _assign_tables(costs, rng), costs.tables)
    counter.steps += _improve_state(state, costs, bounds, rng, tries)
    members = [[problem.ids[i] for i in table] for table in state.members()]
    tables = tuple(_choose_seats(table, problem.history, rng) for table in members[: costs.tables])
    without_seat = tuple(members[costs.tables]) if byes else ()
    costs_by_rule = compute_costs(problem, tables, without_seat)
    return Seating(tables, without_seat, key, problem.digest(), costs_by_rule, bounds)


def _make_stream(key: str) -> random.Random:
    # random() gives the same numbers in every Python version if the seed is an int.
    seed = int(hashlib.sha256(key.encode()).hexdigest(), 16)
    return random.Random(seed)  # noqa: S311  a seating must be repeatable, not secret


def _check_fixed(problem: SeatingProblem, sizes: Sequence[int]) -> None:
    for player, number in problem.rules.fixed:
        if player in problem.by_id and not 1 <= number <= len(sizes):
            text = _("{name} is assigned to table {number}, but there are only tables 1 to {last}.")
            name = problem.name(player)
            raise SeatingError(text.format(name=name, number=number, last=len(sizes)))


def _assign_tables(costs: Costs, rng: random.Random) -> list[int]:
    """Return a table for each player, by index.

    Players with a required table are seated first, then the others by points or at random.
    """
    free = dict(enumerate(costs.sizes))
    places = [-1] * len(costs.index)
    for i, t in costs.fixed.items():
        if free[t]:
            places[i] = t
            free[t] -= 1
    chairs = [t for t, size in free.items() for _ in range(size)]
    unassigned = shuffle([i for i, t in enumerate(places) if t < 0], rng)
    if costs.problem.rules.by_points:
        unassigned.sort(key=lambda i: -costs.problem.by_id[costs.problem.ids[i]].points)
    for i, t in zip(unassigned, chairs, strict=True):
        places[i] = t
    return places


def shuffle(items: Sequence[int], rng: random.Random) -> list[int]:
    """Return the items in random order. Only random() is used, for reproducible results."""
    keyed = sorted((rng.random(), n) for n in range(len(items)))
    return [items[n] for _, n in keyed]


def _improve_state(
    state: AnnealingState, costs: Costs, bounds: dict[str, int], rng: random.Random, tries: int
) -> int:
    """Improve the seating for one rule after another, without losing what earlier rules achieved.

    Returns the number of steps used.
    """
    largest = max(costs.sizes)
    movable = [i for i in range(len(state.table_of)) if costs.fixed.get(i) != state.table_of[i]]
    levels: list[CostLevel] = []
    steps = 0
    for level in costs.levels:
        if level.bound(largest) == 1 or len(movable) < 2:
            continue
        levels.append(level)
        joined = combine_levels(levels, largest)
        for attempt in range(tries):
            missing = level.total(state.members()) - bounds.get(level.key, 0)
            if missing <= 0:
                break
            heat = _choose_heat(level) * (attempt + 2) // 3
            most_steps = min(STEPS, STEPS_PER_PAIR * len(movable) ** 2)
            steps += anneal(state, movable, joined, rng, steps=most_steps, heat=heat, goal=missing)
    return steps


def _choose_heat(level: CostLevel) -> int:
    """Return the initial temperature in thousandths.

    It is the cost of half a meeting, or a typical difference in points.
    """
    place_costs = [cost for row in level.place for cost in row if cost]
    return 500 * max(1, sum(place_costs) // len(place_costs) // 2) if place_costs else 500


def _choose_seats(
    members: Sequence[int], history: Sequence[PastRound], rng: random.Random
) -> tuple[int, ...]:
    """Return the order of seats with the lowest cost by the rule "seats".

    Equal costs are decided at random.
    """
    players = shuffle(members, rng)
    size = len(players)
    seat_costs = [[seat_cost(p, seat, size, history) for seat in range(size)] for p in players]
    # best[set of players already seated] = (cost, order). With at most 2**10 sets, the exact
    # optimum is cheap to find.
    best: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}
    for seat in range(size):
        next_best: dict[int, tuple[int, tuple[int, ...]]] = {}
        for seated, (cost, order) in best.items():
            for n in range(size):
                if not seated >> n & 1:
                    candidate = (cost + seat_costs[n][seat], (*order, n))
                    current = next_best.setdefault(seated | 1 << n, candidate)
                    if candidate < current:
                        next_best[seated | 1 << n] = candidate
        best = next_best
    return tuple(players[n] for n in best[(1 << size) - 1][1])
