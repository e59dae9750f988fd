"""Options of a rule set, with one sentence for each value.

The rules page, the organizer's form and refusals use these sentences, so they must describe exactly
what the engine does. docs/rules-decisions.md lists the names and values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from string import Formatter

from games.rules.deck import decks
from games.rules.deck.cards import Deck
from games.rules.deck.roles import CardRole
from games.rules.text import _, gettext_noop, ngettext

Value = str | int | bool
# One text, or several. The first one that names only cards in the deck is used.
Texts = str | tuple[str, ...]


class Phrases(dict[str, str]):
    """Values for the placeholders of a sentence, put into words only when they are used.

    If there is no deck, as in the organizer's form, general words are used.
    """

    def __init__(self, deck: Deck | None, phrases: Mapping[str, object]) -> None:
        super().__init__({name: str(value) for name, value in phrases.items()})
        self._deck = deck

    def __missing__(self, name: str) -> str:
        if self._deck is None and name in _GENERAL:
            return _(_GENERAL[name])
        try:
            return (self._deck or _UNO).phrase(name)
        except KeyError:  # refusals may name a card that the deck lacks
            return _UNO.phrase(name)


_UNO = decks.DECKS["uno-108"]
_GENERAL = {
    "A_colored_wild": gettext_noop("A jack, queen or king"),
    "opening_wild": gettext_noop(
        "it stays on the pile: a face card keeps its suit, and any other Wild has no "
        "colour, so any card can be played on it"
    ),
}


def _choose_fitting_text(texts: Texts, deck: Deck | None) -> str:
    """Return the first text that names only cards in the deck, by default the first text."""
    if isinstance(texts, str):
        return texts
    in_deck = {role.name for role in deck.roles} if deck else set[str]()
    return next((text for text in texts if _find_named_roles(text) <= in_deck), texts[0])


def _find_named_roles(text: str) -> set[str]:
    """Return the names of the roles in a text, such as ``draw_two`` for ``{A_draw_two}``."""
    names = [name for _literal, name, _spec, _conversion in Formatter().parse(text) if name]
    return {name[2:] for name in names if name[:2] in ("a_", "A_")} - {"colored_wild"}


class OptionError(ValueError):
    """An option has an invalid value, or a combination of values cannot be played."""

    def __init__(self, name: str, sentence: str) -> None:
        super().__init__(sentence)
        self.name = name
        self.sentence = sentence


@dataclass(frozen=True)
class Option:
    """One option of a rule set.

    * ``kind``: "choice", "bool", "int", "card" or "text".
    * ``values``: the sentence for each value. An int has sentences only for special numbers.
    * ``min``, ``max``: the limits of an int. For a text, ``max`` is the maximum length.
    * ``counted``: for an int, returns the sentence with ``{n}`` for all other numbers.
    * ``template``: for a card or a text, the sentence with ``{value}``.
    * ``about``: the roles that the option concerns. Without any of them, it has no effect.
    * ``idle``: the value that the option must have in a rule set without these roles.

    The deck supplies the names of cards and colours: ``{a_wild}`` is a Wild, a face card or an
    eight (``Deck.phrase``). All sentences, ``title`` and ``help`` are marked for translation.
    """

    name: str
    title: str
    kind: str
    values: Mapping[Value, Texts] = field(default_factory=dict)
    min: int = 0
    max: int = 0
    template: str = ""
    help: str = ""
    counted: Callable[[int], str] | None = None
    about: tuple[CardRole, ...] = ()
    idle: Value = False

    def sentence(self, value: Value, deck: Deck | None = None) -> str:
        """Return the sentence for this value, in the words of a deck."""
        return self._describe_value(value, deck).format_map(
            Phrases(deck, {"n": value, "value": value})
        )

    def _describe_value(self, value: Value, deck: Deck | None) -> str:
        if self.counted and value not in self.values:
            return self.counted(int(value))
        return _(_choose_fitting_text(self.values.get(value, self.template), deck))

    def sentences(self) -> dict[Value, str]:
        """Return the sentence for each value, for a choice field."""
        return {value: self.sentence(value) for value in self.values}

    def check(self, value: object) -> Value:
        """Return the value if it is allowed for this option.

        Otherwise, raises OptionError with a list of the allowed values.
        """
        return _CHECKS[self.kind](self, value)


def choice(
    name: str,
    title: str,
    values: Mapping[Value, Texts],
    help: str = "",
    *,
    about: tuple[CardRole, ...] = (),
    idle: str = "",
) -> Option:
    """Create an option that has one of several named values."""
    return Option(name, title, "choice", values, help=help, about=about, idle=idle)


def flag(
    name: str,
    title: str,
    yes: str,
    no: str,
    help: str = "",
    *,
    about: tuple[CardRole, ...] = (),
    idle: bool = False,
) -> Option:
    """Create an option that is on or off."""
    return Option(name, title, "bool", {True: yes, False: no}, help=help, about=about, idle=idle)


def number(
    name: str,
    title: str,
    counted: Callable[[int], str],
    values: Mapping[Value, str] | None = None,
    *,
    min: int = 0,
    max: int,
    help: str = "",
) -> Option:
    """Create an option that is a number from ``min`` to ``max``."""
    return Option(name, title, "int", values or {}, min, max, help=help, counted=counted)


def _check_choice(option: Option, value: object) -> Value:
    if isinstance(value, str) and value in option.values:
        return value
    wanted = _("one of these: {values}")
    raise _build_error(option, value, wanted.format(values=", ".join(map(str, option.values))))


def _build_error(option: Option, value: object, requirement: str) -> OptionError:
    sentence = _("{option} can’t be {value!r}: it must be {wanted}.")
    return OptionError(
        option.name, sentence.format(option=option.name, value=value, wanted=requirement)
    )


def _check_bool(option: Option, value: object) -> Value:
    if isinstance(value, bool):
        return value
    raise _build_error(option, value, _("true or false"))


def _check_int(option: Option, value: object) -> Value:
    if isinstance(value, int) and not isinstance(value, bool) and option.min <= value <= option.max:
        return value
    wanted = _("a whole number from {least} to {most}")
    raise _build_error(option, value, wanted.format(least=option.min, most=option.max))


def _check_card(option: Option, value: object) -> Value:
    if isinstance(value, str) and (value == "" or value in decks.all_notations()):
        return value
    raise _build_error(option, value, _("a card such as Y7"))


def _check_text(option: Option, value: object) -> Value:
    if isinstance(value, str) and len(value) <= option.max and value.isprintable():
        return value
    wanted = ngettext(
        "printable text of up to {count} character",
        "printable text of up to {count} characters",
        option.max,
    )
    raise _build_error(option, value, wanted.format(count=option.max))


_CHECKS = {
    "choice": _check_choice,
    "bool": _check_bool,
    "int": _check_int,
    "card": _check_card,
    "text": _check_text,
}
