"""Tests of blank cards (001 "What are these extra cards for?")."""

from typing import Any

import pytest

from games.rules.hand.position import Position
from tests.rules.table import get_refusal_code, list_event_names, make_position, run_actions

SIX_CARDS = "B9 B7 B6 B5 B4 B3"


def make_hand_with_blanks(rule: str, hands: str, **options: Any) -> Position:
    return make_position(
        "uno-500", hands, top="R5", draw=SIX_CARDS, blanks=4, blank_rule=rule, **options
    )


def test_replacement_blank_equals_the_card_it_replaces() -> None:
    hand = make_hand_with_blanks("replace", "BLANK Y7 R1|Y1 Y2", blank_card="R7")
    assert hand.cards(0) == ["R7", "Y7", "R1"]
    run_actions(hand, "0: BLANK")
    assert (hand.top, hand.color, hand.turn) == ("R7", "R", 1)


def test_blank_with_a_house_rule_is_wild() -> None:
    hand = make_hand_with_blanks("draw-one", "BLANK R1 R2|Y1 Y2|G1")
    assert hand.playable(0) == ["BLANK", "R1", "R2"]
    assert get_refusal_code(hand, "0: BLANK") == "color-needed"


def test_blank_makes_all_other_players_draw_one() -> None:
    hand = make_hand_with_blanks("draw-one", "BLANK R1 R2|Y1 Y2|G1")
    events = run_actions(hand, "0: BLANK G")
    assert (hand.counts, hand.turn, hand.color) == ([2, 3, 2], 1, "G")
    assert [event["why"] for event in events[1:]] == ["blank", "blank"]


def test_blank_swaps_hands_with_a_chosen_player() -> None:
    hand = make_hand_with_blanks("swap", "BLANK R1 R2|Y1 Y2|G1 G2 G3")
    assert get_refusal_code(hand, "0: BLANK G") == "seat-needed"
    assert get_refusal_code(hand, "0: BLANK G with 0") == "unknown-seat"
    assert get_refusal_code(hand, "0: BLANK G with 3") == "unknown-seat"
    assert get_refusal_code(hand, "0: R1 with 1") == "seat-not-wanted"
    events = run_actions(hand, "0: BLANK G with 2")
    assert events[1] == {"event": "swapped", "seat": 0, "with": 2}
    assert [hand.cards(seat) for seat in range(3)] == [
        ["G1", "G2", "G3"],
        ["Y1", "Y2"],
        ["R1", "R2"],
    ]
    assert (hand.turn, hand.playable(1)) == (1, [])


def test_every_swap_is_offered() -> None:
    hand = make_hand_with_blanks("swap", "BLANK R1 R2|Y1 Y2|G1 G2 G3")
    offered = [a.to_json() for a in hand.legal_actions(0) if a.card == "BLANK"]
    assert offered == [
        {"play": "BLANK", "color": color, "with": seat} for color in "RYGB" for seat in (1, 2)
    ]


@pytest.mark.parametrize(("direction", "first"), [(1, ["G1"]), (-1, ["Y1", "Y2"])])
def test_hands_pass_to_the_next_player_in_the_direction_of_play(
    direction: int, first: list[str]
) -> None:
    hand = make_hand_with_blanks("pass-hands", "BLANK R1 R2|Y1 Y2|G1")
    hand.direction = direction
    run_actions(hand, "0: BLANK G")
    assert hand.cards(0) == first
    assert hand.turn == (1 if direction == 1 else 2)


def test_single_card_received_in_a_swap_needs_no_call() -> None:
    hand = make_hand_with_blanks("swap", "BLANK R1 R2|Y1 Y2|G1")
    run_actions(hand, "0: BLANK G with 2")
    assert get_refusal_code(hand, "1: catch 0") == "nothing-to-catch"


def test_seen_cards_are_forgotten_when_hands_move() -> None:
    hand = make_position(
        "ocho", "XR BLANK R1|Y2 Y3|G1 G2", top="R5", blanks=1, blank_rule="swap", draw="R9 R6"
    )
    run_actions(hand, "0: XR B", "1: draw", "2: draw", "0: BLANK G with 1")
    assert hand.view(0)["seen"] == {"2": ["G1"]}


def test_blank_skips_all_other_players() -> None:
    hand = make_hand_with_blanks("skip-everybody", "BLANK R1 R2|Y1 Y2|G1")
    events = run_actions(hand, "0: BLANK G")
    assert hand.turn == 0
    assert [event["seat"] for event in events if event["event"] == "skipped"] == [1, 2]


@pytest.mark.parametrize(
    ("rule", "counts"),
    [
        ("draw-one", [0, 3, 2]),
        ("swap", [0, 2, 1]),
        ("pass-hands", [0, 2, 1]),
        ("skip-everybody", [0, 2, 1]),
    ],
)
def test_player_goes_out_with_a_last_blank(rule: str, counts: list[int]) -> None:
    hand = make_hand_with_blanks(rule, "BLANK|Y1 Y2|G1")
    events = run_actions(hand, "0: BLANK")
    assert (hand.winner, hand.counts) == (0, counts)
    assert list_event_names(events)[0] == "played"
    assert list_event_names(events)[-1] == "over"


def test_last_blank_can_still_name_colour_and_seat() -> None:
    hand = make_hand_with_blanks("swap", "BLANK|Y1 Y2|G1")
    run_actions(hand, "0: BLANK G with 2")
    assert hand.winner == 0


def test_points_of_a_blank_are_an_option() -> None:
    hand = make_hand_with_blanks("draw-one", "R1|BLANK Y2", blank_points=30)
    run_actions(hand, "0: R1")
    assert hand.points == [32, 0]
