"""Tests of the special cards of Ocho (000): Shield, X-Ray, Dead Red and Boo Blue."""

import pytest

from tests.rules.table import get_refusal_code, list_event_names, make_position, run_actions

SIX_CARDS = "B9 B7 B6 B5 B4 B3"


def test_shield_sends_the_penalty_to_the_player_of_the_draw_card() -> None:
    hand = make_position("ocho", "R+2 G5 B1|SH Y2 Y3|G1 G2|G3 G4", top="R5", draw=SIX_CARDS)
    events = run_actions(hand, "0: R+2", "1: SH G")
    assert events[-2:] == [
        {"event": "shielded", "seat": 1, "of": 0, "cards": 2},
        {"event": "penalty", "seat": 0, "cards": 2},
    ]
    assert (hand.turn, hand.penalty, hand.color) == (0, 2, "G")
    assert get_refusal_code(hand, "0: G5") == "penalty-owed"
    run_actions(hand, "0: draw")
    assert (hand.counts, hand.turn, hand.playable(2)) == ([4, 2, 2, 2], 2, ["G1", "G2"])


def test_shield_sends_the_whole_stack_to_the_last_player_who_added_to_it() -> None:
    hand = make_position("ocho", "R+2 G5|W+4 Y2 Y3|SH G2 G1|G3 G4", top="R5", draw=SIX_CARDS)
    run_actions(hand, "0: R+2", "1: W+4 Y", "2: SH B", "1: draw")
    assert (hand.counts, hand.turn) == ([1, 8, 2, 2], 3)


def test_play_continues_after_the_first_of_several_shields() -> None:
    hand = make_position("ocho", "R+2 SH B1|SH SH Y3|G1 G2|G3 G4", top="R5", draw=SIX_CARDS)
    run_actions(hand, "0: R+2", "1: SH G", "0: SH B", "1: SH Y")
    assert (hand.turn, hand.penalty, hand.color, hand.playable(0)) == (0, 2, "Y", [])
    run_actions(hand, "0: draw")
    assert (hand.counts, hand.turn) == ([3, 1, 2, 2], 2)


def test_play_continues_after_a_shield_in_the_direction_of_play() -> None:
    hand = make_position("ocho", "R+2 G5|G1 G2|SH Y1 Y2", top="R5", draw=SIX_CARDS, direction=-1)
    run_actions(hand, "0: R+2", "2: SH G", "0: draw")
    assert (hand.turn, hand.counts) == (1, [3, 2, 2])


def test_shield_works_with_two_players() -> None:
    hand = make_position("ocho", "R+2 G5|SH Y2", top="R5", draw=SIX_CARDS)
    run_actions(hand, "0: R+2", "1: SH G", "0: draw")
    assert (hand.turn, hand.counts) == (0, [3, 1])


def test_shield_without_a_penalty_is_a_wild() -> None:
    hand = make_position("ocho", "SH G5|Y1 Y2|G1 G2", top="R5")
    run_actions(hand, "0: SH Y")
    assert (hand.turn, hand.penalty, hand.color) == (1, 0, "Y")


def test_penalty_sent_back_by_a_shield_cannot_be_stacked() -> None:
    hand = make_position("ocho", "R+2 G+2 W+4 B1|SH Y2|G1 G2", top="R5", draw=SIX_CARDS)
    run_actions(hand, "0: R+2", "1: SH G")
    assert hand.playable(0) == []


def test_player_who_draws_because_of_a_shield_gets_no_extra_turn() -> None:
    hand = make_position(
        "ocho", "R+2 G5|SH Y2|G1 G2", top="R5", draw=SIX_CARDS, penalty_ends_turn=False
    )
    run_actions(hand, "0: R+2", "1: SH G", "0: draw")
    assert hand.turn == 2


def test_x_ray_shows_one_card_of_each_opponent_only_to_its_player() -> None:
    hand = make_position("ocho", "XR G5|Y2 Y3|G1 G2", top="R5")
    events = run_actions(hand, "0: XR B")
    assert events[1] == {
        "event": "revealed",
        "seat": 0,
        "private": {"0": {"cards": {"1": "Y2", "2": "G1"}}},
    }
    assert [hand.view(seat)["seen"] for seat in range(3)] == [{"1": ["Y2"], "2": ["G1"]}, {}, {}]
    assert (hand.turn, hand.color) == (1, "B")


def test_seen_card_stays_known_while_it_is_held() -> None:
    hand = make_position("ocho", "XR G5 B1|B2 Y3|G1 G2", top="R5", draw="R9")
    run_actions(hand, "0: XR B", "1: B2")
    assert hand.view(0)["seen"] == {"2": ["G1"]}


def test_card_seen_twice_is_listed_once() -> None:
    hand = make_position("ocho", "XR XR B1|Y2 Y3", top="R5", draw="R9 R6 G1")
    run_actions(hand, "0: XR B", "1: draw", "0: XR B")
    assert hand.view(0)["seen"] == {"1": ["Y2"]}


def test_x_ray_shows_no_card_of_a_partner() -> None:
    hand = make_position("ocho", "XR G5|Y2|G1|B2", top="R5", partners=True)
    run_actions(hand, "0: XR B")
    assert hand.view(0)["seen"] == {"1": ["Y2"], "3": ["B2"]}


def test_dead_red_makes_all_players_without_red_draw_including_its_own() -> None:
    hand = make_position("ocho", "DR G5|Y2 W|R1 G1|DR G3", top="R2", draw=SIX_CARDS)
    events = run_actions(hand, "0: DR")
    assert hand.counts == [3, 4, 2, 2]
    assert [(e["seat"], e["cards"], e["why"]) for e in events[1:]] == [
        (1, 2, "dead_red"),
        (0, 2, "dead_red"),
    ]
    assert (hand.cards(1)[2:], hand.cards(0)[1:]) == (["B9", "B7"], ["B6", "B5"])
    assert (hand.turn, hand.penalty, hand.color) == (1, 0, "R")


def test_dead_red_can_spare_its_player() -> None:
    hand = make_position(
        "ocho", "DR G5|Y2 W|R1 G1", top="R2", draw=SIX_CARDS, dead_red_spares_player=True
    )
    run_actions(hand, "0: DR")
    assert hand.counts == [1, 4, 2]


def test_players_draw_clockwise_for_a_dead_red_in_either_direction() -> None:
    hand = make_position(
        "ocho", "DR G5|Y2|Y3|Y4", top="R2", draw=SIX_CARDS + " B2 B1", direction=-1
    )
    events = run_actions(hand, "0: DR")
    assert [event["seat"] for event in events if event["event"] == "drew"] == [1, 2, 3, 0]
    assert hand.turn == 3


def test_boo_blue_makes_the_player_with_the_fewest_cards_draw() -> None:
    hand = make_position("ocho", "BB R5 B1|Y2 W Y3 Y4|R1 G1 G2", top="B2", draw=SIX_CARDS)
    run_actions(hand, "0: BB")
    assert (hand.counts, hand.turn) == ([4, 4, 3], 1)


@pytest.mark.parametrize(("ties", "counts"), [("all", [4, 4, 3]), ("none", [2, 2, 3])])
def test_option_decides_who_draws_in_a_boo_blue_tie(ties: str, counts: list[int]) -> None:
    hand = make_position(
        "ocho", "BB R5 B1|Y2 W|R1 G1 G2", top="B2", draw=SIX_CARDS, boo_blue_ties=ties
    )
    run_actions(hand, "0: BB")
    assert hand.counts == counts


@pytest.mark.parametrize("card", ["DR", "BB"])
def test_dead_red_and_boo_blue_neither_answer_a_penalty_nor_cause_one(card: str) -> None:
    hand = make_position("ocho", f"R+2 G5 R1|{card} SH Y2|G1 G2", top="R5", draw=SIX_CARDS)
    run_actions(hand, "0: R+2")
    assert get_refusal_code(hand, f"1: {card}") == "penalty-owed"
    hand = make_position(
        "ocho",
        f"{card} G5 G4 G3|SH Y2|G1 G2",
        top="W",
        color=card[1] if card == "BB" else "R",
        draw=SIX_CARDS,
    )
    run_actions(hand, f"0: {card}")
    assert hand.penalty == 0
    assert 1 in [event["seat"] for event in run_actions(hand, "1: SH G")]


def test_last_dead_red_or_boo_blue_affects_only_the_other_players() -> None:
    hand = make_position("ocho", "DR|Y2|R1", top="R2", draw=SIX_CARDS)
    events = run_actions(hand, "0: DR")
    assert (hand.counts, hand.winner, hand.points) == ([0, 3, 1], 0, [2 + 9 + 7 + 1, 0, 0])
    assert list_event_names(events) == ["played", "drew", "over"]
    hand = make_position("ocho", "BB|Y2|R1 R3", top="B2", draw=SIX_CARDS)
    run_actions(hand, "0: BB")
    assert (hand.counts, hand.points) == ([0, 3, 2], [2 + 9 + 7 + 4, 0, 0])


def test_penalty_sent_back_by_a_last_shield_cannot_be_answered() -> None:
    hand = make_position("ocho", "R+2 SH G5|SH|G1 G2", top="R5", draw=SIX_CARDS)
    run_actions(hand, "0: R+2", "1: SH")
    assert (hand.over, hand.winner, hand.counts) == (True, 1, [4, 0, 2])
    assert hand.points == [0, 50 + 5 + 9 + 7 + 1 + 2, 0]


def test_last_x_ray_has_no_effect() -> None:
    hand = make_position("ocho", "XR|Y2|G1", top="R5")
    assert list_event_names(run_actions(hand, "0: XR")) == ["played", "over"]
