"""The special cards of Ocho (000): Shield, X-Ray, Dead Red, Boo Blue."""

import pytest

from tests.rules.table import get_refusal_code, list_event_names, position, run

SIX = "B9 B7 B6 B5 B4 B3"


def test_a_shield_sends_the_penalty_to_who_played_the_draw_card() -> None:
    hand = position("ocho", "R+2 G5 B1|SH Y2 Y3|G1 G2|G3 G4", top="R5", draw=SIX)
    events = run(hand, "0: R+2", "1: SH G")
    assert events[-2:] == [
        {"event": "shielded", "seat": 1, "of": 0, "cards": 2},
        {"event": "penalty", "seat": 0, "cards": 2},
    ]
    assert (hand.turn, hand.penalty, hand.color) == (0, 2, "G")
    assert get_refusal_code(hand, "0: G5") == "penalty-owed"
    run(hand, "0: draw")
    assert (hand.counts, hand.turn, hand.playable(2)) == ([4, 2, 2, 2], 2, ["G1", "G2"])


def test_the_whole_stack_goes_to_the_last_draw_card() -> None:
    hand = position("ocho", "R+2 G5|W+4 Y2 Y3|SH G2 G1|G3 G4", top="R5", draw=SIX)
    run(hand, "0: R+2", "1: W+4 Y", "2: SH B", "1: draw")
    assert (hand.counts, hand.turn) == ([1, 8, 2, 2], 3)


def test_shields_go_to_and_fro_and_play_goes_on_after_the_first() -> None:
    hand = position("ocho", "R+2 SH B1|SH SH Y3|G1 G2|G3 G4", top="R5", draw=SIX)
    run(hand, "0: R+2", "1: SH G", "0: SH B", "1: SH Y")
    assert (hand.turn, hand.penalty, hand.color, hand.playable(0)) == (0, 2, "Y", [])
    run(hand, "0: draw")
    assert (hand.counts, hand.turn) == ([3, 1, 2, 2], 2)


def test_play_goes_on_in_the_direction_of_play() -> None:
    hand = position("ocho", "R+2 G5|G1 G2|SH Y1 Y2", top="R5", draw=SIX, direction=-1)
    run(hand, "0: R+2", "2: SH G", "0: draw")
    assert (hand.turn, hand.counts) == (1, [3, 2, 2])


def test_two_players_and_a_shield() -> None:
    hand = position("ocho", "R+2 G5|SH Y2", top="R5", draw=SIX)
    run(hand, "0: R+2", "1: SH G", "0: draw")
    assert (hand.turn, hand.counts) == (0, [3, 1])


def test_a_shield_against_nothing_is_a_wild() -> None:
    hand = position("ocho", "SH G5|Y1 Y2|G1 G2", top="R5")
    run(hand, "0: SH Y")
    assert (hand.turn, hand.penalty, hand.color) == (1, 0, "Y")


def test_after_a_shield_the_hit_seat_cannot_stack() -> None:
    hand = position("ocho", "R+2 G+2 W+4 B1|SH Y2|G1 G2", top="R5", draw=SIX)
    run(hand, "0: R+2", "1: SH G")
    assert hand.playable(0) == []


def test_a_shielded_draw_ends_out_of_turn_whatever_penalties_do() -> None:
    hand = position("ocho", "R+2 G5|SH Y2|G1 G2", top="R5", draw=SIX, penalty_ends_turn=False)
    run(hand, "0: R+2", "1: SH G", "0: draw")
    assert hand.turn == 2


def test_an_x_ray_shows_one_card_of_each_opponent_to_its_player_alone() -> None:
    hand = position("ocho", "XR G5|Y2 Y3|G1 G2", top="R5")
    events = run(hand, "0: XR B")
    assert events[1] == {
        "event": "revealed",
        "seat": 0,
        "private": {"0": {"cards": {"1": "Y2", "2": "G1"}}},
    }
    assert [hand.view(seat)["seen"] for seat in range(3)] == [{"1": ["Y2"], "2": ["G1"]}, {}, {}]
    assert (hand.turn, hand.color) == (1, "B")


def test_what_was_seen_is_known_as_long_as_it_is_held() -> None:
    hand = position("ocho", "XR G5 B1|B2 Y3|G1 G2", top="R5", draw="R9")
    run(hand, "0: XR B", "1: B2")
    assert hand.view(0)["seen"] == {"2": ["G1"]}


def test_the_same_card_seen_again_is_no_news() -> None:
    hand = position("ocho", "XR XR B1|Y2 Y3", top="R5", draw="R9 R6 G1")
    run(hand, "0: XR B", "1: draw", "0: XR B")
    assert hand.view(0)["seen"] == {"1": ["Y2"]}


def test_a_partner_is_no_opponent() -> None:
    hand = position("ocho", "XR G5|Y2|G1|B2", top="R5", partners=True)
    run(hand, "0: XR B")
    assert hand.view(0)["seen"] == {"1": ["Y2"], "3": ["B2"]}


def test_dead_red_hits_all_without_red_its_player_too() -> None:
    hand = position("ocho", "DR G5|Y2 W|R1 G1|DR G3", top="R2", draw=SIX)
    events = run(hand, "0: DR")
    assert hand.counts == [3, 4, 2, 2]
    assert [(e["seat"], e["cards"], e["why"]) for e in events[1:]] == [
        (1, 2, "dead_red"),
        (0, 2, "dead_red"),
    ]
    assert (hand.cards(1)[2:], hand.cards(0)[1:]) == (["B9", "B7"], ["B6", "B5"])
    assert (hand.turn, hand.penalty, hand.color) == (1, 0, "R")


def test_dead_red_may_spare_its_player() -> None:
    hand = position("ocho", "DR G5|Y2 W|R1 G1", top="R2", draw=SIX, dead_red_spares_player=True)
    run(hand, "0: DR")
    assert hand.counts == [1, 4, 2]


def test_draws_go_round_from_the_left_whatever_the_direction() -> None:
    hand = position("ocho", "DR G5|Y2|Y3|Y4", top="R2", draw=SIX + " B2 B1", direction=-1)
    events = run(hand, "0: DR")
    assert [event["seat"] for event in events if event["event"] == "drew"] == [1, 2, 3, 0]
    assert hand.turn == 3


def test_boo_blue_hits_the_fewest_after_the_play() -> None:
    hand = position("ocho", "BB R5 B1|Y2 W Y3 Y4|R1 G1 G2", top="B2", draw=SIX)
    run(hand, "0: BB")
    assert (hand.counts, hand.turn) == ([4, 4, 3], 1)


@pytest.mark.parametrize(("ties", "counts"), [("all", [4, 4, 3]), ("none", [2, 2, 3])])
def test_boo_blue_on_a_tie(ties: str, counts: list[int]) -> None:
    hand = position("ocho", "BB R5 B1|Y2 W|R1 G1 G2", top="B2", draw=SIX, boo_blue_ties=ties)
    run(hand, "0: BB")
    assert hand.counts == counts


@pytest.mark.parametrize("card", ["DR", "BB"])
def test_neither_answers_a_penalty_nor_can_be_shielded(card: str) -> None:
    hand = position("ocho", f"R+2 G5 R1|{card} SH Y2|G1 G2", top="R5", draw=SIX)
    run(hand, "0: R+2")
    assert get_refusal_code(hand, f"1: {card}") == "penalty-owed"
    hand = position(
        "ocho",
        f"{card} G5 G4 G3|SH Y2|G1 G2",
        top="W",
        color=card[1] if card == "BB" else "R",
        draw=SIX,
    )
    run(hand, f"0: {card}")
    assert hand.penalty == 0
    assert 1 in [event["seat"] for event in run(hand, "1: SH G")]


def test_reds_and_blues_that_go_out_hit_only_the_others() -> None:
    hand = position("ocho", "DR|Y2|R1", top="R2", draw=SIX)
    events = run(hand, "0: DR")
    assert (hand.counts, hand.winner, hand.points) == ([0, 3, 1], 0, [2 + 9 + 7 + 1, 0, 0])
    assert list_event_names(events) == ["played", "drew", "over"]
    hand = position("ocho", "BB|Y2|R1 R3", top="B2", draw=SIX)
    run(hand, "0: BB")
    assert (hand.counts, hand.points) == ([0, 3, 2], [2 + 9 + 7 + 4, 0, 0])


def test_a_last_shield_lets_the_seat_it_hits_draw_unanswered() -> None:
    hand = position("ocho", "R+2 SH G5|SH|G1 G2", top="R5", draw=SIX)
    run(hand, "0: R+2", "1: SH")
    assert (hand.over, hand.winner, hand.counts) == (True, 1, [4, 0, 2])
    assert hand.points == [0, 50 + 5 + 9 + 7 + 1 + 2, 0]


def test_a_last_x_ray_just_goes_out() -> None:
    hand = position("ocho", "XR|Y2|G1", top="R5")
    assert list_event_names(run(hand, "0: XR")) == ["played", "over"]
