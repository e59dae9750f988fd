"""Tests of a turn: matching, declining, drawing and keeping cards, and an empty draw pile."""

import pytest

from tests.rules.table import get_refusal_code, list_event_names, make_position, run_actions


@pytest.mark.parametrize(
    ("ruleset", "top", "color", "cards", "fits"),
    [
        ("uno-400", "R5", None, "R9 G5 RS W W+4 G6", "R9 G5 RS W W+4"),
        ("uno-400", "RS", None, "BS BR R0 Y+2", "BS R0"),
        ("uno-400", "W", "G", "G1 R5 GS W W+4", "G1 GS W W+4"),
        ("uno-400", "W+4", "G", "G+2 R+2 W+4", "G+2 W+4"),
        ("ocho", "R5", None, "DR BB SH XR G5", "DR SH XR G5"),
        ("ocho", "W", "R", "DR BB", "DR"),
        ("ocho", "SH", "B", "DR BB SH B1 XR", "BB SH B1 XR"),
        ("ocho", "DR", None, "R1 DR G1", "R1 DR"),
        ("ocho", "BB", None, "B1 BB R1", "B1 BB"),
        ("ocho", "R+2", None, "G+2 R1 Y1", "G+2 R1"),
        ("ocho-cards", "9H", None, "9S 4H KS JK 4C", "9S 4H KS JK"),
        ("ocho-cards", "QD", "S", "5S 4D QH JC JK", "5S QH JC JK"),
        ("ocho-cards", "JK", "H", "5H 5S JK KD", "5H JK KD"),
        ("ocho-cards", "AH", None, "AS 2H 2S", "AS 2H"),
    ],
)
def test_matching_cards_are_playable(
    ruleset: str, top: str, color: str | None, cards: str, fits: str
) -> None:
    other = "3C" if ruleset == "ocho-cards" else "Y3"
    hand = make_position(ruleset, f"{cards}|{other}", top=top, color=color)
    assert hand.playable(0) == fits.split()


@pytest.mark.parametrize(
    ("top", "color", "fits"),
    [
        ("9H", None, "QH 4H JK"),
        ("9S", None, "QS JK"),
        ("QD", "S", "QS QH JK"),
        ("QD", "H", "QS QH 4H JK"),
        ("QD", None, "QS QH JK"),
        ("KD", "H", "QH 4H JK"),
    ],
)
def test_restricted_face_cards_must_match(top: str, color: str | None, fits: str) -> None:
    hand = make_position(
        "ocho-cards", "QS QH 4H JK 3C|3C", top=top, color=color, face_wilds="matching"
    )
    assert hand.playable(0) == fits.split()


def test_only_the_drawn_card_can_be_played_or_kept() -> None:
    hand = make_position("uno-400", "R3 B8 G1|G2 B9", top="R5", draw="R7 B5")
    run_actions(hand, "0: draw")
    assert hand.playable(0) == ["R7"]
    assert get_refusal_code(hand, "0: R3") == "only-drawn-card"
    assert get_refusal_code(hand, "0: draw") == "draw-not-allowed"
    assert list_event_names(run_actions(hand, "0: pass")) == ["passed"]
    assert (hand.turn, hand.playable(1)) == (1, [])


def test_drawn_card_that_does_not_fit_ends_the_turn() -> None:
    hand = make_position("uno-400", "R3 B8|G2 B9", top="R5", draw="B7")
    assert run_actions(hand, "0: draw") == [
        {
            "event": "drew",
            "seat": 0,
            "cards": 1,
            "why": "turn",
            "private": {"0": {"cards": ["B7"]}},
        }
    ]
    assert hand.turn == 1


def test_card_identical_to_the_drawn_one_can_be_played() -> None:
    hand = make_position("uno-400", "R7 B8|G2 B9", top="R5", draw="R7")
    run_actions(hand, "0: draw", "0: R7")
    assert hand.cards(0) == ["B8", "R7"]


def test_drawn_card_that_must_be_played_cannot_be_kept() -> None:
    hand = make_position("uno-assignment", "G4 B8|G2 B9", top="R5", draw="R7")
    run_actions(hand, "0: draw")
    assert get_refusal_code(hand, "0: pass") == "must-play"
    assert hand.playable(0) == ["R7"]


@pytest.mark.parametrize(("cards", "passes"), [("R4 B8", True), ("G4 B8", False)])
def test_drawn_bluff_can_be_kept_even_if_drawn_cards_must_be_played(
    cards: str, passes: bool
) -> None:
    hand = make_position("uno-assignment", f"{cards}|G2 B9", top="R5", draw="W+4")
    run_actions(hand, "0: draw")
    assert hand.playable(0) == ["W+4"]
    assert (get_refusal_code(hand.copy(), "0: pass") == "accepted") is passes


def test_declining_to_play_can_be_forbidden() -> None:
    hand = make_position("uno-400", "R3 B8|G2 B9", top="R5", draw="B7", renege=False)
    assert get_refusal_code(hand, "0: draw") == "must-play"
    run_actions(hand, "0: R3")
    assert get_refusal_code(hand.copy(), "1: draw") == "accepted"


def test_player_draws_until_a_card_is_playable() -> None:
    hand = make_position("ocho-cards", "3C 4D|9S 9C", top="9H", draw="4S 6S 2H 8D")
    drew = run_actions(hand, "0: draw")[0]
    assert (drew["cards"], drew["private"]) == (3, {"0": {"cards": ["4S", "6S", "2H"]}})
    assert (hand.playable(0), get_refusal_code(hand, "0: pass")) == (["2H"], "must-play")


def test_drawing_until_the_piles_are_empty_ends_the_turn() -> None:
    hand = make_position("ocho-cards", "3C 4D|9S 9C", top="5H 9H", draw="4S")
    run_actions(hand, "0: draw")
    assert hand.cards(0) == ["3C", "4D", "4S", "5H"]
    assert hand.turn == 0  # the 5 of hearts, reshuffled from the discard pile, can be played
    hand = make_position("ocho-cards", "3C 4D|9S 9C", top="5S 9H", draw="4S")
    run_actions(hand, "0: draw")
    assert (hand.counts, hand.turn) == ([4, 2], 1)


@pytest.mark.parametrize("can_keep", [True, False])
def test_drawn_playable_card_can_be_kept_if_the_option_allows_it(can_keep: bool) -> None:
    hand = make_position(
        "ocho-cards", "3C 4D|9S 9C", top="9H", draw="4S 2H", drawn_card="may", renege=True
    )
    run_actions(hand, "0: draw", "0: pass" if can_keep else "0: 2H")
    assert hand.counts[0] == (4 if can_keep else 3)


def test_discard_pile_is_reshuffled_only_when_a_card_is_needed() -> None:
    hand = make_position("uno-400", "B1 B2|G2 B9", top="Y1 Y2 R5", draw="B7")
    run_actions(hand, "0: draw")
    assert (len(hand.draw), len(hand.discard)) == (0, 3)
    events = run_actions(hand, "1: draw")
    assert list_event_names(events) == ["reshuffled", "drew"]
    assert events[0] == {"event": "reshuffled", "cards": 2}
    assert (len(hand.draw), hand.discard) == (1, [hand.discard[-1]])
    assert (hand.top, hand.cards(1)) == ("R5", ["G2", "B9", "Y1"])


def test_penalty_lapses_when_no_card_is_left() -> None:
    hand = make_position("uno-400", "R+2 B2|G2 B9|G1 G3", top="R5", draw="")
    run_actions(hand, "0: R+2 uno", "1: draw")
    assert (hand.counts, hand.turn, hand.penalty) == ([1, 3, 2], 2, 0)


def test_turn_ends_with_a_pass_when_no_card_is_left() -> None:
    hand = make_position("uno-400", "B1 B2|G2 R9", top="R5", draw="")
    assert run_actions(hand, "0: draw")[0]["cards"] == 0
    assert (hand.turn, hand.playable(0)) == (0, [])
    assert get_refusal_code(hand, "0: draw") == "draw-not-allowed"
    run_actions(hand, "0: pass")
    assert hand.turn == 1


def test_player_cannot_play_after_drawing_nothing() -> None:
    hand = make_position("uno-400", "R1 B2|G2 R9", top="R5", draw="")
    run_actions(hand, "0: draw")
    assert get_refusal_code(hand, "0: R1") == "only-drawn-card"


def test_hand_is_blocked_after_all_players_pass_in_turn() -> None:
    hand = make_position("uno-400", "B1 B2|G2 Y9|G1 B3", top="R5", draw="")
    events = run_actions(hand, "0: draw", "0: pass", "1: draw", "1: pass", "2: draw", "2: pass")
    assert (hand.over, hand.winner, hand.points, hand.turn) == (True, None, [0, 0, 0], None)
    assert events[-1] == {"event": "over", "winner": None, "points": [0, 0, 0], "blocked": True}


def test_play_between_passes_restarts_the_count() -> None:
    hand = make_position("uno-400", "B1 B2 G4|R9 Y9 Y8|Y1 Y3 Y7", top="R5", draw="")
    run_actions(hand, "0: draw", "0: pass", "1: R9", "2: draw", "2: pass", "0: draw", "0: pass")
    assert (hand.turn, hand.over) == (1, False)
    run_actions(hand, "1: draw", "1: pass", "2: draw")
    assert hand.over is False
    run_actions(hand, "2: pass")
    assert (hand.over, hand.winner) == (True, None)


def test_skip_and_reverse_give_another_turn_with_two_players() -> None:
    hand = make_position("uno-400", "RS RR R1 B2|G2 B9", top="R5", draw="B7")
    events = run_actions(hand, "0: RS", "0: RR")
    assert (hand.turn, hand.direction) == (0, 1)
    assert list_event_names(events) == ["played", "skipped", "played", "skipped"]


def test_skip_and_reverse_take_effect_with_three_players() -> None:
    hand = make_position("uno-400", "RS R1 B2|G2 B9|RR R2 B3", top="R5", draw="B7")
    run_actions(hand, "0: RS")
    assert hand.turn == 2
    events = run_actions(hand, "2: RR")
    assert (hand.turn, hand.direction) == (1, -1)
    assert events[1] == {"event": "reversed", "direction": -1}


def test_event_of_a_coloured_card_names_no_colour() -> None:
    hand = make_position("uno-400", "R3 R1 B2|G2 B9", top="R5")
    assert run_actions(hand, "0: R3") == [
        {"event": "played", "seat": 0, "card": "R3", "uno": False}
    ]
    hand = make_position("uno-400", "W|G2", top="R5")
    assert run_actions(hand, "0: W")[0] == {"event": "played", "seat": 0, "card": "W", "uno": False}


def test_wild_can_name_the_current_colour() -> None:
    hand = make_position("uno-400", "W R1 B2|G2 B9", top="R5")
    assert run_actions(hand, "0: W R") == [
        {"event": "played", "seat": 0, "card": "W", "color": "R", "uno": False}
    ]
    assert (hand.color, hand.top) == ("R", "W")
