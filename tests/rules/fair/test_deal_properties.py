"""Property tests of fair deals with random content."""

import json
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.fair.deal import (
    NO_BEFORE,
    NO_BOT,
    NO_FAILED,
    NO_NONE,
    DealIngredients,
    DealKey,
    NumberStream,
    ShareList,
    find_fault,
    secret_commitment,
    share_commitment,
)
from tests.rules.verifying import load_script

VERIFY_SCRIPT = load_script()

numbers = st.integers(min_value=1, max_value=2**63)
seats = st.integers(min_value=0, max_value=99)
texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
words = st.lists(st.integers(min_value=0, max_value=2**32 - 1), min_size=40, max_size=40)
deal_keys = st.builds(DealKey, texts, numbers, numbers)
few_examples = settings(max_examples=40)


@st.composite
def opened_deals(draw: st.DrawFn) -> DealIngredients:
    """Generate attempts in which every listed share was opened."""
    meant = draw(deal_keys)
    secret = draw(st.binary(min_size=96, max_size=96))
    playing = draw(st.lists(seats, min_size=1, max_size=6, unique=True))
    shares, entries = {}, []
    for seat in playing:
        why = draw(st.sampled_from([None, None, NO_BOT, NO_NONE, NO_FAILED, NO_BEFORE]))
        if why is None:
            shares[seat] = draw(st.binary(min_size=32, max_size=32))
            why = share_commitment(meant, seat, shares[seat])
        entries.append((seat, why))
    dealer = draw(st.none() | st.sampled_from(playing))
    deck = tuple(draw(st.lists(texts, max_size=20)))
    agreed = ShareList(meant, dealer, deck, secret_commitment(meant, secret), tuple(entries))
    return DealIngredients(agreed, secret, shares)


@few_examples
@given(opened_deals())
def test_honest_deal_is_valid_and_survives_a_json_round_trip(deal: DealIngredients) -> None:
    assert find_fault(deal) is None
    assert DealIngredients.from_json(json.loads(json.dumps(deal.to_json()))) == deal


@few_examples
@given(opened_deals(), st.text(max_size=9))
def test_script_computes_the_same_shuffle(deal: DealIngredients, purpose: str) -> None:
    cards = [f"C{n}" for n in range(30)]
    stream = VERIFY_SCRIPT.words(json.loads(json.dumps(deal.to_json())), purpose)
    assert VERIFY_SCRIPT.shuffled(cards, stream) == deal.stream(purpose).shuffle(cards)


@few_examples
@given(opened_deals(), st.data())
def test_single_bit_change_in_secret_or_share_is_detected(
    deal: DealIngredients, data: st.DataObject
) -> None:
    bit = 1 << data.draw(st.integers(min_value=0, max_value=255))
    secret = (int.from_bytes(deal.secret, "big") ^ bit).to_bytes(96, "big")
    assert find_fault(replace(deal, secret=secret)) is not None
    for seat, share in deal.shares.items():
        other = (int.from_bytes(share, "big") ^ bit).to_bytes(32, "big")
        assert find_fault(replace(deal, shares={**deal.shares, seat: other})) is not None


@few_examples
@given(opened_deals(), opened_deals())
def test_different_lists_have_different_digests(
    one: DealIngredients, other: DealIngredients
) -> None:
    # Digests join the cards with spaces. Real cards contain no spaces, but these may.
    same = replace(one.list, deck=()) == replace(other.list, deck=())
    same = same and " ".join(one.list.deck) == " ".join(other.list.deck)
    assert (one.list.digest() == other.list.digest()) is same


@few_examples
@given(opened_deals(), deal_keys)
def test_commitment_fits_no_other_deal(deal: DealIngredients, other: DealKey) -> None:
    moved = replace(deal, list=replace(deal.list, draw=other))
    assert (find_fault(moved) is None) is (other == deal.list.draw)


@given(words, st.integers(min_value=1, max_value=2**31))
def test_drawn_numbers_are_below_their_bound(given_words: list[int], n: int) -> None:
    # All given words may be rejected, but 0 never is.
    assert 0 <= NumberStream([*given_words, 0]).draw_below(n) < n


@given(st.lists(st.integers(), max_size=30), words)
def test_shuffle_keeps_every_card_exactly_once(items: list[int], given_words: list[int]) -> None:
    low = [word % 2**31 for word in given_words]
    assert sorted(NumberStream(low).shuffle(items)) == sorted(items)
