"""Tests of each deck's card counts, card points and hand order."""

from collections import defaultdict

import pytest

from games.rules.deck.decks import DECKS, find_card
from games.rules.ruleset.rulesets import RULE_SETS


def split_cards(cards: str) -> list[str]:
    return cards.split()


def list_cards_in_all_colors(faces: str) -> list[str]:
    return [color + face for color in "RYGB" for face in faces.split()]


def list_cards_in_all_suits(ranks: str) -> list[str]:
    return [rank + suit for suit in "SHDC" for rank in ranks.split()]


COUNTS = {
    "uno-108": {
        1: list_cards_in_all_colors("0"),
        2: list_cards_in_all_colors("1 2 3 4 5 6 7 8 9 S R +2"),
        4: ["W", "W+4"],
    },
    "ocho-108": {
        1: list_cards_in_all_colors("0"),
        2: [*list_cards_in_all_colors("1 2 3 4 5 6 7 9 S R +2"), "SH", "XR", "DR", "BB"],
        4: ["W", "W+4"],
    },
    "ocho-116": {
        1: list_cards_in_all_colors("0"),
        2: [*list_cards_in_all_colors("1 2 3 4 5 6 7 8 9 S R +2"), "SH", "XR", "DR", "BB"],
        4: ["W", "W+4"],
    },
    "two-packs": {2: list_cards_in_all_suits("A 2 3 4 5 6 7 8 9 10 J Q K"), 4: ["JK"]},
    "original-54": {
        1: split_cards(
            "AS 4S 5S 6S JS QS KS 2H 3H 4H 5H 6H 8H 9H 10H QH AD 2D 3D 4D 5D JD KD AC 2C 10C JC JK"
        ),
        2: split_cards("2S 7S 8S 10S 7H 7D 8D 9D 10D 4C 7C 8C 9C"),
    },
    "one-pack": {1: list_cards_in_all_suits("A 2 3 4 5 6 7 8 9 10 J Q K")},
}


def group_cards_by_count(pairs: list[tuple[int, str]]) -> dict[int, list[str]]:
    groups: dict[int, list[str]] = defaultdict(list)
    for number, card in pairs:
        groups[number].append(card)
    return {number: sorted(cards) for number, cards in groups.items()}


@pytest.mark.parametrize("key", DECKS)
def test_deck_has_the_expected_number_of_each_card(key: str) -> None:
    deck = DECKS[key]
    held = [(count, deck.notation[kind]) for kind, count in deck.counts.items()]
    assert group_cards_by_count(held) == {
        count: sorted(cards) for count, cards in COUNTS[key].items()
    }


def test_crazy_eights_pack_has_52_cards() -> None:
    assert sum(DECKS["one-pack"].counts.values()) == 52


# --- points


UNO_POINTS = {"+2": 20, "S": 20, "R": 20, "W": 50, "W+4": 50, "SH": 50, "XR": 50}
POINTS_OF_002 = {"A": 20, "2": 20, "J": 50, "Q": 50, "K": 50, "JK": 50}
EIGHTS_POINTS = {"A": 1, "8": 50, "J": 10, "Q": 10, "K": 10}
POINTS = {
    "uno-108": UNO_POINTS,
    "ocho-108": UNO_POINTS | {"DR": 20, "BB": 20},
    "ocho-116": UNO_POINTS | {"DR": 20, "BB": 20},
    "two-packs": POINTS_OF_002,
    "original-54": POINTS_OF_002,
    "one-pack": EIGHTS_POINTS,
}


@pytest.mark.parametrize("key", DECKS)
def test_points_of_a_card_depend_on_its_face(key: str) -> None:
    *cards, blank = DECKS[key].cards
    assert {card.notation: card.points for card in cards} == {
        card.notation: POINTS[key].get(card.face) or int(card.face) for card in cards
    }
    assert (blank.notation, blank.points) == ("BLANK", 50)


@pytest.mark.parametrize(
    ("key", "faces"),
    [
        ("uno-108", "0 1 2 3 4 5 6 7 8 9"),
        ("ocho-108", "0 1 2 3 4 5 6 7 9"),
        ("two-packs", "3 4 5 6 7 8 9 10"),
        ("original-54", "3 4 5 6 7 8 9 10"),
        ("one-pack", "2 3 4 5 6 7 9 10"),
    ],
)
def test_number_card_scores_its_number(key: str, faces: str) -> None:
    found = dict.fromkeys(card.face for card in DECKS[key].cards if card.counts_its_face)
    assert sorted(found, key=int) == faces.split()


# --- a sorted hand


NUMBERS, RANKS = "0 1 2 3 4 5 6 7 8 9 S R +2", "2 3 4 5 6 7 8 9 10 A J Q K"


def format_cards_by_color(faces: str) -> str:
    return " ".join(list_cards_in_all_colors(faces))


def format_cards_by_suit(ranks: str) -> str:
    return " ".join(list_cards_in_all_suits(ranks))


def format_cards_by_number(faces: str, colors: str) -> str:
    letters_first = colors == "RYGB"
    return " ".join(
        color + face if letters_first else face + color
        for face in faces.split()
        for color in colors
    )


SORTED = {
    "uno-108": (
        f"{format_cards_by_color(NUMBERS)} BLANK W W+4",
        f"{format_cards_by_number(NUMBERS, 'RYGB')} BLANK W W+4",
    ),
    "ocho-116": (
        format_cards_by_color(NUMBERS).replace("R+2", "R+2 DR") + " BB BLANK SH W W+4 XR",
        f"{format_cards_by_number(NUMBERS, 'RYGB')} DR BB BLANK SH W W+4 XR",
    ),
    "two-packs": (
        f"{format_cards_by_suit(RANKS)} BLANK JK",
        f"{format_cards_by_number(RANKS, 'SHDC')} BLANK JK",
    ),
    "one-pack": (
        f"{format_cards_by_suit(RANKS)} BLANK",
        f"{format_cards_by_number(RANKS, 'SHDC')} BLANK",
    ),
}


@pytest.mark.parametrize("key", SORTED)
def test_hand_can_be_sorted_by_colour_or_face_first(key: str) -> None:
    deck = DECKS[key]
    kinds = range(len(deck.cards))
    sorted_hands = [
        " ".join(deck.notations(sorted(kinds, key=places.__getitem__)))
        for places in (deck.by_color, deck.by_number)
    ]
    assert sorted_hands == list(SORTED[key])


# --- names


@pytest.mark.parametrize(
    ("notation", "names"),
    [
        ("R0", ["Red 0", "0", "a 0"]),
        ("Y8", ["Yellow 8", "8", "an 8"]),
        ("GS", ["Green Skip", "Skip", "a Skip"]),
        ("BR", ["Blue Reverse", "Reverse", "a Reverse"]),
        ("R+2", ["Red Draw Two", "Draw Two", "a Draw Two"]),
        ("W", ["Wild", "Wild", "a Wild"]),
        ("W+4", ["Wild Draw Four", "Wild Draw Four", "a Wild Draw Four"]),
        ("SH", ["Shield", "Shield", "a Shield"]),
        ("XR", ["X-Ray", "X-Ray", "an X-Ray"]),
        ("DR", ["Dead Red", "Dead Red", "a Dead Red"]),
        ("BB", ["Boo Blue", "Boo Blue", "a Boo Blue"]),
        ("BLANK", ["Blank", "Blank", "a Blank"]),
        ("AS", ["Ace of spades", "Ace", "an ace"]),
        ("8H", ["8 of hearts", "8", "an 8"]),
        ("10D", ["10 of diamonds", "10", "a 10"]),
        ("JC", ["Jack of clubs", "Jack", "a jack"]),
        ("QC", ["Queen of clubs", "Queen", "a queen"]),
        ("KC", ["King of clubs", "King", "a king"]),
        ("JK", ["Joker", "Joker", "a Joker"]),
    ],
)
def test_card_has_a_name_a_title_and_an_indefinite_form(notation: str, names: list[str]) -> None:
    card = find_card(notation)
    assert [card.name, card.title, card.one] == names


PHRASES = ["color", "symbol", "a_colored_wild", "A_colored_wild", "opening_wild"]
GENERAL = {
    "uno-108": [
        "colour",
        "number or symbol",
        "a wild with a colour",
        "A wild with a colour",
        "it stays on the pile without a colour, so any card can be played on it",
    ],
    "two-packs": [
        "suit",
        "rank",
        "a jack, queen or king",
        "A jack, queen or king",
        "it counts as an ordinary card of its suit",
    ],
    "one-pack": [
        "suit",
        "rank",
        "an eight",
        "An eight",
        "it counts as an ordinary card of its suit",
    ],
}


@pytest.mark.parametrize("key", GENERAL)
def test_rules_sentences_use_the_words_of_the_deck(key: str) -> None:
    assert [DECKS[key].phrase(name) for name in PHRASES] == GENERAL[key]


@pytest.mark.parametrize(
    ("key", "phrase", "expected"),
    [
        ("uno-108", "a_wild", "a Wild"),
        ("uno-108", "a_skip", "a Skip"),
        ("uno-108", "A_wild_draw_four", "A Wild Draw Four"),
        ("ocho-108", "an_x_ray", None),
        ("ocho-108", "a_x_ray", "an X-Ray"),
        ("ocho-108", "A_x_ray", "An X-Ray"),
        ("two-packs", "a_wild", "a face card"),
        ("two-packs", "a_draw_two", "a 2"),
        ("two-packs", "A_reverse", "An ace"),
        ("two-packs", "a_wild_draw_four", "a joker"),
        ("two-packs", "a_skip", None),
        ("one-pack", "a_wild", "an eight"),
        ("one-pack", "a_draw_two", None),
    ],
)
def test_role_phrase_names_the_card_with_that_role(
    key: str, phrase: str, expected: str | None
) -> None:
    if expected is not None:
        assert DECKS[key].phrase(phrase) == expected
        return
    with pytest.raises(KeyError):
        DECKS[key].phrase(phrase)


@pytest.mark.parametrize(
    ("key", "sample", "most_seats"),
    [
        ("uno-108", "R7 Y3 G9 B5 W+4", 10),
        ("ocho-108", "R7 Y3 G9 B5 W+4", 10),
        ("ocho-116", "R7 Y3 G9 B5 W+4", 10),
        ("two-packs", "7S 3H 9D 5C JK", 10),
        ("original-54", "7S 3H 9D 4C JK", 5),
        ("one-pack", "7S 3H 9D KC 8H", 7),
    ],
)
def test_deck_has_sample_cards_and_a_maximum_number_of_players(
    key: str, sample: str, most_seats: int
) -> None:
    deck = DECKS[key]
    assert (deck.sample, deck.most_seats) == (tuple(sample.split()), most_seats)


@pytest.mark.parametrize("key", DECKS)
def test_ocho_is_said_with_the_eights_of_002(key: str) -> None:
    ocho_cards = [card.notation for card in DECKS[key].cards if card.ocho]
    assert sorted(ocho_cards) == {
        "two-packs": ["8C", "8D", "8H", "8S"],
        "original-54": ["8C", "8D", "8H", "8S"],
    }.get(key, [])


# --- colours


@pytest.mark.parametrize(("key", "letters"), [("ocho", "RYGB"), ("ocho-cards", "SHDC")])
def test_colour_letters_and_indices_convert_both_ways(key: str, letters: str) -> None:
    deck = RULE_SETS[key].pack
    assert [deck.color_index(letter) for letter in letters] == [0, 1, 2, 3]
    assert [deck.color_letter(index) for index in (0, 1, 2, 3)] == list(letters)
    assert [deck.color_index(none) for none in ("", None)] == [-1, -1]
    assert deck.color_letter(-1) == ""


def test_colour_missing_from_the_deck_has_no_index() -> None:
    for deck, letter in ((DECKS["uno-108"], "S"), (DECKS["two-packs"], "R")):
        with pytest.raises(ValueError, match="substring not found"):
            deck.color_index(letter)


@pytest.mark.parametrize("notation", ["r5", "5S", 7, None, ["R5"]])
def test_card_missing_from_the_deck_is_refused_by_name(notation: object) -> None:
    with pytest.raises(ValueError, match="the deck uno-108 has no card"):
        DECKS["uno-108"].kind(notation)  # type: ignore[arg-type]
