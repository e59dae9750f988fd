"""F26: tampering with the record of a fair deal is always detected.

Two programs check a record: `games.rules.record`, which replays the hand, and docs/verify_deal.py,
which ignores the rules. Each case consists of a change and the finding of each program.
"""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from games.rules import record
from games.rules.fair.attempts import FairDeal
from games.rules.fair.deal import DealIngredients, DealKey, secret_commitment, share_commitment
from games.rules.ruleset import rulesets
from tests.rules.fair_deals import (
    make_deal_with_shares,
    make_drawn_dealer_record,
    make_fixed_bytes,
    make_opened_attempt,
    make_third_attempt_record,
    play_fair_hand,
)
from tests.rules.verifying import verdict

OCHO = rulesets.RULE_SETS["ocho"]
Json = dict[str, Any]


def test_tampered_sample_hand_covers_all_features() -> None:
    data = make_third_attempt_record()
    revealed = [sorted(entry["held"]) for entry in list_xray_entries(data)]
    assert revealed == [["1", "2", "3"], ["0", "2", "3"]]
    assert len(data["reshuffles"]) == 2
    assert [len(attempt["shares"]) for attempt in data["fair"]["void"]] == [2, 1]


SECRET_MISMATCH = "the secret does not fit the server's commitment"
SHARE_MISMATCH = "the share of seat 0 does not fit its commitment"
DECK_MISMATCH = (
    "deck: it is not what secret and shares make",
    "deck: secret and shares make another one",
)


def get_list_entry(data: Json, n: int, attempt: int = 3) -> Json:
    """Return the entry of the n-th player in an attempt's list."""
    entry: Json = get_attempt_data(data, attempt)["list"]["seats"][n]
    return entry


def get_attempt_data(data: Json, attempt: int) -> Json:
    """Return the data of an attempt. The first two attempts are void, the third was dealt."""
    found: Json = [*data["fair"]["void"], data["fair"]][attempt - 1]
    return found


def change_share(data: Json) -> None:
    data["fair"]["shares"]["0"] = make_fixed_bytes(32).hex()


def change_share_and_commitment(data: Json) -> None:
    data["fair"]["shares"]["0"] = make_fixed_bytes(32).hex()
    get_list_entry(data, 0)["commitment"] = share_commitment(
        DealKey("table-7", 208, 3), 0, make_fixed_bytes(32)
    )


def change_secret(data: Json) -> None:
    data["fair"]["secret"] = make_fixed_bytes(96).hex()


def change_secret_and_commitment(data: Json) -> None:
    """Change the secret and its commitment, like a server that prefers a different deal."""
    data["fair"]["secret"] = make_fixed_bytes(96).hex()
    draw = DealKey("table-7", 208, 3)
    data["fair"]["list"]["server"] = secret_commitment(draw, make_fixed_bytes(96))


def swap_two_cards(data: Json) -> None:
    deck = data["deck"]
    other = next(n for n, card in enumerate(deck) if card != deck[0])
    deck[0], deck[other] = deck[other], deck[0]


def shuffle_deck(data: Json) -> None:
    Random(1).shuffle(data["deck"])


def reverse_list_deck(data: Json) -> None:
    data["fair"]["list"]["deck"].reverse()


def omit_share(data: Json) -> None:
    del data["fair"]["shares"]["0"]


def omit_share_and_commitment(data: Json) -> None:
    del data["fair"]["shares"]["0"]
    data["fair"]["list"]["seats"][0] = {"seat": 0, "why": "none"}


def add_share(data: Json) -> None:
    data["fair"]["list"]["seats"][1] = {
        "seat": 2,
        "commitment": share_commitment(DealKey("table-7", 208, 3), 2, make_fixed_bytes(32)),
    }
    data["fair"]["shares"]["2"] = make_fixed_bytes(32).hex()


def swap_seats(data: Json) -> None:
    seats = data["fair"]["list"]["seats"]
    seats[0], seats[2] = seats[2], seats[0]
    for void in data["fair"]["void"]:
        seats = void["list"]["seats"]
        seats[0], seats[2] = seats[2], seats[0]


def swap_shares(data: Json) -> None:
    shares = data["fair"]["shares"]
    shares["0"], shares["3"] = shares["3"], shares["0"]
    seats = data["fair"]["list"]["seats"]
    seats[0]["commitment"], seats[2]["commitment"] = (
        seats[2]["commitment"],
        seats[0]["commitment"],
    )


def change_dealer_in_record(data: Json) -> None:
    data["dealer"] = 1


def change_dealer_in_list(data: Json) -> None:
    for attempt in (1, 2, 3):
        get_attempt_data(data, attempt)["list"]["dealer"] = 0


def set_dealer_who_does_not_play(data: Json) -> None:
    for attempt in (1, 2, 3):
        get_attempt_data(data, attempt)["list"]["dealer"] = 1


def use_other_match(data: Json) -> None:
    for attempt in (1, 2, 3):
        get_attempt_data(data, attempt)["list"]["match"] = "table-8"


def use_other_hand(data: Json) -> None:
    for attempt in (1, 2, 3):
        get_attempt_data(data, attempt)["list"]["hand"] = 207


def conceal_void_attempt(data: Json) -> None:
    """Delete the first attempt and renumber the others."""
    del data["fair"]["void"][0]
    data["fair"]["void"][0]["list"]["attempt"] = 1
    data["fair"]["list"]["attempt"] = 2


def use_commitments_of_deal(match: str, hand: int, attempt: int) -> Callable[[Json], None]:
    """Return a function that replaces the secret and a share by those of another deal."""

    def reuse_commitments(data: Json) -> None:
        other = make_opened_attempt(DealKey(match, hand, attempt), {0: None})
        data["fair"]["secret"] = other.secret.hex()
        data["fair"]["list"]["server"] = other.list.server
        data["fair"]["shares"]["0"] = other.shares[0].hex()
        get_list_entry(data, 0)["commitment"] = other.list.entries[0][1]

    return reuse_commitments


def use_share_of_other_hand(data: Json) -> None:
    other = make_opened_attempt(DealKey("table-7", 207, 3), {0: None})
    data["fair"]["shares"]["0"] = other.shares[0].hex()
    get_list_entry(data, 0)["commitment"] = other.list.entries[0][1]


def change_reshuffle(data: Json) -> None:
    pile = data["reshuffles"][1]
    other = next(n for n, card in enumerate(pile) if card != pile[0])
    pile[0], pile[other] = pile[other], pile[0]


def list_xray_entries(data: Json) -> list[Json]:
    return [entry for entry in data["log"] if "held" in entry]


def change_revealed_card(data: Json) -> None:
    entry = list_xray_entries(data)[1]
    held, shown = entry["held"]["2"], entry["reveals"]["2"]
    entry["reveals"]["2"] = next(card for card in held if card != shown)


def move_turned_up_card(data: Json) -> None:
    """Move the card that an X-Ray reveals to another place in its hand."""
    entry = list_xray_entries(data)[0]
    held, shown = entry["held"]["1"], entry["reveals"]["1"]
    place = held.index(shown)
    other = next(n for n, card in enumerate(held) if card != shown)
    held[place], held[other] = held[other], held[place]


def omit_held_cards(data: Json) -> None:
    entry = list_xray_entries(data)[0]
    entry["held"]["1"] = [entry["reveals"]["1"]]
    entry["reveals"]["3"] = next(c for c in entry["held"]["3"] if c != entry["reveals"]["3"])


def change_void_secret(data: Json) -> None:
    get_attempt_data(data, 2)["secret"] = make_fixed_bytes(96).hex()


def change_void_share(data: Json) -> None:
    get_attempt_data(data, 1)["shares"]["0"] = make_fixed_bytes(32).hex()


def void_complete_attempt(data: Json) -> None:
    """Mark an attempt as void although all its shares were opened."""
    draw = DealKey("table-7", 208, 1)
    data["fair"]["void"][0] = make_opened_attempt(
        draw, {0: None, 2: None, 3: None, 5: "-none"}, dealer=3
    ).to_json()


THIRD_ATTEMPT = "attempt 3: "


@pytest.mark.parametrize(
    ("tamper", "checked", "verified"),
    [
        (change_share, f"fair: {THIRD_ATTEMPT}{SHARE_MISMATCH}", THIRD_ATTEMPT + SHARE_MISMATCH),
        (change_share_and_commitment, *DECK_MISMATCH),
        (change_secret, f"fair: {THIRD_ATTEMPT}{SECRET_MISMATCH}", THIRD_ATTEMPT + SECRET_MISMATCH),
        (change_secret_and_commitment, *DECK_MISMATCH),
        (swap_two_cards, *DECK_MISMATCH),
        (shuffle_deck, *DECK_MISMATCH),
        (
            reverse_list_deck,
            "fair: attempt 1: its list has another dealer, deck or players than the one that was"
            " dealt",
            DECK_MISMATCH[1],
        ),
        (
            omit_share,
            "fair: attempt 3: the share of seat 0 was not opened",
            "attempt 3: dealt without the shares of seats 0",
        ),
        (omit_share_and_commitment, *DECK_MISMATCH),
        (add_share, *DECK_MISMATCH),
        (swap_seats, "dealer: expected 2, got 0", "dealer: the list or the draw names another"),
        (swap_shares, f"fair: {THIRD_ATTEMPT}{SHARE_MISMATCH}", THIRD_ATTEMPT + SHARE_MISMATCH),
        (
            change_dealer_in_record,
            "dealer: expected 1, got 2",
            "dealer: the list or the draw names another one",
        ),
        (
            change_dealer_in_list,
            "dealer: expected 2, got 0",
            "dealer: the list or the draw names another one",
        ),
        (
            set_dealer_who_does_not_play,
            "fair: the list's dealer is seat 1, which does not play",
            "this is no record of a fair deal: ValueError('1 is not in list')",
        ),
        (use_other_match, f"fair: attempt 1: {SECRET_MISMATCH}", f"attempt 1: {SECRET_MISMATCH}"),
        (use_other_hand, f"fair: attempt 1: {SECRET_MISMATCH}", f"attempt 1: {SECRET_MISMATCH}"),
        (
            conceal_void_attempt,
            f"fair: attempt 1: {SECRET_MISMATCH}",
            f"attempt 1: {SECRET_MISMATCH}",
        ),
        (
            use_commitments_of_deal("table-8", 208, 3),
            f"fair: {THIRD_ATTEMPT}{SECRET_MISMATCH}",
            THIRD_ATTEMPT + SECRET_MISMATCH,
        ),
        (
            use_commitments_of_deal("table-7", 207, 3),
            f"fair: {THIRD_ATTEMPT}{SECRET_MISMATCH}",
            THIRD_ATTEMPT + SECRET_MISMATCH,
        ),
        (
            use_commitments_of_deal("table-7", 208, 4),
            f"fair: {THIRD_ATTEMPT}{SECRET_MISMATCH}",
            THIRD_ATTEMPT + SECRET_MISMATCH,
        ),
        (
            use_share_of_other_hand,
            f"fair: {THIRD_ATTEMPT}{SHARE_MISMATCH}",
            THIRD_ATTEMPT + SHARE_MISMATCH,
        ),
        (
            change_reshuffle,
            "reshuffles: number 2 is not what secret and shares make",
            "reshuffle 2: secret and shares make another one",
        ),
        (
            change_revealed_card,
            "reveals: expected",
            "choice 4: secret and shares choose another card",
        ),
        (move_turned_up_card, "held: expected", "choice 1: secret and shares choose another card"),
        (omit_held_cards, "reveals: expected", "choice 3: secret and shares choose another"),
        (
            change_void_secret,
            f"fair: attempt 2: {SECRET_MISMATCH}",
            f"attempt 2: {SECRET_MISMATCH}",
        ),
        (change_void_share, f"fair: attempt 1: {SHARE_MISMATCH}", f"attempt 1: {SHARE_MISMATCH}"),
        (
            void_complete_attempt,
            "fair: attempt 1: it is void, but each listed share was opened",
            "attempt 1: void with all its shares",
        ),
    ],
)
def test_tampering_is_detected(tamper: Callable[[Json], None], checked: str, verified: str) -> None:
    data = make_third_attempt_record()
    tamper(data)
    problem = str(record.check(data))
    # A problem in the log begins with the number of the entry.
    assert checked in problem
    assert problem.startswith(("entry ", checked))
    assert verdict(data).startswith(f"FAIL {verified}")


def test_drawn_dealer_cannot_be_replaced() -> None:
    for data in (make_drawn_dealer_record("uno-500"), make_drawn_dealer_record("ocho")):
        honest = data["dealer"]
        data["dealer"] = (honest + 1) % 3
        assert record.check(data) == f"dealer: expected {data['dealer']}, got {honest}"
        assert verdict(data) == "FAIL dealer: the list or the draw names another one"


def test_dealer_draw_cannot_be_replaced_by_a_server_choice() -> None:
    data = make_drawn_dealer_record("uno-500")
    data["fair"]["list"]["dealer"] = data["dealer"]
    del data["fair"]["points"]
    assert record.check(data) == DECK_MISMATCH[0]
    assert verdict(data) == f"FAIL {DECK_MISMATCH[1]}"


def test_points_must_match_the_rules() -> None:
    data = make_drawn_dealer_record("uno-500")
    data["fair"]["points"]["R5"] = 60
    assert str(record.check(data)).startswith("fair: points: expected {")
    data["fair"]["points"] = {}
    assert str(record.check(data)).startswith("fair: points: expected {}, got {")
    data = make_drawn_dealer_record("ocho")
    data["fair"]["points"] = {"R5": 5}
    assert record.check(data) == 'fair: points: expected {"R5": 5}, got {}'


def test_deck_that_differs_from_the_rules_is_detected() -> None:
    deal = make_deal_with_shares(OCHO, range(3), 1).dealt
    reversed_deck = DealIngredients(
        replace(deal.list, deck=deal.list.deck[::-1]), deal.secret, deal.shares
    )
    data = play_fair_hand("ocho", make_deal_with_shares(OCHO, range(3), 1))
    data["fair"] = FairDeal(reversed_deck).to_json()
    data["deck"] = reversed_deck.stream("deal").shuffle(reversed_deck.list.deck)
    assert data["reshuffles"] == list_xray_entries(data) == []
    assert record.check(data) == "fair: the list names another deck than the rules"
    assert verdict(data).startswith("ok")


# Faults that only a replay of the hand detects


def test_number_of_reshuffles_must_match_the_hand() -> None:
    data = make_third_attempt_record()
    del data["reshuffles"][1]
    assert "reshuffles: one more is needed here" in str(record.check(data))
    data["reshuffles"] = [*make_third_attempt_record()["reshuffles"], []]
    assert record.check(data) == "reshuffles: 1 more than there were"


@pytest.mark.parametrize("key", ["reveals", "held"])
def test_x_ray_without_its_revealed_cards_is_detected(key: str) -> None:
    data = make_third_attempt_record()
    del list_xray_entries(data)[0][key]
    assert f"{key}: expected {{}}, got {{" in str(record.check(data))
    assert verdict(data).startswith("FAIL ")


def test_revealed_cards_without_an_x_ray_are_detected() -> None:
    data = make_third_attempt_record()
    data["log"][0]["held"] = {"1": ["R5"]}
    assert record.check(data) == 'entry 0: held: expected {"1": ["R5"]}, got {}'


def test_reused_secret_is_detected() -> None:
    """Reuse the secret of an earlier attempt, which was published when that attempt became void."""
    data = make_third_attempt_record()
    secret = get_attempt_data(data, 1)["secret"]
    get_attempt_data(data, 2)["secret"] = secret
    again = secret_commitment(DealKey("table-7", 208, 2), bytes.fromhex(secret))
    get_attempt_data(data, 2)["list"]["server"] = again
    assert record.check(data) == "fair: attempt 2: its secret was that of an attempt before"
