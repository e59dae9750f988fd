"""Tests of a rule set's special cards: names, pictures, and all cards with the same effect."""

import pytest

from games.rules.deck import roles
from games.rules.deck.roles import CardRole
from games.rules.ruleset import rulesets
from games.rules.ruleset.optionlist import OPTIONS
from games.rules.ruleset.rulesets import RULE_SETS
from games.rules.words import special

UNO_CARDS = ["Skip RS", "Reverse YR", "Draw Two G+2", "Wild W", "Wild Draw Four W+4"]
SPECIALS = {
    "ocho": [*UNO_CARDS, "Shield SH", "X-Ray XR", "Dead Red DR", "Boo Blue BB"],
    "uno-500": UNO_CARDS,
    "ocho-cards": [
        "Ace (Reverse) AS",
        "2 (Draw Two) 2H",
        "Jack, queen and king (Wild) JD",
        "Joker (Wild Draw Four) JK",
    ],
    "uno-400": UNO_CARDS,
    "uno-assignment": UNO_CARDS,
    "crazy-eights": ["Eight (Wild) 8S"],
}


@pytest.mark.parametrize("key", RULE_SETS)
def test_special_cards_have_titles_and_alternating_colours(key: str) -> None:
    items = special.special_cards(RULE_SETS[key]).values()
    assert [f"{item.title} {item.card}" for item in items] == SPECIALS[key]


@pytest.mark.parametrize(
    ("key", "faces"),
    [
        ("ocho", "RS YR G+2 W W+4 SH XR DR BB"),
        ("uno-400", "RS YR G+2 W W+4"),
        ("ocho-cards", "AS 2H JD QC KS JK"),
        ("crazy-eights", "8S"),
    ],
)
def test_rule_set_pictures_show_each_special_face_once(key: str, faces: str) -> None:
    assert special.pictures(RULE_SETS[key]) == faces.split()


@pytest.mark.parametrize(
    ("key", "role", "cards", "example"),
    [
        ("uno-400", roles.SKIP, "RS YS GS BS", "RS"),
        ("uno-400", roles.WILD_DRAW_FOUR, "W+4", "W+4"),
        ("ocho", roles.BOO_BLUE, "BB", "BB"),
        ("ocho-cards", roles.REVERSE, "AS AH AD AC", "AS"),
        ("ocho-cards", roles.WILD, "JS QS KS JH QH KH JD QD KD JC QC KC", "JS"),
        ("crazy-eights", roles.WILD, "8S 8H 8D 8C", "8S"),
    ],
)
def test_cards_with_the_same_effect_are_grouped(
    key: str, role: CardRole, cards: str, example: str
) -> None:
    assert special.cards_with_role(RULE_SETS[key], role) == cards.split()
    assert special.example_card(RULE_SETS[key], role) == example


@pytest.mark.parametrize("key", RULE_SETS)
def test_every_card_with_an_effect_is_listed_once(key: str) -> None:
    rs = RULE_SETS[key]
    found = [
        card for role in special.special_cards(rs) for card in special.cards_with_role(rs, role)
    ]
    cards = [rs.pack.cards[kind] for kind in rs.card_counts()]
    assert sorted(found) == sorted(card.notation for card in cards if card.role is not roles.NUMBER)


@pytest.mark.parametrize(
    ("role", "option", "value"),
    [
        (roles.DEAD_RED, "dead_red_spares_player", True),
        (roles.DEAD_RED, "dead_red_spares_player", False),
        (roles.BOO_BLUE, "boo_blue_ties", "all"),
        (roles.BOO_BLUE, "boo_blue_ties", "none"),
    ],
    ids=str,
)
def test_text_of_a_special_card_includes_the_sentence_of_its_option(
    role: CardRole, option: str, value: str | bool
) -> None:
    item = special.special_cards(rulesets.make("ocho", {option: value}))[role]
    assert f" card. {OPTIONS[option].sentence(value)} " in item.text


def test_named_blank_is_special_but_replacing_blank_is_not() -> None:
    named = rulesets.make("uno-500", {"blanks": 2, "blank_rule": "swap", "blank_name": "Trade"})
    item = special.special_cards(named)[roles.BLANK]
    assert item == (
        "A blank card is wild, and the player who plays it swaps hands with a player "
        "of their choice.",
        "Trade",
        "BLANK",
    )
    replaced = rulesets.make("uno-500", {"blanks": 2, "blank_card": "Y7"})
    assert list(special.special_cards(replaced)) == list(
        special.special_cards(RULE_SETS["uno-500"])
    )


@pytest.mark.parametrize(
    ("role", "draws", "returns", "saved", "tempo"),
    [
        (roles.NUMBER, 0, False, 0, False),
        (roles.SKIP, 0, False, 0, True),
        (roles.REVERSE, 0, False, 0, True),
        (roles.DRAW_TWO, 2, False, 0, True),
        (roles.WILD, 0, False, 40, False),
        (roles.WILD_DRAW_FOUR, 4, True, 50, True),
        (roles.SHIELD, 0, True, 55, False),
        (roles.X_RAY, 0, True, 37, False),
        (roles.DEAD_RED, 0, False, 0, False),
        (roles.BOO_BLUE, 0, False, 0, False),
        (roles.BLANK, 0, True, 37, False),
    ],
    ids=lambda value: value.name if isinstance(value, CardRole) else "",
)
def test_roles_have_the_expected_attributes(
    role: CardRole, draws: int, returns: bool, saved: int, tempo: bool
) -> None:
    assert (role.draws, role.returns, role.saved, role.tempo) == (draws, returns, saved, tempo)
