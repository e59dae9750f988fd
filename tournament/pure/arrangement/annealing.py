"""A small seeded annealer that swaps players between tables to lower the cost.

The same key gives the same result on every machine. All costs are whole numbers, all random
numbers are from one stream, and work is limited by a number of steps instead of a time. No
function is used that may round differently on another processor.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from decimal import Decimal

from tournament.pure.arrangement.costs import CostLevel, Matrix

# Quantiles of the exponential distribution, in thousandths. In the Metropolis rule, a step that
# raises the cost by d at temperature T is accepted if d <= T * quantile. Decimal's ln rounds
# correctly.
_QUANTILES = tuple(int(-(Decimal(2 * k + 1) / 512).ln() * 1000) for k in range(256))
_CHUNK = 500


class AnnealingState:
    """A seating while it is being improved.

    It stores the table of each player. Players are identified by index.
    """

    def __init__(self, sizes: Sequence[int], places: Sequence[int], tables: int) -> None:
        self.table_of = list(places)
        self.tables = tables
        self.all_tables = len(sizes)

    def members(self) -> list[list[int]]:
        """Return the player indices at each table, in ascending order."""
        members: list[list[int]] = [[] for _ in range(self.all_tables)]
        for index, table in enumerate(self.table_of):
            members[table].append(index)
        return members


def combine_levels(levels: Sequence[CostLevel], size: int) -> tuple[Matrix, Matrix]:
    """Combine the levels into one pair of matrices that preserves their strict order.

    The weights ensure that no level can outweigh an earlier one. Costs are in units of the last
    level.
    """
    weights, weight = [], 1
    for level in reversed(levels):
        weights.append(weight)
        weight *= level.bound(size)
    weights.reverse()
    return _sum_weighted(weights, [level.pair for level in levels]), _sum_weighted(
        weights, [level.place for level in levels]
    )


def _sum_weighted(weights: list[int], matrices: list[Matrix]) -> Matrix:
    joined = [[0] * len(row) for row in matrices[0]]
    for weight, matrix in zip(weights, matrices, strict=True):
        for target, row in zip(joined, matrix, strict=True):
            if any(row):
                target[:] = [a + weight * b for a, b in zip(target, row, strict=True)]
    return joined


def _compute_table_costs(state: AnnealingState, pair_costs: Matrix, place_costs: Matrix) -> Matrix:
    members = state.members()[: state.tables]
    costs = []
    for near, row in zip(pair_costs, place_costs, strict=True):
        together = [sum([near[j] for j in table]) for table in members]
        together += [0] * (state.all_tables - state.tables)
        costs.append([a + b for a, b in zip(together, row, strict=True)])
    return costs


def anneal(
    state: AnnealingState,
    movable: Sequence[int],
    matrices: tuple[Matrix, Matrix],
    rng: random.Random,
    *,
    steps: int,
    heat: int,
    goal: int,
) -> int:
    """Improve a seating in place by swapping players.

    Stops when the combined cost has fallen by `goal`, or after `steps`. `state` ends as the best
    seating found. `heat` is the initial temperature in thousandths of the last level's unit, and
    falls to a twentieth of that. Returns the number of steps used.
    """
    pair, place = matrices
    costs = _compute_table_costs(state, pair, place)
    table_of, best = state.table_of, list(state.table_of)
    reduction = best_reduction = step = 0
    draw, count = rng.random, len(movable)
    for step in range(steps):
        if step % _CHUNK == 0:
            temperature = heat * (steps * 20 - 19 * step) // (steps * 20)
        a = movable[int(draw() * count)]
        costs_a = costs[a]
        table_a = table_of[a]
        # Most steps choose a player whose seat has a cost.
        if not costs_a[table_a] and draw() > 0.1:
            continue
        b = movable[int(draw() * count)]
        table_b = table_of[b]
        if table_a == table_b:
            continue
        costs_b = costs[b]
        rise = costs_a[table_b] + costs_b[table_a] - costs_a[table_a] - costs_b[table_b]
        # The cost at the new table includes the other player, who leaves that table in the swap.
        rise -= pair[a][b] * ((table_a < state.tables) + (table_b < state.tables))
        if rise > 0 and rise * 1_000_000 > temperature * _QUANTILES[int(draw() * 256)]:
            continue
        _swap(state, costs, pair, a, b)
        reduction -= rise
        if reduction > best_reduction:
            best_reduction, best = reduction, list(table_of)
            if best_reduction >= goal:
                break
    state.table_of[:] = best
    return step + 1


def _swap(state: AnnealingState, costs: Matrix, pair: Matrix, a: int, b: int) -> None:
    table_a, table_b = state.table_of[a], state.table_of[b]
    state.table_of[a], state.table_of[b] = table_b, table_a
    near_a, near_b = pair[a], pair[b]
    for row, from_a, from_b in zip(costs, near_a, near_b, strict=True):
        change = from_b - from_a
        if change:
            if table_a < state.tables:
                row[table_a] += change
            if table_b < state.tables:
                row[table_b] -= change
