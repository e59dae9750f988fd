"""Lower bounds for the number of repeated meetings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from tournament.pure.arrangement.costs import PastRound, SeatingProblem


def lower_bounds(problem: SeatingProblem, sizes: Sequence[int]) -> dict[str, int]:
    """Return lower bounds for the costs "again" and "repeats" with tables of these sizes.

    If a table has more seats than an earlier round had tables, at least two of its players met in
    that round. The number of such meetings, added up over all rounds, is one bound for "repeats".
    The other bound is based on how many new opponents the players lack to fill a table. The best
    seating may still cost more than both.
    """
    by_round = [_count_unavoidable_meetings(problem, past, sizes) for past in problem.history]
    again = by_round[-1] if by_round else 0
    by_opponents = _compute_bound_by_opponents(problem, sizes)
    return {"again": again, "repeats": max(sum(by_round), by_opponents)}


def _count_unavoidable_meetings(
    problem: SeatingProblem, past: PastRound, sizes: Sequence[int]
) -> int:
    """Return how many pairs of one past round must meet again at tables of these sizes."""
    players = set(problem.ids)
    groups = [len(players.intersection(table)) for table in past.tables]
    newcomers = len(players) - sum(groups)
    return sum(_count_fewest_pairs(size, [*groups, *[1] * newcomers]) for size in sizes)


def _count_fewest_pairs(size: int, groups: Iterable[int]) -> int:
    """Return the smallest possible number of pairs from the same group at a table.

    The table has `size` players, and `groups` lists the sizes of the groups.
    """
    pairs = layer = 0
    remaining = sorted((group_size for group_size in groups if group_size), reverse=True)
    while size > 0 and remaining:
        taken = min(size, len(remaining))
        pairs += taken * layer
        size -= taken
        layer += 1
        remaining = [group_size for group_size in remaining if group_size > layer]
    return pairs


def _compute_bound_by_opponents(problem: SeatingProblem, sizes: Sequence[int]) -> int:
    """Return a lower bound for repeated meetings, based on the opponents not yet met.

    Every player needs enough new opponents to fill a table of the smallest size. The bound is half
    of the missing opponents, rounded up. It is 0 if there are byes.
    """
    met: dict[int, set[int]] = {player: set() for player in problem.ids}
    for past in problem.history:
        for table in past.tables:
            for a, b in combinations([player for player in table if player in met], 2):
                met[a].add(b)
                met[b].add(a)
    others, seats = len(met) - 1, min(sizes) - 1
    shortage = sum(max(0, seats - (others - len(opponents))) for opponents in met.values())
    if sum(sizes) < len(met):  # A player with too few new opponents could have a bye.
        return 0
    return -(-shortage // 2)
