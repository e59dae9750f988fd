"""Tests of calling UNO, catching a player who forgot, and the time in which both are possible."""

from typing import Any

import pytest

from games.rules.hand.position import Position
from tests.rules.table import get_refusal_code, list_event_names, make_position, run_actions

DRAW_PILE = "Y1 Y2 Y3 Y4 Y6 Y7 Y8"


def make_hand_without_call(
    ruleset: str = "uno-400", others: str = "B2 B9 G8|G1 G2 Y9", **options: Any
) -> Position:
    """Return a hand in which seat 0 has just played R3 without calling UNO."""
    hand = make_position(ruleset, f"R3 G5|{others}", top="R5", draw=DRAW_PILE, **options)
    run_actions(hand, "0: R3")
    return hand


def make_suited_hand(hands: str, top: str = "9H") -> Position:
    return make_position("ocho-cards", hands, top=top, draw="8S 9S 10S 3D 4D 5D 6D")


def test_caught_player_draws_immediately() -> None:
    hand = make_hand_without_call()
    assert get_refusal_code(hand, "0: catch 0") == "catch-self"
    assert run_actions(hand, "2: catch 0") == [
        {"event": "caught", "seat": 0, "by": 2, "cards": 2},
        {
            "event": "drew",
            "seat": 0,
            "cards": 2,
            "why": "uno",
            "private": {"0": {"cards": ["Y1", "Y2"]}},
        },
    ]
    assert (hand.counts, hand.turn) == ([3, 3, 3], 1)
    assert get_refusal_code(hand, "1: catch 0") == "nothing-to-catch"


def test_penalty_for_a_forgotten_call_is_an_option() -> None:
    hand = make_hand_without_call(uno_penalty=5)
    run_actions(hand, "1: catch 0")
    assert hand.counts == [6, 3, 3]


def test_uno_with_the_play_or_just_after_is_in_time() -> None:
    hand = make_position("uno-400", "R3 G5|B2 B9|G1 G2", top="R5", draw=DRAW_PILE)
    events = run_actions(hand, "0: R3 uno")
    assert events[0]["uno"] is True
    assert hand.view(None)["said_uno"] == [0]
    assert get_refusal_code(hand, "1: catch 0") == "nothing-to-catch"
    assert get_refusal_code(hand, "0: call") == "already-said"
    hand = make_hand_without_call()
    assert list_event_names(run_actions(hand, "0: call")) == ["called"]
    assert get_refusal_code(hand, "1: catch 0") == "nothing-to-catch"
    assert hand.view(None)["said_uno"] == [0]


def test_uno_calls_are_public() -> None:
    hand = make_position("uno-400", "R3 G5 B1|R2 B9|G1 G2", top="R5", draw=DRAW_PILE)
    run_actions(hand, "0: R3", "1: R2 uno")
    assert hand.view(None)["said_uno"] == [1]


def test_uno_with_a_play_that_leaves_more_cards_has_no_effect() -> None:
    hand = make_position("uno-400", "R3 R4 G5|B2 B9|R1 G2", top="R5", draw=DRAW_PILE)
    assert run_actions(hand, "0: R3 uno")[0]["uno"] is False
    run_actions(hand, "1: draw", "2: R1", "0: R4")
    run_actions(hand, "1: catch 0")
    assert hand.counts[0] == 3


def test_player_with_two_cards_cannot_call_or_be_caught() -> None:
    hand = make_position("uno-400", "R3 R4 G5|B2 B9|R1 G2", top="R5", draw=DRAW_PILE)
    run_actions(hand, "0: R3")
    assert get_refusal_code(hand, "1: catch 0") == "nothing-to-catch"
    assert get_refusal_code(hand, "0: call") == "not-one-card"


def test_call_still_counts_when_no_card_is_left_to_draw() -> None:
    hand = make_position("ocho", "DR B5 B6|B2 B9|R9 Y3", top="R5", uno_penalty=2, turn=2)
    run_actions(hand, "2: R9 uno", "0: DR")
    assert hand.counts == [2, 4, 1]
    assert hand.view(None)["said_uno"] == [2]


@pytest.mark.parametrize("ruleset", ["uno-400", "uno-assignment", "ocho-cards"])
def test_call_before_the_play_is_too_early_in_other_rule_sets(ruleset: str) -> None:
    hands = "9H 3C|4D 5D" if ruleset == "ocho-cards" else "R3 G5|B2 B9"
    hand = make_position(ruleset, hands, top="8H" if ruleset == "ocho-cards" else "R5", draw="")
    assert get_refusal_code(hand, "0: call") == "not-one-card"


def test_uno_500_allows_the_call_before_the_play() -> None:
    hand = make_position("uno-500", "R3 G5|R1 B2|G1 G2", top="R5", draw=DRAW_PILE)
    assert get_refusal_code(hand, "1: call") == "nothing-to-call"
    run_actions(hand, "0: call", "0: R3")
    assert get_refusal_code(hand, "1: catch 0") == "nothing-to-catch"


def test_call_before_a_play_needs_a_playable_card() -> None:
    hand = make_position("uno-500", "B3 G4|R1 B2|G1 G2", top="R5", draw=DRAW_PILE)
    assert get_refusal_code(hand, "0: call") == "nothing-to-call"


def test_call_before_playing_a_drawn_card_counts() -> None:
    hand = make_position("uno-500", "B3|R1 B2|G1 G2", top="R5", draw="R9 " + DRAW_PILE)
    run_actions(hand, "0: draw", "0: call", "0: R9")
    assert get_refusal_code(hand, "1: catch 0") == "nothing-to-catch"


def test_call_with_two_cards_lapses_without_a_play() -> None:
    hand = make_position("uno-500", "R3 G5|R1 B2|G1 G2", top="R5", draw="R9 B8 B7 B6 B4 B3")
    run_actions(hand, "0: call", "0: draw")
    assert hand.view(None)["said_uno"] == []
    run_actions(hand, "0: R9", "1: draw", "2: draw", "0: R3")
    assert get_refusal_code(hand, "2: catch 0") == "accepted"


def test_call_lapses_with_a_pass_when_no_card_could_be_drawn() -> None:
    hand = make_position("uno-500", "R3 G5|R1 B2|G1 G2", top="R5")
    run_actions(hand, "0: call", "0: draw", "0: pass")
    assert hand.view(None)["said_uno"] == []


def test_uno_must_be_called_again_each_time() -> None:
    hand = make_position(
        "uno-assignment", "R3 G5|B1 B2 B3|G1 G2 G3", top="R5", draw="B9 B8 R9 Y1 Y2"
    )
    run_actions(hand, "0: R3 uno", "1: draw", "2: draw", "0: draw", "0: R9")
    assert hand.view(None)["said_uno"] == []
    assert get_refusal_code(hand, "1: catch 0") == "accepted"


def test_next_begins_window_closes_when_the_next_player_draws_or_plays() -> None:
    for action in ("1: draw", "1: R1"):
        hand = make_hand_without_call(others="B2 R1 G8|G1 G2 Y9")
        run_actions(hand, action)
        assert get_refusal_code(hand, "2: catch 0") == "nothing-to-catch"
        assert get_refusal_code(hand, "0: call") == "nothing-to-call"


def test_next_ends_window_stays_open_while_a_drawn_card_can_be_played() -> None:
    hand = make_position(
        "uno-assignment", "R3 G5|B2 B9 G8|G1 G2 Y9", top="R5", draw="R9 " + DRAW_PILE
    )
    run_actions(hand, "0: R3", "1: draw")
    assert get_refusal_code(hand.copy(), "2: catch 0") == "accepted"
    run_actions(hand, "1: R9")
    assert get_refusal_code(hand, "2: catch 0") == "nothing-to-catch"


@pytest.mark.parametrize("ending", ["draw", "pass"])
def test_next_ends_window_closes_at_the_end_of_the_next_turn(ending: str) -> None:
    first = "B1" if ending == "draw" else "R9"
    hand = make_position(
        "uno-assignment",
        "R3 G5|B2 B9 G8|G1 G2 Y9",
        top="R5",
        draw=f"{first} {DRAW_PILE}",
        drawn_card="may",
    )
    run_actions(hand, "0: R3", "1: draw")
    if ending == "pass":
        run_actions(hand, "1: pass")
    assert get_refusal_code(hand, "2: catch 0") == "nothing-to-catch"


def test_own_turn_window_stays_open_until_the_seat_acts() -> None:
    hand = make_suited_hand("8H 3C|7D 4C 8D|7H 6C 5C")
    run_actions(hand, "0: 8H", "1: 8D", "2: draw", "2: 8S")
    assert hand.turn == 0
    assert get_refusal_code(hand.copy(), "1: catch 0") == "accepted"
    assert get_refusal_code(hand.copy(), "0: call") == "accepted"
    run_actions(hand, "0: draw")
    assert get_refusal_code(hand, "1: catch 0") == "nothing-to-catch"


def test_own_turn_window_begins_with_a_respectful_pause() -> None:
    hand = make_suited_hand("8H 3C|8D 4C 4D|7H 6C 5C")
    run_actions(hand, "0: 8H", now=100.0)
    assert get_refusal_code(hand, "1: catch 0", now=101.4) == "too-early"
    assert hand.view(1, now=101.4)["may"]["catch"] == []
    assert hand.view(1, now=101.5)["may"]["catch"] == [0]
    stored = type(hand).from_json(hand.rs, hand.to_json())
    assert get_refusal_code(stored, "1: catch 0", now=101.4) == "too-early"
    run_actions(hand, "1: catch 0", now=101.5)
    assert hand.counts == [5, 3, 3]


def test_play_without_a_time_has_no_respectful_pause() -> None:
    hand = make_suited_hand("8H 3C|8D 4C 4D|7H 6C 5C")
    run_actions(hand, "0: 8H")
    assert hand.view(1, now=0.0)["may"]["catch"] == [0]


def test_other_windows_have_no_respectful_pause() -> None:
    hand = make_position("uno-400", "R3 G5|B2 B9|G1 G2", top="R5", draw=DRAW_PILE)
    run_actions(hand, "0: R3", now=100.0)
    run_actions(hand, "1: catch 0", now=100.0)
    assert hand.counts == [3, 2, 2]


@pytest.mark.parametrize("ruleset", ["uno-400", "uno-assignment"])
def test_drawing_a_penalty_does_not_begin_a_turn(ruleset: str) -> None:
    hand = make_position(ruleset, "R+2 G5|B2 B9|G1 G2", top="R5", draw=DRAW_PILE)
    run_actions(hand, "0: R+2", "1: draw")
    assert get_refusal_code(hand.copy(), "1: catch 0") == "accepted"
    run_actions(hand, "2: draw")
    assert get_refusal_code(hand, "1: catch 0") == "nothing-to-catch"


@pytest.mark.parametrize("ruleset", ["uno-400", "uno-assignment"])
def test_losing_a_challenge_does_not_begin_a_turn(ruleset: str) -> None:
    hand = make_position(ruleset, "W+4 G5|B2 B9|G1 G2", top="R5", draw=DRAW_PILE)
    run_actions(hand, "0: W+4 B", "1: challenge")
    assert (hand.turn, get_refusal_code(hand, "1: catch 0")) == (2, "accepted")


def test_stacked_card_closes_the_window() -> None:
    hand = make_position(
        "uno-400", "R+2 G5|B+2 B9 B8|G1 G2", top="R5", draw=DRAW_PILE, stacking="draw-two"
    )
    run_actions(hand, "0: R+2", "1: B+2")
    assert get_refusal_code(hand, "2: catch 0") == "nothing-to-catch"


@pytest.mark.parametrize("ruleset", ["uno-400", "uno-assignment"])
def test_window_closes_when_the_same_player_acts_again(ruleset: str) -> None:
    hand = make_position(ruleset, "RS G5|B2 B9", top="R5", draw=DRAW_PILE)
    run_actions(hand, "0: RS")
    assert get_refusal_code(hand.copy(), "1: catch 0") == "accepted"
    run_actions(hand, "0: draw")
    assert get_refusal_code(hand, "1: catch 0") == "nothing-to-catch"


def test_skipped_player_does_not_close_the_window() -> None:
    hand = make_position("uno-400", "RS G5|B2 B9|G1 G2", top="R5", draw=DRAW_PILE)
    run_actions(hand, "0: RS")
    assert (hand.turn, get_refusal_code(hand, "1: catch 0")) == (2, "accepted")


def test_catch_before_the_play_is_refused() -> None:
    hand = make_position("uno-400", "R3 G5|B2 B9", top="R5", draw=DRAW_PILE)
    assert get_refusal_code(hand, "1: catch 0") == "nothing-to-catch"


def test_catch_does_not_change_a_pending_penalty() -> None:
    hand = make_position("uno-400", "R+2 G5|B2 B9|G1 G2", top="R5", draw=DRAW_PILE)
    run_actions(hand, "0: R+2", "2: catch 0")
    assert (hand.turn, hand.penalty, hand.counts) == (1, 2, [3, 2, 2])


def test_one_card_in_a_set_up_position_needs_no_call() -> None:
    hand = make_position("uno-400", "R3|B2 B9", top="R5", draw=DRAW_PILE)
    assert get_refusal_code(hand, "1: catch 0") == "nothing-to-catch"
    assert get_refusal_code(hand, "0: call") == "nothing-to-call"


def test_rules_without_a_uno_call_have_no_calls_or_catches() -> None:
    hand = make_position("ocho", "R3 G5|R1 B2", top="R5", draw="B9")
    run_actions(hand, "0: R3 uno")
    assert get_refusal_code(hand, "0: call") == "no-uno-call"
    assert get_refusal_code(hand, "1: catch 0") == "no-uno-call"


@pytest.mark.parametrize(
    ("options", "code"),
    [({}, "partner-catch"), ({"partner_catches": True}, "accepted")],
)
def test_partner_catches_depend_on_the_options(options: dict[str, Any], code: str) -> None:
    hand = make_position(
        "uno-500", "R3 G5|B2 B9|G1 G2|Y1 Y2", top="R5", draw=DRAW_PILE, partners=True, **options
    )
    run_actions(hand, "0: R3")
    assert get_refusal_code(hand.copy(), "2: catch 0") == code
    assert get_refusal_code(hand.copy(), "1: catch 0") == "accepted"


@pytest.mark.parametrize("penalty", [1, 2])
def test_wrong_catch_can_cost_a_penalty(penalty: int) -> None:
    hand = make_position(
        "uno-400", "R3 G5|B2 B9|G1", top="R5", draw=DRAW_PILE, wrong_catch_penalty=penalty
    )
    events = run_actions(hand, "1: catch 0")
    assert events[0] == {"event": "wrong_catch", "seat": 1, "of": 0, "cards": penalty}
    assert (events[1]["seat"], events[1]["why"]) == (1, "wrong_catch")
    assert (hand.counts, hand.turn) == ([2, 2 + penalty, 1], 0)
    assert get_refusal_code(hand, "1: catch 1") == "catch-self"
    assert hand.view(1)["may"]["catch"] == [0, 2]


def test_right_catch_costs_nothing_if_wrong_catches_are_penalized() -> None:
    hand = make_hand_without_call(wrong_catch_penalty=1)
    run_actions(hand, "1: catch 0")
    assert hand.counts == [3, 3, 3]


def test_no_catch_is_possible_after_the_hand() -> None:
    hand = make_position("uno-400", "R3|B2", top="R5", wrong_catch_penalty=1)
    run_actions(hand, "0: R3")
    assert get_refusal_code(hand, "0: catch 1") == "hand-over"
    assert get_refusal_code(hand, "1: call") == "hand-over"


def test_two_players_can_be_caught_in_overlapping_own_turn_windows() -> None:
    hand = make_suited_hand("8H 3C|8D 4C|7H 6C 5C")
    run_actions(hand, "0: 8H", "1: 8D")
    assert hand.view(2)["may"]["catch"] == [0, 1]
    run_actions(hand, "2: catch 0", "2: catch 1")
    assert hand.counts == [5, 5, 3]


def test_catch_closes_the_window_even_if_no_card_is_left() -> None:
    hand = make_position("uno-400", "R+2 G5|B2 B9|G1 G2", top="R5", draw="")
    run_actions(hand, "0: R+2", "1: draw", "1: catch 0")
    assert hand.counts == [1, 3, 2]
    assert get_refusal_code(hand, "1: catch 0") == "nothing-to-catch"
    assert get_refusal_code(hand, "0: call") == "nothing-to-call"


def test_wrong_catch_does_not_close_the_window() -> None:
    hand = make_hand_without_call(wrong_catch_penalty=1)
    run_actions(hand, "2: catch 1")
    assert get_refusal_code(hand.copy(), "0: call") == "accepted"
    run_actions(hand, "1: catch 0")
    assert hand.counts == [3, 3, 4]


def test_ocho_can_be_said_only_with_an_eight() -> None:
    hand = make_suited_hand("8H 3C 4C|8D 4C")
    assert list_event_names(run_actions(hand, "0: 8H ocho")) == ["played", "said_ocho"]
    hand = make_suited_hand("9H 3C 4C|8D 4C")
    assert list_event_names(run_actions(hand, "0: 9H ocho")) == ["played", "identical", "skipped"]


def test_call_is_offered_only_to_the_player_who_forgot() -> None:
    hand = make_position("uno-400", "R5 R6 R9|R8 G7|Y1 Y2", top="R7", draw=DRAW_PILE)
    run_actions(hand, "0: R5", "1: R8")
    offered = [[a.to_json() for a in hand.legal_actions(seat)] for seat in range(hand.seats)]
    assert [{"call": True} in actions for actions in offered] == [False, True, False]
