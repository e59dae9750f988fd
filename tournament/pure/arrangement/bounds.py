"""Lower bounds for repeat meetings that no seating can avoid."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from tournament.pure.arrangement.costs import PastRound, SeatingProblem


def lower_bounds(problem: SeatingProblem, sizes: Sequence[int]) -> dict[str, int]:
    """Return the least that "again" and "repeats" can cost with tables of these sizes.

    A table with more seats than the earlier round had tables must hold two players who met
    there. Summed over the rounds, this is one bound for the meetings. Players who have met too
    many others to find a table of strangers give another bound. The best seating may still cost
    more than these bounds.
    """
    by_round = [_bound_crowding(problem, past, sizes) for past in problem.history]
    again = by_round[-1] if by_round else 0
    return {"again": again, "repeats": max(sum(by_round), _bound_strangers(problem, sizes))}


def _bound_crowding(problem: SeatingProblem, past: PastRound, sizes: Sequence[int]) -> int:
    here = set(problem.ids)
    groups = [len(here.intersection(table)) for table in past.tables]
    newcomers = len(here) - sum(groups)
    return sum(_count_fewest_pairs(size, [*groups, *[1] * newcomers]) for size in sizes)


def _count_fewest_pairs(size: int, groups: Iterable[int]) -> int:
    """Return the fewest same-group pairs among `size` players from groups of these sizes."""
    pairs = layer = 0
    left = sorted((g for g in groups if g), reverse=True)
    while size > 0 and left:
        taken = min(size, len(left))
        pairs += taken * layer
        size -= taken
        layer += 1
        left = [g for g in left if g > layer]
    return pairs


def _bound_strangers(problem: SeatingProblem, sizes: Sequence[int]) -> int:
    """Return a bound for repeat meetings from the players' lack of new opponents.

    Each player needs new opponents for a table of the smallest size. The bound is half of the
    total shortage, rounded up; with byes it is 0.
    """
    met: dict[int, set[int]] = {player: set() for player in problem.ids}
    for past in problem.history:
        for table in past.tables:
            for a, b in combinations([p for p in table if p in met], 2):
                met[a].add(b)
                met[b].add(a)
    others, seats = len(met) - 1, min(sizes) - 1
    short = sum(max(0, seats - (others - len(known))) for known in met.values())
    if sum(sizes) < len(met):  # with byes no player is certain to sit
        return 0
    return -(-short // 2)
