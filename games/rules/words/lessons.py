"""The basics of a rule set, short enough to read during a first hand.

All sentences are taken from the rules page, so the lessons match what the engine does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from games.rules.deck import cards
from games.rules.ruleset.rulesets import RuleSet
from games.rules.text import _
from games.rules.words import explain
from games.rules.words.option_sentences import option_sentences

# Players cannot remember more than two special cards at a time.
SPECIALS = 2


class Lesson(NamedTuple):
    """A short lesson about one aspect of a game.

    * ``key``: "fits", "draw", "special", "stack", "uno" or "score".
    * ``first``: the first and most important sentence of ``text``.
    """

    key: str
    title: str
    text: str
    first: str = ""


def lessons(rs: RuleSet, cards: Sequence[str] = ()) -> list[Lesson]:
    """Return the lessons for a rule set.

    The lesson about special cards begins with those among ``cards``.
    """
    calls = option_sentences(rs, "uno_before_play", "uno_penalty") if rs.uno_penalty else []
    all_lessons = [
        _build_lesson(
            "fits",
            _("Matching cards"),
            explain.explain_fitting(rs),
            *option_sentences(rs, "face_wilds"),
        ),
        _build_lesson("draw", _("Drawing"), *option_sentences(rs, "draw", "drawn_card", "renege")),
        _build_lesson("special", _("Special cards"), *_list_special_rules(rs, cards)),
        _build_lesson(
            "stack", _("Penalties"), *option_sentences(rs, "stacking", "penalty_ends_turn")
        ),
        _build_lesson("uno", _("Saying UNO"), *calls),
        _build_lesson("score", _("Winning"), *option_sentences(rs, "scoring", "target")),
    ]
    return [lesson for lesson in all_lessons if lesson.text]


def _build_lesson(key: str, title: str, *sentences: str) -> Lesson:
    return Lesson(key, title, " ".join(sentences), sentences[0] if sentences else "")


def is_special(rs: RuleSet, notation: str) -> bool:
    """Return whether the card has a special effect or rule."""
    return cards.is_special(rs.card(notation))


def _list_special_rules(rs: RuleSet, cards: Sequence[str]) -> list[str]:
    rules = explain.special_cards(rs)
    seen = [rs.card(card).role for card in cards]
    first = [role for role in rules if role in seen]
    order = [*first, *(role for role in rules if role not in first)]
    return [rules[role].sentence for role in order[:SPECIALS]]
