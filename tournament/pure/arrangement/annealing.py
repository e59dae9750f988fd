"""A small seeded annealer that swaps players of different tables while the cost falls.

The same key gives the same answer on every machine: costs are whole numbers, there is one
random stream, steps are counted and not timed, and no floating-point function is used whose
last digit depends on the processor.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from decimal import Decimal

from tournament.pure.arrangement.costs import CostLevel, Matrix

# Quantiles of the exponential distribution in thousandths: Metropolis' rule takes an uphill step
# of size d at temperature T if d <= T * quantile. Decimal's ln rounds correctly.
_QUANTILES = tuple(int(-(Decimal(2 * k + 1) / 512).ln() * 1000) for k in range(256))
_CHUNK = 500


class AnnealingState:
    """A seating during improvement: the table of each player, by index."""

    def __init__(self, sizes: Sequence[int], places: Sequence[int], tables: int) -> None:
        self.where = list(places)
        self.tables = tables
        self.all_tables = len(sizes)

    def members(self) -> list[list[int]]:
        """Return the player indices at each table, in ascending order."""
        found: list[list[int]] = [[] for _ in range(self.all_tables)]
        for i, t in enumerate(self.where):
            found[t].append(i)
        return found


def join(levels: Sequence[CostLevel], size: int) -> tuple[Matrix, Matrix]:
    """Combine the levels into one pair of matrices, weighted so that their strict order holds.

    Costs are in units of the last level. No level can outweigh an earlier one.
    """
    weights, weight = [], 1
    for level in reversed(levels):
        weights.append(weight)
        weight *= level.bound(size)
    weights.reverse()
    return _sum(weights, [lv.pair for lv in levels]), _sum(weights, [lv.place for lv in levels])


def _sum(weights: list[int], matrices: list[Matrix]) -> Matrix:
    joined = [[0] * len(row) for row in matrices[0]]
    for weight, matrix in zip(weights, matrices, strict=True):
        for target, row in zip(joined, matrix, strict=True):
            if any(row):
                target[:] = [a + weight * b for a, b in zip(target, row, strict=True)]
    return joined


def _compute_table_costs(state: AnnealingState, pair: Matrix, place: Matrix) -> Matrix:
    members = state.members()[: state.tables]
    costs = []
    for near, row in zip(pair, place, strict=True):
        together = [sum([near[j] for j in table]) for table in members]
        together += [0] * (state.all_tables - state.tables)
        costs.append([a + b for a, b in zip(together, row, strict=True)])
    return costs


def anneal(
    state: AnnealingState,
    movable: Sequence[int],
    joined: tuple[Matrix, Matrix],
    rng: random.Random,
    *,
    steps: int,
    heat: int,
    goal: int,
) -> int:
    """Lower the joined cost by at least `goal`, if `steps` suffice.

    Leaves `state` at the best seating found. `heat` is the initial temperature in thousandths of
    the last level's unit; it falls to a twentieth. Returns the number of steps taken.
    """
    pair, place = joined
    costs = _compute_table_costs(state, pair, place)
    where, best = state.where, list(state.where)
    fallen = most = step = 0
    draw, count = rng.random, len(movable)
    for step in range(steps):
        if step % _CHUNK == 0:
            limit = heat * (steps * 20 - 19 * step) // (steps * 20)
        a = movable[int(draw() * count)]
        here = costs[a]
        table_a = where[a]
        if not here[table_a] and draw() > 0.1:  # mostly look at those who cost something
            continue
        b = movable[int(draw() * count)]
        table_b = where[b]
        if table_a == table_b:
            continue
        there = costs[b]
        rise = here[table_b] + there[table_a] - here[table_a] - there[table_b]
        # Otherwise the two would be charged for each other, though they only swap their tables.
        rise -= pair[a][b] * ((table_a < state.tables) + (table_b < state.tables))
        if rise > 0 and rise * 1_000_000 > limit * _QUANTILES[int(draw() * 256)]:
            continue
        _swap(state, costs, pair, a, b)
        fallen -= rise
        if fallen > most:
            most, best = fallen, list(where)
            if most >= goal:
                break
    state.where[:] = best
    return step + 1


def _swap(state: AnnealingState, costs: Matrix, pair: Matrix, a: int, b: int) -> None:
    table_a, table_b = state.where[a], state.where[b]
    state.where[a], state.where[b] = table_b, table_a
    near_a, near_b = pair[a], pair[b]
    for row, from_a, from_b in zip(costs, near_a, near_b, strict=True):
        change = from_b - from_a
        if change:
            if table_a < state.tables:
                row[table_a] += change
            if table_b < state.tables:
                row[table_b] -= change
