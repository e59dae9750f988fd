"""Tests that a hand stored as JSON is restored unchanged."""

import json
from random import Random

import pytest

from games.rules.chance import QuickChance
from games.rules.hand.position import Position
from games.rules.ruleset import rulesets
from tests.rules.table import make_position, run_actions

VARIANTS = [
    (
        "ocho",
        {"opening_draw_two": "draw", "challenge": True, "wild_draw_four": "no-matching-color"},
    ),
    ("uno-500", {"blanks": 4, "blank_rule": "swap", "stacking": "any-draw"}),
    ("ocho-cards", {"opening_wild": "choose", "opening_draw_two": "draw-and-skip"}),
    ("uno-400", {"partners": True, "wrong_catch_penalty": 1}),
    ("uno-assignment", {"hand_size": 3}),
]


@pytest.mark.slow
@pytest.mark.patient
@pytest.mark.parametrize(("ruleset", "options"), VARIANTS)
def test_restored_hand_equals_the_original_at_every_step(
    ruleset: str, options: dict[str, object]
) -> None:
    rs = rulesets.make(ruleset, options)
    random = Random(7)
    for _ in range(4):
        deck = rs.cards()
        random.shuffle(deck)
        hand = Position.deal(rs, 4, 0, deck, QuickChance(random.random))
        for step in range(400):
            if hand.over:
                break
            stored = Position.from_json(rs, json.loads(json.dumps(hand.to_json())))
            assert stored.to_json() == hand.to_json()
            assert [stored.legal_actions(seat) for seat in range(4)] == [
                hand.legal_actions(seat) for seat in range(4)
            ]
            assert stored.view(step % 4) == hand.view(step % 4)
            codes = hand.legal_codes()
            hand.apply_code(codes[int(random.random() * len(codes))])


def test_finished_hand_can_be_stored() -> None:
    rs = rulesets.RULE_SETS["uno-400"]
    hand = Position.set_up(rs, [["R1"], ["B9"]], ["R5"], [], turn=0)
    hand.apply(0, hand.legal_actions(0)[0])
    stored = Position.from_json(rs, json.loads(json.dumps(hand.to_json())))
    assert (stored.over, stored.winner, stored.points, stored.turn) == (True, 0, [9, 0], None)
    assert stored.to_json() == hand.to_json()


def test_answers_to_a_shield_survive_storage() -> None:
    hand = make_position("ocho", "R+2 SH G1|SH Y1 Y2|G2 G3", top="R7", draw="B1 B2 B3 B4")
    run_actions(hand, "0: R+2", "1: SH Y")
    stored = Position.from_json(hand.rs, json.loads(json.dumps(hand.to_json())))
    assert stored.turn == hand.turn == 0
    assert stored.playable(0) == hand.playable(0) == ["SH"]
    assert stored.legal_actions(0) == hand.legal_actions(0)
