"""Simulated annealing that swaps players between tables to lower the cost of a seating.

The same key gives the same result on every machine: all costs are whole numbers, and all random
numbers come from one generator. The number of steps is limited, not the time. Functions that may
round differently on another processor are not used.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from decimal import Decimal

from tournament.pure.arrangement.costs import CostLevel, Matrix

# Quantiles of the exponential distribution, in thousandths. By the Metropolis rule, a step that
# raises the cost by d at temperature T is accepted if d <= T * a random quantile. Decimal is used
# because its ln rounds the same on every machine.
_QUANTILES = tuple(int(-(Decimal(2 * k + 1) / 512).ln() * 1000) for k in range(256))
_STEPS_PER_TEMPERATURE = 500


class AnnealingState:
    """A seating that is being improved.

    * `table_of`: the table index of each player, by index of the player.
    * `tables`: the number of tables.
    * `all_tables`: the number of tables, plus one if there are byes.
    """

    def __init__(self, sizes: Sequence[int], table_of: Sequence[int], tables: int) -> None:
        self.table_of = list(table_of)
        self.tables = tables
        self.all_tables = len(sizes)

    def members(self) -> list[list[int]]:
        """Return the indices of the players at each table, in ascending order."""
        members: list[list[int]] = [[] for _ in range(self.all_tables)]
        for index, table in enumerate(self.table_of):
            members[table].append(index)
        return members


def combine_levels(levels: Sequence[CostLevel], size: int) -> tuple[Matrix, Matrix]:
    """Combine several levels into one pair of cost matrices.

    Costs are weighted so that no level can outweigh an earlier one. Their unit is the unit of the
    last level.
    """
    weights, weight = [], 1
    for level in reversed(levels):
        weights.append(weight)
        weight *= level.bound(size)
    weights.reverse()
    return _sum_weighted_matrices(
        weights, [level.pair for level in levels]
    ), _sum_weighted_matrices(weights, [level.place for level in levels])


def _sum_weighted_matrices(weights: list[int], matrices: list[Matrix]) -> Matrix:
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
    start_temperature: int,
    goal: int,
) -> int:
    """Improve a seating in place by swapping players, and return the number of steps taken.

    `state` becomes the best seating found.

    * `matrices`: the costs from `combine_levels`.
    * `steps`: the maximum number of steps.
    * `start_temperature`: the first temperature, in thousandths of the unit of cost. It falls to a
      twentieth of this value.
    * `goal`: the reduction in cost after which to stop.
    """
    pair, place = matrices
    costs = _compute_table_costs(state, pair, place)
    table_of, best = state.table_of, list(state.table_of)
    reduction = best_reduction = step = 0
    draw, count = rng.random, len(movable)
    for step in range(steps):
        if step % _STEPS_PER_TEMPERATURE == 0:
            temperature = start_temperature * (steps * 20 - 19 * step) // (steps * 20)
        a = movable[int(draw() * count)]
        costs_a = costs[a]
        table_a = table_of[a]
        # Moving a player whose table costs nothing rarely helps.
        if not costs_a[table_a] and draw() > 0.1:
            continue
        b = movable[int(draw() * count)]
        table_b = table_of[b]
        if table_a == table_b:
            continue
        costs_b = costs[b]
        rise = costs_a[table_b] + costs_b[table_a] - costs_a[table_a] - costs_b[table_b]
        # Each cost at a new table includes the other player, but the swap removes that player.
        rise -= pair[a][b] * ((table_a < state.tables) + (table_b < state.tables))
        if rise > 0 and rise * 1_000_000 > temperature * _QUANTILES[int(draw() * 256)]:
            continue
        _swap_players(state, costs, pair, a, b)
        reduction -= rise
        if reduction > best_reduction:
            best_reduction, best = reduction, list(table_of)
            if best_reduction >= goal:
                break
    state.table_of[:] = best
    return step + 1


def _swap_players(state: AnnealingState, costs: Matrix, pair: Matrix, a: int, b: int) -> None:
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
