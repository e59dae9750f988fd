"""Tests of identical cards (002), including Reverse and Draw Two."""

import pytest

from tests.rules.table import deal_hand, list_event_names, make_position, run_actions


def test_identical_card_skips_the_next_player() -> None:
    hand = make_position("ocho-cards", "9H 3C 4C|9D 5S|9C 7C", top="9H")
    events = run_actions(hand, "0: 9H")
    assert (hand.turn, hand.direction) == (2, 1)
    assert list_event_names(events) == ["played", "identical", "skipped"]
    assert events[2] == {"event": "skipped", "seat": 1}


def test_card_can_be_identical_to_the_opening_card() -> None:
    hand = deal_hand("ocho-cards", 3, 0, "3S 4S|9H 4H|5C 6C", "9H", "7C", hand_size=2)
    run_actions(hand, "1: 9H")
    assert hand.turn == 0


@pytest.mark.parametrize(
    ("ruleset", "hands", "top", "color"),
    [
        ("ocho-cards", "JK JK 3H|3S 4S|5C 6C", "JK", "H"),
        ("uno-400", "W W R3|R1 R2|B1 B2", "W", "R"),
    ],
)
def test_cards_without_rank_and_suit_are_never_identical(
    ruleset: str, hands: str, top: str, color: str
) -> None:
    hand = make_position(ruleset, hands, top=top, color=color, identical_skips=True)
    run_actions(hand, f"0: {top} {color}")
    assert hand.turn == 1


def test_identical_face_card_skips_after_the_choice_of_a_suit() -> None:
    hand = make_position("ocho-cards", "QH 3C 4C|9D 5S|9C 7C", top="QH")
    run_actions(hand, "0: QH S")
    assert (hand.turn, hand.color) == (2, "S")


def test_ace_of_another_suit_reverses() -> None:
    hand = make_position("ocho-cards", "AS 3C 4C|9D 5S|9C 7C", top="AH")
    run_actions(hand, "0: AS")
    assert (hand.turn, hand.direction) == (2, -1)


def test_identical_ace_reverses_before_it_skips() -> None:
    hand = make_position("ocho-cards", "AH 3C 4C|9D 5S|9C 7C|3D 4D", top="AH")
    run_actions(hand, "0: AH")
    assert (hand.turn, hand.direction) == (2, -1)


def test_identical_ace_skips_once_with_two_players() -> None:
    hand = make_position("ocho-cards", "AH 3C 4C|9D 5S", top="AH")
    run_actions(hand, "0: AH")
    assert (hand.turn, hand.direction) == (0, 1)


def test_identical_draw_card_stacks_and_skips() -> None:
    hand = make_position(
        "ocho-cards", "2H 3C|2H 5S|2S 6C|2D 7C", top="9H", draw="4S 6S 8S 9S 10S JS"
    )
    run_actions(hand, "0: 2H uno", "1: 2H uno")
    assert (hand.turn, hand.penalty, hand.playable(3)) == (3, 4, ["2D"])
    run_actions(hand, "3: draw")
    assert (hand.turn, hand.counts) == (0, [1, 1, 2, 6])


def test_identical_two_skips_even_if_the_earlier_penalty_was_drawn() -> None:
    hand = make_position("ocho-cards", "2H 3C|5S 5C|2S 6C", top="2H", draw="4S 6S")
    events = run_actions(hand, "0: 2H uno")
    assert (hand.turn, hand.penalty) == (2, 2)
    assert list_event_names(events) == ["played", "identical", "skipped", "penalty"]


def test_identical_two_with_two_players_affects_its_own_player() -> None:
    hand = make_position("ocho-cards", "2H 3C 4C|2H 2S 5S", top="9H", draw="4S 6S 8S 9S 10S JS")
    run_actions(hand, "0: 2H", "1: 2H")
    assert (hand.turn, hand.penalty, hand.playable(1)) == (1, 4, ["2S"])
    run_actions(hand, "1: 2S")
    assert (hand.turn, hand.penalty) == (0, 6)


def test_identical_cards_can_skip_in_a_uno_deck() -> None:
    hand = make_position("uno-400", "RS R1 R2|B1 B2|G1 G2|Y1 Y2", top="RS", identical_skips=True)
    run_actions(hand, "0: RS")
    assert hand.turn == 3
    hand = make_position("uno-400", "RS R1 R2|B1 B2", top="RS", identical_skips=True)
    run_actions(hand, "0: RS")
    assert hand.turn == 0
    hand = make_position("uno-400", "R5 R1 R2|B1 B2|G1 G2", top="R5")
    run_actions(hand, "0: R5")
    assert hand.turn == 1
