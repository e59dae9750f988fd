"""Every option of a rule set, with one sentence per value.

The sentences are what the rules page, the organizer's form and the refusals say: what the page
says is what the engine does. Names and values are those of the table in docs/rules-decisions.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from games.rules import decks

Value = str | int | bool

# What stands for the names in a sentence where no deck is asked: in the organizer's form.
GENERAL: Mapping[str, str] = {
    **decks.DECKS["uno-108"].phrases,
    "A_colored_wild": "A jack, queen or king",
    "opening_wild": "it simply lies there: a face card with its suit, any other Wild without a "
    "colour, so that any card fits on it",
}


class OptionError(ValueError):
    """An option's value, or a combination of values, that no hand can be played with."""

    def __init__(self, name: str, sentence: str) -> None:
        super().__init__(sentence)
        self.name = name
        self.sentence = sentence


@dataclass(frozen=True)
class Option:
    """One option. ``kind`` is "choice", "bool", "int", "card" or "text"; ``values`` are sentences.

    For an int, ``values`` may hold the sentences of special numbers, and ``template`` says the
    rest with ``{n}``; for a card or a text ``template`` has ``{value}``. Cards and colours are
    named by the deck: ``{a_wild}`` is a Wild, a face card or an eight (``Deck.phrases``).
    """

    name: str
    title: str
    kind: str
    values: Mapping[Value, str] = field(default_factory=dict)
    min: int = 0
    max: int = 0
    template: str = ""
    help: str = ""

    def sentence(self, value: Value, said: Mapping[str, str] = GENERAL) -> str:
        """The one sentence that says what this value means, in the words of a deck."""
        template = self.values.get(value, self.template)
        return template.format_map({**said, "n": value, "value": value})

    def sentences(self) -> dict[Value, str]:
        """The sentences of all values, for a choice."""
        return {value: self.sentence(value) for value in self.values}

    def check(self, value: object) -> Value:
        """The value itself if it is one of this option's; else OptionError says which are."""
        return _CHECKS[self.kind](self, value)


def _check_choice(option: Option, value: object) -> Value:
    if isinstance(value, str) and value in option.values:
        return value
    wanted = ", ".join(str(v) for v in option.values)
    raise OptionError(option.name, f"{option.name} is {value!r}: it can be {wanted}.")


def _check_bool(option: Option, value: object) -> Value:
    if isinstance(value, bool):
        return value
    raise OptionError(option.name, f"{option.name} is {value!r}: it can be true or false.")


def _check_int(option: Option, value: object) -> Value:
    if isinstance(value, int) and not isinstance(value, bool) and option.min <= value <= option.max:
        return value
    wanted = f"a whole number from {option.min} to {option.max}"
    raise OptionError(option.name, f"{option.name} is {value!r}: it can be {wanted}.")


def _check_card(option: Option, value: object) -> Value:
    if isinstance(value, str) and (value == "" or value in decks.all_notations()):
        return value
    raise OptionError(option.name, f"{option.name} is {value!r}: it can be a card such as Y7.")


def _check_text(option: Option, value: object) -> Value:
    if isinstance(value, str) and len(value) <= option.max and value.isprintable():
        return value
    wanted = f"printable text of up to {option.max} characters"
    raise OptionError(option.name, f"{option.name} is {value!r}: it can be {wanted}.")


_CHECKS = {
    "choice": _check_choice,
    "bool": _check_bool,
    "int": _check_int,
    "card": _check_card,
    "text": _check_text,
}
