"""Seating of a round: the table and seat of each player.

Only one round is seated at a time, because players arrive late and leave early. The rules apply in
strict order (`costs.RULES`). The result includes the key, a hash of the input and the cost under
each rule, so that anyone can repeat the draw.
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
from tournament.pure.arrangement.quality import compute_costs
from tournament.pure.arrangement.stored_seating import RoundSeating

# Limits on one attempt to satisfy a rule. With few players, the limit per pair applies.
STEPS_PER_ATTEMPT = 60_000
STEPS_PER_PAIR = 150
ATTEMPTS_PER_RULE = 5
# Limits on a whole draw. This number of steps takes about two seconds.
MOST_SEATINGS = 30
MOST_STEPS = 1_500_000


@dataclass(frozen=True)
class Seating:
    """A draft of a seating, with the data needed to repeat its draw.

    * `tables`: the ids at each table, in seat order.
    * `byes`: the players who sit out.
    * `key`: the key of the random draw.
    * `digest`: a hash of the input.
    * `costs`: the cost under each rule, with the keys of RULES.
    * `bounds`: lower bounds of some costs, with the keys of RULES.
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

    Of several seatings with equal costs, choose the one that leads to the fewest repeated meetings
    in the next `SeatingRules.rounds_to_come` rounds, which are simulated with the same players.
    Raises SeatingError if no table can be filled. The message suggests a remedy.
    """
    counter = _StepCounter()
    best = _seat_players(problem, key, ATTEMPTS_PER_RULE, counter)
    repeats = _count_future_repeats(problem, best, counter)
    for number in range(2, MOST_SEATINGS + 1):
        if repeats <= 0 or counter.steps > MOST_STEPS:
            break
        other_key = f"{key}/{number}"
        other = replace(_seat_players(problem, other_key, ATTEMPTS_PER_RULE, counter), key=key)
        if (other_costs := list(other.costs.values())) <= (best_costs := list(best.costs.values())):
            other_repeats = _count_future_repeats(problem, other, counter)
            if other_costs < best_costs or other_repeats < repeats:
                best, repeats = other, other_repeats
    return best


class _StepCounter:
    """The number of annealing steps taken for a draw.

    Steps are limited instead of time, because a time limit would make the result depend on the
    machine.
    """

    steps = 0


def _count_future_repeats(problem: SeatingProblem, seating: Seating, counter: _StepCounter) -> int:
    """Simulate the next rounds with the same players, and count the repeated meetings.

    Meetings that the lower bound shows to be unavoidable are not counted.
    """
    history, excess = problem.history, 0
    plain_rules = replace(problem.rules, by_points=False, groups_apart=False)
    for number in range(problem.rules.rounds_to_come):
        history += (PastRound(seating.tables, seating.byes),)
        next_problem = replace(problem, history=history, rules=plain_rules)
        seating = _seat_players(next_problem, f"{seating.key}+{number}", 1, counter)
        excess += seating.costs["repeats"] - seating.bounds["repeats"]
    return excess


def _seat_players(
    problem: SeatingProblem, key: str, attempts: int, counter: _StepCounter
) -> Seating:
    sizes, byes = table_sizes(len(problem.ids), problem.rules)
    costs = Costs(problem, sizes, byes)
    _check_fixed_tables(problem, sizes)
    bounds = lower_bounds(problem, sizes)
    rng = _make_generator(key)
    state = AnnealingState(costs.sizes, _assign_tables(costs, rng), costs.tables)
    counter.steps += _improve_seating(state, costs, bounds, rng, attempts)
    members = [[problem.ids[i] for i in table] for table in state.members()]
    tables = tuple(_choose_seats(table, problem.history, rng) for table in members[: costs.tables])
    without_seat = tuple(members[costs.tables]) if byes else ()
    costs_by_rule = compute_costs(problem, tables, without_seat)
    return Seating(tables, without_seat, key, problem.digest(), costs_by_rule, bounds)


def _make_generator(key: str) -> random.Random:
    # random() gives the same numbers in every Python version if the seed is an int.
    seed = int(hashlib.sha256(key.encode()).hexdigest(), 16)
    return random.Random(seed)  # noqa: S311  a seating must be repeatable, not secret


def _check_fixed_tables(problem: SeatingProblem, sizes: Sequence[int]) -> None:
    for player, number in problem.rules.fixed:
        if player in problem.by_id and not 1 <= number <= len(sizes):
            text = _("{name} is assigned to table {number}, but there are only tables 1 to {last}.")
            name = problem.name(player)
            raise SeatingError(text.format(name=name, number=number, last=len(sizes)))


def _assign_tables(costs: Costs, rng: random.Random) -> list[int]:
    """Return an initial table for each player. Players and tables are given by index.

    Players with a required table are seated first, then the others by points or at random.
    """
    free = dict(enumerate(costs.sizes))
    table_of = [-1] * len(costs.index)
    for i, t in costs.fixed.items():
        if free[t]:
            table_of[i] = t
            free[t] -= 1
    free_seats = [t for t, size in free.items() for _ in range(size)]
    unassigned = shuffle([i for i, t in enumerate(table_of) if t < 0], rng)
    if costs.problem.rules.by_points:
        unassigned.sort(key=lambda i: -costs.problem.by_id[costs.problem.ids[i]].points)
    for i, t in zip(unassigned, free_seats, strict=True):
        table_of[i] = t
    return table_of


def shuffle(items: Sequence[int], rng: random.Random) -> list[int]:
    """Return the items in random order.

    Uses only random(), whose numbers are the same in every Python version.
    """
    keyed = sorted((rng.random(), n) for n in range(len(items)))
    return [items[n] for _, n in keyed]


def _improve_seating(
    state: AnnealingState, costs: Costs, bounds: dict[str, int], rng: random.Random, attempts: int
) -> int:
    """Lower the cost under one rule after another, without raising it under earlier rules.

    Returns the number of steps taken.
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
        for attempt in range(attempts):
            excess = level.total(state.members()) - bounds.get(level.key, 0)
            if excess <= 0:
                break
            temperature = _choose_temperature(level) * (attempt + 2) // 3
            most_steps = min(STEPS_PER_ATTEMPT, STEPS_PER_PAIR * len(movable) ** 2)
            steps += anneal(
                state,
                movable,
                joined,
                rng,
                steps=most_steps,
                start_temperature=temperature,
                goal=excess,
            )
    return steps


def _choose_temperature(level: CostLevel) -> int:
    """Return a temperature to start annealing at, in thousandths of the level's unit of cost.

    It is half a unit, or a quarter of the mean cost of a misplaced player if that is higher.
    """
    place_costs = [cost for row in level.place for cost in row if cost]
    return 500 * max(1, sum(place_costs) // len(place_costs) // 2) if place_costs else 500


def _choose_seats(
    members: Sequence[int], history: Sequence[PastRound], rng: random.Random
) -> tuple[int, ...]:
    """Return a table's members in the seat order with the lowest cost under the rule "seats".

    Of several such orders, one is chosen at random.
    """
    players = shuffle(members, rng)
    size = len(players)
    seat_costs = [[seat_cost(p, seat, size, history) for seat in range(size)] for p in players]
    # The cheapest order of each set of seated players, as (cost, order). There are at most 2**10
    # sets, so the exact optimum is cheap to find.
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
