"""Tests of the strong bot: its choices, and sampled deals that agree with its view.

bench/bots.py measures the bot's strength.
"""

import json
from collections import Counter
from itertools import chain
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.actions.codes import EMPTY
from games.rules.bots import bots, lookahead
from games.rules.bots.lookahead import MoveSearch
from games.rules.bots.playout import Playout
from games.rules.deck import roles
from games.rules.hand import codec
from games.rules.hand.position import Position
from games.rules.ruleset import rulesets
from tests.rules.strategies import RandomGame, random_games
from tests.rules.table import make_position, run_actions


def choose_strong_action(hand: Position, seed: int = 1) -> dict[str, Any]:
    """Return the strong bot's action for the seat whose turn it is."""
    assert hand.turn is not None
    return {**bots.choose_action(hand.view(hand.turn), hand.rs, "strong", Random(seed)).to_json()}


def test_strong_bot_plays_a_card_that_gives_it_another_turn() -> None:
    hand = make_position("uno-400", "R5 RS RR|Y1|B1", top="R7", draw="B3 B4 B5 B6", uno_penalty=0)
    assert choose_strong_action(hand) in ({"play": "RS"}, {"play": "RR"})


def test_strong_bot_goes_out_if_it_can() -> None:
    hand = make_position("uno-400", "R5|Y1 Y2", top="R7")
    assert choose_strong_action(hand) == {"play": "R5"}


def test_strong_bot_says_uno() -> None:
    hand = make_position("uno-400", "R5 R6|Y1 Y2 Y3", top="R7", draw="B3 B4")
    assert choose_strong_action(hand)["uno"] is True


def test_strong_bot_chooses_the_colour_of_an_opening_wild() -> None:
    rs = rulesets.make("uno-400", {"hand_size": 3})
    order = ["G1", "Y1", "G2", "Y2", "G3", "Y3", "W", "B1", "B2"]
    assert choose_strong_action(Position.deal(rs, 2, 1, order)) == {"choose": "G"}


def test_equal_seeds_give_equal_decisions() -> None:
    hand = Playout(rulesets.make("ocho"), ["plain"] * 4, 0, Random(3)).hand
    assert choose_strong_action(hand, 5) == choose_strong_action(hand, 5)


def test_strong_bot_checks_the_time_limit_after_every_deal() -> None:
    hand = make_position("uno-400", "R5 R6 R7 R8|Y1 Y2 Y3", top="R7", draw="B3 B4")
    asked = []

    def has_time() -> bool:
        asked.append(True)
        return len(asked) < 7

    bots.choose_action(hand.view(0), hand.rs, "strong", Random(1), has_time)
    assert len(asked) == 7


def make_search(hand: Position) -> MoveSearch:
    assert hand.turn is not None
    view = json.loads(json.dumps(hand.view(hand.turn)))
    return MoveSearch(view, hand.rs, Random(1))


@given(random_games())
def test_sampled_deal_is_consistent_with_the_real_hand(game: RandomGame) -> None:
    hand = game.hand
    if hand.turn is None:
        return
    search = make_search(hand)
    search.hidden.deal(search.start)
    start = search.start
    assert [len(held) for held in start.hands] == hand.counts
    assert len(start.draw) == len(hand.draw)
    assert Counter(chain(*start.hands, start.draw, start.discard)) == Counter(game.rs.cards())
    assert start.hands[hand.turn] == hand.hands[hand.turn]
    for seat, seen in hand.view(hand.turn)["seen"].items():
        assert not Counter(seen) - Counter(start.notations(start.hands[int(seat)]))


@given(random_games())
def test_seat_has_the_same_legal_actions_in_a_sampled_deal(game: RandomGame) -> None:
    hand = game.hand
    if hand.turn is None:
        return
    start = make_search(hand).start
    ours = [
        code
        for code in start.codes(hand.turn)
        if "catch" not in codec.decode(start, code).to_json()
    ]
    theirs = [
        code
        for code in hand.codes(hand.turn)
        if codec.decode(hand, code).verb not in ("catch", "call") or not hand.uncalled
    ]
    if hand.rs.wrong_catch_penalty == 0 and hand.stage != EMPTY:
        assert [c for c in ours if codec.decode(start, c).verb != "call"] == [
            c for c in theirs if codec.decode(hand, c).verb not in ("catch", "call")
        ]


def test_sampled_hand_has_no_card_that_its_player_would_have_played() -> None:
    hand = make_position(
        "uno-400", "R5 R6|Y1 Y2 B1 B2 B3|R1 R2", top="G7", draw="R9 B4 B5 B6", turn=1
    )
    run_actions(hand, "1: draw", "2: draw")
    search = make_search(hand)
    for _ in range(50):
        search.hidden.deal(search.start)
        held = [search.start.tables.cards[kind] for kind in search.start.hands[1]]
        assert [c.notation for c in held if c.color == 2 or c.face == "7" or c.color < 0] == []


def test_cards_received_since_the_last_draw_may_fit() -> None:
    hand = make_position(
        "ocho", "R5 R+2|Y1 Y2|B1 B2 B3", top="G7", draw="R9 B4 B5 B6 B9 B7", turn=1
    )
    run_actions(hand, "1: draw", "2: draw")
    hand.give(1, 2, "penalty")
    search, greens = make_search(hand), 0
    for _ in range(100):
        search.hidden.deal(search.start)
        held = [search.start.tables.cards[kind] for kind in search.start.hands[1]]
        fits = [card for card in held if card.color == 2 or card.face == "7"]
        assert len(fits) <= 2
        greens += len(fits)
    assert greens > 0


def test_strong_bot_challenges_like_the_plain_bot() -> None:
    held = "W+4 G1 G2 G3 G4 B1 B2 B3 B4"
    hand = make_position("uno-400", f"{held}|Y1 Y2", top="R7", draw="B6 B6 B7 B7")
    run_actions(hand, "0: W+4 G")
    assert choose_strong_action(hand) == {"challenge": True}


@pytest.mark.parametrize("seats", [2, 4, 7, 10])
@pytest.mark.parametrize("key", list(rulesets.RULE_SETS))
def test_strong_bots_finish_hands_under_all_rules(
    monkeypatch: pytest.MonkeyPatch, key: str, seats: int
) -> None:
    monkeypatch.setattr(lookahead, "ACTIONS", 100)
    rs = rulesets.make(key)
    seats = min(seats, rs.max_seats)
    hand = Playout(rs, ["strong"] * seats, 0, Random(seats)).run()
    assert hand.over


def test_strong_partners_play_for_their_team(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookahead, "ACTIONS", 100)
    rs = rulesets.make("uno-500", {"partners": True})
    hand = Playout(rs, ["strong"] * 4, 0, Random(1)).run()
    assert hand.winner is not None
    search = MoveSearch(Playout(rs, ["plain"] * 4, 3, Random(2)).hand.view(0), rs, Random(1))
    assert search.team == [0, 2]


@settings(max_examples=30)
@given(st.integers(0, 2**32), st.sampled_from(["swap", "pass-hands", "skip-everybody", "draw-one"]))
def test_strong_bots_can_play_blank_cards(seed: int, rule: str) -> None:
    rs = rulesets.make("uno-400", {"blanks": 4, "blank_rule": rule, "hand_size": 3})
    played = Playout(rs, ["strong"] * 3, 0, Random(seed))
    hand = played.hand
    view = hand.view(hand.actor)
    action = bots.choose_action(view, rs, "strong", Random(seed), lambda: False)
    assert hand.refusal(hand.actor, action) is None
    assert roles.BLANK in rs.roles()
