"""Sentences about events, for the table's log.

Each event is described by a part of a sentence, and the events of an action are joined into one
sentence. The placeholders in the texts are keys of the event, such as ``{seat}``, ``{of}`` or
``{cards}``. Players who read about themselves are addressed in the second person, and also read
which cards only they have seen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.rules.ruleset.rulesets import RuleSet
from games.rules.text import _, gettext_noop, pgettext
from games.rules.words import words
from games.rules.words.secondperson import YOU_ARE_CAUGHT, YOURS

Event = Mapping[str, Any]
Names = Sequence[str]
# A text marked for translation, or a function that chooses one for an event.
Text = str | Callable[[Event], str]


def sentence(event: Event, names: Names, rs: RuleSet, you: int | None = None) -> str:
    """Return a sentence that describes one event.

    ``names`` are the players' names by seat, and ``you`` is the reader's seat, if any. Private
    facts are included only if they are for this seat.
    """
    text = _fill_part(_TEXTS[event["event"]], event, _Reader(names, rs, you))
    # “Ocho!” already ends with an exclamation mark.
    return (
        text
        if event["event"] == "said_ocho"
        else _("{sentence}.").format(sentence=_capitalize_first(text))
    )


def action_text(events: Sequence[Event], names: Names, rs: RuleSet, you: int | None = None) -> str:
    """Return one sentence that describes all events of an action.

    For example: "Asha plays Red Reverse: the direction changes."
    """
    reader = _Reader(names, rs, you)
    parts = [(event["event"], _describe_effect(event, reader)) for event in events]
    (event, first), *effects = [(event, text) for event, text in parts if text]
    start = _capitalize_first(first)
    if not effects:
        return _("{sentence}.").format(sentence=start)
    # A sentence about a challenge already contains a colon.
    joined = _("{sentence}; {effects}.") if event == "challenged" else _("{sentence}: {effects}.")
    mark = pgettext("between what came of an action", "; ")
    return joined.format(sentence=start, effects=mark.join(text for _event, text in effects))


def _capitalize_first(text: str) -> str:
    return text[:1].upper() + text[1:]


@dataclass(frozen=True, slots=True)
class _Reader:
    """The reader of a sentence.

    * ``names``: the players' names by seat.
    * ``you``: the reader's own seat, or None if the reader does not play.
    """

    names: Names
    rules: RuleSet
    you: int | None

    def name(self, seat: int) -> str:
        return _("you") if seat == self.you else self.names[seat]

    def text(self, marked: str, event: Event) -> str:
        """Return the text, in the second person if the reader is its subject."""
        if self.you is None:
            return marked
        if event["event"] == "caught" and event["seat"] == self.you:
            return YOU_ARE_CAUGHT
        subject = event.get("by", event.get("seat", event.get("winner")))
        return YOURS.get(marked, marked) if subject == self.you else marked


def _describe_effect(event: Event, reader: _Reader) -> str:
    """Describe an event as part of its action, or return "" if there is nothing to add."""
    kind = event["event"]
    return _fill_part(_EFFECTS.get(kind, _TEXTS[kind]), event, reader)


def _fill_part(text: Text, event: Event, reader: _Reader) -> str:
    marked = text(event) if callable(text) else text
    return (
        _(reader.text(marked, event)).format_map(_PlaceholderValues(event, reader))
        if marked
        else ""
    )


class _PlaceholderValues(dict[str, str]):
    """Values for the placeholders of a text, taken from an event."""

    def __init__(self, event: Event, reader: _Reader) -> None:
        super().__init__()
        self._event, self._reader, self._rules = event, reader, reader.rules

    def __missing__(self, key: str) -> str:
        if key == "shown":
            return _describe_shown_cards(self._event, self._reader)
        value = self._event[key]
        if key == "card":
            return words.card_name(self._rules, value)
        if key == "color":
            return words.color_name(self._rules, value)
        if key == "cards":
            return words.count(value)
        if key == "points":
            return words.points(value[self._event["winner"]])
        return self._reader.name(value)


def _describe_shown_cards(event: Event, reader: _Reader) -> str:
    """Describe the cards that only the reader has seen."""
    cards = event["private"][str(reader.you)]["cards"]
    if isinstance(cards, Mapping):
        each = _("{seat}’s {card}")
        parts = [
            each.format(card=words.card_name(reader.rules, card), seat=reader.name(int(seat)))
            for seat, card in cards.items()
        ]
    else:
        parts = [words.card_name(reader.rules, card) for card in cards]
    return pgettext("between items of a list", ", ").join(parts)


def _describe_play(event: Event) -> str:
    if event["uno"] and "color" in event:
        return gettext_noop("{seat} plays {card}, chooses {color} and says UNO")
    if event["uno"]:
        return gettext_noop("{seat} plays {card} and says UNO")
    if "color" in event:
        return gettext_noop("{seat} plays {card} and chooses {color}")
    return gettext_noop("{seat} plays {card}")


_DREW = {
    "turn": gettext_noop("{seat} draws {cards}"),
    "penalty": gettext_noop("{seat} draws {cards}"),
    "opening": gettext_noop("{seat} draws {cards} because of the starting card"),
    "dead_red": gettext_noop("{seat} has no red cards and draws {cards}"),
    "boo_blue": gettext_noop("{seat} has the fewest cards and draws {cards}"),
    "uno": gettext_noop("{seat} draws {cards} for not saying UNO"),
    "challenge": gettext_noop("{seat} draws {cards} after the challenge"),
    "last_card": gettext_noop("{seat} still draws {cards}"),
    "wrong_catch": gettext_noop("{seat} draws {cards} for a wrong catch"),
    "blank": gettext_noop("{seat} draws {cards}"),
}


def _describe_draw(event: Event) -> str:
    if not event["cards"]:
        return gettext_noop("{seat} has to draw, but there are no cards left")
    return _DREW[event["why"]]


_PLAIN_DRAWS = (
    "uno",
    "challenge",
    "wrong_catch",
)  # an earlier part of the sentence gives the reason


def _describe_plain_draw(event: Event) -> str:
    return _describe_draw({**event, "why": "turn"} if event["why"] in _PLAIN_DRAWS else event)


def _describe_reverse(event: Event) -> str:
    if event["direction"] == 1:
        return gettext_noop("Play now goes clockwise")
    return gettext_noop("Play now goes anticlockwise")


def _describe_passed_hands(event: Event) -> str:
    if event["direction"] == 1:
        return gettext_noop("everyone passes their hand clockwise")
    return gettext_noop("everyone passes their hand anticlockwise")


def _describe_shield(event: Event) -> str:
    if event["of"] is None:
        return gettext_noop("{seat}’s Shield cancels a penalty of {cards}")
    return gettext_noop("{seat}’s Shield sends {cards} back to {of}")


def _describe_cancelled_penalty(event: Event) -> str:
    # The next event, a penalty, names the player who has to draw.
    return "" if event["of"] is not None else gettext_noop("no one has to draw")


def _describe_challenge(event: Event) -> str:
    if event["guilty"]:
        return gettext_noop("{seat} challenges {of}: it was a bluff")
    return gettext_noop("{seat} challenges {of}: it wasn’t a bluff")


def _describe_end(event: Event) -> str:
    if event["blocked"]:
        return gettext_noop(
            "There are no cards left to draw and everyone has passed: the hand is blocked, "
            "and no one scores"
        )
    return _describe_going_out(event)


def _describe_short_end(event: Event) -> str:
    if event["blocked"]:
        return gettext_noop("the hand is blocked, and no one scores")
    return _describe_going_out(event)


def _describe_going_out(event: Event) -> str:
    if event["points"][event["winner"]]:
        return gettext_noop("{winner} goes out and scores {points}")
    return gettext_noop("{winner} goes out")


_TEXTS: dict[str, Text] = {
    "played": _describe_play,
    "chose": gettext_noop("{seat} chooses {color}"),
    "returned": gettext_noop("{card} is turned up and shuffled back into the deck"),
    "opening": gettext_noop("{card} is turned up"),
    "identical": gettext_noop("{card} is identical to the card below it"),
    "said_ocho": gettext_noop("{seat} says “Ocho!”"),
    "called": gettext_noop("{seat} says UNO"),
    "caught": gettext_noop("{by} catches {seat} for not saying UNO"),
    "wrong_catch": gettext_noop("{seat} wrongly tries to catch {of}"),
    "drew": _describe_draw,
    "passed": gettext_noop("{seat} passes"),
    "skipped": gettext_noop("{seat} is skipped"),
    "reversed": _describe_reverse,
    "penalty": gettext_noop("{seat} has {cards} to draw"),
    "shielded": _describe_shield,
    "challenged": _describe_challenge,
    "revealed": gettext_noop("{seat} sees one card from each opponent"),
    "swapped": gettext_noop("{seat} swaps hands with {with}"),
    "passed_hands": _describe_passed_hands,
    "reshuffled": gettext_noop("The discard pile is shuffled to form a new draw pile of {cards}"),
    "over": _describe_end,
}
# Shorter texts for events that are not the first in their sentence.
_EFFECTS: dict[str, Text] = {
    "drew": _describe_plain_draw,
    "reversed": gettext_noop("the direction changes"),
    "reshuffled": gettext_noop("the discard pile becomes the new draw pile"),
    "said_ocho": gettext_noop("“Ocho!”"),
    "caught": gettext_noop("{by} catches {seat}"),
    "identical": gettext_noop("it’s identical to the card below"),
    "over": _describe_short_end,
    "shielded": _describe_cancelled_penalty,
}
EVENTS = frozenset(_TEXTS)

_REASONS = {
    "opening": gettext_noop("starting card"),
    "challenge": gettext_noop("challenge"),
    "uno": gettext_noop("no UNO"),
    "wrong_catch": gettext_noop("wrong catch"),
    "last_card": gettext_noop("last card"),
    "dead_red": gettext_noop("no red card"),
    "boo_blue": gettext_noop("fewest cards"),
}


def draw_reasons() -> dict[str, str]:
    """Return short texts that explain why a player drew cards out of turn.

    Reasons that are obvious from the card played are omitted.
    """
    return {why: _(text) for why, text in _REASONS.items()}
