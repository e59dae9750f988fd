"""Lower bounds for repeat meetings that no seating can avoid."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from tournament.pure.arrangement.costs import PastRound, SeatingProblem


def lower_bounds(problem: SeatingProblem, sizes: Sequence[int]) -> dict[str, int]:
    """Return the lowest possible cost of "again" and "repeats" with tables of these sizes.

    If a table has more seats than the earlier round had tables, at least two of its players met
    there. Summed over the rounds, this is one bound for the meetings. Players who have met too many
    others to get a table of strangers give another bound. The best seating may still cost more than
    these bounds.
    """
    by_round = [_bound_crowding(problem, past, sizes) for past in problem.history]
    again = by_round[-1] if by_round else 0
    return {"again": again, "repeats": max(sum(by_round), _bound_strangers(problem, sizes))}


def _bound_crowding(problem: SeatingProblem, past: PastRound, sizes: Sequence[int]) -> int:
    players = set(problem.ids)
    groups = [len(players.intersection(table)) for table in past.tables]
    newcomers = len(players) - sum(groups)
    return sum(_count_fewest_pairs(size, [*groups, *[1] * newcomers]) for size in sizes)


def _count_fewest_pairs(size: int, groups: Iterable[int]) -> int:
    """Return the fewest same-group pairs among `size` players from groups of these sizes."""
    pairs = layer = 0
    remaining = sorted((group_size for group_size in groups if group_size), reverse=True)
    while size > 0 and remaining:
        taken = min(size, len(remaining))
        pairs += taken * layer
        size -= taken
        layer += 1
        remaining = [group_size for group_size in remaining if group_size > layer]
    return pairs


def _bound_strangers(problem: SeatingProblem, sizes: Sequence[int]) -> int:
    """Return a bound for repeat meetings from the players' lack of new opponents.

    Each player needs new opponents for a table of the smallest size. The bound is half of the total
    shortage, rounded up. With byes the bound is 0.
    """
    met: dict[int, set[int]] = {player: set() for player in problem.ids}
    for past in problem.history:
        for table in past.tables:
            for a, b in combinations([player for player in table if player in met], 2):
                met[a].add(b)
                met[b].add(a)
    others, seats = len(met) - 1, min(sizes) - 1
    shortage = sum(max(0, seats - (others - len(opponents))) for opponents in met.values())
    if sum(sizes) < len(met):  # with byes, any player may be without a table
        return 0
    return -(-shortage // 2)
