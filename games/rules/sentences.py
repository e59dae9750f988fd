"""What happened, in words: one sentence per event, for the table's log."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from games.rules import words
from games.rules.rulesets import RuleSet

Event = Mapping[str, Any]
Names = Sequence[str]


Telling = Callable[[Event, Names], str]


def sentence(event: Event, names: Names, rs: RuleSet) -> str:
    """One event in words; ``names`` per seat. Never tells what only one seat may know."""
    if event["event"] in _OF_CARDS:
        return _OF_CARDS[event["event"]](event, names, rs)
    return _SENTENCES[event["event"]](event, names)


def told(events: Sequence[Event], names: Names, rs: RuleSet) -> str:
    """What one action did, as one sentence: ``"Asha plays Red Reverse: the direction turns."``"""
    first, *effects = [text for text in (_effect(event, names, rs) for event in events) if text]
    said = first[0].upper() + first[1:]
    if not effects:
        return f"{said}."
    mark = ";" if ":" in said else ":"  # a challenge has a colon already
    return f"{said}{mark} {'; '.join(effects)}."


def _effect(event: Event, names: Names, rs: RuleSet) -> str:
    """An event as a part of a sentence."""
    told = _EFFECTS.get(event["event"])
    return told(event, names) if told else sentence(event, names, rs).removesuffix(".")


def _played(event: Event, names: Names, rs: RuleSet) -> str:
    said = f"{_who(event, names)} plays {words.card_name(rs, event['card'])}"
    extras = []
    if "color" in event:
        extras.append(f"names {words.color_name(rs, event['color'])}")
    if event["uno"]:
        extras.append("says UNO")
    return f"{words.listed([said, *extras])}."


def _who(event: Event, names: Names, key: str = "seat") -> str:
    return names[event[key]]


_DREW = {
    "turn": "{name} draws {cards}.",
    "penalty": "{name} draws {cards}.",
    "opening": "{name} draws {cards} for the card turned up.",
    "dead_red": "{name} has no red card and draws {cards}.",
    "boo_blue": "{name} has the fewest cards and draws {cards}.",
    "uno": "{name} draws {cards} for not having said UNO.",
    "challenge": "{name} draws {cards} after the challenge.",
    "last_card": "{name} still draws {cards}.",
    "wrong_catch": "{name} draws {cards} for a wrong catch.",
    "blank": "{name} draws {cards}.",
}


def _drew(event: Event, names: Names) -> str:
    if not event["cards"]:
        return f"{_who(event, names)} has to draw, but no card is left."
    template = _DREW[event["why"]]
    return template.format(name=_who(event, names), cards=words.count(event["cards"]))


def _shielded(event: Event, names: Names) -> str:
    cards = words.count(event["cards"])
    if event["of"] is None:
        return f"{_who(event, names)}'s Shield cancels {cards}."
    return f"{_who(event, names)}'s Shield sends {cards} back to {_who(event, names, 'of')}."


def _challenged(event: Event, names: Names) -> str:
    verdict = "a bluff" if event["guilty"] else "no bluff"
    return f"{_who(event, names)} challenges {_who(event, names, 'of')}: it was {verdict}."


def _over(event: Event, names: Names) -> str:
    if event["blocked"]:
        return "No card is left to draw and all have passed: the hand is blocked, nobody scores."
    scored = event["points"][event["winner"]]
    points = f" and scores {words.count(scored, 'point')}" if scored else ""
    return f"{names[event['winner']]} goes out{points}."


def _caught(event: Event, names: Names) -> str:
    return f"{_who(event, names, 'by')} catches {_who(event, names)}, who has not said UNO."


def _wrong_catch(event: Event, names: Names) -> str:
    return f"{_who(event, names)} tries to catch {_who(event, names, 'of')}, wrongly."


def _penalty(event: Event, names: Names) -> str:
    return f"{_who(event, names)} owes {words.count(event['cards'])}."


def _swapped(event: Event, names: Names) -> str:
    return f"{_who(event, names)} swaps hands with {_who(event, names, 'with')}."


def _side(event: Event) -> str:
    return "left" if event["direction"] == 1 else "right"


_PLAIN_DRAWS = ("uno", "challenge", "wrong_catch")  # what they are for has just been said


def _drawn(event: Event, names: Names) -> str:
    plain = {**event, "why": "turn"} if event["why"] in _PLAIN_DRAWS else event
    return _drew(plain, names).removesuffix(".")


# Where a part of a sentence says it better than a sentence without its full stop.
_EFFECTS: dict[str, Telling] = {
    "drew": _drawn,
    "reversed": lambda e, names: "the direction turns",
    "revealed": lambda e, names: "one card of each opponent is seen",
    "reshuffled": lambda e, names: "the discard pile becomes a new draw pile",
    "said_ocho": lambda e, names: "“Ocho!”",
    "caught": lambda e, names: f"{_who(e, names, 'by')} catches {_who(e, names)}",
    "identical": lambda e, names: "an identical card",
    "over": lambda e, names: (
        "the hand is blocked, and nobody scores" if e["blocked"] else _over(e, names)[:-1]
    ),
    # Whom a Shield hits is told by what is owed then.
    "shielded": lambda e, names: "" if e["of"] is not None else "nothing is owed any more",
}
# What names a card or a colour asks the deck.
_OF_CARDS: dict[str, Callable[[Event, Names, RuleSet], str]] = {
    "played": _played,
    "chose": lambda e, names, rs: f"{_who(e, names)} chooses {words.color_name(rs, e['color'])}.",
    "returned": lambda e, names, rs: (
        f"{words.card_name(rs, e['card'])} is turned up, goes back, and the deck is shuffled."
    ),
    "opening": lambda e, names, rs: f"{words.card_name(rs, e['card'])} is turned up.",
    "identical": lambda e, names, rs: (
        f"{words.card_name(rs, e['card'])} is identical to the card under it."
    ),
}
_SENTENCES: dict[str, Telling] = {
    "said_ocho": lambda e, names: f"{_who(e, names)} says “Ocho!”",
    "called": lambda e, names: f"{_who(e, names)} says UNO.",
    "caught": _caught,
    "wrong_catch": _wrong_catch,
    "drew": _drew,
    "passed": lambda e, names: f"{_who(e, names)} passes.",
    "skipped": lambda e, names: f"{_who(e, names)} is skipped.",
    "reversed": lambda e, names: f"Play now goes to the {_side(e)}.",
    "penalty": _penalty,
    "shielded": _shielded,
    "challenged": _challenged,
    "revealed": lambda e, names: f"{_who(e, names)} sees one card of each opponent.",
    "swapped": _swapped,
    "passed_hands": lambda e, names: f"Everybody passes the hand on to the {_side(e)}.",
    "reshuffled": lambda e, names: (
        f"The discard pile is shuffled into a new draw pile of {words.count(e['cards'])}."
    ),
    "over": _over,
}
EVENTS = frozenset([*_OF_CARDS, *_SENTENCES])
