"""Tables of a bracket round: snake seeding, swaps within rows, and table numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import combinations

from tournament.pure.arrangement.costs import SeatingRules, Tables

Rows = list[dict[int, int]]

NO_RULES = SeatingRules()
# A swap can make another one possible that an earlier pass had to skip.
PASSES = 3


def snake(seeds: Sequence[int], tables: int) -> Rows:
    """Return the rows of the snake. Each row maps tables to ids, in alternating directions."""
    rows = []
    for number, start in enumerate(range(0, len(seeds), tables)):
        row = seeds[start : start + tables]
        order = range(tables) if number % 2 == 0 else range(tables - 1, -1, -1)
        rows.append(dict(zip(order, row, strict=False)))
    return rows


def separate_players(rows: Rows, met: Sequence[Collection[int]], rules: SeatingRules) -> None:
    """Swap players within rows to break as few rules as possible, then to avoid rematches."""
    cost = _compute_cost(met, rules)
    tables = sorted(rows[0]) if rows else []
    for _ in range(PASSES):
        exchanges = [_exchange_best_rows(rows, a, b, cost) for a, b in combinations(tables, 2)]
        if not any(exchanges):
            return


def _exchange_best_rows(rows: Rows, a: int, b: int, cost: Cost) -> tuple[int, ...]:
    """Swap as few rows as possible for the lowest remaining cost, and return the swapped rows.

    The first row is never swapped.
    """

    def compute_cost_after(exchanged: tuple[int, ...]) -> tuple[int, int]:
        _exchange_rows(rows, a, b, exchanged)
        cost_after = cost(*([row[t] for row in rows if t in row] for t in (a, b)))
        _exchange_rows(rows, a, b, exchanged)
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
    _exchange_rows(rows, a, b, best)
    return best


def _exchange_rows(rows: Rows, a: int, b: int, exchanged: Sequence[int]) -> None:
    for n in exchanged:
        rows[n][a], rows[n][b] = rows[n][b], rows[n][a]


Cost = Callable[[list[int], list[int]], tuple[int, int]]


def _compute_cost(met: Sequence[Collection[int]], rules: SeatingRules) -> Cost:
    """Return a function that computes the cost of two tables.

    The cost is the number of broken hard rules, then the number of pairs that have already met.
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
    """Count the players who miss their required table, with the better numbering of both tables."""
    wanted_a, wanted_b = (
        Counter(preferred[player] for player in table if player in preferred)
        for table in (table_a, table_b)
    )
    choices = [
        wanted_a[a] + wanted_b[b] for a in (0, *wanted_a) for b in (0, *wanted_b) if a != b or not a
    ]
    return wanted_a.total() + wanted_b.total() - max(choices)


def number_tables(tables: Tables, rules: SeatingRules) -> Tables:
    """Assign table numbers so that most players get the table that they require.

    Unused numbers remain empty. A number may exceed the number of tables if a player needs that
    table in the hall. Other tables keep their numbers if these are free.
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
    """Choose numbers for tables with required players, starting with the most requested number."""
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
