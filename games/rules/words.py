"""Cards, colours and lists in words, as players read them."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from games.rules import cards
from games.rules.cards import CARDS, Role
from games.rules.rulesets import RuleSet

_FACES = {
    "S": "Skip",
    "R": "Reverse",
    "+2": "Draw Two",
    "W": "Wild",
    "W+4": "Wild Draw Four",
    "SH": "Shield",
    "XR": "X-Ray",
    "DR": "Dead Red",
    "BB": "Boo Blue",
    "BLANK": "Blank",
    "JK": "Joker",
    "A": "Ace",
    "J": "Jack",
    "Q": "Queen",
    "K": "King",
}


def face_name(face: str) -> str:
    """``"S"`` is ``"Skip"``, ``"7"`` stays ``"7"``."""
    return _FACES.get(face, face)


def color_name(letter: str) -> str:
    """``"R"`` is ``"red"``, ``"S"`` is ``"spades"``."""
    return cards.COLOR_NAMES[letter]


def card_name(notation: str) -> str:
    """``"R5"`` is ``"Red 5"``, ``"W+4"`` ``"Wild Draw Four"``, ``"10D"`` ``"10 of diamonds"``."""
    kind = cards.parse(notation)
    card = CARDS[kind]
    face = face_name(card.face)
    if card.color < 0 or card.role in (Role.DEAD_RED, Role.BOO_BLUE):
        return face
    if is_suited(kind):
        return f"{face} of {color_name(cards.SUITS[card.color])}"
    return f"{color_name(cards.COLORS[card.color]).capitalize()} {face}"


def is_suited(kind: int) -> bool:
    """Whether this is a playing card with a suit."""
    return kind >= cards.KIND["AS"] and CARDS[kind].color >= 0


def one(face: str) -> str:
    """A face with its article: ``"a 7"``, ``"an 8"``, ``"an ace"``, ``"a Skip"``."""
    name = face_name(face)
    if face in cards.RANKS:
        name = name.lower()
    article = "an" if name[0] in "8aeioAEIO" or name.startswith("X-") else "a"
    return f"{article} {name}"


def count(n: int, noun: str = "card") -> str:
    """``"1 card"``, ``"4 cards"``."""
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def either(choices: Sequence[str]) -> str:
    """``"red, or a 7, or a wild"``."""
    return ", or ".join(choices)


def listed(names: Sequence[str], last: str = "and") -> str:
    """``"Asha, Ben and Chen"``."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {last} {names[-1]}"


def color_noun(rs: RuleSet) -> str:
    """What the four colours are called with this deck."""
    return "suit" if rs.colors == cards.SUITS else "colour"


# Playing cards have names of their own for what the options speak of; longer phrases come first.
_SUITED_WORDS = {
    "there: a face card with its suit, any other Wild without a colour, so that any card fits on "
    "it": "there with its suit",
    "Wild Draw Four": "joker",
    "Draw Two": "2",
    "A Reverse": "An ace",
    "a Reverse": "an ace",
    "Wild": "face card",
    "colour": "suit",
}
_COLORED_WORDS = {
    "there: a face card with its suit, any other Wild without": "there without",
}


def in_deck(rs: RuleSet, text: str) -> str:
    """The text in the words of this rule set's deck: with playing cards a colour is a suit."""
    changes = _SUITED_WORDS if rs.colors == cards.SUITS else _COLORED_WORDS
    for phrase, said in changes.items():
        text = text.replace(phrase, said)
    return text


def color_names(rs: RuleSet) -> list[str]:
    """The four colours, or suits."""
    return [color_name(letter) for letter in rs.colors]


def wilds(rs: RuleSet) -> list[str]:
    """What fits on every card, each with its article."""
    if rs.colors == cards.COLORS:
        return ["a wild"]
    return ["a face card", "a joker"] if rs.face_wilds == "anytime" else ["a joker"]


def kind_name(rs: RuleSet, kind: int) -> str:
    """A card's name with these rules: a blank may have a name of its own."""
    if kind == cards.BLANK and rs.blank_name:
        return rs.blank_name
    return card_name(cards.NOTATION[kind])


def isolated(name: str) -> str:
    """A name to stand in a sentence: right-to-left letters must not turn the words around it."""
    if any(unicodedata.bidirectional(c) in ("R", "AL", "AN") for c in name):
        return f"\N{FIRST STRONG ISOLATE}{name}\N{POP DIRECTIONAL ISOLATE}"
    return name
