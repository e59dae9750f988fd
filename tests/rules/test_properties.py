"""Property tests with random rule sets, options, numbers of seats and actions.

`pytest --hypothesis-profile=far tests/rules/test_properties.py` tries five times as many examples.
"""

import json
import re
from collections import Counter
from itertools import chain
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import record
from games.rules.actions.actions import Action, IllegalActionError
from games.rules.bots.playout import Playout
from games.rules.chance import RecordedChance
from games.rules.deck import decks
from games.rules.hand.position import Position
from games.rules.ruleset import rulesets
from tests.rules.strategies import RandomGame, choose_random_rules, random_actions, random_games
from tests.rules.table import FixedOrder

seeds = st.integers(0, 2**32)


def count_cards(hand: Position) -> Counter[int]:
    return Counter(chain(*hand.hands, hand.draw, hand.discard))


def apply_to_copy(hand: Position, seat: int, action: Action) -> dict[str, Any]:
    """Return the state after an action on a copy of the hand, with fixed random results."""
    copy = hand.copy()
    copy.apply(seat, action, FixedOrder())
    return copy.to_json()


def list_states_after_legal_actions(hand: Position, seat: int) -> list[dict[str, Any]]:
    return [apply_to_copy(hand, seat, action) for action in hand.legal_actions(seat)]


# --- playing


@given(random_games())
def test_cards_are_never_lost_or_duplicated(game: RandomGame) -> None:
    assert count_cards(game.hand) == Counter(game.rs.cards())


@given(random_games())
def test_seat_whose_turn_it_is_always_has_a_legal_action(game: RandomGame) -> None:
    hand = game.hand
    able = [seat for seat in range(hand.seats) if hand.legal_actions(seat)]
    assert hand.over == (hand.turn not in able)
    if hand.over:
        assert able == []


@given(random_games())
def test_only_players_who_went_out_have_no_cards(game: RandomGame) -> None:
    hand = game.hand
    empty = {seat for seat, count in enumerate(hand.counts) if count == 0}
    if hand.over:
        assert (hand.winner in empty) if hand.winner is not None else (empty == set())
    else:
        # A player who waits for the end of a stack may have to draw for a wrong catch.
        assert empty == {seat for seat in hand.emptied if not hand.counts[seat]}


@given(seeds, st.sampled_from(["random", "plain"]))
def test_every_hand_of_bots_ends(seed: int, strength: str) -> None:
    # Bots play whenever a card fits. Such a hand ends with probability 1: in any state, there is an
    # order of the cards after the next shuffle that lets a bot go out. Playout raises
    # EndlessHandError only after far more actions than have ever been observed.
    rng = Random(seed)
    rs, seats = choose_random_rules(rng)
    played = Playout(rs, [strength] * seats, rng.randrange(seats), rng)
    hand = played.run()
    assert hand.over
    assert count_cards(hand) == Counter(rs.cards())


# --- legal or refused


@given(random_games(), st.data())
def test_every_action_is_either_legal_or_refused_without_effect(
    game: RandomGame, data: st.DataObject
) -> None:
    hand = game.hand
    seat = data.draw(st.integers(0, hand.seats - 1))
    before = hand.to_json()
    for action in data.draw(st.lists(random_actions(game.rs, hand.seats), max_size=25)):
        refusal = hand.refusal(seat, action)
        if refusal is None:
            assert apply_to_copy(hand, seat, action) in list_states_after_legal_actions(hand, seat)
        else:
            assert refusal.code
            assert refusal.sentence.endswith((".", "!", "?"))
            with pytest.raises(IllegalActionError, match=f"^{re.escape(refusal.sentence)}$"):
                hand.apply(seat, action)
    assert hand.to_json() == before


@given(random_games())
def test_every_legal_action_can_be_applied(game: RandomGame) -> None:
    for seat in range(game.hand.seats):
        legal = game.hand.legal_actions(seat)
        assert len(set(legal)) == len(legal)
        for action in legal:
            assert game.hand.refusal(seat, action) is None
            assert Action.from_json(action.to_json()) == action
        assert len(list_states_after_legal_actions(game.hand, seat)) == len(legal)


@given(random_games())
def test_view_offers_exactly_the_legal_actions(game: RandomGame) -> None:
    for seat in range(game.hand.seats):
        view = game.hand.view(seat)
        offered = [Action.from_json(action) for action in view["actions"]]
        assert offered == game.hand.legal_actions(seat)
        verbs = {action.verb for action in offered}
        for verb in ("draw", "pass", "challenge", "call", "choose"):
            assert view["may"][verb] == (verb in verbs)
        assert view["may"]["catch"] == [a.seat for a in offered if a.verb == "catch"]
        plays = {action.card for action in offered if action.verb == "play"}
        assert set(view["playable"]) == plays
        assert set(view["why"]) == set(view["cards"]) - plays


# --- storing and replaying


@given(seeds)
def test_rule_set_can_be_rebuilt_from_its_options(seed: int) -> None:
    rs, _ = choose_random_rules(Random(seed))
    assert rulesets.make(rs.key, rs.changed_options()) == rs
    assert rulesets.make(rs.key, rs.options()) == rs


@given(random_games(), seeds)
def test_stored_hand_loads_unchanged(game: RandomGame, seed: int) -> None:
    stored = json.loads(json.dumps(game.hand.to_json()))
    loaded = Position.from_json(game.rs, stored)
    assert loaded.to_json() == game.hand.to_json()
    for seat in (None, *range(loaded.seats)):
        assert loaded.view(seat) == game.hand.view(seat)
    for seat in range(loaded.seats):
        assert list_states_after_legal_actions(loaded, seat) == list_states_after_legal_actions(
            game.hand, seat
        )


@given(random_games(), st.integers(1, 10))
def test_copied_hand_is_independent(game: RandomGame, steps: int) -> None:
    first = game.hand
    before = first.to_json()
    game.hand = first.copy()
    game.play_random_actions(steps)
    assert first.to_json() == before
    second = game.hand.to_json()
    game.hand, kept = first, game.hand
    game.play_random_actions(steps)
    assert kept.to_json() == second


@given(random_games(steps=120))
def test_storing_and_loading_before_each_action_does_not_change_the_result(
    game: RandomGame,
) -> None:
    chance = RecordedChance(game.chance.results, game.rs.pack)
    hand = Position.deal(game.rs, game.hand.seats, game.dealer, game.deck, chance)
    for entry in game.actions:
        hand = Position.from_json(game.rs, json.loads(json.dumps(hand.to_json())), chance)
        written = {key: value for key, value in entry.items() if key != "seat"}
        hand.apply(entry["seat"], Action.from_json(written))
    assert hand.to_json() == game.hand.to_json()


@given(random_games(steps=120))
def test_written_hand_record_passes_the_check(game: RandomGame) -> None:
    made = record.write(
        name="any hand",
        rs=game.rs,
        seats=game.hand.seats,
        dealer=game.dealer,
        deck=game.deck,
        actions=game.actions,
        chance=game.chance.results,
    )
    written = json.loads(json.dumps(made))
    assert record.check(written) is None
    written["log"][-1]["expect"]["counts"][0] += 1
    assert "counts" in (record.check(written) or "")


# --- knowledge of each player


def exchange_hidden_cards(game: RandomGame, viewer: int | None, rng: Random) -> Position:
    """Return the same hand, with the cards that this viewer does not know exchanged at random.

    These are the cards of the draw pile and of other hands, except for those that the viewer has
    seen. A card that was just drawn also stays in place, because the state could otherwise be
    impossible.
    """
    state: dict[str, Any] = game.hand.to_json()
    known = {of: list(seen) for seat, of, seen in state["seen"] if seat == viewer}
    if state["drawn"] and state["turn"] != viewer:
        known.setdefault(state["turn"], []).append(state["drawn"])
    places = [(state["draw"], n) for n in range(len(state["draw"]))]
    for seat, held in enumerate(state["hands"]):
        if seat != viewer:
            kept = Counter(known.get(seat, ()))
            for n, card in enumerate(held):
                if kept[card]:
                    kept[card] -= 1
                else:
                    places.append((held, n))
    moved = [held[n] for held, n in places]
    rng.shuffle(moved)
    for (held, n), card in zip(places, moved, strict=True):
        held[n] = card
    state["bluff"] = rng.random() < 0.5
    state["seen"] = [each for each in state["seen"] if each[0] == viewer]
    return Position.from_json(game.rs, state)


@given(random_games(), seeds)
def test_view_does_not_depend_on_hidden_cards(game: RandomGame, seed: int) -> None:
    rng = Random(seed)
    for viewer in (None, *range(game.hand.seats)):
        if game.hand.over and viewer is not None:
            continue
        other = exchange_hidden_cards(game, viewer, rng)
        assert json.dumps(other.view(viewer)) == json.dumps(game.hand.view(viewer))


@given(random_games())
def test_public_events_do_not_reveal_hidden_cards(game: RandomGame) -> None:
    events = list(game.opening)
    while not game.hand.over and len(events) < 40:
        events += game.play_random_action()
    for event in map(dict, events):
        public = {key: value for key, value in event.items() if key != "private"}
        shown = json.dumps(public)
        named = [card for card in decks.all_notations() if f'"{card}"' in shown]
        assert named == ([event["card"]] if "card" in event else [])
        if "card" in event:
            assert event["event"] in ("played", "opening", "returned", "identical")
