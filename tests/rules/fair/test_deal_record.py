"""Tests of records of fair deals, under all rule sets."""

from typing import Any

import pytest

from games.rules import record
from games.rules.fair.attempts import FairDeal
from games.rules.fair.deal import NO_BOT, NO_NONE, DealKey
from games.rules.ruleset import rulesets
from tests.rules.fair_deals import (
    make_deal_after_two_void_attempts,
    make_deal_with_shares,
    make_drawn_dealer_record,
    make_opened_attempt,
    make_third_attempt_record,
    play_fair_hand,
)
from tests.rules.records import POSITION
from tests.rules.verifying import verdict

Json = dict[str, Any]


def test_honest_record_is_valid() -> None:
    for data in (
        make_third_attempt_record(),
        make_drawn_dealer_record("uno-500"),
        make_drawn_dealer_record("ocho"),
    ):
        assert record.check(data) is None
        assert verdict(data).startswith("ok, with the shares of seats 0, ")


@pytest.mark.parametrize("seats", [2, 4, 7])
@pytest.mark.parametrize("key", rulesets.RULE_SETS)
def test_records_of_all_rule_sets_are_valid(key: str, seats: int) -> None:
    rs = rulesets.RULE_SETS[key]
    deal = make_deal_with_shares(rs, range(min(seats, rs.max_seats)), None)
    data = play_fair_hand(key, deal, seed=seats, strength="random")
    assert data["format"] == "hand-record/2"
    assert record.check(data) is None
    assert verdict(data).startswith("ok, with the shares of seats 0")


@pytest.mark.parametrize("key", rulesets.RULE_SETS)
def test_records_of_all_rule_sets_are_valid_after_void_attempts(key: str) -> None:
    rs = rulesets.RULE_SETS[key]
    data = play_fair_hand(
        key, make_deal_after_two_void_attempts(rs, [1, 2, 4, 5], 4), strength="random"
    )
    assert len(data["fair"]["void"]) == 2
    assert record.check(data) is None
    assert verdict(data) == (
        "ok, with the shares of seats 1, 4, 5, without 2 (failed): match table-7, hand 1, attempt 3"
    )


@pytest.mark.parametrize(
    ("key", "options"),
    [
        ("ocho", {"partners": True}),
        ("ocho", {"opening_wild": "redraw"}),
        ("uno-400", {"blanks": 2, "blank_rule": "replace", "blank_card": "Y7"}),
        ("uno-400", {"blanks": 4, "blank_rule": "swap"}),
        ("uno-500", {"blanks": 4, "blank_rule": "pass-hands"}),
    ],
)
def test_records_with_other_options_are_valid(key: str, options: dict[str, Any]) -> None:
    rs = rulesets.make(key, options)
    for hand in range(1, 5):
        deal = make_deal_with_shares(rs, range(4), None, hand)
        data = play_fair_hand(key, deal, seed=hand, strength="random", **options)
        assert record.check(data) is None
        assert verdict(data).startswith("ok")


def test_deal_without_shares_is_valid_and_reported() -> None:
    deal = FairDeal(make_opened_attempt(DealKey("m", 1, 1), {0: NO_BOT, 1: NO_NONE}))
    data = play_fair_hand("ocho", deal)
    assert record.check(data) is None
    assert verdict(data) == (
        "ok, with the shares of seats none, without 0 (bot), without 1 (none):"
        " match m, hand 1, attempt 1"
    )


# --- invalid records


def make_changed_record(**changes: Any) -> Json:
    return {
        key: value
        for key, value in (make_third_attempt_record() | changes).items()
        if value is not ...
    }


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"fair": ...}, 'missing key "fair"'),
        ({"fair": []}, "fair: expected an object, got []"),
        ({"deck": ...}, 'missing key "deck"'),
        ({"reshuffles": ...}, 'missing key "reshuffles"'),
        ({"log": ...}, 'missing key "log"'),
        ({"position": POSITION}, "position: hand-record/2 has none"),
        ({"nonce": ""}, "nonce: hand-record/2 has none"),
        ({"commitment": ""}, "commitment: hand-record/2 has none"),
        ({"reshuffles": [["R99"]]}, "reshuffles: 'R99' is not a card."),
        (
            {"log": [{"seat": 0, "draw": True, "held": []}]},
            "entry 0: held: expected an object, got []",
        ),
        (
            {"log": [{"seat": 0, "draw": True, "held": {"4": []}}]},
            "entry 0: held: '4' is not a seat: the seats are 0, 1, 2, 3",
        ),
        (
            {"log": [{"seat": 0, "draw": True, "held": {"1": ["R99"]}}]},
            "entry 0: held: 'R99' is not a card.",
        ),
    ],
)
def test_invalid_fair_deal_record_is_refused(changes: Json, problem: str) -> None:
    assert str(record.check(make_changed_record(**changes))).startswith(problem)


def test_list_has_one_entry_per_player_of_the_hand() -> None:
    data = make_third_attempt_record()
    data["fair"]["list"]["seats"].pop(1)
    assert record.check(data) == "fair: list: seats: expected 4, one per player of the hand"


def test_record_can_contain_a_match_and_a_fair_hand() -> None:
    match = {"hands": [[1, 0, 0, 0]], "expect": {"totals": [1, 0, 0, 0]}}
    assert record.check(make_changed_record(match=match)) is None
