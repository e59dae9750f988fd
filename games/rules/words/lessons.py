"""The first things to know of a rule set, short enough to be read during a first hand.

Every sentence is one of the rules page's, so a lesson says what the engine does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from games.rules.deck import cards
from games.rules.ruleset.rulesets import RuleSet
from games.rules.text import _
from games.rules.words import explain

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
        Lesson("fits", _("What fits"), _join(explain.fitting(rs), *explain.say(rs, "face_wilds"))),
        Lesson("draw", _("Drawing"), _join(*explain.say(rs, "draw", "drawn_card", "renege"))),
        Lesson("special", _("Special cards"), _join(*_specials(rs, held))),
        Lesson("stack", _("Penalties"), _join(*explain.say(rs, "stacking", "penalty_ends_turn"))),
        Lesson("uno", _("Saying UNO"), _join(*_calls(rs))),
        Lesson("score", _("Winning"), _join(*explain.say(rs, "scoring", "target"))),
    ]
    return [lesson for lesson in found if lesson.text]


def _calls(rs: RuleSet) -> list[str]:
    return explain.say(rs, "uno_before_play", "uno_penalty") if rs.uno_penalty else []


def is_special(rs: RuleSet, notation: str) -> bool:
    """Whether the card does anything but fit."""
    return cards.is_special(rs.card(notation))


def _specials(rs: RuleSet, held: Sequence[str]) -> list[str]:
    rules = explain.special_cards(rs)
    own = [rs.card(card).role for card in held]
    first = [role for role in rules if role in own]
    order = [*first, *(role for role in rules if role not in first)]
    return [rules[role].sentence for role in order[:SPECIALS]]


def _join(*sentences: str) -> str:
    return " ".join(sentences)
