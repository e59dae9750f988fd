"""Statistics of a finished event: moves, records of players, and comebacks."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate

from django.core.cache import cache

from games import facts
from games.queries import HandTally, tally_hands
from tournament.models import Event
from tournament.results.queries import rules_of, table_results
from tournament.results.table_result import TableResult

# In seconds. The cache key includes the log's last entry, so corrections are shown immediately.
CACHE_SECONDS = 24 * 3600
# The statistics count only draw cards that make another player draw this many cards.
DRAW_COUNT = 4
# Maps each match id and seat number to the player's registration id.
Players = Mapping[tuple[int, int], int]


@dataclass(frozen=True)
class Figure:
    """A record of the event: its value, its holders, and a link.

    `whose` contains the ids of the holders' registrations.
    """

    count: int
    whose: tuple[int, ...] = ()
    link: str = ""


@dataclass(frozen=True)
class Figures:
    """Statistics of an event. Records are None if there is nothing to count.

    * `moves`: the number of all players' actions.
    * `longest`: the hand with the most moves.
    * `draws`: the most draw-four cards that one player played.
    * `hands_won`: the most hands that one player won.
    * `comeback`: the largest deficit of a later winner, in points after a hand.
    """

    hands: int
    moves: int
    longest: Figure | None
    draws: Figure | None
    hands_won: Figure | None
    comeback: Figure | None


def figures(event: Event) -> Figures:
    """Return the event's statistics. They are cached until the log has a new entry."""
    last_entry = event.audit.order_by("-pk").values_list("pk", flat=True).first()
    key = f"figures-{event.pk}-{last_entry}"
    statistics: Figures | None = cache.get(key)
    if statistics is None:
        statistics = _compute_figures(event)
        cache.set(key, statistics, CACHE_SECONDS)
    return statistics


def _compute_figures(event: Event) -> Figures:
    results = [each for each in table_results(event, public=True, play=False) if each.final]
    played_results = [each for each in results if each.match]
    players = _map_seats_to_players(played_results)
    matches = [each.match for each in played_results if each.match]
    hands = tally_hands(matches, rules_of(event), draws=DRAW_COUNT)
    return Figures(
        hands=len(hands),
        moves=sum(hand.moves for hand in hands),
        longest=_find_longest_hand(hands, played_results),
        draws=_find_highest_count(_count_draw_cards(hands, players)),
        hands_won=_find_highest_count(_count_hands_won(played_results, players)),
        comeback=max(_iterate_comebacks(played_results), key=lambda each: each.count, default=None),
    )


def _map_seats_to_players(results: Iterable[TableResult]) -> Players:
    return {
        (each.match.pk, seat.number): seat.registration_id
        for each in results
        for seat in each.seats
        if each.match and seat.registration_id
    }


def _find_longest_hand(hands: Iterable[HandTally], results: Iterable[TableResult]) -> Figure | None:
    """Return the longest hand, with a link if its replay is public."""
    best = max(hands, key=lambda hand: hand.moves, default=None)
    if best is None:
        return None
    match = next(each.match for each in results if each.match and each.match.pk == best.match)
    replays = [each.replay for each in facts.played_hands(match) if each.number == best.number]
    return Figure(best.moves, link="".join(replays))


def _count_draw_cards(hands: Iterable[HandTally], players: Players) -> Counter[int]:
    counts: Counter[int] = Counter()
    for hand in hands:
        for seat, count in hand.draws.items():
            if (hand.match, seat) in players:
                counts[players[hand.match, seat]] += count
    return counts


def _count_hands_won(results: Iterable[TableResult], players: Players) -> Counter[int]:
    matches = [each.match for each in results if each.match]
    winners = [(match.pk, hand.winner) for match in matches for hand in facts.played_hands(match)]
    won_by_players = [
        (pk, seat) for pk, seat in winners if seat is not None and (pk, seat) in players
    ]
    return Counter(players[each] for each in won_by_players)


def _find_highest_count(counts: Counter[int]) -> Figure | None:
    most = max(counts.values(), default=0)
    return (
        Figure(most, tuple(pk for pk, count in counts.items() if count == most)) if most else None
    )


def _iterate_comebacks(results: Iterable[TableResult]) -> Iterator[Figure]:
    """Yield the largest deficit of each match's winner.

    Matches with several winners, or without a deficit, are left out.
    """
    for result in results:
        if len(result.winners) != 1 or not (
            winner := result.seats[result.winners[0]].registration_id
        ):
            continue
        deficit = max(
            (_find_largest_deficit(totals, result) for totals in _iterate_totals(result)), default=0
        )
        if deficit > 0:
            yield Figure(deficit, (winner,), _find_result_link(result))


def _iterate_totals(result: TableResult) -> Iterator[list[int]]:
    """Yield the total points of each seat after each hand, including points carried over."""
    hands = facts.points_by_hand(result.match) if result.match else []
    return accumulate([*result.table.carried, *hands], _add_points)


def _add_points(totals: list[int], points: list[int]) -> list[int]:
    return [a + b for a, b in zip(totals, points, strict=True)]


def _find_largest_deficit(totals: list[int], result: TableResult) -> int:
    own = totals[result.winners[0]]
    return own - min(totals) if result.low_wins else max(totals) - own


def _find_result_link(result: TableResult) -> str:
    return facts.result_link(result.match) if result.match else ""
