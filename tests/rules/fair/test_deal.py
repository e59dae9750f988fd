"""Tests of fair deals: encoding, share lists, mismatches and the resulting random numbers."""

import hashlib
import json
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from games.rules.fair import deal as fair
from games.rules.fair.deal import (
    NO_BEFORE,
    NO_BOT,
    NO_FAILED,
    NO_NONE,
    DealIngredients,
    DealKey,
    FairChance,
    ShareList,
    UnfairError,
    deck_of,
    find_broken_commitment,
    find_fault,
    secret_commitment,
    share_commitment,
)
from games.rules.ruleset import rulesets
from games.rules.untrusted_json import InvalidJsonError
from tests.rules.fair_deals import make_fixed_bytes, make_opened_attempt

OCHO = rulesets.RULE_SETS["ocho"]
DEAL_KEY = DealKey("table-7", 3, 1)
DEAL = make_opened_attempt(DEAL_KEY, {0: None, 2: NO_BOT, 3: None}, dealer=2)


def encode_with_lengths(*values: bytes) -> bytes:
    """Encode the fields as docs/fair-deal.md specifies, independently of the product code."""
    return b"".join(len(value).to_bytes(8, "big") + value for value in values)


# --- commitments


def test_secret_is_96_random_bytes() -> None:
    first, second = fair.new_secret(), fair.new_secret()
    assert (len(first), len(second)) == (96, 96)
    assert first != second


def test_server_commitment_has_the_documented_bytes() -> None:
    raw = encode_with_lengths(b"lastcard deal 1 secret", b"table-7", b"3", b"1", b"\x05" * 96)
    assert secret_commitment(DEAL_KEY, b"\x05" * 96) == hashlib.sha256(raw).hexdigest()


def test_player_commitment_has_the_documented_bytes() -> None:
    raw = encode_with_lengths(b"lastcard deal 1 share", b"table-7", b"3", b"1", b"9", b"\x05" * 32)
    assert share_commitment(DEAL_KEY, 9, b"\x05" * 32) == hashlib.sha256(raw).hexdigest()


@pytest.mark.parametrize(
    "other", [DealKey("table-8", 3, 1), DealKey("table-7", 4, 1), DealKey("table-7", 3, 2)]
)
def test_commitment_is_bound_to_its_match_hand_and_attempt(other: DealKey) -> None:
    secret, share = make_fixed_bytes(96), make_fixed_bytes(32)
    assert secret_commitment(DEAL_KEY, secret) != secret_commitment(other, secret)
    assert share_commitment(DEAL_KEY, 1, share) != share_commitment(other, 1, share)


def test_commitment_is_bound_to_its_seat() -> None:
    assert share_commitment(DEAL_KEY, 1, make_fixed_bytes(32)) != share_commitment(
        DEAL_KEY, 2, make_fixed_bytes(32)
    )


def test_digits_cannot_move_between_adjacent_fields() -> None:
    share = make_fixed_bytes(32)
    assert share_commitment(DealKey("m", 1, 12), 3, share) != share_commitment(
        DealKey("m", 11, 2), 3, share
    )
    assert share_commitment(DealKey("m1", 1, 1), 3, share) != share_commitment(
        DealKey("m", 11, 1), 3, share
    )


# --- the list


def test_list_has_the_documented_bytes() -> None:
    agreed = ShareList(DEAL_KEY, 2, ("R5", "W"), "aa" * 32, ((0, "bb" * 32), (2, NO_BOT)))
    raw = encode_with_lengths(
        *(b"lastcard deal 1 list", b"table-7", b"3", b"1", b"2", b"R5 W", b"aa" * 32),
        *(b"0", b"bb" * 32, b"2", b"-bot"),
    )
    assert agreed.digest() == hashlib.sha256(raw).digest()


def test_dealer_is_an_empty_field_if_the_deal_draws_one() -> None:
    agreed = ShareList(DEAL_KEY, None, ("R5",), "aa" * 32, ())
    raw = encode_with_lengths(
        b"lastcard deal 1 list", b"table-7", b"3", b"1", b"", b"R5", b"aa" * 32
    )
    assert agreed.digest() == hashlib.sha256(raw).digest()


@pytest.mark.parametrize(
    "changes",
    [
        {"draw": DealKey("table-8", 3, 1)},
        {"draw": DealKey("table-7", 2, 1)},
        {"draw": DealKey("table-7", 3, 2)},
        {"dealer": 0},
        {"dealer": None},
        {"deck": DEAL.list.deck[::-1]},
        {"server": "00" * 32},
        {"entries": DEAL.list.entries[::-1]},
        {"entries": DEAL.list.entries[:2]},
        {"entries": (*DEAL.list.entries[:2], (3, NO_NONE))},
        {"entries": (DEAL.list.entries[0], (2, NO_FAILED), DEAL.list.entries[2])},
    ],
)
def test_any_change_to_the_list_changes_its_digest(changes: dict[str, Any]) -> None:
    assert replace(DEAL.list, **changes).digest() != DEAL.list.digest()


def test_list_has_all_seats_and_the_seats_that_committed() -> None:
    assert DEAL.list.seats == (0, 2, 3)
    assert DEAL.list.listed == (0, 3)


def test_lists_share_the_same_notations_in_memory() -> None:
    one, other = (
        ShareList.from_json(json.loads(json.dumps(DEAL.list.to_json()))) for _ in range(2)
    )
    assert one.deck == other.deck == DEAL.list.deck
    assert all(card is same for card, same in zip(one.deck, other.deck, strict=True))


def test_list_has_the_documented_json() -> None:
    entries = dict(DEAL.list.entries)
    assert DEAL.list.to_json() == {
        "match": "table-7",
        "hand": 3,
        "attempt": 1,
        "dealer": 2,
        "deck": OCHO.pack.notations(OCHO.cards()),
        "server": DEAL.list.server,
        "seats": [
            {"seat": 0, "commitment": entries[0]},
            {"seat": 2, "why": "bot"},
            {"seat": 3, "commitment": entries[3]},
        ],
    }


@pytest.mark.parametrize("reason", [NO_BOT, NO_NONE, NO_FAILED, NO_BEFORE])
@pytest.mark.parametrize("dealer", [None, 4])
def test_list_survives_a_json_round_trip(reason: str, dealer: int | None) -> None:
    agreed = make_opened_attempt(DEAL_KEY, {0: None, 4: reason}, dealer=dealer).list
    assert ShareList.from_json(json.loads(json.dumps(agreed.to_json()))) == agreed


HEX = "a1" * 32


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"match": ...}, 'list: missing key "match"'),
        ({"match": 7}, "list: match: 7 is not text"),
        ({"match": "\ud800"}, "list: match: '\\ud800' contains half a character"),
        ({"hand": ...}, 'list: missing key "hand"'),
        ({"hand": 0}, "list: hand: 0 is not a whole number of at least 1"),
        ({"hand": True}, "list: hand: True is not a whole number of at least 1"),
        ({"hand": 1.0}, "list: hand: 1.0 is not a whole number of at least 1"),
        ({"attempt": ...}, 'list: missing key "attempt"'),
        ({"attempt": 0}, "list: attempt: 0 is not a whole number of at least 1"),
        ({"dealer": ...}, 'list: missing key "dealer"'),
        ({"dealer": -1}, "list: dealer: -1 is not a whole number of at least 0"),
        ({"dealer": ""}, "list: dealer: '' is not a whole number of at least 0"),
        ({"deck": ...}, 'list: missing key "deck"'),
        ({"deck": "R5"}, "list: deck: expected a list, got 'R5'"),
        ({"deck": [5]}, "list: deck: 5 is not text"),
        ({"server": ...}, 'list: missing key "server"'),
        ({"server": "a1" * 31}, "list: server: expected 32 bytes in lower-case hex"),
        ({"server": HEX.upper()}, "list: server: expected 32 bytes in lower-case hex"),
        ({"server": "١" * 64}, "list: server: expected 32 bytes in lower-case hex"),
        ({"seats": ...}, 'list: missing key "seats"'),
        ({"seats": {}}, "list: seats: expected a list, got {}"),
        ({"seats": [3]}, "list: seats: expected an object, got 3"),
        ({"seats": [{"why": "bot"}]}, 'list: seats: missing key "seat"'),
        ({"seats": [{"seat": -1, "why": "bot"}]}, "list: seats: seat: -1 is not a whole number"),
        ({"seats": [{"seat": 1}]}, 'list: seats: missing key "why"'),
        ({"seats": [{"seat": 1, "why": "-bot"}]}, "list: seats: seat 1: '-bot' is not one of bot,"),
        ({"seats": [{"seat": 1, "why": None}]}, "list: seats: seat 1: None is not text"),
        (
            {"seats": [{"seat": 1, "commitment": "-bot"}]},
            "list: seats: seat 1: expected 32 bytes in",
        ),
        (
            {"seats": [{"seat": 1, "commitment": HEX}, {"seat": 1, "why": "bot"}]},
            "list: seats: a seat is listed twice",
        ),
    ],
)
def test_invalid_list_is_refused(changes: dict[str, Any], problem: str) -> None:
    data = {key: v for key, v in (DEAL.list.to_json() | changes).items() if v is not ...}
    with pytest.raises(InvalidJsonError) as caught:
        ShareList.from_json(data)
    assert str(caught.value).startswith(problem)


# --- opened shares


def test_opened_deal_survives_a_json_round_trip() -> None:
    assert DealIngredients.from_json(json.loads(json.dumps(DEAL.to_json()))) == DEAL


def test_shares_are_written_in_seat_order() -> None:
    data = replace(DEAL, shares={3: DEAL.shares[3], 0: DEAL.shares[0]}).to_json()
    assert list(data["shares"]) == ["0", "3"]  # type: ignore[call-overload]  # it is an object


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"list": ...}, 'fair: missing key "list"'),
        ({"list": []}, "fair: list: expected an object, got []"),
        ({"secret": ...}, 'fair: missing key "secret"'),
        ({"secret": "00" * 32}, "fair: secret: expected 96 bytes in lower-case hex"),
        ({"shares": ...}, 'fair: missing key "shares"'),
        ({"shares": []}, "fair: shares: expected an object, got []"),
        ({"shares": {"0": "00" * 31}}, "fair: shares: seat 0: expected 32 bytes in lower-case hex"),
        ({"shares": {"2": HEX}}, "fair: shares: '2' is not a seat with a commitment in the list"),
        ({"shares": {"00": HEX}}, "fair: shares: '00' is not a seat with a commitment in the list"),
    ],
)
def test_invalid_opened_deal_is_refused(changes: dict[str, Any], problem: str) -> None:
    data = {key: v for key, v in (DEAL.to_json() | changes).items() if v is not ...}
    with pytest.raises(InvalidJsonError) as caught:
        DealIngredients.from_json(data)
    assert str(caught.value).startswith(problem)


def test_matching_deal_has_no_fault() -> None:
    assert find_fault(DEAL) is None
    assert find_fault(make_opened_attempt(DEAL_KEY, {0: NO_BOT, 1: NO_NONE})) is None


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        (
            replace(DEAL, secret=make_fixed_bytes(96)),
            "the secret does not fit the server's commitment",
        ),
        (
            replace(DEAL, shares={**DEAL.shares, 3: make_fixed_bytes(32)}),
            "the share of seat 3 does not fit its commitment",
        ),
        (
            replace(DEAL, shares={0: DEAL.shares[3], 3: DEAL.shares[0]}),
            "the share of seat 0 does not fit its commitment",
        ),
        (
            replace(DEAL, shares={**DEAL.shares, 2: make_fixed_bytes(32)}),
            "the share of seat 2 does not fit its commitment",
        ),
        (
            replace(DEAL, shares={**DEAL.shares, 5: make_fixed_bytes(32)}),
            "the share of seat 5 does not fit its commitment",
        ),
        (
            replace(DEAL, list=replace(DEAL.list, draw=DealKey("table-8", 3, 1))),
            "the secret does not fit the server's commitment",
        ),
    ],
)
def test_first_mismatch_is_described(changed: DealIngredients, fault: str) -> None:
    assert find_fault(changed) == fault
    assert find_broken_commitment(changed) == fault


def test_unopened_share_is_a_fault_but_not_a_broken_commitment() -> None:
    late = make_opened_attempt(DEAL_KEY, {0: None, 3: None}, unopened=[3])
    assert find_fault(late) == "the share of seat 3 was not opened"
    assert find_broken_commitment(late) is None


# --- randomness


def draw_words(deal: DealIngredients, purpose: str, n: int) -> list[int]:
    stream = deal.stream(purpose)
    return [stream.draw_below(2**32) for _ in range(n)]


def test_stream_has_the_documented_bytes() -> None:
    blocks = b""
    for k in (0, 1, 2):
        fields = [
            b"lastcard deal 1 block",
            DEAL.list.digest(),
            b"choice 2",
            k.to_bytes(8, "big"),
        ]
        raw = encode_with_lengths(*fields, DEAL.secret, DEAL.shares[0], DEAL.shares[3])
        blocks += hashlib.sha512(raw).digest()
    expected = [int.from_bytes(blocks[i : i + 4], "big") for i in range(0, 192, 4)]
    assert draw_words(DEAL, "choice 2", 48) == expected


def test_shares_are_used_in_list_order() -> None:
    swapped = replace(DEAL, shares={3: DEAL.shares[3], 0: DEAL.shares[0]})
    assert draw_words(swapped, "deal", 20) == draw_words(DEAL, "deal", 20)


def test_each_purpose_has_its_own_stream() -> None:
    assert draw_words(DEAL, "choice 1", 4) != draw_words(DEAL, "choice 2", 4)
    assert draw_words(DEAL, "choice 1", 4) == draw_words(DEAL, "choice 1", 4)


@pytest.mark.parametrize("seat", [0, 3])
def test_each_share_affects_the_stream(seat: int) -> None:
    other = replace(DEAL, shares={**DEAL.shares, seat: make_fixed_bytes(32)})
    assert draw_words(other, "deal", 4) != draw_words(DEAL, "deal", 4)


def test_secret_affects_the_stream() -> None:
    assert draw_words(replace(DEAL, secret=make_fixed_bytes(96)), "deal", 4) != draw_words(
        DEAL, "deal", 4
    )


def test_random_stream_never_ends() -> None:
    stream = DEAL.stream("deal")
    assert max(stream.draw_below(6) for _ in range(1000)) == 5


def test_shuffle_draws_a_number_for_every_card_but_the_first() -> None:
    given = iter([0, 0, 0])
    assert fair.NumberStream(given).shuffle("abcd") == ["b", "c", "d", "a"]
    assert list(islice(given, 1)) == []


@pytest.mark.parametrize("items", [[], ["only"]])
def test_shuffle_of_one_card_or_none_draws_no_number(items: list[str]) -> None:
    assert fair.NumberStream([]).shuffle(items) == items


def test_deck_of_a_hand_is_the_whole_deck_shuffled() -> None:
    deck = deck_of(DEAL, OCHO)
    assert deck == DEAL.stream("deal").shuffle(DEAL.list.deck)
    assert sorted(deck) == sorted(OCHO.pack.notations(OCHO.cards()))


def test_list_with_a_different_deck_is_refused() -> None:
    with pytest.raises(UnfairError, match="the list names another deck than the rules"):
        deck_of(DEAL, rulesets.RULE_SETS["uno-400"])
    stacked = replace(DEAL, list=replace(DEAL.list, deck=DEAL.list.deck[::-1]))
    with pytest.raises(UnfairError, match="another deck"):
        deck_of(stacked, OCHO)


def test_reshuffles_and_choices_have_separate_counters() -> None:
    chance, cards = FairChance(DEAL, OCHO.cards()), [0, 1, 2, 3, 4, 5]
    got = []
    for _ in range(2):
        pile = cards[:]
        chance.shuffle(pile)
        got.append((pile, chance.choice(100)))
    assert got == [
        (
            DEAL.stream(f"reshuffle {n}").shuffle(cards),
            DEAL.stream(f"choice {n}").draw_below(100),
        )
        for n in (1, 2)
    ]
    assert (chance.shuffles, chance.choices) == (2, 2)


def test_counters_resume_from_their_stored_values() -> None:
    chance, pile = FairChance(DEAL, OCHO.cards(), shuffles=4, choices=6), [7, 8, 9, 10]
    chance.shuffle(pile)
    assert pile == DEAL.stream("reshuffle 5").shuffle([7, 8, 9, 10])
    assert chance.choice(100) == DEAL.stream("choice 7").draw_below(100)


def test_draw_of_the_dealer_uses_separate_streams() -> None:
    chance, pile = FairChance(DEAL, OCHO.cards(), prefix="dealer "), [7, 8, 9, 10]
    chance.shuffle(pile)
    assert pile == DEAL.stream("dealer shuffle 1").shuffle([7, 8, 9, 10])
    assert chance.choice(100) == DEAL.stream("dealer choice 1").draw_below(100)


def test_choice_with_a_single_option_is_counted() -> None:
    chance = FairChance(DEAL, OCHO.cards())
    assert chance.choice(1) == 0
    assert chance.choice(100) == DEAL.stream("choice 2").draw_below(100)


@pytest.mark.parametrize("key", rulesets.RULE_SETS)
def test_reshuffle_starts_from_deck_order(key: str) -> None:
    rs = rulesets.RULE_SETS[key]
    pile = rs.cards()[::3]
    shuffled = []
    for arranged in (pile[:], pile[::-1], pile[5:] + pile[:5]):
        FairChance(DEAL, rs.cards()).shuffle(arranged)
        shuffled.append(arranged)
    assert shuffled == [DEAL.stream("reshuffle 1").shuffle(pile)] * 3


def test_blanks_are_next_to_the_card_that_they_replace() -> None:
    rs = rulesets.make("uno-400", {"blanks": 2, "blank_rule": "replace", "blank_card": "Y7"})
    deck = rs.pack.notations(rs.cards())
    assert [place - deck.index("Y7") for place, card in enumerate(deck) if card == "Y7"] == [
        *range(deck.count("Y7"))
    ]
