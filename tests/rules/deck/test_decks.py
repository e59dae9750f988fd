"""Tests of decks, and of a new card added as docs/adding-a-rule-set.md describes."""

import json
import re
from collections.abc import Iterable
from dataclasses import replace
from random import Random

import pytest

from games import art
from games.rules import record
from games.rules.bots.playout import Playout
from games.rules.deck import decks, roles
from games.rules.deck.cards import Card, Deck
from games.rules.deck.roles import CardRole
from games.rules.hand import effects
from games.rules.hand.position import Position
from games.rules.hand.state import HandState
from games.rules.ruleset import optionlist, rulesets
from games.rules.ruleset.rulesets import RULE_SETS, RuleSet
from games.rules.words import explain, lessons, words
from tests.rules.table import get_refusal_code, list_event_names, make_position, run_actions

# --- decks


def test_meaning_of_a_notation_depends_on_its_deck() -> None:
    two, one = RULE_SETS["ocho-cards"], RULE_SETS["crazy-eights"]
    found = [
        [(card.role.name, card.points) for card in map(rs.card, ("AS", "2S", "8S", "JS"))]
        for rs in (two, one)
    ]
    assert found == [
        [("reverse", 20), ("draw_two", 20), ("number", 8), ("wild", 50)],
        [("number", 1), ("number", 2), ("wild", 50), ("number", 10)],
    ]


@pytest.mark.parametrize("deck", decks.DECKS.values(), ids=list(decks.DECKS))
def test_deck_is_complete(deck: Deck) -> None:
    assert len(set(deck.notation)) == len(deck.cards) <= 128
    assert set(deck.sample) <= set(deck.notation)
    assert {card.color for card in deck.cards} <= set(range(-1, 4))
    assert sorted(deck.by_color) == sorted(deck.by_number) == list(range(len(deck.cards)))


def test_deck_rejects_cards_of_other_decks() -> None:
    with pytest.raises(ValueError, match="the deck one-pack has no card R5"):
        RULE_SETS["crazy-eights"].kind("R5")
    hand = make_position("crazy-eights", "7S 3C|4D 4C", top="9S", draw="10C")
    assert get_refusal_code(hand, "0: R5") == "unknown-card"


# --- a new card


def apply_thunder(hand: HandState, seat: int, before: int, skipped: int = 0) -> None:
    """Make every other player draw one card."""
    for other in hand.seats_around(seat)[:-1]:
        hand.give(other, 1, "turn")
    hand.advance(seat, 1)


THUNDER = CardRole("thunder", "Everybody else draws a card. It has a {color}.", saved=5)


def make_colored_deck(
    key: str, cards: Iterable[tuple[Card, int]], sentence: str, last: str
) -> Deck:
    return Deck(
        key=key,
        colors=decks.COLORS,
        color_names=decks.COLOR_NAMES,
        counted=tuple(cards),
        words=decks.COLORED_WORDS,
        sentence=sentence,
        sample=("R7", last),
    )


def add_deck(monkeypatch: pytest.MonkeyPatch, deck: Deck) -> None:
    monkeypatch.setitem(decks.DECKS, deck.key, deck)
    values = {**optionlist.OPTIONS["deck"].values, deck.key: deck.sentence}
    option = replace(optionlist.OPTIONS["deck"], values=values)
    monkeypatch.setitem(optionlist.OPTIONS, "deck", option)


@pytest.fixture
def thunder_rules(monkeypatch: pytest.MonkeyPatch) -> RuleSet:
    """Provide a rule set whose deck has two Red Thunders."""
    card = decks.make_uno_card("R", "!", THUNDER, 30, "Thunder", "a Thunder", 25)
    cards = (*decks.uno_cards(decks.UNO_FACES), (card, 2), *decks.UNO_WILDS)
    sentence = "The deck is that of UNO with two Red Thunders."
    add_deck(monkeypatch, make_colored_deck("stormy", cards, sentence, "R!"))
    monkeypatch.setitem(effects.BY_ROLE, THUNDER, apply_thunder)
    return rulesets.make("uno-400", {"deck": "stormy"})


def test_new_card_can_be_played(thunder_rules: RuleSet) -> None:
    hands = [["R!", "R1"], ["G1", "G2"], ["B1", "B2"]]
    hand = Position.set_up(thunder_rules, hands, ["R5"], ["Y1", "Y2", "Y3"], turn=0)
    assert hand.playable(0) == ["R!", "R1"]
    events = run_actions(hand, "0: R!")
    assert list_event_names(events) == ["played", "drew", "drew"]
    assert (hand.turn, hand.counts) == (1, [1, 3, 3])
    names = ["Asha", "Ben", "Chen"]
    assert explain.action_text(events, names, thunder_rules).startswith(
        "Asha plays Red Thunder: Ben draws 1"
    )


def test_new_card_is_explained_in_the_rules(thunder_rules: RuleSet) -> None:
    page = [
        text
        for section in explain.rules_page(thunder_rules)
        for text in (*section.paragraphs, *(item.sentence for item in section.items))
    ]
    assert "Thunder: Everybody else draws a card. It has a colour." in page
    assert "Thunder: 30 points." in page
    assert any("with two Red Thunders" in text for text in page)
    assert lessons.is_special(thunder_rules, "R!")


def test_new_card_has_a_place_a_picture_and_points(thunder_rules: RuleSet) -> None:
    facts = words.deck_facts(thunder_rules)["cards"]
    assert (facts["R!"]["name"], facts["R!"]["art"]) == ("Red Thunder", "R!")
    assert facts["R+2"]["color"] < facts["R!"]["color"] < facts["Y0"]["color"]
    assert '<symbol id="R!"' in art.sprite([thunder_rules.pack])
    assert thunder_rules.points(thunder_rules.kind("R!")) == 30
    assert len(thunder_rules.cards()) == 110


@pytest.mark.slow
@pytest.mark.patient
def test_bots_play_a_new_card_and_produce_valid_records(thunder_rules: RuleSet) -> None:
    few = replace(thunder_rules, hand_size=4)
    for strength in ("easy", "plain", "strong"):
        played = Playout(few, [strength] * 2, 0, Random(3))
        assert played.run().over
        written = json.loads(json.dumps(played.record("stormy")))
        assert record.check(written) is None
        assert Position.from_json(few, played.hand.to_json()).to_json() == played.hand.to_json()


def test_rules_page_omits_cards_missing_from_the_deck(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    numbers = decks.uno_cards({str(n): 2 for n in range(10)})
    add_deck(
        monkeypatch, make_colored_deck("numbers", numbers, "The deck has numbers alone.", "G7")
    )
    rs = rulesets.make("uno-400", {"deck": "numbers", "identical_skips": True})
    page = " ".join(
        text
        for section in explain.rules_page(rs)
        for text in (*section.paragraphs, *(item.sentence for item in section.items))
    )
    same = "Playing a card of the same rank and suit as the top card also skips the next player."
    assert same in page
    named = ("Draw Two", "Reverse", "A last wild", "last card is")
    assert [name for name in named if name in page] == []


def test_every_special_card_role_has_a_description() -> None:
    special = {role for rs in RULE_SETS.values() for role in rs.roles()} - {roles.NUMBER}
    assert [role for role in special if not re.search(r"\w", role.rule)] == []
