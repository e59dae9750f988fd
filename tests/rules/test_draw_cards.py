"""Tests of Draw Two, Wild Draw Four, stacking and challenges."""

import pytest

from tests.rules.table import get_refusal_code, list_event_names, make_position, run_actions


def test_draw_card_makes_the_next_player_draw_and_lose_the_turn() -> None:
    hand = make_position("uno-400", "R+2 G4 G5|Y+2 R1 B1|Y1 Y2", top="R5", draw="G7 G8 B2")
    events = run_actions(hand, "0: R+2")
    assert events[-1] == {"event": "penalty", "seat": 1, "cards": 2}
    assert (hand.turn, hand.penalty, hand.playable(1)) == (1, 2, [])
    assert get_refusal_code(hand, "1: Y+2") == "penalty-owed"
    assert get_refusal_code(hand, "1: pass") == "pass-not-allowed"
    assert get_refusal_code(hand, "1: challenge") == "nothing-to-challenge"
    run_actions(hand, "1: draw")
    assert (hand.turn, hand.penalty, hand.cards(1)) == (2, 0, ["Y+2", "R1", "B1", "G7", "G8"])


def test_player_may_take_a_normal_turn_after_a_penalty() -> None:
    hand = make_position(
        "uno-400", "R+2 G4|R1 B1|Y1 Y2", top="R5", draw="G7 G8", penalty_ends_turn=False
    )
    run_actions(hand, "0: R+2 uno", "1: draw")
    assert (hand.turn, hand.penalty, hand.playable(1)) == (1, 0, ["R1"])


@pytest.mark.parametrize(
    ("stacking", "on_two", "on_four"),
    [("none", [], []), ("draw-two", ["Y+2"], []), ("any-draw", ["Y+2", "W+4"], ["Y+2", "W+4"])],
)
def test_stacking_follows_the_option(stacking: str, on_two: list[str], on_four: list[str]) -> None:
    hands = "R+2 W+4 G5|Y+2 W+4 W R1|Y1 Y2"
    for card, answers in (("R+2", on_two), ("W+4 B", on_four)):
        hand = make_position("uno-400", hands, top="R5", stacking=stacking, challenge=False)
        run_actions(hand, f"0: {card}")
        assert hand.playable(1) == answers


def test_stacked_penalties_add_up() -> None:
    hand = make_position(
        "ocho", "R+2 G5 B1|W+4 Y2 Y3|G+2 G1|G3 G4", top="R5", draw="B9 B7 B6 B5 B4 B3 B2 B0"
    )
    run_actions(hand, "0: R+2", "1: W+4 Y", "2: G+2")
    assert (hand.turn, hand.penalty, hand.color) == (3, 8, "G")
    run_actions(hand, "3: draw")
    assert (hand.counts, hand.turn) == ([2, 2, 1, 10], 0)


def test_joker_of_002_cannot_be_answered() -> None:
    hand = make_position("ocho-cards", "JK 3C|JK 2S QS|9C 7C", top="9H", draw="4S 6S 8S 9S")
    run_actions(hand, "0: JK C uno")
    assert hand.playable(1) == []
    run_actions(hand, "1: draw")
    assert (hand.turn, hand.counts) == (2, [1, 7, 2])


@pytest.mark.parametrize(
    ("cards", "top", "color", "guilty"),
    [
        ("R2 B7", "R5", None, True),
        ("B5 B7", "R5", None, False),
        ("RS B7", "R5", None, True),
        ("W B7", "R5", None, False),
        ("R2 B7", "W", "B", True),
        ("R2 Y7", "W", "B", False),
    ],
)
def test_bluff_depends_on_the_colour_in_force_before_the_play(
    cards: str, top: str, color: str | None, guilty: bool
) -> None:
    hand = make_position(
        "uno-400", f"W+4 {cards}|G1 R1|Y1 Y2", top=top, color=color, draw="Y3 Y4 Y5 Y6 Y7 Y8"
    )
    assert "W+4" in hand.playable(0)
    run_actions(hand, "0: W+4 G")
    events = run_actions(hand, "1: challenge")
    assert events[0] == {
        "event": "challenged",
        "seat": 1,
        "of": 0,
        "guilty": guilty,
        "private": {"1": {"cards": cards.split()}},
    }
    assert hand.counts == ([6, 2, 2] if guilty else [2, 8, 2])
    assert hand.turn == (1 if guilty else 2)
    assert hand.view(1)["seen"] == {"0": cards.split()}
    assert [hand.view(seat)["seen"] for seat in (0, 2)] == [{}, {}]


def test_successful_challenger_takes_a_normal_turn() -> None:
    hand = make_position("uno-500", "W+4 R2 B7|G1 R1 B2|Y1 Y2", top="R5", draw="Y3 Y4 Y5 Y6")
    run_actions(hand, "0: W+4 G", "1: challenge")
    assert (hand.penalty, hand.color, hand.playable(1)) == (0, "G", ["G1"])
    assert get_refusal_code(hand, "1: challenge") == "nothing-to-challenge"
    run_actions(hand, "1: G1")
    assert hand.turn == 2


def test_only_the_player_who_owes_the_penalty_may_challenge() -> None:
    hand = make_position("uno-400", "W+4 R2|G1 R1|Y1 Y2", top="R5", draw="Y3 Y4 Y5 Y6")
    run_actions(hand, "0: W+4 G")
    assert get_refusal_code(hand, "2: challenge") == "not-your-turn"
    assert get_refusal_code(hand, "0: challenge") == "not-your-turn"


def test_accepted_wild_draw_four_cannot_be_challenged_later() -> None:
    hand = make_position("uno-400", "W+4 R2|G1 R1|Y1 Y2", top="R5", draw="Y3 Y4 Y5 Y6")
    run_actions(hand, "0: W+4 G", "1: draw")
    assert get_refusal_code(hand, "2: challenge") == "nothing-to-challenge"


def test_loser_of_a_stack_challenge_draws_the_whole_stack() -> None:
    for held, counts, turn in (("G1 B7", [1, 8, 2], 2), ("B6 B7", [1, 2, 10], 0)):
        hand = make_position(
            "uno-400",
            f"G+2 Y1|W+4 {held}|R1 R3",
            top="G5",
            draw="Y1 Y2 Y3 Y4 Y6 Y7 Y8 Y9 B1",
            stacking="any-draw",
        )
        run_actions(hand, "0: G+2 uno", "1: W+4 R", "2: challenge")
        assert (hand.counts, hand.turn) == (counts, turn)


def test_challenge_fails_if_a_wild_draw_four_can_be_played_at_any_time() -> None:
    hand = make_position(
        "ocho", "W+4 R2 B7|G1 R1|Y1 Y2", top="R5", draw="Y3 " * 2 + "B9 B7 B6 B5", challenge=True
    )
    run_actions(hand, "0: W+4 G", "1: challenge")
    assert (hand.counts, hand.turn) == ([2, 8, 2], 2)


def test_with_two_players_the_turn_returns_to_the_player_of_a_draw_card() -> None:
    hand = make_position("uno-500", "R+2 R1 B2|G2 B9", top="R5", draw="B7 B6")
    run_actions(hand, "0: R+2", "1: draw")
    assert hand.turn == 0


def test_penalty_is_logged() -> None:
    hand = make_position("uno-400", "R+2 G4|R1 B1|Y1 Y2", top="R5", draw="G7 G8")
    assert list_event_names(run_actions(hand, "0: R+2", "1: draw")) == ["played", "penalty", "drew"]
