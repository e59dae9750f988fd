"""Figures of a finished event about moves, players and comebacks."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate

from django.core.cache import cache

from games import facts
from games.queries import HandTally, tallies
from tournament.models import Event
from tournament.results.queries import TableResult, rules_of, table_results

# In seconds. A correction shows up immediately, because the cache key contains the log's last
# entry.
KEPT = 24 * 3600
# The statistics count only cards that make others draw this many.
DRAWS = 4
# Maps a match's key and a seat's number to the registration whose play counts.
Sitters = Mapping[tuple[int, int], int]


@dataclass(frozen=True)
class Figure:
    """Record of its kind: the count, its holders (keys of registrations), and a link to see it."""

    count: int
    whose: tuple[int, ...] = ()
    link: str = ""


@dataclass(frozen=True)
class Figures:
    """Figures of an event.

    `moves` counts all actions of players. The other figures are None if they never occurred.
    `longest` is the hand with the most moves. `draws` is the largest number of draw-four
    cards played by one player. `hands_won` is the largest number of hands won. `comeback` is
    the largest deficit, in points after a hand, of a player who won the match.
    """

    hands: int
    moves: int
    longest: Figure | None
    draws: Figure | None
    hands_won: Figure | None
    comeback: Figure | None


def figures(event: Event) -> Figures:
    """Return the event's figures, computed once and again after any change to the event."""
    last = event.audit.order_by("-pk").values_list("pk", flat=True).first()
    key = f"figures-{event.pk}-{last}"
    found: Figures | None = cache.get(key)
    if found is None:
        found = _compute_figures(event)
        cache.set(key, found, KEPT)
    return found


def _compute_figures(event: Event) -> Figures:
    results = [each for each in table_results(event, public=True, play=False) if each.final]
    played = [each for each in results if each.match]
    sitters = _map_sitters(played)
    matches = [each.match for each in played if each.match]
    hands = tallies(matches, rules_of(event), draws=DRAWS)
    return Figures(
        hands=len(hands),
        moves=sum(hand.moves for hand in hands),
        longest=_find_longest(hands, played),
        draws=_find_most(_count_draws(hands, sitters)),
        hands_won=_find_most(_count_hands_won(played, sitters)),
        comeback=max(_iterate_comebacks(played), key=lambda each: each.count, default=None),
    )


def _map_sitters(results: Iterable[TableResult]) -> Sitters:
    return {
        (each.match.pk, seat.number): seat.registration_id
        for each in results
        for seat in each.seats
        if each.match and seat.registration_id
    }


def _find_longest(hands: Iterable[HandTally], results: Iterable[TableResult]) -> Figure | None:
    """Return the longest hand, with a link to its replay if that is open."""
    best = max(hands, key=lambda hand: hand.moves, default=None)
    if best is None:
        return None
    match = next(each.match for each in results if each.match and each.match.pk == best.match)
    found = [each.replay for each in facts.hands_played(match) if each.number == best.number]
    return Figure(best.moves, link="".join(found))


def _count_draws(hands: Iterable[HandTally], sitters: Sitters) -> Counter[int]:
    found: Counter[int] = Counter()
    for hand in hands:
        for seat, count in hand.draws.items():
            if (hand.match, seat) in sitters:
                found[sitters[hand.match, seat]] += count
    return found


def _count_hands_won(results: Iterable[TableResult], sitters: Sitters) -> Counter[int]:
    matches = [each.match for each in results if each.match]
    winners = [(match.pk, hand.winner) for match in matches for hand in facts.hands_played(match)]
    seated = [(pk, seat) for pk, seat in winners if seat is not None and (pk, seat) in sitters]
    return Counter(sitters[each] for each in seated)


def _find_most(counts: Counter[int]) -> Figure | None:
    most = max(counts.values(), default=0)
    return Figure(most, tuple(pk for pk, n in counts.items() if n == most)) if most else None


def _iterate_comebacks(results: Iterable[TableResult]) -> Iterator[Figure]:
    """Yield the largest deficit of each match's only winner; winners never behind are left out."""
    for each in results:
        if len(each.winners) != 1 or not (whose := each.seats[each.winners[0]].registration_id):
            continue
        behind = max(
            (_find_largest_deficit(totals, each) for totals in _iterate_totals(each)), default=0
        )
        if behind > 0:
            yield Figure(behind, (whose,), _find_result_link(each))


def _iterate_totals(result: TableResult) -> Iterator[list[int]]:
    """Iterate over the points by seat after each hand, including points carried into the table."""
    hands = facts.points_by_hand(result.match) if result.match else []
    return accumulate([*result.table.carried, *hands], _add_points)


def _add_points(one: list[int], other: list[int]) -> list[int]:
    return [a + b for a, b in zip(one, other, strict=True)]


def _find_largest_deficit(totals: list[int], result: TableResult) -> int:
    own = totals[result.winners[0]]
    return own - min(totals) if result.low_wins else max(totals) - own


def _find_result_link(result: TableResult) -> str:
    return facts.result_link(result.match) if result.match else ""
