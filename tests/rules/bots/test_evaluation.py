"""Tests of the evaluation of a hand for one seat.

tests/rules/bots/test_luck_sentences.py compares the estimated chances with actual outcomes.
"""

from random import Random

import pytest
from hypothesis import given, settings

from games.rules.actions.actions import Action
from games.rules.actions.codes import ACCUSE, DRAWN, UNO_BIT
from games.rules.bots.determinization import HiddenCards
from games.rules.bots.evaluation import (
    HandEvaluator,
    WinEstimate,
    add_call,
    is_decision_hidden,
    list_choices,
    winning_side,
)
from games.rules.hand import codec
from games.rules.hand.position import Position
from tests.rules.strategies import RandomGame, random_games
from tests.rules.table import make_position, run_actions


def make_evaluator(hand: Position, seat: int, seed: int = 1) -> HandEvaluator:
    return HandEvaluator(hand, seat, Random(seed))


def encode_action(hand: Position, action: Action) -> int:
    return codec.encode(hand, hand.actor, action)


@settings(max_examples=25)
@given(random_games())
def test_hidden_cards_do_not_affect_the_evaluation(game: RandomGame) -> None:
    hand = game.hand
    for seat in () if hand.over else range(hand.seats):
        if is_decision_hidden(hand, seat):
            continue
        other = hand.copy()
        HiddenCards(hand.view(seat), other, Random(2)).deal(other)
        other.bluff = not hand.bluff
        assert make_evaluator(hand, seat).chance(2) == make_evaluator(other, seat).chance(2)


@settings(max_examples=25)
@given(random_games())
def test_evaluation_is_a_probability_and_does_not_change_the_hand(game: RandomGame) -> None:
    hand = game.hand
    before = hand.to_json()
    for seat in () if hand.over else range(hand.seats):
        assert 0 <= make_evaluator(hand, seat).chance(2).mean <= 1
    assert hand.to_json() == before


@settings(max_examples=25)
@given(random_games())
def test_every_evaluated_choice_is_legal(game: RandomGame) -> None:
    hand = game.hand
    if hand.over:
        assert list_choices(hand) == []
        return
    found = list_choices(hand)
    assert set(found) <= set(hand.legal_codes())
    assert all(0 <= each <= 1 for [each] in make_evaluator(hand, hand.actor).outcomes(found, 1))


def test_player_with_fewer_cards_is_likelier_to_win() -> None:
    hand = make_position("uno-400", "R5 R3|Y1 Y2 B1 B2 B8 B9", top="R7", draw="R9 B4 B5 B6")
    assert (
        make_evaluator(hand, 0).chance(40).mean
        > 0.6
        > 0.4
        > make_evaluator(hand, 1).chance(40).mean
    )


def test_going_out_wins_in_every_deal() -> None:
    hand = make_position("uno-400", "R5|Y1 Y2", top="R7", draw="B3 B4")
    out, draw = make_evaluator(hand, 0).outcomes(
        [encode_action(hand, Action.play("R5")), encode_action(hand, Action("draw"))], 9
    )
    assert out == [1.0] * 9
    assert sum(draw) < 9


def test_partners_win_together() -> None:
    hand = make_position(
        "uno-400", "R5|Y1 Y2|R1 B2|B8 B9", top="R7", draw="B3 B4 G1", partners=True
    )
    assert [winning_side(hand, seat) for seat in range(4)] == [[0, 2], [1, 3], [0, 2], [1, 3]]
    mine, theirs = (make_evaluator(hand, seat).chance(20).mean for seat in (0, 1))
    assert mine == 1.0
    assert make_evaluator(hand, 2).chance(20).mean > theirs


def test_evaluated_plays_include_the_uno_call() -> None:
    hand = make_position("uno-400", "R5 R6|Y1 Y2 Y3", top="R7", draw="B3 B4")
    found = list_choices(hand)
    quiet = encode_action(hand, Action.play("R5"))
    assert quiet not in found
    assert add_call(quiet, found) == quiet | UNO_BIT
    assert quiet | UNO_BIT in found


def test_challenge_is_not_evaluated() -> None:
    hand = make_position("uno-400", "W+4 B5 B6|Y1 Y2 Y3", top="R7", draw="B3 B4 B5 B6 B7 B8")
    run_actions(hand, "0: W+4 B")
    assert hand.stage == ACCUSE
    assert list_choices(hand) == [encode_action(hand, Action("draw"))]
    assert make_evaluator(hand, 1).chance(2).mean > 0


def test_decision_about_a_drawn_card_is_hidden_from_other_seats() -> None:
    hand = make_position("uno-400", "Y5 Y6|Y1 Y2 Y3", top="R7", draw="R3 B4")
    run_actions(hand, "0: draw")
    assert hand.stage == DRAWN
    assert [is_decision_hidden(hand, seat) for seat in (0, 1)] == [False, True]


@pytest.mark.parametrize(
    ("values", "mean", "error", "sure"),
    [
        ([0.5, 0.5], 0.5, 0.0, True),
        ([0.0, 1.0], 0.5, 0.5, False),
        ([0.0, 0.0], 0.0, 0.0, False),
        ([-1.0, -1.0], -1.0, 0.0, False),
    ],
)
def test_estimate_is_beyond_doubt_above_twice_its_standard_error(
    values: list[float], mean: float, error: float, sure: bool
) -> None:
    estimate = WinEstimate.from_values(values)
    assert (estimate, estimate.is_beyond_doubt) == (WinEstimate(mean, error), sure)
