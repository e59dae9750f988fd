"""Tests of each seat's estimated chance of winning."""

from math import log

import pytest
from hypothesis import given

from games.rules.bots import rollout, win_chance
from tests.rules.strategies import RandomGame, random_games
from tests.rules.table import make_position, run_actions


@given(random_games())
def test_strengths_are_the_weighted_sums_of_the_features(game: RandomGame) -> None:
    hand, player = game.hand, rollout.plain_policy(game.rs)
    if hand.over or hand.emptied:
        return
    shares = win_chance.win_chances(hand, player)
    assert sum(shares) == pytest.approx(1)
    weights = win_chance.TWO_SEATS if hand.seats == 2 else win_chance.MORE_SEATS
    strengths = [
        sum(a * b for a, b in zip(win_chance.features(hand, player, seat), weights, strict=True))
        for seat in range(hand.seats)
    ]
    for share, strength in zip(shares, strengths, strict=True):
        assert log(share / shares[0]) == pytest.approx(strength - strengths[0])


def test_winner_of_a_finished_hand_has_a_chance_of_1() -> None:
    hand = make_position("uno-400", "R5|Y1 Y2|Y3 Y4", top="R7")
    run_actions(hand, "0: R5")
    assert win_chance.win_chances(hand, rollout.plain_policy(hand.rs)) == [1, 0, 0]


def test_fewer_cards_and_more_wilds_raise_the_chance() -> None:
    hand = make_position("uno-400", "G5 G6 W|Y1 Y2 Y3|Y4 Y5 Y6 B8", top="R7")
    own, next_seat, last = win_chance.win_chances(hand, rollout.plain_policy(hand.rs))
    assert own > next_seat > last


def test_player_who_can_go_out_is_almost_certain_to_win() -> None:
    hand = make_position("uno-400", "R5|Y1 Y2|Y3 Y4", top="R7")
    assert win_chance.win_chances(hand, rollout.plain_policy(hand.rs))[0] > 0.9
