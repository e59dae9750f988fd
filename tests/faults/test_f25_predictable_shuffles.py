"""F25: biased shuffles, and shuffles that can be predicted from the database.

The services make the deals, with players' shares.
"""

from collections import Counter
from itertools import pairwise
from math import sqrt

import pytest

from games import services
from games.rules.ruleset import rulesets
from tests.faults.cases import TryCounter
from tests.games.dealing import commit_to_share, deal_first_hand, get_prepared_hand, open_share
from tests.games.helpers import make_match, reload
from tests.typed import sure

pytestmark = [pytest.mark.django_db, pytest.mark.patient]

BLOCK_COUNT = 9
# In standard deviations. An honest shuffle deviates more than this about once in a million.
MAX_DEVIATIONS = 5.0


def make_decks(tries: TryCounter) -> list[list[str]]:
    made = []
    for n in tries(40, 1500):
        match = make_match("uno-400")
        made.append(deal_first_hand(match, f"{n:064x}").deck)
        match.delete()
    return made


def deviates_too_much(observed: int, expected: float, variance: float) -> bool:
    return abs(observed - expected) > MAX_DEVIATIONS * sqrt(variance)


def test_each_part_of_the_deck_has_a_fair_share_of_each_colour(tries: TryCounter) -> None:
    made = make_decks(tries)
    size = len(made[0])
    part = size // BLOCK_COUNT
    for color, count in Counter(card[0] for card in made[0]).items():
        share = count / size
        # Cards are drawn without replacement, so the count has a hypergeometric distribution.
        spread = part * share * (1 - share) * (size - part) / (size - 1)
        for block in range(BLOCK_COUNT):
            places = slice(block * part, (block + 1) * part)
            seen = sum(card[0] == color for deck in made for card in deck[places])
            assert not deviates_too_much(seen, len(made) * part * share, len(made) * spread), (
                color,
                block,
            )


def test_neighbouring_cards_share_a_colour_as_often_as_chance_predicts(tries: TryCounter) -> None:
    made = make_decks(tries)
    size = len(made[0])
    counts = Counter(card[0] for card in made[0]).values()
    share = sum(count * (count - 1) for count in counts) / (size * (size - 1))
    seen = sum(one[0] == other[0] for deck in made for one, other in pairwise(deck))
    pairs = len(made) * (size - 1)
    assert not deviates_too_much(seen, pairs * share, pairs * share * (1 - share))


def test_no_deck_repeats(tries: TryCounter) -> None:
    made = make_decks(tries)
    assert len({tuple(deck) for deck in made}) == len(made)


def test_no_secret_repeats() -> None:
    """Compare the secrets, because decks would differ between hands even with the same secret."""
    secrets = [get_prepared_hand(make_match()).deals.current.secret for _ in range(8)]
    assert len(set(secrets)) == len(secrets)


def test_no_row_contains_a_dealt_card_before_the_last_share_is_opened() -> None:
    match = make_match()
    for seat in (0, 1):
        commit_to_share(match, seat)
    services.start_match(match)
    open_share(match, 0)
    rules = rulesets.make(match.ruleset, match.options)
    hand = get_prepared_hand(match)
    assert sure(hand.deals.current.agreed).deck == tuple(rules.pack.notations(rules.cards()))
    assert (hand.deck, hand.opening, reload(match).state.position) == ([], {}, None)
