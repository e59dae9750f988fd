"""Tests of going out: the effect of the last card, and the points of the hand."""

import pytest

from tests.rules.table import get_refusal_code, list_event_names, make_position, run_actions


def test_player_goes_out_with_the_last_card() -> None:
    hand = make_position("uno-400", "R3|R1 B2 W|G+2 G0 Y9", top="R5", draw="Y1")
    events = run_actions(hand, "0: R3")
    assert (hand.over, hand.winner, hand.points, hand.turn) == (True, 0, [82, 0, 0], None)
    assert events[-1] == {"event": "over", "winner": 0, "points": [82, 0, 0], "blocked": False}
    assert [hand.legal_actions(seat) for seat in range(3)] == [[], [], []]
    assert get_refusal_code(hand, "1: draw") == "hand-over"
    assert get_refusal_code(hand, "1: R1") == "hand-over"


@pytest.mark.parametrize(
    ("ruleset", "card", "count"),
    [
        ("uno-500", "R+2", 2),
        ("uno-400", "R+2", 2),
        ("uno-assignment", "W+4 G", 4),
        ("uno-400", "W+4", 4),
        ("ocho", "W+4 G", 4),
    ],
)
def test_cards_drawn_for_a_last_draw_card_count_as_points(
    ruleset: str, card: str, count: int
) -> None:
    hand = make_position(ruleset, f"{card.split()[0]}|Y1 B2|G4", top="R5", draw="Y9 Y7 B1 B3")
    events = run_actions(hand, f"0: {card}")
    assert hand.points == [1 + 2 + 4 + sum([9, 7, 1, 3][:count]), 0, 0]
    assert (hand.winner, hand.penalty, hand.counts) == (0, 0, [0, 2 + count, 1])
    assert events[1]["why"] == "last_card"


def test_last_draw_card_cannot_be_answered() -> None:
    hand = make_position("ocho", "R+2|SH G+2|G4", top="R5", draw="Y9 Y7")
    run_actions(hand, "0: R+2")
    assert (hand.over, hand.counts) == (True, [0, 4, 1])


def test_last_draw_card_adds_to_the_cards_already_owed() -> None:
    hand = make_position("ocho", "R+2 Y1|G+2|G4 G5", top="R5", draw="Y9 Y7 B1 B2 B3")
    run_actions(hand, "0: R+2", "1: G+2")
    assert (hand.winner, hand.counts) == (1, [1, 0, 6])


def test_next_player_in_the_direction_of_play_draws_for_the_last_card() -> None:
    hand = make_position("uno-400", "R+2|Y1|G4", top="R5", draw="Y9 Y7", direction=-1)
    run_actions(hand, "0: R+2")
    assert hand.counts == [0, 1, 3]


def test_last_wild_needs_no_colour() -> None:
    for text in ("0: W", "0: W G", "0: W uno"):
        hand = make_position("uno-400", "W|Y1|G4", top="R5")
        run_actions(hand, text)
        assert (hand.winner, hand.points) == (0, [5, 0, 0])


def test_wild_that_is_not_the_last_card_needs_a_colour() -> None:
    hand = make_position("uno-400", "W R1|Y1|G4", top="R5")
    assert get_refusal_code(hand, "0: W") == "color-needed"


def test_player_of_a_last_two_wins_once_the_penalty_is_drawn() -> None:
    hand = make_position("ocho-cards", "2H|4C 5C|6C 7C", top="9H", draw="4S 6S")
    run_actions(hand, "0: 2H")
    assert (hand.over, hand.turn, hand.penalty, hand.counts) == (False, 1, 2, [0, 2, 2])
    assert run_actions(hand, "1: draw")[0]["why"] == "penalty"
    assert (hand.over, hand.winner, hand.turn) == (True, 0, None)
    assert hand.points == [4 + 5 + 4 + 6 + 6 + 7, 0, 0]


def test_player_of_a_last_two_does_not_win_if_the_penalty_returns() -> None:
    hand = make_position("ocho-cards", "2H|2S 5C|2D 7C", top="9H", draw="4S 6S 8S 9S 10S JS QS")
    run_actions(hand, "0: 2H", "1: 2S uno", "2: 2D uno")
    assert (hand.turn, hand.penalty, hand.over, hand.playable(0)) == (0, 6, False, [])
    run_actions(hand, "0: draw")
    assert (hand.counts, hand.over, hand.turn) == ([6, 1, 1], False, 1)


def test_first_of_two_players_without_cards_wins() -> None:
    hand = make_position("ocho-cards", "2H|2S|5D 7C", top="9H", draw="4S 6S 8S 9S")
    run_actions(hand, "0: 2H", "1: 2S", "2: draw")
    assert (hand.over, hand.winner, hand.counts) == (True, 0, [0, 0, 6])


def test_second_player_without_cards_wins_if_the_first_has_to_draw() -> None:
    hand = make_position("ocho-cards", "2H|2S", top="9H", draw="4S 6S 8S 9S")
    run_actions(hand, "0: 2H", "1: 2S", "0: draw")
    assert (hand.over, hand.winner, hand.counts) == (True, 1, [4, 0])


def test_identical_last_two_returns_to_its_player_with_two_players() -> None:
    hand = make_position("ocho-cards", "2H|5D 7C", top="2H", draw="4S 6S 8S 9S")
    run_actions(hand, "0: 2H")
    assert (hand.turn, hand.penalty) == (0, 2)
    run_actions(hand, "0: draw")
    assert (hand.over, hand.counts, hand.turn) == (False, [2, 2], 1)


def test_no_one_draws_for_an_identical_last_draw_card_with_two_players() -> None:
    hand = make_position("uno-400", "R+2|Y1 Y2", top="R+2", draw="B1 B2", identical_skips=True)
    assert list_event_names(run_actions(hand, "0: R+2")) == ["played", "over"]
    assert (hand.winner, hand.cards(1)) == (0, ["Y1", "Y2"])


def test_last_two_wins_immediately_under_the_option_at_once() -> None:
    hand = make_position(
        "ocho-cards", "2H|2S 5C|6C", top="9H", draw="4S 6S", last_draw_two="at-once"
    )
    run_actions(hand, "0: 2H")
    assert (hand.over, hand.winner, hand.counts) == (True, 0, [0, 4, 1])


def test_last_joker_wins_immediately() -> None:
    hand = make_position("ocho-cards", "JK|2S 5C|6C", top="9H", draw="4S 6S 7S 8S")
    run_actions(hand, "0: JK")
    assert (hand.over, hand.winner, hand.counts) == (True, 0, [0, 6, 1])


def test_last_draw_two_can_wait_for_the_stack_in_other_rule_sets() -> None:
    hand = make_position(
        "ocho",
        "R+2|SH G5|G1",
        top="R5",
        draw="B1 B2",
        last_draw_two="after-stack",
    )
    run_actions(hand, "0: R+2", "1: SH G")
    assert (hand.turn, hand.penalty, hand.over) == (0, 2, False)
    run_actions(hand, "0: draw")
    assert (hand.counts, hand.over, hand.turn) == ([2, 1, 1], False, 2)


def test_last_draw_two_wins_after_the_draw_if_there_is_no_stacking() -> None:
    hand = make_position(
        "uno-400", "R+2|Y1|G4", top="R5", draw="Y9 Y7", last_draw_two="after-stack"
    )
    run_actions(hand, "0: R+2", "1: draw")
    assert (hand.over, hand.winner) == (True, 0)


def test_player_of_a_last_draw_two_wins_after_a_challenge() -> None:
    hand = make_position(
        "uno-400",
        "R+2|W+4 B1 R1|G4 G5",
        top="R5",
        draw="Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8",
        stacking="any-draw",
        last_draw_two="after-stack",
    )
    run_actions(hand, "0: R+2", "1: W+4 G", "2: challenge")
    assert (hand.over, hand.winner, hand.counts) == (True, 0, [0, 8, 2])


def test_both_partners_score_the_winners_points() -> None:
    hand = make_position("uno-500", "R3|R1 B2|G9 G8|W", top="R5", partners=True)
    run_actions(hand, "0: R3")
    assert (hand.winner, hand.points) == (0, [53, 0, 53, 0])


@pytest.mark.parametrize("scoring", ["lowest", "elimination"])
def test_running_totals_count_the_cards_left_in_hand(scoring: str) -> None:
    hand = make_position("uno-500", "R3|R1 B2|G9 W", top="R5", scoring=scoring)
    run_actions(hand, "0: R3")
    assert hand.points == [0, 3, 59]


def test_partners_have_equal_running_totals() -> None:
    hand = make_position("uno-500", "R3|R1 B2|G9 G8|W", top="R5", partners=True, scoring="lowest")
    run_actions(hand, "0: R3")
    assert hand.points == [0, 53, 0, 53]


def test_copied_hand_is_independent() -> None:
    hand = make_position("uno-400", "R3 R4|R1 B2|G9", top="R5", draw="Y1 Y2")
    before = hand.to_json()
    twin = hand.copy()
    run_actions(twin, "0: R3", "1: catch 0", "1: R1", "2: draw")
    assert hand.to_json() == before
    assert list_event_names(run_actions(hand, "0: R3")) == ["played"]
