"""Tests of names of cards and colours, and of lists of names."""

from collections.abc import Sequence

import pytest

from games.rules.deck.decks import SUIT_NAMES
from games.rules.ruleset import rulesets
from games.rules.ruleset.rulesets import RULE_SETS
from games.rules.words import words

FSI, PDI = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"


@pytest.mark.parametrize(
    ("names", "last", "expected"),
    [
        ([], "and", ""),
        (["Asha"], "and", "Asha"),
        (["Asha", "Ben"], "and", "Asha and Ben"),
        (["Asha", "Ben", "Chen"], "and", "Asha, Ben and Chen"),
        (["a 5"], "or", "a 5"),
        (["red", "a 5"], "or", "red or a 5"),
        (["red", "a 5", "a wild", "a Skip"], "or", "red, a 5, a wild or a Skip"),
        (("Asha", "Ben"), "and", "Asha and Ben"),
    ],
)
def test_list_has_its_conjunction_only_before_the_last_item(
    names: Sequence[str], last: str, expected: str
) -> None:
    assert words.join_names(names, last) == expected


def test_list_uses_and_by_default() -> None:
    assert words.join_names(["Asha", "Ben"]) == "Asha and Ben"


@pytest.mark.parametrize(
    ("choices", "expected"),
    [
        ([], ""),
        (["red"], "red"),
        (["red", "a 7"], "red, or a 7"),
        (["red", "a 7", "a wild"], "red, or a 7, or a wild"),
    ],
)
def test_alternatives_are_joined_with_or(choices: list[str], expected: str) -> None:
    assert words.join_choices(choices) == expected


@pytest.mark.parametrize(
    ("n", "cards", "points"),
    [
        (0, "0 cards", "0 points"),
        (1, "1 card", "1 point"),
        (2, "2 cards", "2 points"),
        (21, "21 cards", "21 points"),
    ],
)
def test_one_card_or_point_is_singular(n: int, cards: str, points: str) -> None:
    assert (words.count(n), words.points(n)) == (cards, points)


# --- names of cards


BLANK_OPTIONS = {"blanks": 2, "blank_rule": "swap"}


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({}, "Blank"),
        (BLANK_OPTIONS, "Blank"),
        ({**BLANK_OPTIONS, "blank_name": "Gift Day"}, "Gift Day"),
    ],
)
def test_blank_uses_the_name_of_its_house_rule(options: dict[str, object], name: str) -> None:
    rs = rulesets.make("uno-500", options)
    notation = rs.pack.notation[rs.pack.blank]
    assert words.card_names(rs, [notation, "R5"]) == [name, "Red 5"]
    assert words.deck_facts(rs)["cards"][notation]["name"] == name
    assert words.kind_name(rs, rs.kind("R5")) == "Red 5"


def test_replacing_blank_uses_the_name_of_its_card() -> None:
    rs = rulesets.make("uno-500", {"blanks": 2, "blank_card": "Y7"})
    assert words.card_names(rs, ["BLANK", "R5", "Y7"]) == ["Yellow 7", "Red 5", "Yellow 7"]


def test_card_names_keep_the_order_of_the_cards() -> None:
    assert words.card_names(RULE_SETS["ocho-cards"], ["10D", "AS", "JK", "AS"]) == [
        "10 of diamonds",
        "Ace of spades",
        "Joker",
        "Ace of spades",
    ]


# --- decks in words


COLOR_NAMES = ["red", "yellow", "green", "blue"]
SUITS = ["spades", "hearts", "diamonds", "clubs"]


@pytest.mark.parametrize("key", RULE_SETS)
def test_colour_prompt_uses_the_words_and_letters_of_the_deck(key: str) -> None:
    rs = RULE_SETS[key]
    suited = rs.pack.color_names == SUIT_NAMES
    letters, names = ("SHDC", SUITS) if suited else ("RYGB", COLOR_NAMES)
    assert words.color_noun(rs) == ("suit" if suited else "colour")
    assert words.color_names(rs) == names
    assert words.color_choices(rs) == [
        {"color": letter, "name": name} for letter, name in zip(letters, names, strict=True)
    ]


@pytest.mark.parametrize(
    ("key", "options", "wilds"),
    [
        ("uno-400", {}, ["a wild"]),
        ("ocho", {}, ["a wild"]),
        ("ocho", {"face_wilds": "matching"}, ["a wild"]),
        ("ocho-cards", {}, ["a face card", "a joker"]),
        ("ocho-cards", {"face_wilds": "matching"}, ["a joker"]),
        ("crazy-eights", {}, ["an eight"]),
        ("crazy-eights", {"face_wilds": "matching"}, []),
    ],
)
def test_wilds_are_the_cards_that_fit_on_every_card(
    key: str, options: dict[str, object], wilds: list[str]
) -> None:
    assert words.wilds(rulesets.make(key, options)) == wilds


@pytest.mark.parametrize("key", RULE_SETS)
def test_deck_facts_give_the_place_and_points_of_every_card(key: str) -> None:
    rs = RULE_SETS[key]
    facts = words.deck_facts(rs)["cards"]
    assert list(facts) == list(rs.pack.notation)
    for order in ("color", "number"):
        places = sorted(card[order] for card in facts.values())
        assert places == list(range(len(facts)))
    assert {card: fact["points"] for card, fact in facts.items()} == {
        card: rs.points(rs.kind(card)) for card in facts
    }
    assert {card: fact["name"] for card, fact in facts.items()} == {
        card: words.card_name(rs, card) for card in facts
    }


@pytest.mark.parametrize(
    ("key", "by_color", "by_number", "noun", "example"),
    [
        ("ocho", "by colour", "by number", "colour", "R7"),
        ("uno-400", "by colour", "by number", "colour", "R7"),
        ("ocho-cards", "by suit", "by rank", "suit", "7S"),
        ("crazy-eights", "by suit", "by rank", "suit", "7S"),
    ],
)
def test_deck_facts_use_the_words_of_the_deck(
    key: str, by_color: str, by_number: str, noun: str, example: str
) -> None:
    facts = words.deck_facts(RULE_SETS[key])
    assert facts["orders"] == {"arrival": "as drawn", "color": by_color, "number": by_number}
    assert (facts["noun"], facts["example"]) == (noun, example)


@pytest.mark.parametrize(
    ("key", "card", "letter", "signs", "art"),
    [
        ("uno-400", "R5", "R", ["5"], "R5"),
        ("uno-400", "YS", "Y", ["S", "Skip"], "YS"),
        ("uno-400", "B+2", "B", ["+2", "Draw Two"], "B+2"),
        ("uno-400", "W", "", [], "W"),
        ("ocho", "W", "", [], "W8"),
        ("ocho", "DR", "R", [], "DR"),
        ("ocho-cards", "AS", "S", ["A", "Ace"], "AS"),
        ("ocho-cards", "10C", "C", ["10"], "10C"),
        ("ocho-cards", "JK", "", [], "JK"),
        ("crazy-eights", "8H", "H", ["8"], "8H"),
    ],
)
def test_deck_facts_give_each_card_its_letter_and_signs(
    key: str, card: str, letter: str, signs: list[str], art: str
) -> None:
    fact = words.deck_facts(RULE_SETS[key])["cards"][card]
    assert (fact["letter"], fact["signs"], fact["art"]) == (letter, signs, art)


def test_deck_facts_give_the_chosen_points_of_a_blank() -> None:
    rs = rulesets.make("uno-500", {**BLANK_OPTIONS, "blank_points": 30})
    assert words.deck_facts(rs)["cards"]["BLANK"]["points"] == 30


def test_placeholders_are_filled_with_deck_words_and_arguments() -> None:
    text = "{A_draw_two} on {a_wild}: the {color} is {name}"
    assert words.fill_words(RULE_SETS["ocho-cards"], text, name="hearts") == (
        "A 2 on a face card: the suit is hearts"
    )
    assert words.fill_words(RULE_SETS["uno-400"], text, name="red") == (
        "A Draw Two on a Wild: the colour is red"
    )


# --- names of people


@pytest.mark.parametrize("name", ["", "Asha", "Łukasz Ǆ", "आशा", "李 Ⅳ", "42"])
def test_left_to_right_name_is_unchanged(name: str) -> None:
    assert words.isolate(name) == name


@pytest.mark.parametrize("name", ["דנה", "مريم", "Dana דנה", "٣٤"])
def test_right_to_left_name_does_not_reorder_the_sentence(name: str) -> None:
    assert words.isolate(name) == f"{FSI}{name}{PDI}"


def test_picture_of_a_blank_shows_its_name() -> None:
    facts = words.deck_facts(rulesets.make("uno-400", {"blanks": 2, "blank_name": "The Thief"}))
    assert [facts["cards"][card]["name"] for card in facts["labels"]] == ["The Thief"]
