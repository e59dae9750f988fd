"""Names of cards and colours, and lists of names, for use in sentences."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import TypedDict

from games.rules.deck import roles
from games.rules.ruleset.options import Phrases
from games.rules.ruleset.rulesets import RuleSet
from games.rules.text import _, gettext_noop, ngettext, pgettext


def card_name(rs: RuleSet, notation: str) -> str:
    """Return the name of a card.

    For example, ``"R5"`` is ``"Red 5"``, and ``"10D"`` is ``"10 of diamonds"``. The rule set may
    give blank cards a name.
    """
    return kind_name(rs, rs.kind(notation))


def kind_name(rs: RuleSet, kind: int) -> str:
    """Return the name of a card, given its kind."""
    if kind == rs.pack.blank and rs.blank_name:
        return rs.blank_name
    return rs.pack.cards[kind].name


def card_names(rs: RuleSet, notations: Sequence[str]) -> list[str]:
    """Return the names of several cards."""
    return [card_name(rs, notation) for notation in notations]


def count(n: int) -> str:
    """Return a number of cards in words, such as ``"1 card"`` or ``"4 cards"``."""
    return ngettext("{count} card", "{count} cards", n).format(count=n)


def points(n: int) -> str:
    """Return a number of points in words, such as ``"1 point"`` or ``"50 points"``."""
    return ngettext("{count} point", "{count} points", n).format(count=n)


def join_choices(choices: Sequence[str]) -> str:
    """Join choices with "or": ``"red, or a 7, or a wild"``."""
    return pgettext("between what may be done instead", ", or ").join(choices)


_LAST = {
    "and": gettext_noop("{names} and {last}"),
    "or": gettext_noop("{names} or {last}"),
}


def join_names(names: Sequence[str], last: str = "and") -> str:
    """Join names for a sentence: ``"Asha, Ben and Chen"``. ``last`` is "and" or "or"."""
    if len(names) < 2:
        return "".join(names)
    most = pgettext("between items of a list", ", ").join(names[:-1])
    return _(_LAST[last]).format(names=most, last=names[-1])


def color_noun(rs: RuleSet) -> str:
    """Return the deck's word for its four colours, such as "colour" or "suit"."""
    return _(rs.pack.words.color)


def color_name(rs: RuleSet, letter: str) -> str:
    """Return the name of a colour, such as ``"red"`` for ``"R"`` and ``"spades"`` for ``"S"``."""
    return rs.pack.color_name(letter)


def color_names(rs: RuleSet) -> list[str]:
    """Return the names of the four colours or suits."""
    return [_(name) for name in rs.pack.color_names]


class Color(TypedDict):
    """A colour or suit, with its letter and its name."""

    color: str
    name: str


def color_choices(rs: RuleSet) -> list[Color]:
    """Return the letters and names of the colours, for a player who has to choose one."""
    names = zip(rs.colors, color_names(rs), strict=True)
    return [{"color": letter, "name": name} for letter, name in names]


class CardFacts(TypedDict):
    """Facts about a card that a page needs.

    * ``art``: the name of its picture.
    * ``color``, ``number``: its place in a hand sorted by colour, or by number.
    * ``letter``: the letter of its colour.
    * ``signs``: the names of its face, one of which players type after a colour, as in "red +2".
    """

    name: str
    art: str
    color: int
    number: int
    points: int
    letter: str
    signs: list[str]


class DeckFacts(TypedDict):
    """Facts about a deck that a page needs.

    * ``cards``: facts about its cards, by notation.
    * ``orders``: the names of the orders in which players can sort a hand.
    * ``noun``: the word for a colour.
    * ``example``: a card that shows players how to type a card.
    * ``labels``: cards whose names are written on their pictures.
    """

    cards: dict[str, CardFacts]
    orders: dict[str, str]
    noun: str
    example: str
    labels: list[str]


def deck_facts(rs: RuleSet) -> DeckFacts:
    """Return the facts about a rule set's deck."""
    pack = rs.pack
    words = pack.words
    orders = {"arrival": _("as drawn"), "color": _(words.by_color), "number": _(words.by_number)}
    return DeckFacts(
        cards={card.notation: _build_card_facts(rs, kind) for kind, card in enumerate(pack.cards)},
        orders=orders,
        noun=_(words.color),
        example=pack.sample[0],
        labels=[pack.cards[pack.blank].notation],
    )


def _build_card_facts(rs: RuleSet, kind: int) -> CardFacts:
    pack, card = rs.pack, rs.pack.cards[kind]
    alone = card.face == card.notation  # players type the name of such a card
    return CardFacts(
        name=kind_name(rs, kind),
        art=card.art,
        color=pack.by_color[kind],
        number=pack.by_number[kind],
        points=rs.points(kind),
        letter=pack.color_letter(card.color),
        signs=[] if alone else list(dict.fromkeys([card.face, card.title])),
    )


def fill_words(rs: RuleSet, text: str, **more: str) -> str:
    """Translate a text, and fill placeholders such as ``{a_draw_two}`` with the deck's names."""
    return _(text).format_map(Phrases(rs.pack, more))


def wilds(rs: RuleSet) -> list[str]:
    """Return the names of the cards that fit on every card, with their articles."""
    names = []
    if rs.face_wilds == "anytime" and rs.has_colored_wilds:
        names.append(rs.pack.one(roles.WILD))
    return [*names, *([rs.pack.colorless] if rs.pack.colorless else [])]


def isolate(name: str) -> str:
    """Return a name that can be inserted into a sentence in a left-to-right script.

    Without isolation, a name in a right-to-left script could reorder the words around it.
    """
    if not name.isascii() and any(unicodedata.bidirectional(c) in ("R", "AL", "AN") for c in name):
        return f"\N{FIRST STRONG ISOLATE}{name}\N{POP DIRECTIONAL ISOLATE}"
    return name
