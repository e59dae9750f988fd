"""Cards as small ints ("kinds"), their notation, their points, and the decks.

Two copies of Red 5 are the same kind. Inside ``games.rules`` a card is an index into ``CARDS``;
everywhere else it is its notation: ``"R5"``, ``"W+4"``, ``"10D"``.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class Role(Enum):
    """What playing a card does. The aces and twos of 002 share the roles of UNO's action cards."""

    NUMBER = "number"
    SKIP = "skip"
    REVERSE = "reverse"
    DRAW_TWO = "draw two"
    WILD = "wild"
    WILD_DRAW_FOUR = "wild draw four"
    SHIELD = "shield"
    X_RAY = "x-ray"
    DEAD_RED = "dead red"
    BOO_BLUE = "boo blue"
    BLANK = "blank"


class Card(NamedTuple):
    """One kind: ``color`` is an index into the deck's four colours, or -1; ``face`` is printed."""

    notation: str
    color: int
    face: str
    role: Role
    points: int

    @property
    def is_face(self) -> bool:
        """Jack, queen or king: a wild that has a suit of its own (002 "face cards")."""
        return self.role is Role.WILD and self.color >= 0


COLORS = "RYGB"
SUITS = "SHDC"
COLOR_NAMES = {
    "R": "red",
    "Y": "yellow",
    "G": "green",
    "B": "blue",
    "S": "spades",
    "H": "hearts",
    "D": "diamonds",
    "C": "clubs",
}
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")

_ACTION_FACES = {"S": Role.SKIP, "R": Role.REVERSE, "+2": Role.DRAW_TWO}
_RANK_ROLES = {"A": Role.REVERSE, "2": Role.DRAW_TWO} | dict.fromkeys("JQK", Role.WILD)
_RANK_POINTS = {"A": 20, "2": 20, "J": 50, "Q": 50, "K": 50}


def _uno_cards() -> list[Card]:
    cards = []
    for color, letter in enumerate(COLORS):
        cards += [Card(f"{letter}{n}", color, str(n), Role.NUMBER, n) for n in range(10)]
        cards += [Card(letter + f, color, f, role, 20) for f, role in _ACTION_FACES.items()]
    return [
        *cards,
        Card("W", -1, "W", Role.WILD, 50),
        Card("W+4", -1, "W+4", Role.WILD_DRAW_FOUR, 50),
        Card("SH", -1, "SH", Role.SHIELD, 50),
        Card("XR", -1, "XR", Role.X_RAY, 50),
        Card("DR", COLORS.index("R"), "DR", Role.DEAD_RED, 20),
        Card("BB", COLORS.index("B"), "BB", Role.BOO_BLUE, 20),
        Card("BLANK", -1, "BLANK", Role.BLANK, 50),
    ]


def _playing_cards() -> list[Card]:
    cards = []
    for suit, letter in enumerate(SUITS):
        for rank in RANKS:
            points = _RANK_POINTS.get(rank) or int(rank)
            role = _RANK_ROLES.get(rank, Role.NUMBER)
            cards.append(Card(rank + letter, suit, rank, role, points))
    return [*cards, Card("JK", -1, "JK", Role.WILD_DRAW_FOUR, 50)]


CARDS: tuple[Card, ...] = (*_uno_cards(), *_playing_cards())
NOTATION: tuple[str, ...] = tuple(card.notation for card in CARDS)
KIND: dict[str, int] = {notation: kind for kind, notation in enumerate(NOTATION)}
BIT: tuple[int, ...] = tuple(1 << kind for kind in range(len(CARDS)))
BLANK = KIND["BLANK"]


def parse(notation: str) -> int:
    """The kind that a notation names; ``ValueError`` says what is wrong."""
    kind = KIND.get(notation) if isinstance(notation, str) else None
    if kind is None:
        raise ValueError(
            f"{notation!r} is no card. Cards are written R5, GS, B+2, W, W+4, 10D, JK."
        )
    return kind


def notations(kinds: list[int]) -> list[str]:
    """Kinds as notation, in the same order."""
    return [NOTATION[kind] for kind in kinds]


class Deck(NamedTuple):
    """A deck before any blanks: its four colours (or suits) and how often it holds each kind."""

    colors: str
    counts: dict[int, int]


def _colored(faces: dict[str, int]) -> dict[str, int]:
    return {letter + face: n for letter in COLORS for face, n in faces.items()}


def _deck(colors: str, counts: dict[str, int]) -> Deck:
    return Deck(colors, {KIND[notation]: n for notation, n in counts.items()})


def _listed(colors: str, listed: str) -> Deck:
    names = listed.split()
    return _deck(colors, {name: names.count(name) for name in names})


# 003 "Game Components": one 0, two each of 1-9 and of the action cards, four of each wild.
_UNO_FACES = {"0": 1} | {str(n): 2 for n in range(1, 10)} | {"S": 2, "R": 2, "+2": 2}
_OCHO_FACES = {face: n for face, n in _UNO_FACES.items() if face != "8"}
_WILDS = {"W": 4, "W+4": 4}
# 000 lists the special cards without counts: in ocho-108 they take the room of the coloured 8s.
_SPECIALS = {"SH": 2, "XR": 2, "DR": 2, "BB": 2}

DECKS: dict[str, Deck] = {
    "uno-108": _deck(COLORS, _colored(_UNO_FACES) | _WILDS),
    "ocho-108": _deck(COLORS, _colored(_OCHO_FACES) | _WILDS | _SPECIALS),
    "ocho-116": _deck(COLORS, _colored(_UNO_FACES) | _WILDS | _SPECIALS),
    "two-packs": _deck(SUITS, {rank + s: 2 for s in SUITS for rank in RANKS} | {"JK": 4}),
    "original-54": _listed(
        SUITS,
        "JK KS KD QS QH JD JS JC AD 2D 3D 4D 5D 7D 7D 8D 8D 9D 9D 10D 10D "
        "AS 2S 2S 4S 5S 6S 7S 7S 8S 8S 10S 10S AC 2C 4C 4C 7C 7C 8C 8C 9C 9C 10C "
        "2H 3H 4H 5H 6H 7H 7H 8H 9H 10H",
    ),
}
