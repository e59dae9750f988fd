"""Tests that integer codes follow the same rules as the actions that they encode."""

from random import Random

import pytest

from games.rules.actions.actions import Action
from games.rules.actions.codes import CALL, CATCH, CHALLENGE, CHOOSE, DRAW, PASS, play_code
from games.rules.chance import QuickChance
from games.rules.hand import codec
from games.rules.hand.position import Position
from games.rules.ruleset import rulesets
from games.rules.ruleset.rulesets import RULE_SETS
from tests.rules.table import make_position, run_actions

VARIANTS = [
    *[(key, {}) for key in RULE_SETS],
    ("uno-500", {"blanks": 4, "blank_rule": "swap"}),
    ("uno-500", {"partners": True, "blanks": 4, "blank_rule": "pass-hands"}),
    ("ocho", {"last_draw_two": "after-stack", "identical_skips": True, "uno_penalty": 3}),
    ("ocho-cards", {"stacking": "any-draw", "challenge": True, "face_wilds": "matching"}),
]


def deal_hand(key: str, options: dict[str, object], seed: int) -> tuple[Position, Random]:
    random = Random(seed)
    rs = rulesets.make(key, options)
    deck = rs.cards()
    random.shuffle(deck)
    return Position.deal(rs, 4, seed % 4, deck, QuickChance(random.random)), random


def test_code_matches_its_action() -> None:
    hand = make_position("uno-400", "R5 W G1|B1 B2", top="R1")
    kind = hand.rs.kind
    pairs = [
        (play_code(kind("R5")), Action.play("R5")),
        (play_code(kind("R5"), uno=True), Action.play("R5", uno=True)),
        (play_code(kind("W"), 2), Action.play("W", "G")),
        (play_code(kind("BLANK"), 0, swap=3), Action.play("BLANK", "R", seat=3)),
        (DRAW, Action("draw")),
        (PASS, Action("pass")),
        (CHALLENGE, Action("challenge")),
        (CALL, Action("call")),
        (CHOOSE + 3, Action("choose", color="B")),
        (CATCH + 9, Action("catch", seat=9)),
    ]
    assert [codec.decode(hand, code) for code, _ in pairs] == [action for _, action in pairs]


@pytest.mark.parametrize(("key", "options"), [*VARIANTS, ("uno-400", {"wrong_catch_penalty": 2})])
def test_codes_and_actions_lead_to_the_same_hand(key: str, options: dict[str, object]) -> None:
    for seed in range(3):
        hand, random = deal_hand(key, options, seed)
        twin, _ = deal_hand(key, options, seed)
        hand.chance, twin.chance = (QuickChance(Random(9).random) for _ in range(2))
        for _ in range(120):
            if hand.over:
                break
            codes = hand.legal_codes()
            code = codes[int(random.random() * len(codes))]
            twin.apply(twin.actor, codec.decode(twin, code))
            hand.apply_code(code)
            assert hand.to_json() == twin.to_json()


@pytest.mark.parametrize(("key", "options"), VARIANTS)
def test_playout_ends_without_losing_a_card(key: str, options: dict[str, object]) -> None:
    for seed in range(3):
        hand, random = deal_hand(key, options, seed)
        steps = 0
        while not hand.over:
            codes = hand.legal_codes()
            assert codes
            hand.apply_code(codes[int(random.random() * len(codes))])
            steps += 1
            if steps % 50 == 0:
                held = [kind for each in hand.hands for kind in each]
                assert sorted([*held, *hand.draw, *hand.discard]) == sorted(hand.rs.cards())
                assert hand.masks == [hand.mask_of(each) for each in hand.hands]
        assert hand.legal_codes() == ()
        assert [hand.codes(seat) for seat in range(4)] == [()] * 4


def test_playing_out_a_copy_does_not_change_the_hand() -> None:
    hand, random = deal_hand("uno-500", {}, 4)
    before = hand.to_json()
    for _ in range(5):
        twin = hand.copy()
        twin.chance = QuickChance(random.random)
        while not twin.over:
            codes = twin.legal_codes()
            twin.apply_code(codes[int(random.random() * len(codes))])
    assert hand.to_json() == before


def test_cache_of_possible_actions_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.rules.hand.compiled._CACHE_LIMIT", 3)
    hand, random = deal_hand("uno-500", {"target": 499}, 1)
    while not hand.over:
        codes = hand.legal_codes()
        hand.apply_code(codes[int(random.random() * len(codes))])
    assert max(len(cache) for sizes in hand.menus for cache in sizes) in (1, 2, 3)


def test_swaps_are_offered_with_every_other_seat() -> None:
    hand = make_position("uno-500", "BLANK R1 R2|Y1|G1", top="R5", blanks=1, blank_rule="swap")
    codes = hand.legal_codes()
    assert sum(code >= 1 << 12 for code in codes) == 4 * 2
    assert len(codes) == len(set(codes)) == 4 * 2 + 2 + 1


def test_hand_stops_logging_after_an_error() -> None:
    hand = make_position("uno-400", "R1 R2|Y1", top="R5")

    class Broken:
        def shuffle(self, kinds: list[int]) -> None:
            raise RuntimeError("no chance")

        def choice(self, n: int) -> int:
            return 0

    hand.discard = [hand.rs.kind(card) for card in ("G1", "R5")]
    hand.chance = Broken()
    with pytest.raises(RuntimeError):
        run_actions(hand, "0: draw")
    assert hand.log is None
