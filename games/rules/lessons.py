"""The first things to know of a rule set, short enough to be read during a first hand.

Every sentence is one of the rules page's, so a lesson says what the engine does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from games.rules import cards, explain
from games.rules.cards import CARDS, Role
from games.rules.rulesets import RuleSet

# More than two special cards at once nobody remembers.
SPECIALS = 2


class Lesson(NamedTuple):
    """One thing to know: ``key`` is fits, draw, special, stack, uno or score."""

    key: str
    title: str
    text: str


def lessons(rs: RuleSet, held: Sequence[str] = ()) -> list[Lesson]:
    """What matches, drawing, special cards (those in ``held`` first), penalties, UNO, winning."""
    found = [
        Lesson("fits", "What fits", _join(explain.fitting(rs), *explain.say(rs, "face_wilds"))),
        Lesson("draw", "Drawing", _join(*explain.say(rs, "draw", "drawn_card", "renege"))),
        Lesson("special", "Special cards", _join(*_specials(rs, held))),
        Lesson("stack", "Penalties", _join(*explain.say(rs, "stacking", "penalty_ends_turn"))),
    ]
    if rs.uno_penalty:
        calls = explain.say(rs, "uno_before_play", "uno_penalty")
        found.append(Lesson("uno", "Saying UNO", _join(*calls)))
    return [*found, Lesson("score", "Winning", _join(*explain.say(rs, "scoring", "target")))]


def is_special(notation: str) -> bool:
    """Whether the card does anything but fit."""
    return CARDS[cards.parse(notation)].role is not Role.NUMBER


def _specials(rs: RuleSet, held: Sequence[str]) -> list[str]:
    rules = explain.special_cards(rs)
    own = [CARDS[rs.kind(card)].role for card in held]
    first = [role for role in rules if role in own]
    return [rules[role] for role in [*first, *(r for r in rules if r not in first)][:SPECIALS]]


def _join(*sentences: str) -> str:
    return " ".join(sentences)
