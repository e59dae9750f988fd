"""Cards and decks. Every card belongs to a deck.

Two copies of Red 5 are cards of the same kind. ``games.rules`` represents a card by its kind, which
is an index into the deck's ``cards``. Other packages use its notation: ``"R5"``, ``"W+4"``,
``"10D"``. A notation has a meaning only for a given deck, because the 8 of one deck may be wild and
that of another may not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from games.rules.deck.roles import BLANK, NUMBER, WILD, CardRole
from games.rules.text import _, gettext_noop

BIT: tuple[int, ...] = tuple(1 << kind for kind in range(128))


class Card(NamedTuple):
    """One kind of card.

    * ``color``: an index into the deck's four colours, or -1.
    * ``face``: the text printed on the card.
    * ``name_text``, ``title_text``, ``one_text``: ``name``, ``title`` and ``one``, marked for
      translation. ``name_text`` and ``one_text`` may contain ``{title}``.
    * ``rank``: the position of the face when cards are sorted.
    * ``art``: the name of the picture.
    * ``ocho``: true if players say "Ocho!" with this card.
    """

    notation: str
    color: int
    face: str
    role: CardRole
    points: int
    name_text: str
    title_text: str
    one_text: str
    rank: int
    art: str
    ocho: bool = False

    @property
    def name(self) -> str:
        """Name of this card: ``"Red 5"``, ``"Wild Draw Four"``, ``"10 of diamonds"``."""
        return _(self.name_text).format(title=self.title)

    @property
    def title(self) -> str:
        """Name shared by all colours of the face: ``"5"``, ``"Wild Draw Four"``, ``"Ace"``."""
        return self.title_text if self.title_text.isdecimal() else _(self.title_text)

    @property
    def one(self) -> str:
        """The title with its article: ``"a 5"``, ``"a Wild Draw Four"``, ``"an ace"``."""
        return _(self.one_text).format(title=self.title)

    @property
    def colored_wild(self) -> bool:
        """True if the card is a wild that has a colour of its own."""
        return self.role is WILD and self.color >= 0

    @property
    def names_color(self) -> bool:
        """True if the player names a colour when playing the card."""
        return self.color < 0 or self.colored_wild

    @property
    def counts_its_face(self) -> bool:
        """True if the card is worth as many points as the number printed on it."""
        return self.face == str(self.points)


_BLANK, _A_BLANK = gettext_noop("Blank"), gettext_noop("a Blank")
BLANK_CARD = Card("BLANK", -1, "BLANK", BLANK, 50, _BLANK, _BLANK, _A_BLANK, 50, "BLANK")


@dataclass(frozen=True)
class DeckWords:
    """Words that the texts of the rules use for a deck's cards, marked for translation.

    * ``roles``: names for any card of a role, with their article.
    * ``titles``: names of roles on the rules page, where a single card's title does not suffice.
    * ``colorless``: name for the cards that have no colour and fit on every card.
    * ``says_uno``: true if players of this deck expect a UNO call.
    """

    color: str
    by_color: str
    by_number: str
    symbol: str
    colorless: str
    colored_wilds: str
    opening_wild: str
    roles: Mapping[str, str] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)
    says_uno: bool = True


@dataclass(frozen=True, eq=False)
class Deck:
    """A deck: its four colours (or suits), its cards, and the number of copies of each.

    * ``sentence``: describes the deck.
    * ``sample``: notations of a few typical cards.
    * ``most_seats``: the maximum number of players.

    Every deck defines the blank card but contains no copies of it. ``color_names``, ``words`` and
    ``sentence`` are marked for translation.
    """

    key: str
    colors: str
    color_names: tuple[str, str, str, str]
    counted: tuple[tuple[Card, int], ...]
    words: DeckWords
    sentence: str
    sample: tuple[str, ...]
    most_seats: int = 10

    def __post_init__(self) -> None:
        present = sorted(role.name for role in self.roles)
        for name in (*self.words.roles, *self.words.titles):
            if name not in present:
                raise ValueError(f"{self.key} has words for {name!r}, but its roles are {present}")

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """The cards, indexed by kind."""
        return (*(card for card, _ in self.counted), BLANK_CARD)

    @cached_property
    def counts(self) -> dict[int, int]:
        """Number of copies of each kind in the deck."""
        return {kind: count for kind, (_, count) in enumerate(self.counted)}

    @cached_property
    def notation(self) -> tuple[str, ...]:
        """The notations, indexed by kind."""
        return tuple(card.notation for card in self.cards)

    @cached_property
    def kinds(self) -> dict[str, int]:
        """The kind of each notation."""
        return {notation: kind for kind, notation in enumerate(self.notation)}

    @property
    def blank(self) -> int:
        """The kind of the blank card."""
        return len(self.counted)

    @cached_property
    def roles(self) -> dict[CardRole, int]:
        """The roles in the deck, each with the first kind that has it."""
        return {self.cards[kind].role: kind for kind in reversed(range(len(self.cards)))}

    def one(self, role: CardRole) -> str:
        """Return the name of a typical card of a role, with its article: ``"a Draw Two"``."""
        if name := self.words.roles.get(role.name):
            return _(name)
        return self.cards[self.roles[role]].one

    @property
    def colorless(self) -> str:
        """Name, with article, of the cards that have no colour and fit on every card.

        Empty if the deck has no such cards.
        """
        name = self.words.colorless if self._has_colorless else ""
        return _(name) if name else ""

    @cached_property
    def _has_colorless(self) -> bool:
        return any(card.color < 0 for card, _count in self.counted)

    @cached_property
    def _words(self) -> dict[str, str]:
        words = self.words
        return {
            "color": words.color,
            "symbol": words.symbol,
            "opening_wild": words.opening_wild,
            "a_colored_wild": words.colored_wilds,
        }

    def phrase(self, name: str) -> str:
        """Return the text for a placeholder in the rules' sentences.

        Examples of names are ``color``, ``a_wild`` and ``A_wild``. Raises KeyError for a role that
        is not in the deck.
        """
        if name.startswith("A_"):
            one = self.phrase(f"a_{name[2:]}")
            return one[0].upper() + one[1:]
        if name in self._words:
            return _(self._words[name])
        return self.one({role.name: role for role in self.roles}[name.removeprefix("a_")])

    def kind(self, notation: str) -> int:
        """Return the kind with this notation.

        Raises ``ValueError`` if the deck has no such card.
        """
        kind = self.kinds.get(notation) if isinstance(notation, str) else None
        if kind is None:
            raise ValueError(f"the deck {self.key} has no card {notation}")
        return kind

    def notations(self, kinds: Iterable[int]) -> list[str]:
        """Return the notations of these kinds, in the same order."""
        names = self.notation
        return [names[kind] for kind in kinds]

    def color_index(self, letter: str | None) -> int:
        """Return the index of a colour by its letter, or -1 for an empty letter.

        Raises ValueError for a colour that the deck does not have.
        """
        return self.colors.index(letter) if letter else -1

    def color_letter(self, color: int) -> str:
        """Return the letter of a colour by its index, or "" for -1."""
        return self.colors[color] if color >= 0 else ""

    def color_name(self, letter: str) -> str:
        """Return a colour's name: ``"R"`` is ``"red"``, ``"S"`` is ``"spades"``."""
        return _(self.color_names[self.colors.index(letter)])

    @cached_property
    def by_color(self) -> tuple[int, ...]:
        """Position of each kind when cards are sorted by colour. Colourless kinds are last."""
        return self._compute_places([(c.color % 5, c.rank, c.notation) for c in self.cards])

    @cached_property
    def by_number(self) -> tuple[int, ...]:
        """Position of each kind when cards are sorted by number. Cards without one are last."""
        return self._compute_places([(c.rank, c.color % 5, c.notation) for c in self.cards])

    def _compute_places(self, keys: list[tuple[int, int, str]]) -> tuple[int, ...]:
        ordered = sorted(keys)
        return tuple(ordered.index(key) for key in keys)


def is_special(card: Card) -> bool:
    """Return whether the card has a special effect or rule."""
    return card.role is not NUMBER
