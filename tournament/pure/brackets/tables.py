"""Tables of a bracket round: snake seeding, exchanges within rows, and table numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import combinations

from tournament.pure.arrangement.costs import SeatingRules, Tables

Rows = list[dict[int, int]]

NO_RULES = SeatingRules()
# An exchange may make another one possible that an earlier pass could not make.
PASSES = 3


def snake(seeds: Sequence[int], tables: int) -> Rows:
    """Return the rows of the snake, table -> id, in alternating directions."""
    rows = []
    for number, start in enumerate(range(0, len(seeds), tables)):
        row = seeds[start : start + tables]
        order = range(tables) if number % 2 == 0 else range(tables - 1, -1, -1)
        rows.append(dict(zip(order, row, strict=False)))
    return rows


def separate(rows: Rows, met: Sequence[Collection[int]], rules: SeatingRules) -> None:
    """Exchange players within rows to break the fewest rules, then for the fewest rematches."""
    cost = _compute_cost(met, rules)
    tables = sorted(rows[0]) if rows else []
    for _ in range(PASSES):
        exchanges = [_exchange_best_rows(rows, a, b, cost) for a, b in combinations(tables, 2)]
        if not any(exchanges):
            return


def _exchange_best_rows(rows: Rows, a: int, b: int, cost: Cost) -> tuple[int, ...]:
    """Exchange the fewest rows for the lowest remaining cost, and return them.

    The first row is never exchanged.
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
    """Return the cost function for two tables.

    It counts the hard rules that they break, and the pairs that have already met.
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
    """Count the fixed players who miss their table for the best numbering of these two."""
    wanted_a, wanted_b = (
        Counter(preferred[player] for player in table if player in preferred)
        for table in (table_a, table_b)
    )
    choices = [
        wanted_a[a] + wanted_b[b] for a in (0, *wanted_a) for b in (0, *wanted_b) if a != b or not a
    ]
    return wanted_a.total() + wanted_b.total() - max(choices)


def number_tables(tables: Tables, rules: SeatingRules) -> Tables:
    """Assign numbers to the tables so that most fixed players get their table.

    Unused numbers stay empty. A number may exceed the number of tables, because the hall has a
    table with that number if a player needs it. The other tables keep their numbers if these are
    free.
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
    """Assign numbers to tables with fixed players, by position, starting with the most wanted."""
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
