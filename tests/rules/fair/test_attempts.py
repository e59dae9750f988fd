"""Tests of attempts to deal a hand: their order, seats that are left out, and the dealer."""

import json
from dataclasses import replace
from typing import Any

import pytest

from games.rules.fair.attempts import FairDeal
from games.rules.fair.deal import (
    NO_BEFORE,
    NO_BOT,
    NO_FAILED,
    NO_NONE,
    DealIngredients,
    DealKey,
    FairChance,
    UnfairError,
)
from games.rules.ruleset import rulesets
from games.rules.scoring import first_dealer
from games.rules.untrusted_json import InvalidJsonError
from tests.rules.fair_deals import (
    make_deal_after_two_void_attempts,
    make_deal_with_shares,
    make_fixed_bytes,
    make_opened_attempt,
)

OCHO, UNO_500 = rulesets.RULE_SETS["ocho"], rulesets.RULE_SETS["uno-500"]
ONE, TWO, THREE = (DealKey("table-7", 3, attempt) for attempt in (1, 2, 3))
SEATS: dict[int, str | None] = {0: None, 2: None, 3: NO_BOT}


def make_attempt(draw: DealKey, *unopened: int, **entries: str | None) -> DealIngredients:
    """Return an attempt in which the seats in `unopened` did not open their shares.

    A keyword argument such as ``seat_2="-none"`` sets the entry of that seat.
    """
    changed = {int(seat.removeprefix("seat_")): why for seat, why in entries.items()}
    return make_opened_attempt(draw, SEATS | changed, dealer=2, unopened=unopened)


def test_deal_by_the_first_attempt_has_no_fault() -> None:
    assert FairDeal(make_attempt(ONE)).find_fault() is None
    assert FairDeal(make_attempt(ONE, seat_0=NO_NONE)).find_fault() is None


def test_deal_without_shares_has_no_fault() -> None:
    assert FairDeal(make_attempt(ONE, seat_0=NO_BOT, seat_2=NO_NONE)).find_fault() is None


def test_deal_after_void_attempts_has_no_fault() -> None:
    assert FairDeal(make_attempt(TWO), (make_attempt(ONE, 0),)).find_fault() is None
    assert (
        FairDeal(make_attempt(THREE), (make_attempt(ONE, 0, 2), make_attempt(TWO, 2))).find_fault()
        is None
    )


def test_player_who_failed_twice_may_be_left_out() -> None:
    assert make_deal_after_two_void_attempts(OCHO, [0, 2, 3], 2).find_fault() is None
    void = (make_attempt(ONE, 0), make_attempt(TWO, 0))
    assert FairDeal(make_attempt(THREE, seat_0=NO_FAILED), void).find_fault() is None


@pytest.mark.parametrize(
    ("deal", "fault"),
    [
        (FairDeal(make_attempt(ONE, 2)), "attempt 1: the share of seat 2 was not opened"),
        (
            FairDeal(replace(make_attempt(ONE), secret=make_fixed_bytes(96))),
            "attempt 1: the secret does not fit the server's commitment",
        ),
        (
            FairDeal(
                make_attempt(TWO), (replace(make_attempt(ONE, 0), secret=make_fixed_bytes(96)),)
            ),
            "attempt 1: the secret does not fit the server's commitment",
        ),
        (
            FairDeal(
                make_attempt(TWO),
                (replace(make_attempt(ONE, 0), shares={2: make_fixed_bytes(32)}),),
            ),
            "attempt 1: the share of seat 2 does not fit its commitment",
        ),
        (
            FairDeal(make_attempt(TWO), (make_attempt(ONE),)),
            "attempt 1: it is void, but each listed share was opened",
        ),
        (
            FairDeal(make_attempt(TWO), (make_attempt(ONE, seat_0=NO_BOT, seat_2=NO_NONE),)),
            "attempt 1: it is void, but each listed share was opened",
        ),
        (
            FairDeal(make_attempt(TWO)),
            "attempt 1: its list is that of another match, hand or attempt",
        ),
        (
            FairDeal(make_attempt(THREE), (make_attempt(ONE, 0),)),
            "attempt 2: its list is that of another match, hand or attempt",
        ),
        (
            FairDeal(make_attempt(TWO), (make_attempt(TWO, 0),)),
            "attempt 1: its list is that of another match, hand or attempt",
        ),
        (
            FairDeal(make_attempt(TWO), (make_attempt(DealKey("table-7", 2, 1), 0),)),
            "attempt 1: its list is that of another match, hand or attempt",
        ),
        (
            FairDeal(make_attempt(TWO), (make_attempt(DealKey("table-8", 3, 1), 0),)),
            "attempt 1: its list is that of another match, hand or attempt",
        ),
        (
            FairDeal(make_attempt(TWO), (make_opened_attempt(ONE, SEATS, dealer=3, unopened=[0]),)),
            "attempt 1: its list has another dealer, deck or players than the one that was dealt",
        ),
        (
            FairDeal(make_attempt(TWO), (make_attempt(ONE, 0, seat_5=None),)),
            "attempt 1: its list has another dealer, deck or players than the one that was dealt",
        ),
        (
            FairDeal(
                make_attempt(TWO),
                (make_opened_attempt(ONE, SEATS, dealer=2, rs=UNO_500, unopened=[0]),),
            ),
            "attempt 1: its list has another dealer, deck or players than the one that was dealt",
        ),
        (
            FairDeal(make_attempt(ONE, seat_2=NO_FAILED)),
            "attempt 1: seat 2 is left out, but failed to open 0 times before",
        ),
        (
            FairDeal(make_attempt(TWO, seat_0=NO_FAILED), (make_attempt(ONE, 0),)),
            "attempt 2: seat 0 is left out, but failed to open 1 times before",
        ),
        (
            FairDeal(
                make_attempt(THREE, seat_0=NO_FAILED), (make_attempt(ONE, 0), make_attempt(TWO, 2))
            ),
            "attempt 3: seat 0 is left out, but failed to open 1 times before",
        ),
        (
            FairDeal(
                make_opened_attempt(DealKey("table-7", 1, 1), {0: NO_BEFORE, 2: None}, dealer=2)
            ),
            "attempt 1: seat 0 sits out, but has not held up hands for that",
        ),
        (
            FairDeal(
                make_opened_attempt(DealKey("table-7", 2, 1), {0: NO_BEFORE, 2: None}, dealer=2)
            ),
            "attempt 1: seat 0 sits out, but has not held up hands for that",
        ),
    ],
)
def test_first_mismatch_is_described(deal: FairDeal, fault: str) -> None:
    assert deal.find_fault() == fault


def test_seat_may_be_left_out_after_delaying_two_hands() -> None:
    deal = FairDeal(
        make_opened_attempt(DealKey("table-7", 3, 1), {0: NO_BEFORE, 2: None}, dealer=2)
    )
    assert deal.find_fault() is None


def test_published_secret_cannot_be_used_for_a_second_deal() -> None:
    first, second = make_attempt(ONE, 0), make_attempt(TWO)
    again = replace(second, secret=first.secret)
    assert FairDeal(again, (first,)).find_fault() == (
        "attempt 2: its secret was that of an attempt before"
    )


# --- the dealer


def test_listed_dealer_is_converted_to_a_player_index() -> None:
    deal = make_deal_with_shares(OCHO, [1, 4, 6], 4)
    assert (deal.dealer(OCHO), deal.points(OCHO)) == (1, None)


def test_dealer_who_does_not_play_is_refused() -> None:
    with pytest.raises(UnfairError, match="the list's dealer is seat 2, which does not play"):
        make_deal_with_shares(OCHO, [1, 4, 6], 2).dealer(OCHO)


@pytest.mark.parametrize("number", range(1, 6))
@pytest.mark.parametrize("key", rulesets.RULE_SETS)
def test_deal_can_draw_the_dealer(key: str, number: int) -> None:
    rs = rulesets.RULE_SETS[key]
    deal = make_deal_with_shares(rs, range(4), None, number)
    chance = FairChance(deal.dealt, rs.cards(), prefix="dealer ")
    assert deal.dealer(rs) == first_dealer(rs, 4, chance)[0]


def test_every_player_can_be_drawn_as_the_dealer() -> None:
    drawn = {
        make_deal_with_shares(UNO_500, range(4), None, n).dealer(UNO_500) for n in range(1, 40)
    }
    assert drawn == {0, 1, 2, 3}


def test_cards_have_points_only_if_the_dealer_is_drawn_with_cards() -> None:
    assert make_deal_with_shares(OCHO, range(3), None).points(OCHO) == {}
    points = make_deal_with_shares(UNO_500, range(3), None).points(UNO_500)
    assert points is not None
    assert set(points) == set(UNO_500.pack.notations(UNO_500.cards()))
    assert (points["R0"], points["G7"], points["B+2"], points["W+4"]) == (0, 7, 20, 50)


# --- as JSON


@pytest.mark.parametrize(
    "deal",
    [
        make_deal_with_shares(OCHO, [0, 1], 0),
        make_deal_after_two_void_attempts(UNO_500, [0, 3, 4], None),
    ],
)
def test_deal_survives_a_json_round_trip(deal: FairDeal) -> None:
    assert FairDeal.from_json(json.loads(json.dumps(deal.to_json()))) == deal


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"void": ...}, 'fair: missing key "void"'),
        ({"void": {}}, "fair: void: expected a list, got {}"),
        ({"void": [7]}, "fair: void 0: expected an object, got 7"),
        ({"void": [{}]}, 'fair: void 0: missing key "list"'),
        ({"secret": 7}, "fair: secret: 7 is not text"),
    ],
)
def test_invalid_deal_is_refused(changes: dict[str, Any], problem: str) -> None:
    written = make_deal_with_shares(OCHO, [0, 1], 0).to_json() | changes
    with pytest.raises(InvalidJsonError) as caught:
        FairDeal.from_json({key: value for key, value in written.items() if value is not ...})
    assert str(caught.value) == problem
