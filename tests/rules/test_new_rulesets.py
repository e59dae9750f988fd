"""Tests of new rule sets and decks: their validation, and the content of the rules page."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from games.rules.bots.playout import Playout
from games.rules.deck import decks, roles
from games.rules.deck.cards import Deck
from games.rules.deck.decks import DECKS
from games.rules.deck.roles import CardRole
from games.rules.ruleset import optionlist, rulesets
from games.rules.ruleset.options import OptionError, Texts, Value
from games.rules.ruleset.rulesets import RULE_SETS, UNO_400, RuleSet
from games.rules.words import explain, lessons

SKAT_RANKS = ("7", "8", "9", "10", "J", "Q", "K", "A")
MAU_MAU_ROLES = {"7": roles.DRAW_TWO, "8": roles.SKIP, "J": roles.WILD}
MAU_MAU_WORDS = replace(
    decks.SUITED_WORDS,
    colorless="",
    colored_wilds="a jack",
    roles={"wild": "a jack", "draw_two": "a seven", "skip": "an eight"},
    titles={"wild": "Jack (Wild)", "draw_two": "7 (Draw Two)", "skip": "8 (Skip)"},
    says_uno=False,
)


def make_mau_mau_deck() -> Deck:
    """Return a deck of 32 cards in which sevens are Draw Twos, eights Skips and jacks Wilds."""
    points = {"J": 20, "Q": 3, "K": 4, "A": 11}
    cards = [
        (
            decks.make_playing_card(
                rank, suit, MAU_MAU_ROLES.get(rank, roles.NUMBER), points.get(rank, 0)
            ),
            1,
        )
        for suit in decks.SUITS
        for rank in SKAT_RANKS
    ]
    sentence, sample = "The deck is a pack of 32 cards.", ("7S", "9H", "JD")
    suits, names = decks.SUITS, decks.SUIT_NAMES
    return Deck("pack-32", suits, names, tuple(cards), MAU_MAU_WORDS, sentence, sample, 5)


def add_deck(monkeypatch: pytest.MonkeyPatch, deck: Deck) -> None:
    monkeypatch.setitem(DECKS, deck.key, deck)
    values: dict[Value, Texts] = {key: each.sentence for key, each in DECKS.items()}
    option = replace(optionlist.OPTIONS["deck"], values=values)
    monkeypatch.setitem(optionlist.OPTIONS, "deck", option)


def make_mau_mau(**options: object) -> RuleSet:
    own = {"deck": "pack-32", "hand_size": 5, "target": 100, "uno_penalty": 0}
    own |= {"opening_reverse": "plain", "wild_draw_four": "anytime", "challenge": False}
    own |= {"stacking": "draw-two", **options}
    return replace(UNO_400, key="mau-mau", name="Mau-Mau", **own)  # type: ignore[arg-type]


@pytest.fixture
def pack_32(monkeypatch: pytest.MonkeyPatch) -> None:
    add_deck(monkeypatch, make_mau_mau_deck())


def render_rules(rs: RuleSet) -> str:
    found = (
        text
        for section in explain.rules_page(rs)
        for text in (*section.paragraphs, *(item.sentence for item in section.items))
    )
    return " ".join([*found, *(lesson.text for lesson in lessons.lessons(rs))])


# --- validation


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (
            {"scoring": "lowest-total"},
            "scoring can’t be 'lowest-total': it must be one of these: winner-takes, lowest, "
            "elimination.",
        ),
        (
            {"stacking": "twos"},
            "stacking can’t be 'twos': it must be one of these: none, draw-two, any-draw.",
        ),
        ({"target": -1}, "target can’t be -1: it must be a whole number from 0 to 99999."),
        ({"deck": "skat"}, "deck can’t be 'skat': it must be one of these: uno-108, ocho-108, "),
        ({"hand_size": 25}, "25 cards each is too many for a deck of 32 cards."),
        (
            {"blanks": 1, "blank_rule": "replace", "blank_card": "R7"},
            "The blanks can’t replace R7: the pack-32 deck has no such card.",
        ),
    ],
)
def test_new_rule_set_with_invalid_options_is_refused(
    pack_32: None, wrong: dict[str, object], sentence: str
) -> None:
    with pytest.raises(OptionError, match=re.escape(sentence)):
        make_mau_mau(**wrong)


def test_new_rule_set_with_options_about_missing_roles_is_refused(pack_32: None) -> None:
    with pytest.raises(ValueError, match="a deck whose roles are") as caught:
        make_mau_mau(opening_reverse="dealer", challenge=True)
    assert str(caught.value) == (
        "mau-mau: for a deck whose roles are ['draw_two', 'skip', 'number', 'wild'] the options "
        "are {'opening_reverse': 'plain', 'challenge': False}"
    )


def test_changing_only_the_deck_is_allowed(pack_32: None) -> None:
    rs = rulesets.make("uno-400", {"deck": "pack-32", "hand_size": 5})
    assert (rs.challenge, rs.opening_reverse) == (True, "dealers-right")
    assert re.findall("Draw Four|Reverse", render_rules(rs)) == []


@pytest.mark.parametrize("option", optionlist.OPTIONS.values(), ids=list(optionlist.OPTIONS))
def test_idle_value_of_an_option_is_valid(
    option: rulesets.Option,
) -> None:
    if option.about:
        assert option.check(option.idle) == option.idle


@pytest.mark.parametrize("name", ["draw-two", "shield"])
def test_deck_with_words_for_a_missing_role_is_refused(name: str) -> None:
    wrong = {name: "a card"}
    expected = f"pack-32 has words for '{name}', but its roles are ['blank', 'draw_two', 'number', "
    for words in (replace(MAU_MAU_WORDS, roles=wrong), replace(MAU_MAU_WORDS, titles=wrong)):
        with pytest.raises(ValueError, match=re.escape(expected)):
            replace(make_mau_mau_deck(), words=words)


def test_new_rule_set_can_be_played_and_explained(
    pack_32: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(RULE_SETS, "mau-mau", make_mau_mau())
    rs = rulesets.make("mau-mau", {"target": 50})
    assert rs.changed_options() == {"target": 50}
    for strength in ("easy", "plain"):
        assert Playout(rs, [strength] * 3, 0, Random(5)).run().over
    page = render_rules(rs)
    assert "A seven can be answered with a seven of any suit." in page
    assert "8 (Skip): The next player loses their turn." in page


# --- no mention of missing cards


def test_wild_draw_four_stacking_is_not_mentioned_without_that_card(
    pack_32: None,
) -> None:
    for stacking in ("draw-two", "any-draw"):
        page = render_rules(make_mau_mau(stacking=stacking))
        assert "the player who does not add to them draws the total." in page
        assert re.findall("Wild Draw Four|[Jj]oker", page) == []


TITLES = {
    roles.SKIP: r"\bSkip",
    roles.REVERSE: "Reverse",
    roles.DRAW_TWO: "Draw Two",
    roles.WILD: r"\bWilds?\b(?! Draw)",
    roles.WILD_DRAW_FOUR: "Wild Draw Four",
    roles.SHIELD: "Shield",
    roles.X_RAY: "X-Ray",
    roles.DEAD_RED: "Dead Red",
    roles.BOO_BLUE: "Boo Blue",
}
CARD_OPTIONS = [option for option in optionlist.OPTIONS.values() if option.about]


def make_deck_without(card_roles: tuple[CardRole, ...]) -> Deck:
    """Return the larger Ocho deck without the cards that have these roles."""
    whole = DECKS["ocho-116"]
    cards = tuple((card, count) for card, count in whole.counted if card.role not in card_roles)
    return replace(whole, key="fewer", counted=cards, sentence="It is a deck with fewer cards.")


def iter_rules_with_each_value(rng: Random) -> Iterator[dict[str, object]]:
    """Yield values for the options about cards, so that each value occurs at least once."""
    for number in range(3):
        yield {
            option.name: [*option.values][number % len(option.values)] for option in CARD_OPTIONS
        }
    for _ in range(5):
        yield {option.name: rng.choice([*option.values]) for option in CARD_OPTIONS}


@pytest.mark.parametrize(
    "card_roles",
    [*combinations(TITLES, 1), *combinations(TITLES, 2), *combinations(TITLES, 8), tuple(TITLES)],
    ids=lambda gone: "-".join(role.name for role in gone),
)
def test_rules_page_does_not_mention_cards_missing_from_the_deck(
    card_roles: tuple[CardRole, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    add_deck(monkeypatch, make_deck_without(card_roles))
    for options in iter_rules_with_each_value(Random(8)):
        page = render_rules(rulesets.make("ocho", {**options, "deck": "fewer", "uno_penalty": 2}))
        assert [role.name for role in card_roles if re.search(TITLES[role], page)] == [], options
        if {roles.DRAW_TWO, roles.WILD_DRAW_FOUR, roles.SHIELD} <= {*card_roles}:
            assert re.findall("draw card|stack", page) == []
        if len(card_roles) == len(TITLES):
            assert "wild" not in page
