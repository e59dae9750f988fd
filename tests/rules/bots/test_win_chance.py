"""How likely a seat is to win: what the figure is made of, and that it is worth something."""

from math import log

import pytest
from hypothesis import given

from games.rules.bots import rollout, win_chance
from tests.rules.strategies import Game, games
from tests.rules.table import position, run


@given(games())
def test_the_strengths_are_the_signs_times_the_weights(game: Game) -> None:
    hand, player = game.hand, rollout.sense(game.rs)
    if hand.over or hand.emptied:
        return
    shares = win_chance.shares(hand, player)
    assert sum(shares) == pytest.approx(1)
    weights = win_chance.TWO_SEATS if hand.seats == 2 else win_chance.MORE_SEATS
    strengths = [
        sum(a * b for a, b in zip(win_chance.signs(hand, player, seat), weights, strict=True))
        for seat in range(hand.seats)
    ]
    for share, strength in zip(shares, strengths, strict=True):
        assert log(share / shares[0]) == pytest.approx(strength - strengths[0])


def test_who_has_won_has_all_of_it() -> None:
    hand = position("uno-400", "R5|Y1 Y2|Y3 Y4", top="R7")
    run(hand, "0: R5")
    assert win_chance.shares(hand, rollout.sense(hand.rs)) == [1, 0, 0]


def test_fewer_cards_and_wilds_are_better() -> None:
    hand = position("uno-400", "G5 G6 W|Y1 Y2 Y3|Y4 Y5 Y6 B8", top="R7")
    own, next_seat, last = win_chance.shares(hand, rollout.sense(hand.rs))
    assert own > next_seat > last


def test_who_is_about_to_go_out_nearly_has() -> None:
    hand = position("uno-400", "R5|Y1 Y2|Y3 Y4", top="R7")
    assert win_chance.shares(hand, rollout.sense(hand.rs))[0] > 0.9
