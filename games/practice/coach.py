"""Explanations for beginners at a practice table, chosen to match its cards."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games.protocol.table import CoachStep, TableView
from games.rules.ruleset.rulesets import RuleSet
from games.rules.words import lessons, words
from games.rules.words.lessons import Lesson

HINTS = {
    "draw": gettext_noop("Tap the Draw button or the draw pile in the middle."),
    "special": gettext_noop("Tap a card you can’t play to see why."),
    "stack": gettext_noop("The middle of the table shows who has to draw, and how many cards."),
    "uno": gettext_noop(
        "With two cards left, tap “+ UNO!” under a card to play it and say UNO in one "
        "go. Or say it afterwards with the UNO! button."
    ),
    "score": gettext_noop("You’ll find all the rules under “Rules” at the top. Good luck!"),
}


def coach_steps(rules: RuleSet, view: TableView) -> list[CoachStep]:
    """Return the steps that explain the table to a beginner.

    `view` is the view of the beginner's seat. The text of a step comes from the rules, and its hint
    refers to this table. A step is due while the situation that it explains exists at the table.
    """
    shown = _find_special_top_card(rules, view) or [card["card"] for card in view["cards"]]
    return [_build_step(rules, lesson, view) for lesson in lessons.lessons(rules, shown)]


def _find_special_top_card(rules: RuleSet, view: TableView) -> list[str]:
    """Return a list with the top card if it has a special effect, or else an empty list."""
    top = view["top"]
    return [top] if top is not None and lessons.is_special(rules, top) else []


def _build_step(rules: RuleSet, lesson: Lesson, view: TableView) -> CoachStep:
    key, title, full_text, summary = lesson
    # The score lesson is shown in full, because it mentions the target only in a later sentence.
    text = full_text if key == "score" else summary
    hint = _describe_fitting_cards(rules, view) if key == "fits" else _(HINTS[key])
    return {
        "key": key,
        "title": title,
        "text": text,
        "hint": hint,
        "due": _is_due(rules, key, view),
    }


def _describe_fitting_cards(rules: RuleSet, view: TableView) -> str:
    fitting = [card["card"] for card in view["cards"] if card["playable"]]
    if not fitting:
        return _("Cards you can play get a bright edge when it’s your turn.")
    names = words.join_names(words.card_names(rules, list(dict.fromkeys(fitting))))
    return _("You can play {cards} now: tap a card with a bright edge.").format(cards=names)


def _is_due(rules: RuleSet, key: str, view: TableView) -> bool:
    own_turn = view["turn"] is not None and view["turn"] == view["you"]
    can_play = any(card["playable"] for card in view["cards"])
    if key == "fits":
        return own_turn and can_play
    if key == "draw":
        return own_turn and (not can_play or view["drawn"] is not None)
    if key == "special":
        return bool(_find_special_top_card(rules, view))
    if key == "stack":
        return view["penalty"] is not None
    return key == "uno" and 0 < len(view["cards"]) <= 2
