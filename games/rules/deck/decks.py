"""The decks as data: their cards with names, and the number of copies of each card.

A new deck is a new entry in DECKS, and a new card is a new line in a deck. See
docs/adding-a-rule-set.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from games.rules.deck import roles
from games.rules.deck.cards import BLANK_CARD, Card, Deck, DeckWords
from games.rules.deck.roles import CardRole
from games.rules.text import gettext_noop

COLORS, SUITS = "RYGB", "SHDC"
COLOR_NAMES = (
    gettext_noop("red"),
    gettext_noop("yellow"),
    gettext_noop("green"),
    gettext_noop("blue"),
)
SUIT_NAMES = (
    gettext_noop("spades"),
    gettext_noop("hearts"),
    gettext_noop("diamonds"),
    gettext_noop("clubs"),
)
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")


def _name_one_number(number: str) -> str:
    """Return the name of any card of this number, with its article."""
    return gettext_noop("an 8") if number == "8" else gettext_noop("a {title}")


# --- coloured cards

_OF_COLORS = (
    gettext_noop("Red {title}"),
    gettext_noop("Yellow {title}"),
    gettext_noop("Green {title}"),
    gettext_noop("Blue {title}"),
)


def make_uno_card(
    letter: str, face: str, role: CardRole, points: int, title: str, one: str, rank: int = 20
) -> Card:
    """Make a card of one of UNO's four colours, such as ``R5``, named ``Red 5``.

    ``title`` and ``one`` must be marked for translation.
    """
    color = COLORS.index(letter)
    name, notation = _OF_COLORS[color], letter + face
    return Card(notation, color, face, role, points, name, title, one, rank, notation)


def make_single_card(
    notation: str, title: str, one: str, role: CardRole, points: int, color: str = ""
) -> Card:
    """Make a card whose name is its title. ``color`` is empty for a wild card."""
    index = COLORS.index(color) if color else -1
    return Card(notation, index, notation, role, points, title, title, one, 50, notation)


def _build_number_cards(letter: str) -> Iterator[Card]:
    for n in range(10):
        face = str(n)
        yield make_uno_card(letter, face, roles.NUMBER, n, face, _name_one_number(face), n)


def _build_action_cards(letter: str) -> Iterator[Card]:
    skip, one_skip = gettext_noop("Skip"), gettext_noop("a Skip")
    reverse, one_reverse = gettext_noop("Reverse"), gettext_noop("a Reverse")
    draw, one_draw = gettext_noop("Draw Two"), gettext_noop("a Draw Two")
    yield make_uno_card(letter, "S", roles.SKIP, 20, skip, one_skip, 21)
    yield make_uno_card(letter, "R", roles.REVERSE, 20, reverse, one_reverse, 22)
    yield make_uno_card(letter, "+2", roles.DRAW_TWO, 20, draw, one_draw, 23)


def uno_cards(faces: Mapping[str, int]) -> Iterator[tuple[Card, int]]:
    """Yield the cards of all four colours, with the number of copies given for each face."""
    for letter in COLORS:
        cards = {
            card.face: card for card in (*_build_number_cards(letter), *_build_action_cards(letter))
        }
        yield from ((cards[face], count) for face, count in faces.items())


# 003 "Game Components": one 0, two each of 1-9 and of the action cards, four of each wild.
UNO_FACES = {"0": 1} | {str(n): 2 for n in range(1, 10)} | {"S": 2, "R": 2, "+2": 2}
_OCHO_FACES = {face: n for face, n in UNO_FACES.items() if face != "8"}
_WILD = make_single_card("W", gettext_noop("Wild"), gettext_noop("a Wild"), roles.WILD, 50)
_WILD_DRAW_FOUR = make_single_card(
    "W+4",
    gettext_noop("Wild Draw Four"),
    gettext_noop("a Wild Draw Four"),
    roles.WILD_DRAW_FOUR,
    50,
)
_SHIELD = make_single_card("SH", gettext_noop("Shield"), gettext_noop("a Shield"), roles.SHIELD, 50)
_X_RAY = make_single_card("XR", gettext_noop("X-Ray"), gettext_noop("an X-Ray"), roles.X_RAY, 50)
_DEAD_RED = make_single_card(
    "DR", gettext_noop("Dead Red"), gettext_noop("a Dead Red"), roles.DEAD_RED, 20, "R"
)
_BOO_BLUE = make_single_card(
    "BB", gettext_noop("Boo Blue"), gettext_noop("a Boo Blue"), roles.BOO_BLUE, 20, "B"
)
UNO_WILDS = ((_WILD, 4), (_WILD_DRAW_FOUR, 4))
# 000 lists the special cards, but not their numbers. In ocho-108, they replace the coloured 8s.
_SPECIALS = (
    (_WILD._replace(art="W8"), 4),  # in these decks, the 8 is the wild
    (_WILD_DRAW_FOUR, 4),
    (_SHIELD, 2),
    (_X_RAY, 2),
    (_DEAD_RED, 2),
    (_BOO_BLUE, 2),
)

COLORED_WORDS = DeckWords(
    color=gettext_noop("colour"),
    by_color=gettext_noop("by colour"),
    by_number=gettext_noop("by number"),
    symbol=gettext_noop("number or symbol"),
    colorless=gettext_noop("a wild"),
    colored_wilds=gettext_noop("a wild with a colour"),
    opening_wild=gettext_noop(
        "it stays on the pile without a colour, so any card can be played on it"
    ),
)


# --- playing cards

_OF_SUITS = (
    gettext_noop("{title} of spades"),
    gettext_noop("{title} of hearts"),
    gettext_noop("{title} of diamonds"),
    gettext_noop("{title} of clubs"),
)
_TITLES = {
    "A": (gettext_noop("Ace"), gettext_noop("an ace")),
    "J": (gettext_noop("Jack"), gettext_noop("a jack")),
    "Q": (gettext_noop("Queen"), gettext_noop("a queen")),
    "K": (gettext_noop("King"), gettext_noop("a king")),
}


def make_playing_card(
    rank: str, suit: str, role: CardRole = roles.NUMBER, points: int = 0, ocho: bool = False
) -> Card:
    """Make a playing card, such as ``10D``, named ``10 of diamonds``.

    Without ``points``, the card is worth as many points as its rank.
    """
    color, notation = SUITS.index(suit), rank + suit
    title, one = _TITLES.get(rank) or (rank, _name_one_number(rank))
    place = 20 + RANKS.index(rank) if rank in _TITLES else int(rank)
    name, points = _OF_SUITS[color], points or int(rank)
    return Card(notation, color, rank, role, points, name, title, one, place, notation, ocho)


def _iter_cards_of_002(jokers: int, counts: Mapping[str, int]) -> Iterator[tuple[Card, int]]:
    """Yield the cards of 002, each with its number of copies from ``counts``.

    Aces reverse the direction, twos make players draw, and face cards are wild. Players say "Ocho!"
    with an eight.
    """
    special = {"A": (roles.REVERSE, 20), "2": (roles.DRAW_TWO, 20)}
    special |= dict.fromkeys("JQK", (roles.WILD, 50))
    for suit in SUITS:
        for rank in RANKS:
            role, points = special.get(rank, (roles.NUMBER, 0))
            if count := counts.get(rank + suit):
                yield make_playing_card(rank, suit, role, points, rank == "8"), count
    title, one = gettext_noop("Joker"), gettext_noop("a Joker")
    yield make_single_card("JK", title, one, roles.WILD_DRAW_FOUR, 50), jokers


def _parse_counts(listed: str) -> dict[str, int]:
    names = listed.split()
    return {name: names.count(name) for name in names}


_AUTHORS_CARDS = _parse_counts(
    "KS KD QS QH JD JS JC AD 2D 3D 4D 5D 7D 7D 8D 8D 9D 9D 10D 10D "
    "AS 2S 2S 4S 5S 6S 7S 7S 8S 8S 10S 10S AC 2C 4C 4C 7C 7C 8C 8C 9C 9C 10C "
    "2H 3H 4H 5H 6H 7H 7H 8H 9H 10H"
)

SUITED_WORDS = DeckWords(
    color=gettext_noop("suit"),
    by_color=gettext_noop("by suit"),
    by_number=gettext_noop("by rank"),
    symbol=gettext_noop("rank"),
    colorless=gettext_noop("a joker"),
    colored_wilds=gettext_noop("a jack, queen or king"),
    opening_wild=gettext_noop("it counts as an ordinary card of its suit"),
    roles={
        "wild": gettext_noop("a face card"),
        "draw_two": gettext_noop("a 2"),
        "wild_draw_four": gettext_noop("a joker"),
        "reverse": gettext_noop("an ace"),
    },
    titles={
        "wild": gettext_noop("Jack, queen and king (Wild)"),
        "draw_two": gettext_noop("2 (Draw Two)"),
        "wild_draw_four": gettext_noop("Joker (Wild Draw Four)"),
        "reverse": gettext_noop("Ace (Reverse)"),
    },
)


# --- the pack of Crazy Eights

EIGHTS_WORDS = replace(
    SUITED_WORDS,
    colorless="",
    colored_wilds=gettext_noop("an eight"),
    roles={"wild": gettext_noop("an eight")},
    titles={"wild": gettext_noop("Eight (Wild)")},
    says_uno=False,
)


def _iter_cards_of_crazy_eights() -> Iterator[tuple[Card, int]]:
    """Yield the cards of Crazy Eights. There is one copy of each.

    Eights are wild and worth 50 points. Face cards are worth 10, aces 1, and all others their
    number.
    """
    points = {"A": 1, "8": 50} | dict.fromkeys("JQK", 10)
    for suit in SUITS:
        for rank in RANKS:
            role = roles.WILD if rank == "8" else roles.NUMBER
            yield make_playing_card(rank, suit, role, points.get(rank, 0)), 1


def _build_colored_deck(key: str, cards: Iterable[tuple[Card, int]], sentence: str) -> Deck:
    sample = ("R7", "Y3", "G9", "B5", "W+4")
    return Deck(key, COLORS, COLOR_NAMES, tuple(cards), COLORED_WORDS, sentence, sample)


def _build_suited_deck(
    key: str, cards: Iterable[tuple[Card, int]], sentence: str, club: str, most_seats: int = 10
) -> Deck:
    sample = ("7S", "3H", "9D", club, "JK")
    return Deck(key, SUITS, SUIT_NAMES, tuple(cards), SUITED_WORDS, sentence, sample, most_seats)


DECKS: dict[str, Deck] = {
    deck.key: deck
    for deck in (
        _build_colored_deck(
            "uno-108",
            (*uno_cards(UNO_FACES), *UNO_WILDS),
            gettext_noop(
                "The deck has 108 cards. Each colour has one 0, two each of 1–9, two Skips, "
                "two Reverses and two Draw Twos. There are also four Wilds and four Wild Draw "
                "Fours."
            ),
        ),
        _build_colored_deck(
            "ocho-108",
            (*uno_cards(_OCHO_FACES), *_SPECIALS),
            gettext_noop(
                "The deck has 108 cards. Each colour has one 0, two each of 1–7 and 9, two "
                "Skips, two Reverses and two Draw Twos. There are also four Wilds (the 8s), "
                "four Wild Draw Fours, two Shields, two X-Rays, two Dead Reds and two Boo "
                "Blues."
            ),
        ),
        _build_colored_deck(
            "ocho-116",
            (*uno_cards(UNO_FACES), *_SPECIALS),
            gettext_noop(
                "The deck has 116 cards. Each colour has one 0, two each of 1–9, two Skips, "
                "two Reverses and two Draw Twos. There are also four Wilds, four Wild Draw "
                "Fours, two Shields, two X-Rays, two Dead Reds and two Boo Blues."
            ),
        ),
        _build_suited_deck(
            "two-packs",
            _iter_cards_of_002(4, {rank + suit: 2 for suit in SUITS for rank in RANKS}),
            gettext_noop(
                "The deck is made up of two packs of 52 cards with two jokers each, 108 cards "
                "in all."
            ),
            "5C",
        ),
        _build_suited_deck(
            "original-54",
            _iter_cards_of_002(1, _AUTHORS_CARDS),
            gettext_noop(
                "The deck is made up of 54 playing cards chosen by the game’s author and is "
                "meant for up to five players. Some cards appear twice and some not at all, "
                "and there is one joker."
            ),
            "4C",
            most_seats=5,
        ),
        Deck(
            "one-pack",
            SUITS,
            SUIT_NAMES,
            tuple(_iter_cards_of_crazy_eights()),
            EIGHTS_WORDS,
            gettext_noop(
                "The deck is one pack of 52 cards and is meant for up to seven players. Eights "
                "are wild."
            ),
            ("7S", "3H", "9D", "KC", "8H"),
            most_seats=7,
        ),
    )
}


def find_card(notation: object) -> Card:
    """Return the card with this notation from the first deck that contains it.

    Raises ``ValueError`` with an explanation if no deck does.
    """
    for deck in DECKS.values():
        if isinstance(notation, str) and notation in deck.kinds:
            return deck.cards[deck.kinds[notation]]
    raise ValueError(f"{notation!r} is not a card. Cards are written R5, GS, B+2, W, W+4, 10D, JK.")


def all_notations() -> list[str]:
    """Return the notations of all cards of all decks, without duplicates."""
    decks = (deck.notation for deck in DECKS.values())
    names = dict.fromkeys(name for notations in decks for name in notations)
    return [*(name for name in names if name != BLANK_CARD.notation), BLANK_CARD.notation]
