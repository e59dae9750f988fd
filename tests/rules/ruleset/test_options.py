"""Tests of each option by itself: its allowed values, and its sentences for each deck."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.deck.decks import DECKS
from games.rules.ruleset.optionlist import OPTIONS
from games.rules.ruleset.options import Option, OptionError, Value

# Minimum, maximum, and the numbers with their own sentence.
NUMBER_LIMITS: dict[str, tuple[int, int, list[int]]] = {
    "hand_size": (1, 25, []),
    "hand_size_two": (0, 25, [0]),
    "uno_penalty": (0, 20, [0]),
    "wrong_catch_penalty": (0, 2, [0]),
    "target": (0, 99_999, [0]),
    "blanks": (0, 4, [0, 1]),
    "blank_points": (0, 1000, []),
}
CHOICES = {
    "deck": " ".join(DECKS),
    "first_dealer": "random high-card",
    "next_dealer": "left winner",
    "opening_wild": "choose redraw plain",
    "opening_draw_two": "plain draw draw-and-skip",
    "opening_skip": "plain skip dealer",
    "opening_reverse": "plain dealers-right dealer",
    "draw": "one until-playable",
    "drawn_card": "may must",
    "face_wilds": "anytime matching",
    "stacking": "none draw-two any-draw",
    "wild_draw_four": "anytime no-matching-color",
    "boo_blue_ties": "all none",
    "uno_window": "next-begins next-ends own-turn",
    "last_draw_two": "at-once after-stack",
    "scoring": "winner-takes lowest elimination",
    "blank_rule": "replace draw-one swap pass-hands skip-everybody",
}
# Options with a longer explanation in the organizer's form.
OPTIONS_WITH_HELP = [
    "hand_size_two",
    "drawn_card",
    "wild_draw_four",
    "identical_skips",
    "boo_blue_ties",
    "target",
]


def is_refused(option: Option, value: object) -> bool:
    """Return whether the option refuses the value with a sentence about the allowed values."""
    try:
        return option.check(value) != value
    except OptionError as error:
        found = error.sentence.startswith(f"{option.name} can’t be {value!r}: it must be ")
        return found and error.name == option.name


def test_options_have_the_expected_types_and_help_texts() -> None:
    kinds = {
        kind: [o.name for o in OPTIONS.values() if o.kind == kind] for kind in ("int", "choice")
    }
    assert kinds == {"int": list(NUMBER_LIMITS), "choice": list(CHOICES)}
    assert [option.name for option in OPTIONS.values() if option.help] == OPTIONS_WITH_HELP


@pytest.mark.parametrize("name", NUMBER_LIMITS)
def test_number_option_enforces_its_limits(name: str) -> None:
    option, (least, most, special) = OPTIONS[name], NUMBER_LIMITS[name]
    assert list(option.values) == special
    assert not any(is_refused(option, value) for value in (least, most))
    assert all(is_refused(option, value) for value in (least - 1, most + 1, True, 1.0, "1", None))


@pytest.mark.parametrize("name", CHOICES)
def test_choice_option_keeps_the_order_of_its_values(name: str) -> None:
    option = OPTIONS[name]
    assert list(option.values) == CHOICES[name].split()
    assert not any(is_refused(option, value) for value in option.values)
    assert all(is_refused(option, value) for value in ("", "no", None, 0, ["left"]))


FLAG_OPTIONS = [option for option in OPTIONS.values() if option.kind == "bool"]


@pytest.mark.parametrize("option", FLAG_OPTIONS, ids=lambda option: option.name)
def test_flag_option_accepts_only_booleans(option: Option) -> None:
    assert list(option.values) == [True, False]
    assert not any(is_refused(option, value) for value in (True, False))
    assert all(is_refused(option, value) for value in (1, 0, "true", None))


@given(st.text(max_size=40))
def test_name_option_is_printable_and_at_most_thirty_characters(text: str) -> None:
    assert is_refused(OPTIONS["blank_name"], text) == (len(text) > 30 or not text.isprintable())


@pytest.mark.parametrize(
    ("card", "known"),
    [("", True), ("Y7", True), ("AS", True), ("BLANK", True), ("Y77", False), (7, False)],
)
def test_replacement_card_may_be_from_any_deck(card: object, known: bool) -> None:
    assert is_refused(OPTIONS["blank_card"], card) is not known


# --- sentences


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("hand_size", 1, "Each player is dealt 1 card."),
        ("hand_size", 7, "Each player is dealt 7 cards."),
        (
            "hand_size_two",
            0,
            "With two players, each is dealt the same number of cards as with more players.",
        ),
        ("hand_size_two", 1, "With two players, each is dealt 1 card."),
        ("target", 1, "The target is 1 point."),
        ("target", 500, "The target is 500 points."),
        ("blanks", 0, "There are no blank cards."),
        ("blanks", 1, "One blank card is added to the deck."),
        ("blanks", 4, "4 blank cards are added to the deck."),
        ("wrong_catch_penalty", 0, "A wrong catch is refused but carries no penalty."),
        ("wrong_catch_penalty", 1, "If you make a wrong catch, you draw 1 card."),
        ("blank_points", 1, "A blank card with a house rule is worth 1 point."),
        ("blank_card", "", "The card that the blanks replace has not been chosen."),
        ("blank_card", "Y7", "Each blank card replaces Y7."),
        ("blank_name", "", "The blank cards have no name of their own."),
        ("blank_name", "Gift {Day}", "The blank cards are called “Gift {Day}”."),
    ],
)
def test_option_sentence_contains_its_number_or_text(
    name: str, value: Value, expected: str
) -> None:
    assert OPTIONS[name].sentence(value) == expected


STACKING_TEXT = (
    "{} can be answered with {} of any {}. The penalties add up, and the player "
    "who does not add to them draws the total. {} cannot be stacked."
)


@pytest.mark.parametrize(
    ("deck", "words"),
    [
        (None, ("A Draw Two", "a Draw Two", "colour", "A Wild Draw Four")),
        ("ocho-108", ("A Draw Two", "a Draw Two", "colour", "A Wild Draw Four")),
        ("two-packs", ("A 2", "a 2", "suit", "A joker")),
        # For cards that the deck lacks, the sentence uses the general names.
        ("one-pack", ("A Draw Two", "a Draw Two", "suit", "A Wild Draw Four")),
    ],
)
def test_option_sentence_uses_the_card_names_of_its_deck(
    deck: str | None, words: tuple[str, ...]
) -> None:
    known = DECKS[deck] if deck else None
    assert OPTIONS["stacking"].sentence("draw-two", known) == STACKING_TEXT.format(*words)


@pytest.mark.parametrize(
    ("deck", "expected"),
    [
        (None, "A jack, queen or king can be played on any card."),
        ("two-packs", "A jack, queen or king can be played on any card."),
        ("one-pack", "An eight can be played on any card."),
        ("uno-108", "A wild with a colour can be played on any card."),
    ],
)
def test_option_sentence_names_the_wild_cards_of_its_deck(deck: str | None, expected: str) -> None:
    assert OPTIONS["face_wilds"].sentence("anytime", DECKS[deck] if deck else None) == expected


@pytest.mark.parametrize(
    ("deck", "expected"),
    [
        (
            None,
            "it stays on the pile: a face card keeps its suit, and any other Wild has no "
            "colour, so any card can be played on it",
        ),
        ("uno-108", "it stays on the pile without a colour, so any card can be played on it"),
        ("two-packs", "it counts as an ordinary card of its suit"),
    ],
)
def test_sentence_about_an_opening_wild_depends_on_the_deck(
    deck: str | None, expected: str
) -> None:
    sentence = OPTIONS["opening_wild"].sentence("plain", DECKS[deck] if deck else None)
    assert sentence.endswith(f"is turned up at the start, {expected}.")


def test_choice_option_has_a_sentence_for_every_value() -> None:
    option = OPTIONS["next_dealer"]
    assert option.sentences() == {
        "left": "After each hand, the player to the dealer’s left deals next.",
        "winner": "The winner of a hand deals the next one. After a blocked hand, the player to "
        "the dealer’s left deals.",
    }
    assert option.sentences() == {value: option.sentence(value) for value in option.values}
