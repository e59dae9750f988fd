"""Seating of a round: the table and the seat of each player.

Rounds are seated one at a time from the history of meetings, because people arrive late and
leave early. The rules apply in strict order (`costs.RULES`). A seating includes its key, a
hash of its input and each rule's cost, so that anyone can repeat it with the same result.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from games.rules.text import _
from tournament.pure.arrangement.annealing import AnnealingState, anneal, join
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
from tournament.pure.arrangement.quality import tables_costs

# How hard the annealer tries: steps at a time, times for each rule, whole seatings compared, and
# when to stop comparing (about two seconds).
STEPS = 60_000
STEPS_A_PAIR = 150
TRIES = 5
PROSPECTS = 30
MOST_STEPS = 1_500_000


@dataclass(frozen=True)
class Seating:
    """A draft: `tables` of ids in seat order, `byes`, and the data needed to repeat the draw.

    `costs` and `bounds` are by rule (keys of RULES); no seating of these players can cost less
    than its bound.
    """

    tables: Tables
    byes: tuple[int, ...]
    key: str
    digest: str
    costs: dict[str, int]
    bounds: dict[str, int]

    def as_stored(self) -> RoundSeating:
        """Return the data stored with the round: byes, key, digest, costs and bounds."""
        return RoundSeating(
            byes=self.byes,
            key=self.key,
            digest=self.digest,
            costs=self.costs,
            bounds=self.bounds,
        )


def seat_round(problem: SeatingProblem, key: str) -> Seating:
    """Seat all players for one round; the same problem and key always give the same seating.

    Among seatings of equal cost, the one is chosen after which the next rounds
    (`SeatingRules.rounds_to_come`, with the same players) need the fewest repeat meetings.
    Raises SeatingError if no table can be filled; the message suggests a remedy.
    """
    effort = _Effort()
    best = _seat(problem, key, TRIES, effort)
    outlook = _estimate_outlook(problem, best, effort)
    for number in range(2, PROSPECTS + 1):
        if outlook <= 0 or effort.steps > MOST_STEPS:
            break
        other = replace(_seat(problem, f"{key}/{number}", TRIES, effort), key=key)
        if (other_costs := list(other.costs.values())) <= (least := list(best.costs.values())):
            further = _estimate_outlook(problem, other, effort)
            if other_costs < least or further < outlook:
                best, outlook = other, further
    return best


class _Effort:
    """Counter of annealing steps; a limit in seconds would give other results elsewhere."""

    steps = 0


def _estimate_outlook(problem: SeatingProblem, seating: Seating, effort: _Effort) -> int:
    """Return the repeats above the lower bound in the next rounds, if all players stay."""
    history, beyond = problem.history, 0
    plain = replace(problem.rules, by_points=False, groups_apart=False)
    for number in range(problem.rules.rounds_to_come):
        history += (PastRound(seating.tables, seating.byes),)
        ahead = replace(problem, history=history, rules=plain)
        seating = _seat(ahead, f"{seating.key}+{number}", 1, effort)
        beyond += seating.costs["repeats"] - seating.bounds["repeats"]
    return beyond


def _seat(problem: SeatingProblem, key: str, tries: int, effort: _Effort) -> Seating:
    sizes, byes = table_sizes(len(problem.ids), problem.rules)
    costs = Costs(problem, sizes, byes)
    _check_fixed(problem, sizes)
    bounds = lower_bounds(problem, sizes)
    rng = _make_stream(key)
    state = AnnealingState(costs.sizes, _deal(costs, rng), costs.tables)
    effort.steps += _improve_state(state, costs, bounds, rng, tries)
    members = [[problem.ids[i] for i in table] for table in state.members()]
    tables = tuple(_take_seats(table, problem.history, rng) for table in members[: costs.tables])
    spare = tuple(members[costs.tables]) if byes else ()
    figures = tables_costs(problem, tables, spare)
    return Seating(tables, spare, key, problem.digest(), figures, bounds)


def _make_stream(key: str) -> random.Random:
    # An int seed and random() alone: both are promised to stay the same in every Python.
    seed = int(hashlib.sha256(key.encode()).hexdigest(), 16)
    return random.Random(seed)  # noqa: S311  a seating must be repeatable, not secret


def _check_fixed(problem: SeatingProblem, sizes: Sequence[int]) -> None:
    for player, number in problem.rules.fixed:
        if player in problem.by_id and not 1 <= number <= len(sizes):
            text = _("{name} is assigned to table {number}, but there are only tables 1 to {last}.")
            name = problem.name(player)
            raise SeatingError(text.format(name=name, number=number, last=len(sizes)))


def _deal(costs: Costs, rng: random.Random) -> list[int]:
    """Assign a table to every index: fixed players first, the others by points or at random."""
    free = dict(enumerate(costs.sizes))
    places = [-1] * len(costs.index)
    for i, t in costs.fixed.items():
        if free[t]:
            places[i] = t
            free[t] -= 1
    chairs = [t for t, size in free.items() for _ in range(size)]
    waiting = shuffle([i for i, t in enumerate(places) if t < 0], rng)
    if costs.problem.rules.by_points:
        waiting.sort(key=lambda i: -costs.problem.by_id[costs.problem.ids[i]].points)
    for i, t in zip(waiting, chairs, strict=True):
        places[i] = t
    return places


def shuffle(items: Sequence[int], rng: random.Random) -> list[int]:
    """Return the items in random order, using only random()."""
    keyed = sorted((rng.random(), n) for n in range(len(items)))
    return [items[n] for _, n in keyed]


def _improve_state(
    state: AnnealingState, costs: Costs, bounds: dict[str, int], rng: random.Random, tries: int
) -> int:
    """Improve the seating rule by rule in strict order, keeping what earlier rules achieved.

    Returns the steps taken.
    """
    largest = max(costs.sizes)
    movable = [i for i in range(len(state.where)) if costs.fixed.get(i) != state.where[i]]
    kept: list[CostLevel] = []
    steps = 0
    for level in costs.levels:
        if level.bound(largest) == 1 or len(movable) < 2:
            continue
        kept.append(level)
        joined = join(kept, largest)
        for attempt in range(tries):
            missing = level.total(state.members()) - bounds.get(level.key, 0)
            if missing <= 0:
                break
            heat = _choose_heat(level) * (attempt + 2) // 3
            at_most = min(STEPS, STEPS_A_PAIR * len(movable) ** 2)
            steps += anneal(state, movable, joined, rng, steps=at_most, heat=heat, goal=missing)
    return steps


def _choose_heat(level: CostLevel) -> int:
    """Return the start temperature in thousandths: half a meeting, or a typical point distance."""
    far = [cost for row in level.place for cost in row if cost]
    return 500 * max(1, sum(far) // len(far) // 2) if far else 500


def _take_seats(
    members: Sequence[int], history: Sequence[PastRound], rng: random.Random
) -> tuple[int, ...]:
    """Return the seat order with the lowest cost by the rule "seats".

    Ties are broken at random.
    """
    players = shuffle(members, rng)
    size = len(players)
    price = [[seat_cost(p, seat, size, history) for seat in range(size)] for p in players]
    # best[set of players already seated] = (cost, order): exact, at most 2**10 sets.
    best: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}
    for seat in range(size):
        further: dict[int, tuple[int, tuple[int, ...]]] = {}
        for taken, (cost, order) in best.items():
            for n in range(size):
                if not taken >> n & 1:
                    found = (cost + price[n][seat], (*order, n))
                    kept = further.setdefault(taken | 1 << n, found)
                    if found < kept:
                        further[taken | 1 << n] = found
        best = further
    return tuple(players[n] for n in best[(1 << size) - 1][1])
