"""Tests of the bots' choices, and of the table's actions for absent players."""

import json
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from games.rules.actions.actions import Action
from games.rules.bots import bots
from games.rules.bots.playout import Playout
from games.rules.hand.position import Position
from games.rules.ruleset import rulesets
from tests.rules.strategies import RandomGame, choose_random_rules, random_games
from tests.rules.table import make_position, run_actions


def choose_plain_action(hand: Position, seat: int | None = None) -> dict[str, Any]:
    """Return the plain bot's action for a seat, by default the one whose turn it is."""
    seat = hand.turn if seat is None else seat
    assert seat is not None
    return {**bots.choose_action(hand.view(seat), hand.rs, "plain", Random(1)).to_json()}


def list_cards_chosen_over_seeds(hand: Position) -> set[str]:
    """Return all cards that the plain bot plays at this turn with different random seeds."""
    view = hand.view(hand.turn or 0)
    chosen = (bots.choose_action(view, hand.rs, "plain", Random(seed)) for seed in range(20))
    return {action.card for action in chosen}


def choose_call_or_catch(
    hand: Position, seat: int, strength: str = "plain"
) -> dict[str, Any] | None:
    action = bots.choose_call_or_catch(hand.view(seat), hand.rs, strength, Random(1))
    return {**action.to_json()} if action else None


def choose_forced_action(hand: Position) -> dict[str, Any]:
    assert hand.turn is not None
    return {**bots.choose_forced_action(hand.view(hand.turn), hand.rs).to_json()}


# --- plain bot: choice of a card


def test_plain_bot_prefers_its_most_common_colour() -> None:
    hand = make_position("uno-400", "R5 G7 G1 G2 B9|Y1 Y2 Y3 Y4|B1 B2 B3 B4", top="R7")
    assert choose_plain_action(hand) == {"play": "G7"}


def test_plain_bot_keeps_wild_cards_while_another_card_fits() -> None:
    hand = make_position("uno-400", "R5 W W+4 G1|Y1 Y2 Y3 Y4|B1 B2 B3 B4", top="R7")
    assert choose_plain_action(hand) == {"play": "R5"}


def test_plain_bot_names_its_most_common_colour_with_a_wild() -> None:
    hand = make_position("uno-400", "W G5 G1 B2|Y1 Y2 Y3 Y4|B1 B2 B3 B4", top="R7")
    assert choose_plain_action(hand) == {"play": "W", "color": "G"}


def test_plain_bot_plays_high_numbers_first_when_an_opponent_is_nearly_out() -> None:
    hand = make_position("uno-400", "R1 R9 G2 B3|Y1 Y2|B1 B2 B3 B4", top="R7")
    assert choose_plain_action(hand) == {"play": "R9"}


def test_plain_bot_ignores_points_while_no_opponent_is_nearly_out() -> None:
    hand = make_position("uno-400", "R1 R9 G2|Y1 Y2 Y3 Y4|B1 B2 B3 B4", top="R7")
    assert list_cards_chosen_over_seeds(hand) == {"R1", "R9"}


def test_plain_bot_chooses_between_two_skips_by_colour() -> None:
    hand = make_position("uno-400", "RS GS G1 G2 B5|Y1 Y2 Y3 Y4|B1 B2 B3 B4", top="RS")
    assert list_cards_chosen_over_seeds(hand) == {"GS"}


def test_plain_bot_plays_its_last_red_card_if_it_is_not_a_dead_red() -> None:
    hand = make_position("ocho", "R5 B5 B5 Y5 G7 G1|Y1 Y2 Y3 Y4|B1 B2 B3 B4", top="R7")
    assert list_cards_chosen_over_seeds(hand) == {"R5"}


def test_plain_bot_passes_rather_than_bluffs() -> None:
    hand = make_position("uno-400", "W+4 R1 G2|Y1 Y2 Y3|B1 B2 B3", top="R7", draw="W+4 G4")
    run_actions(hand, "0: draw")
    assert choose_plain_action(hand) == {"pass": True}


def test_plain_bot_draws_if_no_card_fits() -> None:
    hand = make_position("uno-400", "G1 G2|Y1 Y2", top="R7", draw="B1 B2")
    assert choose_plain_action(hand) == {"draw": True}


def test_plain_bot_chooses_its_most_common_colour_for_an_opening_wild() -> None:
    rs = rulesets.make("uno-400", {"hand_size": 3})
    order = ["G1", "Y1", "G2", "Y2", "R1", "Y3", "W", "B1", "B2"]
    hand = Position.deal(rs, 2, 1, order)
    assert choose_plain_action(hand) == {"choose": "G"}


def test_plain_bot_keeps_a_dead_red_that_would_make_it_draw() -> None:
    hand = make_position("ocho", "DR DR G4 G7|Y1 Y2 Y3 Y4|B1 B2 B3 B4", top="R7", draw="B6")
    assert choose_plain_action(hand) == {"play": "DR"}
    hand = make_position("ocho", "DR G4 G7 B7|Y1 Y2 Y3 Y4|B1 B2 B3 B4", top="R7", draw="B6")
    assert choose_plain_action(hand) == {"play": "G7"}


def test_plain_bot_swaps_hands_with_the_opponent_who_holds_the_fewest_cards() -> None:
    hand = make_position(
        "uno-400",
        "BLANK B1 B2 B3|Y1 Y2 Y3|G1|Y4 Y6",
        top="R7",
        partners=True,
        blanks=1,
        blank_rule="swap",
    )
    assert choose_plain_action(hand) == {"play": "BLANK", "color": "B", "with": 3}


# --- plain bot: penalties


def test_plain_bot_stacks_rather_than_draws() -> None:
    hand = make_position("ocho", "R+2 G1|Y+2 Y1 Y2|G2 G3", top="R7", draw="B1 B2 B3 B4")
    run_actions(hand, "0: R+2")
    assert choose_plain_action(hand) == {"play": "Y+2"}


def test_plain_bot_plays_a_shield_rather_than_draws() -> None:
    hand = make_position("ocho", "R+2 G1|SH Y1 Y2|G2 G3", top="R7", draw="B1 B2 B3 B4")
    run_actions(hand, "0: R+2")
    assert choose_plain_action(hand) == {"play": "SH", "color": "Y"}


def test_plain_bot_draws_a_penalty_that_it_cannot_answer() -> None:
    hand = make_position("ocho", "R+2 G1|Y1 Y2|G2 G3", top="R7", draw="B1 B2 B3 B4")
    run_actions(hand, "0: R+2")
    assert choose_plain_action(hand) == {"draw": True}


@pytest.mark.parametrize(("card_count", "todo"), [(2, {"draw": True}), (8, {"challenge": True})])
def test_plain_bot_challenges_only_a_player_with_many_cards(
    card_count: int, todo: dict[str, Any]
) -> None:
    first = " ".join(["W+4", *["G1", "G2", "G3", "G4", "B1", "B2", "B3", "B4"][:card_count]])
    hand = make_position("uno-400", f"{first}|Y1 Y2|G6 G7", top="R7", draw="B6 B6 B7 B7")
    run_actions(hand, "0: W+4 G")
    assert choose_plain_action(hand) == todo


# --- plain bot: UNO


def test_plain_bot_says_uno_with_the_play() -> None:
    hand = make_position("uno-400", "R5 G8|Y1 Y2", top="R7")
    assert choose_plain_action(hand) == {"play": "R5", "uno": True}


def test_plain_bot_catches_a_player_who_forgot_uno() -> None:
    hand = make_position("uno-400", "R5 G7|Y1 Y2|B1 B2", top="R7", draw="B3 B4")
    assert choose_call_or_catch(hand, 1) is None
    run_actions(hand, "0: R5")
    assert [choose_call_or_catch(hand, seat) for seat in (1, 2)] == [{"catch": 0}, {"catch": 0}]


def test_plain_bot_calls_uno_late_if_it_forgot() -> None:
    hand = make_position("uno-400", "R5 G7|Y1 Y2|B1 B2", top="R7", draw="B3 B4")
    run_actions(hand, "0: R5")
    assert choose_call_or_catch(hand, 0) == {"call": True}


def test_plain_bot_does_not_catch_its_partner() -> None:
    hand = make_position(
        "uno-400", "R5 G7|Y1 Y2|B1 B2|Y3 Y4", top="R7", draw="B3 B4", partners=True
    )
    run_actions(hand, "0: R5")
    assert [choose_call_or_catch(hand, seat) for seat in (1, 2, 3)] == [
        {"catch": 0},
        None,
        {"catch": 0},
    ]


def test_plain_bot_makes_no_wrong_catch() -> None:
    hand = make_position("uno-400", "R5 G7|B1|Y1 Y2", top="R7", draw="B3 B4", wrong_catch_penalty=1)
    assert hand.view(2)["may"]["catch"] == [0, 1]
    assert choose_call_or_catch(hand, 2) is None
    run_actions(hand, "0: R5")
    assert choose_call_or_catch(hand, 2) == {"catch": 0}


def test_plain_bot_catches_the_previous_player_from_any_seat() -> None:
    hands = "R5 R6 R9|R8 G7|Y1 Y2"
    hand = make_position("uno-400", hands, top="R7", draw="B3 B4", wrong_catch_penalty=1)
    run_actions(hand, "0: R5", "1: R8")
    assert [choose_call_or_catch(hand, seat) for seat in (0, 2)] == [{"catch": 1}, {"catch": 1}]


def test_random_bot_catches_half_of_the_forgotten_calls() -> None:
    hand = make_position("uno-400", "R5 G7|Y1 Y2|B1 B2", top="R7", draw="B3 B4")
    run_actions(hand, "0: R5")
    view = hand.view(1)
    words = [bots.choose_call_or_catch(view, hand.rs, "random", Random(n)) for n in range(200)]
    assert 60 < words.count(None) < 140
    assert set(words) == {None, Action("catch", seat=0)}


# --- easy bot


def test_easy_bot_sometimes_forgets_uno_and_plays_a_random_card() -> None:
    hand = make_position("uno-400", "R5 W|Y1 Y2", top="R7")
    moves = [
        bots.choose_action(hand.view(0), hand.rs, "easy", Random(n)).to_json() for n in range(200)
    ]
    assert 30 < sum("uno" not in move and "play" in move for move in moves) < 100
    assert 20 < sum(move.get("play") == "W" for move in moves) < 60


def test_easy_bot_catches_half_of_the_forgotten_calls() -> None:
    hand = make_position("uno-400", "R5 G7|Y1 Y2|B1 B2", top="R7", draw="B3 B4")
    run_actions(hand, "0: R5")
    words = [
        bots.choose_call_or_catch(hand.view(1), hand.rs, "easy", Random(n)) for n in range(200)
    ]
    assert 60 < words.count(None) < 140


def test_every_selectable_level_has_a_title_and_a_description() -> None:
    assert list(bots.LEVELS) == ["easy", "plain", "strong"]
    assert set(bots.LEVELS) < set(bots.STRENGTHS)
    assert all(level.title and level.sentence.endswith(".") for level in bots.LEVELS.values())


# --- absent players


def test_table_draws_and_then_passes_for_an_absent_player() -> None:
    hand = make_position("uno-400", "R5 G7|Y1 Y2", top="R7", draw="R1 B4")
    assert choose_forced_action(hand) == {"draw": True}
    run_actions(hand, "0: draw")
    assert choose_forced_action(hand) == {"pass": True}


def test_table_draws_an_owed_penalty() -> None:
    hand = make_position("ocho", "R+2 G1|Y+2 SH Y2|G2 G3", top="R7", draw="B1 B2 B3 B4")
    run_actions(hand, "0: R+2")
    assert choose_forced_action(hand) == {"draw": True}


def test_table_plays_a_drawn_card_that_must_be_played() -> None:
    hand = make_position("uno-assignment", "B5 G7 G8|Y1 Y2", top="R7", draw="W B4")
    run_actions(hand, "0: draw")
    assert choose_forced_action(hand) == {"play": "W", "color": "G"}


def test_table_plays_the_lowest_card_without_a_call_if_it_may_not_draw() -> None:
    hand = make_position("ocho-cards", "9H 3H KD 4C|4D 4C", top="10H")
    assert choose_forced_action(hand) == {"play": "3H"}
    hand = make_position("ocho-cards", "9H 3H|4D 4C", top="10H")
    assert choose_forced_action(hand) == {"play": "3H"}


def test_table_chooses_the_most_common_colour_of_an_absent_player() -> None:
    rs = rulesets.make("uno-400", {"hand_size": 3})
    hand = Position.deal(rs, 2, 1, ["B1", "Y1", "B2", "Y2", "R1", "Y3", "W", "B3", "B4"])
    assert choose_forced_action(hand) == {"choose": "B"}


@given(st.integers(0, 2**32))
def test_hand_of_absent_players_ends(seed: int) -> None:
    rng = Random(seed)
    rs, seats = choose_random_rules(rng)
    assume(rs.drawn_card == "may" or not rs.renege)
    # If nearly all cards are in players' hands, the few that are left may circulate forever.
    assume(2 * seats * rs.hand_size < len(rs.cards()))
    hand = RandomGame(rs, seats, 0, seed).hand
    for _ in range(20_000):
        if hand.turn is None:
            break
        hand.apply(hand.turn, bots.choose_forced_action(hand.view(hand.turn), rs))
    assert hand.over


# --- random positions


@given(random_games(), st.integers(0, 2**32), st.sampled_from(sorted(bots.STRENGTHS)))
def test_bots_act_legally_from_their_own_view(game: RandomGame, seed: int, strength: str) -> None:
    hand = game.hand
    for seat in range(hand.seats):
        view = json.loads(json.dumps(hand.view(seat)))
        word = bots.choose_call_or_catch(view, game.rs, strength, Random(seed))
        assert word is None or hand.refusal(seat, word) is None
        if seat == hand.turn:
            action = bots.choose_action(view, game.rs, strength, Random(seed), lambda: False)
            assert hand.refusal(seat, action) is None
            assert hand.refusal(seat, bots.choose_forced_action(view, game.rs)) is None


def test_unknown_strength_raises_an_error() -> None:
    hand = make_position("uno-400", "R5 G7|Y1 Y2", top="R7")
    with pytest.raises(KeyError):
        bots.choose_action(hand.view(0), hand.rs, "perfect", Random(1))


@pytest.mark.slow
@pytest.mark.patient
@pytest.mark.parametrize("ruleset", list(rulesets.RULE_SETS))
def test_plain_bot_wins_more_often_than_the_random_bot(ruleset: str) -> None:
    # Each deal is played from both seats. bench/bots.py measures more hands.
    rs = rulesets.make(ruleset, {"uno_penalty": 0})
    wins = sum(
        Playout(rs, ["plain", "random"][:: 1 - 2 * seat], 0, Random(deal)).run().winner == seat
        for deal in range(100)
        for seat in (0, 1)
    )
    assert wins > 110


@given(game=random_games())
def test_bot_for_a_player_who_left_never_calls_or_catches(game: RandomGame) -> None:
    for seat in range(game.hand.seats):
        assert (
            bots.choose_call_or_catch(game.hand.view(seat), game.rs, bots.EMPTY, Random(1)) is None
        )
