"""Tests of the review “Was it luck?”."""

from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.rules.actions.actions import IllegalActionError
from games.rules.bots.evaluation import winning_side
from games.rules.bots.luck import HandReview, PlayedAction
from games.rules.hand.position import Position
from tests.rules.strategies import RandomGame, choose_random_rules
from tests.rules.table import make_position, parse_action


def make_completed_review(
    hand: Position, played_actions: list[PlayedAction], seed: str = "it"
) -> HandReview:
    """Return a completed review of a copy of the hand."""
    found = HandReview(hand.copy(), played_actions, seed)
    assert list(found.steps()) == list(range(1, len(played_actions) + 1))
    return found


def parse_played_actions(*lines: str) -> list[PlayedAction]:
    """Return actions written in the format of tests.rules.table.run_actions: `0: R5 uno`."""
    parts = [line.split(":") for line in lines]
    return [PlayedAction(int(seat), parse_action(text).to_json()) for seat, text in parts]


def make_random_deal_and_actions(seed: int) -> tuple[Position, list[PlayedAction]]:
    """Return a deal under random rules, and random actions that finish the hand."""
    rng = Random(seed)
    while True:
        rules, seats = choose_random_rules(rng)
        game = RandomGame(rules, seats, rng.randrange(seats), rng.getrandbits(32))
        deal = game.hand.copy()
        done: list[PlayedAction] = []
        while not game.hand.over and len(done) < 40:
            known = len(game.chance.results)
            game.play_random_action()
            seat, *_rest = game.actions[-1].values()
            done.append(
                PlayedAction(
                    seat, _copy_without_seat(game.actions[-1]), game.chance.results[known:]
                )
            )
        if game.hand.over:
            return deal, done


def _copy_without_seat(logged: dict[str, Any]) -> Any:
    return {key: value for key, value in logged.items() if key != "seat"}


@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 2**64))
def test_equal_share_luck_and_play_add_up_to_the_result(few_deals: None, seed: int) -> None:
    deal, done = make_random_deal_and_actions(seed)
    found = make_completed_review(deal, done)
    assert sum(breakdown.start for breakdown in found.accounts) == pytest.approx(
        len(winning_side(deal, 0))
    )
    for player, breakdown in enumerate(found.accounts):
        parts = breakdown.start + breakdown.deal + breakdown.later + breakdown.play
        assert parts == pytest.approx(breakdown.curve[-1])
        assert breakdown.curve[-1] == float(found.hand.winner in winning_side(deal, player))
        assert len(breakdown.curve) == len(done) + 1
        assert all(0 <= chance <= 1 for chance in breakdown.curve)


@settings(max_examples=3, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 2**64))
def test_equal_seeds_give_equal_reviews(few_deals: None, seed: int) -> None:
    deal, done = make_random_deal_and_actions(seed)
    first, again = make_completed_review(deal, done), make_completed_review(deal, done)
    assert first.accounts == again.accounts
    assert first.decisions == again.decisions


GOING_OUT_MOVES = parse_played_actions(
    *("1: Y1", "0: draw", "1: Y2", "0: draw", "1: Y3", "0: draw", "1: Y4 uno", "0: draw", "1: Y5")
)


def test_mistake_is_found_with_the_better_move() -> None:
    hand = make_position("uno-400", "RS R1|Y1 Y2 Y3 Y4 Y5", top="R7", draw="B8 B9 G8 G9")
    found = make_completed_review(hand, [*parse_played_actions("0: R1 uno"), *GOING_OUT_MOVES])
    first = found.decisions[0]
    assert (first.player, first.step, first.better) == (0, 0, {"play": "RS", "uno": True})
    assert first.cost.mean > 0.1
    assert found.accounts[0].play == pytest.approx(-first.cost.mean)


def test_forced_move_costs_nothing() -> None:
    hand = make_position("uno-400", "B3 B4 B5|Y1 Y2", top="Y7", draw="G8 G9 B8 B9")
    found = make_completed_review(
        hand, parse_played_actions("0: draw", "1: Y1 uno", "0: draw", "1: Y2")
    )
    assert (found.accounts[0].play, found.accounts[0].variance) == (0.0, 0.0)
    assert found.decisions == []


CATCH_MOVES = parse_played_actions(
    *("0: R5", "1: catch 0", "1: R1", "0: R6", "1: R2", "0: draw", "1: R3 uno", "0: draw", "1: R4")
)


def test_catch_is_attributed_to_the_play_without_the_call() -> None:
    hand = make_position(
        "uno-400", "R5 R6|R1 R2 R3 R4", top="R7", draw="B8 B9 G8 G9 Y8 Y9", uno_penalty=4
    )
    found = make_completed_review(hand, CATCH_MOVES)
    mistakes = [each for each in found.decisions if each.player == 0 and each.step == 0]
    assert [each.better for each in mistakes] == [{"play": "R5", "uno": True}]
    assert found.accounts[0].play < -0.1
    assert found.accounts[1].play > 0.05


def test_wrong_catch_is_a_mistake_without_a_better_move() -> None:
    hand = make_position(
        "uno-400",
        "R5 R6|R1",
        top="R7",
        draw="B8 B9 G1 G2 Y1 Y2 Y3",
        wrong_catch_penalty=2,
    )
    found = make_completed_review(
        hand, parse_played_actions("1: catch 0", "0: R5 uno", "1: R1", "0: R6")
    )
    [result] = found.decisions
    assert (result.player, result.step, result.better) == (1, 0, None)
    assert result.chosen == {"catch": 0}


def test_challenge_is_never_a_mistake() -> None:
    hand = make_position("uno-400", "W+4 B6|Y1 B3 B4", top="R7", draw="G1 G2 G3 G4 G5 G6 G7")
    found = make_completed_review(
        hand, parse_played_actions("0: W+4 B uno", "1: challenge", "0: B6")
    )
    assert found.accounts[1].play == 0.0


def test_timely_uno_call_does_not_change_the_chance() -> None:
    hand = make_position("uno-400", "R5 R6|R1 B2 B3", top="R7", draw="B8 B9")
    found = make_completed_review(hand, parse_played_actions("0: R5", "0: call", "1: R1", "0: R6"))
    assert found.accounts[0].curve[1] == found.accounts[0].curve[2]


def test_long_hand_at_a_large_table_uses_fewer_sampled_deals() -> None:
    hand = make_position("uno-400", "|".join(["R1"] * 10), top="R7")
    short, long = (
        HandReview(hand, parse_played_actions(), ""),
        HandReview(hand, parse_played_actions("0: R1") * 400, ""),
    )
    assert (short.look, short.choose, short.compare) == (60, 320, 200)
    assert (long.look, long.choose, long.compare) == (8, 36, 22)


def test_illegal_action_cannot_be_reviewed() -> None:
    hand = make_position("uno-400", "R5 R6|R1 B2 B3", top="R7", draw="B8 B9")
    with pytest.raises(IllegalActionError):
        make_completed_review(hand, parse_played_actions("0: B9"))


def test_unfinished_hand_cannot_be_reviewed() -> None:
    hand = make_position("uno-400", "R5 R6|R1 B2 B3", top="R7", draw="B8 B9")
    with pytest.raises(ValueError, match="the hand is not over"):
        make_completed_review(hand, parse_played_actions("0: R5 uno"))
