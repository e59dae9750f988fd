"""Tests of the deal and of the card turned up at the start."""

from typing import Any

import pytest

from games.rules.chance import RecordedChance
from games.rules.hand.events import Event
from games.rules.hand.position import Position
from games.rules.ruleset import rulesets
from games.rules.ruleset.rulesets import OptionError
from tests.rules.table import deal_hand, get_refusal_code, run_actions

TWO_CARDS_EACH = "R1 R2|Y1 Y2|G1 G2|B1 B2"


def deal_opening(
    ruleset: str, top: str, dealer: int = 0, seats: int = 4, **options: object
) -> Position:
    hands = "|".join(TWO_CARDS_EACH.split("|")[:seats])
    return deal_hand(ruleset, seats, dealer, hands, top, "R6 G6 B6 Y6", hand_size=2, **options)


def deal_two_players(ruleset: str, top: str, **options: object) -> Position:
    return deal_hand(ruleset, 2, 0, "3S 4S|3H 4H", top, "5C 6C 7C", hand_size=2, **options)


def test_cards_are_dealt_one_at_a_time_starting_left_of_the_dealer() -> None:
    rs = rulesets.make("uno-400", {"hand_size": 2})
    hand = Position.deal(rs, 3, 1, ["R1", "R2", "R3", "R4", "R5", "R6", "G7", "B1", "B2"])
    assert [hand.cards(seat) for seat in range(3)] == [["R2", "R5"], ["R3", "R6"], ["R1", "R4"]]
    assert (hand.top, hand.turn, hand.direction, len(hand.draw)) == ("G7", 2, 1, 2)


@pytest.mark.parametrize(
    ("ruleset", "top", "options", "turn", "direction", "penalty"),
    [
        ("uno-400", "R5", {}, 1, 1, 0),
        ("ocho", "R+2", {}, 1, 1, 0),
        ("uno-400", "R+2", {}, 1, 1, 2),
        ("uno-400", "RS", {}, 2, 1, 0),
        ("uno-assignment", "RS", {}, 2, 1, 0),
        ("uno-assignment", "RS", {"opening_skip": "dealer"}, 0, 1, 0),
        ("ocho", "RS", {}, 1, 1, 0),
        ("uno-400", "RR", {}, 3, -1, 0),
        ("uno-500", "RR", {}, 3, -1, 0),
        ("uno-assignment", "RR", {}, 0, -1, 0),
        ("ocho", "RR", {}, 1, 1, 0),
        ("ocho", "DR", {}, 1, 1, 0),
        ("ocho", "BB", {}, 1, 1, 0),
    ],
)
def test_opening_card_takes_effect(
    ruleset: str, top: str, options: dict[str, Any], turn: int, direction: int, penalty: int
) -> None:
    hand = deal_opening(ruleset, top, **options)
    assert (hand.top, hand.turn, hand.direction, hand.penalty) == (top, turn, direction, penalty)
    assert hand.counts == [2, 2, 2, 2]


def test_opening_log_names_the_card_turned_up() -> None:
    rs = rulesets.make("uno-400", {"hand_size": 1})
    logs: dict[str, list[Event]] = {}
    for top in ("R5", "RS", "RR", "R+2"):
        logs[top] = []
        Position.deal(rs, 3, 0, ["R1", "R2", "R3", top, "B1"], events=logs[top])
    assert logs == {
        "R5": [{"event": "opening", "card": "R5"}],
        "RS": [{"event": "opening", "card": "RS"}, {"event": "skipped", "seat": 1}],
        "RR": [{"event": "opening", "card": "RR"}, {"event": "reversed", "direction": -1}],
        "R+2": [
            {"event": "opening", "card": "R+2"},
            {"event": "penalty", "seat": 1, "cards": 2},
        ],
    }


@pytest.mark.parametrize(
    ("ruleset", "turn"), [("uno-400", 1), ("uno-500", 1), ("uno-assignment", 0)]
)
def test_opening_reverse_takes_effect_with_two_players(ruleset: str, turn: int) -> None:
    assert deal_opening(ruleset, "RR", seats=2).turn == turn


@pytest.mark.parametrize(("value", "after"), [("draw", 1), ("draw-and-skip", 2)])
@pytest.mark.parametrize("ends", [True, False])
def test_first_player_must_draw_for_an_opening_draw_two(value: str, after: int, ends: bool) -> None:
    hand = deal_opening("uno-400", "R+2", opening_draw_two=value, penalty_ends_turn=ends)
    assert hand.playable(1) == []
    assert run_actions(hand, "1: draw")[0]["why"] == "opening"
    assert (hand.turn, hand.counts, hand.penalty) == (after, [2, 4, 2, 2], 0)


def test_opening_draw_two_can_be_stacked_where_stacking_is_allowed() -> None:
    hand = deal_hand(
        "ocho",
        3,
        0,
        "R1 R2|G+2 Y2|G1 G2",
        "R+2",
        "R6 G6 B6 Y6",
        hand_size=2,
        opening_draw_two="draw",
    )
    run_actions(hand, "1: G+2")
    assert (hand.turn, hand.penalty) == (2, 4)
    run_actions(hand, "2: draw")
    assert hand.turn == 0


def test_shield_cancels_an_opening_draw_two() -> None:
    hand = deal_hand(
        "ocho",
        3,
        0,
        "R1 R2|SH Y2|G1 G2",
        "R+2",
        "R6 G6",
        hand_size=2,
        opening_draw_two="draw-and-skip",
    )
    run_actions(hand, "1: SH G")
    assert (hand.turn, hand.penalty, hand.counts) == (2, 0, [2, 1, 2])


def test_first_player_names_the_colour_of_an_opening_wild_and_plays() -> None:
    hand = deal_opening("uno-400", "W")
    assert (hand.turn, hand.color, hand.playable(1)) == (1, None, [])
    assert get_refusal_code(hand, "1: Y1") == "choose-first"
    assert get_refusal_code(hand, "1: draw") == "choose-first"
    assert get_refusal_code(hand, "2: choose Y") == "not-your-turn"
    assert get_refusal_code(hand, "1: choose S") == "color-unknown"
    run_actions(hand, "1: choose Y")
    assert (hand.turn, hand.color, hand.playable(1)) == (1, "Y", ["Y1", "Y2"])
    assert get_refusal_code(hand, "1: choose R") == "choose-not-allowed"


def test_opening_face_card_keeps_its_suit() -> None:
    hand = deal_two_players("ocho-cards", "QH")
    assert (hand.color, hand.playable(1)) == ("H", ["3H", "4H"])


def test_suit_of_an_opening_face_card_can_be_chosen() -> None:
    hand = deal_two_players("ocho-cards", "QH", opening_wild="choose")
    assert (hand.color, hand.turn) == (None, 1)
    run_actions(hand, "1: choose S")
    assert hand.color == "S"


def test_any_card_fits_on_an_opening_wild_without_a_colour() -> None:
    hand = deal_opening("uno-400", "W", opening_wild="plain")
    assert (hand.color, hand.playable(1)) == (None, ["Y1", "Y2"])


def deal_with_returned_card(
    ruleset: str, top: str, **options: object
) -> tuple[Position, list[object]]:
    """Deal a hand in which `top` is turned up first and put back.

    Returns the hand, and the name and card of each event of the deal.
    """
    rs = rulesets.make(ruleset, {"hand_size": 1, **options})
    suited = rs.colors == "SHDC"
    held, rest = (["3S", "3H"], ["5C", "6C"]) if suited else (["R1", "Y1"], ["G5", "B6"])
    chance = RecordedChance([[*rest, top]], rs.pack)
    events: list[Event] = []
    hand = Position.deal(rs, 2, 0, [*held, top, *rest], chance, events)
    return hand, [(event["event"], event.get("card")) for event in events]


@pytest.mark.parametrize(
    ("ruleset", "top", "options"),
    [
        ("uno-400", "W+4", {}),
        ("uno-500", "W+4", {}),
        ("uno-assignment", "W+4", {}),
        ("ocho", "W+4", {}),
        ("ocho", "W", {}),
        ("ocho", "SH", {}),
        ("ocho", "XR", {}),
        ("ocho-cards", "JK", {}),
        ("ocho-cards", "KC", {"opening_wild": "redraw"}),
        ("uno-500", "BLANK", {"blanks": 1}),
    ],
)
def test_unsuitable_opening_card_returns_to_the_pile(
    ruleset: str, top: str, options: dict[str, Any]
) -> None:
    hand, events = deal_with_returned_card(ruleset, top, **options)
    assert hand.top in ("G5", "5C")
    assert (hand.counts, len(hand.draw), len(hand.discard)) == ([1, 1], 2, 1)
    assert events == [("returned", top), ("opening", hand.top)]


def test_unsuitable_opening_card_stays_if_no_other_card_is_left() -> None:
    rs = rulesets.make("uno-400", {"hand_size": 1})
    hand = Position.deal(rs, 2, 0, ["R1", "Y1", "W+4"])
    assert (hand.top, hand.color, hand.playable(1)) == ("W+4", None, ["R1"])


def test_deal_with_too_few_cards_is_refused() -> None:
    with pytest.raises(OptionError, match="14 cards are not enough to deal 7 each to 2 players"):
        Position.deal(rulesets.RULE_SETS["uno-400"], 2, 0, ["R1"] * 14)


def test_too_many_players_are_refused() -> None:
    with pytest.raises(OptionError, match="These rules are for 2 to 10 players, not 11"):
        Position.deal(rulesets.RULE_SETS["uno-400"], 11, 0, ["R1"] * 100)
