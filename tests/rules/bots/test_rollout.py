"""Tests of the rollout policy, which plays legally and much like the plain bot."""

from random import Random

import pytest
from hypothesis import given

from games.rules.actions.codes import UNO_BIT
from games.rules.bots import bots, rollout
from games.rules.chance import QuickChance
from games.rules.hand import codec
from games.rules.hand.position import Position
from games.rules.ruleset import rulesets
from tests.rules.strategies import RandomGame, random_games
from tests.rules.table import make_position, run_actions


@given(random_games())
def test_rollout_plays_legal_actions(game: RandomGame) -> None:
    hand = game.hand.copy()
    hand.chance = QuickChance(Random(1).random)
    player = rollout.plain_policy(game.rs)
    for _ in range(60):
        if hand.over:
            break
        code = player.choose_code(hand)
        called_again = hand.said >> hand.actor & 1 and code & UNO_BIT
        # The policy may say UNO again, but no legal code includes a repeated call.
        assert (code ^ UNO_BIT if called_again else code) in hand.codes(hand.actor)
        hand.apply_code(code)


@pytest.mark.parametrize("key", list(rulesets.RULE_SETS))
def test_rollout_mostly_plays_like_the_plain_bot(key: str) -> None:
    rs = rulesets.make(key)
    player, rng = rollout.plain_policy(rs), Random(1)
    same = asked = 0
    for _ in range(12):
        deck = rs.cards()
        rng.shuffle(deck)
        hand = Position.deal(rs, 4, 0, deck, QuickChance(rng.random))
        while not hand.over:
            seat, code = hand.actor, player.choose_code(hand)
            plain = bots.choose_action(hand.view(seat), rs, "plain", rng)
            same += codec.encode(hand, seat, plain) == code
            asked += 1
            hand.apply_code(code)
    assert same > 0.85 * asked


def test_rollout_challenges_a_player_with_many_cards() -> None:
    player = rollout.plain_policy(rulesets.make("uno-400"))
    for held, verb in (("G1 G2", "draw"), ("G1 G2 G3 G4 B1 B2", "challenge")):
        hand = make_position("uno-400", f"W+4 {held}|Y1 Y2|G6 G7", top="R7", draw="B6 B6 B7 B7")
        run_actions(hand, "0: W+4 G")
        assert codec.decode(hand, player.choose_code(hand)).verb == verb


def test_rollout_swaps_hands_with_the_opponent_who_holds_the_fewest_cards() -> None:
    for partners, other in ((False, 2), (True, 3)):
        hand = make_position(
            "uno-400",
            "BLANK G1|Y1 Y2 Y3|Y4|Y5 Y6",
            top="R7",
            blanks=1,
            blank_rule="swap",
            partners=partners,
        )
        done = codec.decode(hand, rollout.plain_policy(hand.rs).choose_code(hand))
        assert (done.card, done.color, done.seat) == ("BLANK", "G", other)


def test_rollout_stops_after_the_given_number_of_actions() -> None:
    hand = make_position("uno-400", "R5 R6 R8|R1 R2 R3", top="R7", draw="B3 B4")
    rollout.play_on(hand, rollout.plain_policy(hand.rs), 3)
    assert len(hand.discard) == 4
    rollout.play_on(hand, rollout.plain_policy(hand.rs), 99)
    assert (hand.over, hand.winner) == (True, 0)
