"""Tables of a bracket round: snake seeding, swaps of players, and table numbers.

Snake seeding assigns the seeds to the tables in rows of alternating direction.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import combinations

from tournament.pure.arrangement.costs import SeatingRules, Tables

Rows = list[dict[int, int]]

NO_RULES = SeatingRules()
# A swap can make a swap worthwhile that an earlier pass rejected.
MOST_PASSES = 3


def build_snake(seeds: Sequence[int], tables: int) -> Rows:
    """Return the rows of the snake. Each row maps table indices to players."""
    rows = []
    for number, start in enumerate(range(0, len(seeds), tables)):
        row = seeds[start : start + tables]
        order = range(tables) if number % 2 == 0 else range(tables - 1, -1, -1)
        rows.append(dict(zip(order, row, strict=False)))
    return rows


def separate_players(rows: Rows, met: Sequence[Collection[int]], rules: SeatingRules) -> None:
    """Swap players within rows, to follow the rules and then to avoid rematches.

    `met` lists the tables of the previous round.
    """
    compute_cost = _make_cost_function(met, rules)
    tables = sorted(rows[0]) if rows else []
    for _ in range(MOST_PASSES):
        swaps = [_make_best_swap(rows, a, b, compute_cost) for a, b in combinations(tables, 2)]
        if not any(swaps):
            return


def _make_best_swap(rows: Rows, a: int, b: int, compute_cost: CostFunction) -> tuple[int, ...]:
    """Swap the players of tables `a` and `b` in the rows for which the cost becomes lowest.

    Returns the numbers of these rows, as few as possible. The first row is never swapped.
    """

    def compute_cost_after(swapped: tuple[int, ...]) -> tuple[int, int]:
        _swap_in_rows(rows, a, b, swapped)
        cost_after = compute_cost(*([row[t] for row in rows if t in row] for t in (a, b)))
        _swap_in_rows(rows, a, b, swapped)
        return cost_after

    shared = [number for number, row in enumerate(rows) if number and a in row and b in row]
    subsets = (
        subset for size in range(1, len(shared) + 1) for subset in combinations(shared, size)
    )
    best: tuple[int, ...] = ()
    lowest = compute_cost_after(best)
    for subset in subsets:
        if lowest == (0, 0):
            break
        if (cost_after := compute_cost_after(subset)) < lowest:
            best, lowest = subset, cost_after
    _swap_in_rows(rows, a, b, best)
    return best


def _swap_in_rows(rows: Rows, a: int, b: int, numbers: Sequence[int]) -> None:
    for n in numbers:
        rows[n][a], rows[n][b] = rows[n][b], rows[n][a]


CostFunction = Callable[[list[int], list[int]], tuple[int, int]]


def _make_cost_function(met: Sequence[Collection[int]], rules: SeatingRules) -> CostFunction:
    """Return a function that computes the cost of two tables.

    The cost is a pair: the number of broken rules, and the number of repeated meetings.
    """
    origin = {player: number for number, table in enumerate(met) for player in table}
    apart = [frozenset(pair) for pair in rules.apart]
    fixed_tables = dict(rules.fixed)

    def count_meetings(table: list[int]) -> int:
        origins = [origin.get(player, -player) for player in table]
        return len(origins) - len(set(origins))

    def compute_pair_cost(table_a: list[int], table_b: list[int]) -> tuple[int, int]:
        forbidden = sum(pair <= set(table) for table in (table_a, table_b) for pair in apart)
        return forbidden + _count_displaced(table_a, table_b, fixed_tables), count_meetings(
            table_a
        ) + count_meetings(table_b)

    return compute_pair_cost


def _count_displaced(table_a: list[int], table_b: list[int], preferred: Mapping[int, int]) -> int:
    """Count the players at two tables who cannot sit at their required table.

    The tables get the numbers that suit most of these players.
    """
    wanted_a, wanted_b = (
        Counter(preferred[player] for player in table if player in preferred)
        for table in (table_a, table_b)
    )
    choices = [
        wanted_a[a] + wanted_b[b] for a in (0, *wanted_a) for b in (0, *wanted_b) if a != b or not a
    ]
    return wanted_a.total() + wanted_b.total() - max(choices)


def number_tables(tables: Tables, rules: SeatingRules) -> Tables:
    """Assign numbers to the tables so that as many players as possible get their required table.

    Returns the tables in order of their numbers. An unused number has an empty table. A number can
    exceed the number of tables if a player requires it. Other tables keep their numbers if free.
    """
    chosen = _choose_numbers(tables, dict(rules.fixed))
    used_numbers = set(chosen.values())
    free = [number for number in range(1, len(tables) + 1) if number not in used_numbers]
    for position in range(len(tables)):
        if position not in chosen:
            number = position + 1 if position + 1 in free else free[0]
            free.remove(number)
            chosen[position] = number
    by_number = {number: tables[position] for position, number in chosen.items()}
    return tuple(by_number.get(number, ()) for number in range(1, max(by_number, default=0) + 1))


def _choose_numbers(tables: Tables, preferred: Mapping[int, int]) -> dict[int, int]:
    """Choose numbers for the tables with required numbers. The most required ones come first."""
    wishes = Counter(
        (t, preferred[player])
        for t, table in enumerate(tables)
        for player in table
        if player in preferred
    )
    chosen: dict[int, int] = {}
    for (t, number), _count in wishes.most_common():
        if t not in chosen and number not in chosen.values():
            chosen[t] = number
    return chosen
