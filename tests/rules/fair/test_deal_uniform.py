"""Statistical tests that fair deals make every order of the cards equally likely.

The secrets and shares are fixed, so that no test can fail at random. The measured values must be
within five standard deviations of the expected ones.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise, permutations
from math import sqrt

import pytest

from games.rules.fair.deal import (
    NO_BOT,
    DealIngredients,
    DealKey,
    FairChance,
    NumberStream,
    deck_of,
    find_fault,
)
from games.rules.ruleset import rulesets
from tests.rules.fair_deals import make_opened_attempt

EIGHTS = rulesets.RULE_SETS["crazy-eights"]
CARDS = EIGHTS.pack.notations(EIGHTS.cards())
DEAL_COUNT = 1500


def iter_deals(number: int) -> Iterator[DealIngredients]:
    for hand in range(1, number + 1):
        yield make_opened_attempt(
            DealKey("uniform", hand, 1), {0: None, 1: NO_BOT, 2: None}, rs=EIGHTS, dealer=0
        )


def compute_chi_square_deviation(counts: Iterable[int], cells: int, freedom: int) -> float:
    """Return how far chi-square is above its expected value, in standard deviations.

    The null hypothesis is that all cells are equally likely.
    """
    seen = [*counts]
    expected = sum(seen) / cells
    square = sum((n - expected) ** 2 for n in seen) / expected + (cells - len(seen)) * expected
    return (square - freedom) / sqrt(2 * freedom)


def measure_position_bias(orders: Sequence[Sequence[object]]) -> float:
    counts = Counter(where for order in orders for where in enumerate(order))
    size = len(orders[0])
    return compute_chi_square_deviation(counts.values(), size**2, (size - 1) ** 2)


def measure_neighbour_bias(orders: Sequence[Sequence[object]]) -> float:
    counts = Counter(pair for order in orders for pair in pairwise(order))
    size = len(orders[0])
    return compute_chi_square_deviation(
        counts.values(), size * (size - 1), size * (size - 1) - size
    )


def test_shuffled_decks_are_uniform_by_position_and_card() -> None:
    orders = []
    for deal in iter_deals(DEAL_COUNT):
        assert find_fault(deal) is None
        orders.append(deck_of(deal, EIGHTS))
    assert abs(measure_position_bias(orders)) < 5
    assert abs(measure_neighbour_bias(orders)) < 5


def test_reshuffles_are_uniform_by_position_and_card() -> None:
    orders = []
    for deal in iter_deals(DEAL_COUNT // 10):
        chance = FairChance(deal, EIGHTS.cards())
        for _ in range(20):
            pile = EIGHTS.cards()[10:40]
            chance.shuffle(pile)
            orders.append(pile)
    assert abs(measure_position_bias(orders)) < 5
    assert abs(measure_neighbour_bias(orders)) < 5


def test_all_orders_of_four_cards_are_equally_likely() -> None:
    deal = next(iter_deals(1))
    orders = [tuple(deal.stream(f"reshuffle {n}").shuffle("abcd")) for n in range(4800)]
    counts = Counter(orders)
    assert set(counts) == set(permutations("abcd"))
    assert abs(compute_chi_square_deviation(counts.values(), 24, 23)) < 5


@pytest.mark.parametrize("n", [2, 3, 7, 30])
def test_choices_are_uniform(n: int) -> None:
    deal = next(iter_deals(1))
    chance = FairChance(deal, EIGHTS.cards())
    counts = Counter(chance.choice(n) for _ in range(200 * n))
    assert set(counts) == set(range(n))
    assert abs(compute_chi_square_deviation(counts.values(), n, n - 1)) < 5


def test_first_dealer_is_uniform() -> None:
    counts: Counter[int] = Counter()
    for deal in iter_deals(800):
        counts[FairChance(deal, EIGHTS.cards(), prefix="dealer ").choice(4)] += 1
    assert abs(compute_chi_square_deviation(counts.values(), 4, 3)) < 5


def shuffle_naively(cards: Sequence[str], stream: NumberStream) -> list[str]:
    """Swap each card with any card of the deck. This is a well-known mistake."""
    order = [*cards]
    for i in range(len(order)):
        j = stream.draw_below(len(order))
        order[i], order[j] = order[j], order[i]
    return order


def cut_deck(cards: Sequence[str], stream: NumberStream) -> list[str]:
    """Only cut the deck.

    Each card is equally likely to end up at any position, but its neighbours never change.
    """
    j = stream.draw_below(len(cards))
    return [*cards[j:], *cards[:j]]


def shuffle_by_remainder(cards: Sequence[str], stream: NumberStream) -> list[str]:
    """Shuffle by the remainder of six-bit words, without rejecting any word.

    Low numbers are therefore more likely.
    """
    order = [*cards]
    for i in range(len(order) - 1, 0, -1):
        j = stream.draw_below(64) % (i + 1)
        order[i], order[j] = order[j], order[i]
    return order


@pytest.mark.parametrize(
    ("shuffle", "measured"),
    [
        (shuffle_naively, measure_position_bias),
        (cut_deck, measure_neighbour_bias),
        (shuffle_by_remainder, measure_position_bias),
    ],
)
def test_unfair_shuffle_is_detected(
    shuffle: Callable[[Sequence[str], NumberStream], list[str]],
    measured: Callable[[Sequence[Sequence[object]]], float],
) -> None:
    orders = [shuffle(CARDS, deal.stream("deal")) for deal in iter_deals(DEAL_COUNT)]
    assert measured(orders) > 10
