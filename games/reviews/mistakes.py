"""Descriptions of suboptimal moves: the better move, and by how much it was better."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.json_values.reviewed import ReviewedMove
from games.reviews.figures import PERCENT
from games.rules.actions.moves import Move, is_choice, is_play
from games.rules.bots.evaluation import MARGIN_FACTOR
from games.rules.ruleset.rulesets import RuleSet
from games.rules.words import words


def cost_of(move: ReviewedMove) -> int:
    """Return how much worse the move was than the better one, in percentage points."""
    return round(PERCENT * move.cost)


def margin_of_error(move: ReviewedMove) -> int:
    """Return the margin of error of the move's cost, in percentage points."""
    return max(1, round(PERCENT * MARGIN_FACTOR * move.error))


def describe_better_move(move: ReviewedMove, names: Sequence[str], rules: RuleSet) -> str:
    """Describe the better move, in words that fit after "Better:"."""
    if move.better is None:
        return _("say nothing")
    if is_play(move.better) and is_play(move.chosen):
        without_uno = {key: value for key, value in move.better.items() if key != "uno"}
        if without_uno == {**move.chosen}:
            return _("say UNO")
    return _describe_move(move.better, names, rules)


def _describe_move(move: Move, names: Sequence[str], rules: RuleSet) -> str:
    if is_play(move):
        details = [words.color_name(rules, move["color"])] if "color" in move else []
        details += [names[move["with"]]] if "with" in move else []
        card = words.card_name(rules, move["play"])
        return f"{card} ({', '.join(details)})" if details else card
    if is_choice(move):
        return words.color_name(rules, move["choose"])
    if "draw" in move:
        return pgettext("what would have been better", "draw")
    return pgettext("what would have been better", "pass")
