"""Tables of a bracket round: the snake, exchanges in its rows, and table numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import combinations

from tournament.pure.arrangement.costs import SeatingRules, Tables

Rows = list[dict[int, int]]

NO_RULES = SeatingRules()
# An exchange may open the way for one that an earlier pass could not make.
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
    """Exchange players within rows: first to break the fewest rules, then for fewest rematches."""
    cost = _compute_cost(met, rules)
    tables = sorted(rows[0]) if rows else []
    for _ in range(PASSES):
        exchanges = [_exchange_best_rows(rows, a, b, cost) for a, b in combinations(tables, 2)]
        if not any(exchanges):
            return


def _exchange_best_rows(rows: Rows, a: int, b: int, cost: Cost) -> tuple[int, ...]:
    """Exchange the fewest rows with the least remaining cost, and return them.

    The first row is never exchanged.
    """

    def compute_cost_after(exchanged: tuple[int, ...]) -> tuple[int, int]:
        _exchange_rows(rows, a, b, exchanged)
        found = cost(*([row[t] for row in rows if t in row] for t in (a, b)))
        _exchange_rows(rows, a, b, exchanged)
        return found

    shared = [n for n, row in enumerate(rows) if n and a in row and b in row]
    subsets = (some for size in range(1, len(shared) + 1) for some in combinations(shared, size))
    best: tuple[int, ...] = ()
    least = compute_cost_after(best)
    for some in subsets:
        if least == (0, 0):
            break
        if (found := compute_cost_after(some)) < least:
            best, least = some, found
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
    wanted = dict(rules.fixed)

    def count_meetings(table: list[int]) -> int:
        came = [origin.get(player, -player) for player in table]
        return len(came) - len(set(came))

    def compute_pair_cost(one: list[int], other: list[int]) -> tuple[int, int]:
        forbidden = sum(pair <= set(table) for table in (one, other) for pair in apart)
        return forbidden + _count_displaced(one, other, wanted), count_meetings(
            one
        ) + count_meetings(other)

    return compute_pair_cost


def _count_displaced(one: list[int], other: list[int], preferred: Mapping[int, int]) -> int:
    """Count the fixed players who miss their table, however these two are numbered."""
    here, there = (Counter(preferred[p] for p in table if p in preferred) for table in (one, other))
    choices = [here[a] + there[b] for a in (0, *here) for b in (0, *there) if a != b or not a]
    return here.total() + there.total() - max(choices)


def number_tables(tables: Tables, rules: SeatingRules) -> Tables:
    """Assign numbers to the tables so that most fixed players sit at theirs.

    Unused numbers stay empty. A number may exceed the count of the tables, since the hall has
    that table if a player needs it. The other tables keep their numbers if these are free.
    """
    chosen = _choose_numbers(tables, dict(rules.fixed))
    taken = set(chosen.values())
    free = [n for n in range(1, len(tables) + 1) if n not in taken]
    for t in range(len(tables)):
        if t not in chosen:
            number = t + 1 if t + 1 in free else free[0]
            free.remove(number)
            chosen[t] = number
    at = {number: tables[t] for t, number in chosen.items()}
    return tuple(at.get(number, ()) for number in range(1, max(at, default=0) + 1))


def _choose_numbers(tables: Tables, preferred: Mapping[int, int]) -> dict[int, int]:
    """Return the numbers of tables with fixed players, by position; the most wanted come first."""
    wishes = Counter(
        (t, preferred[p]) for t, table in enumerate(tables) for p in table if p in preferred
    )
    chosen: dict[int, int] = {}
    for (t, number), _count in wishes.most_common():
        if t not in chosen and number not in chosen.values():
            chosen[t] = number
    return chosen
