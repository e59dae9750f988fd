"""Chances in a hand at each step of its replay, with the better moves."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.json_values.reviewed import ReviewedHand, ReviewedMove
from games.models import Hand
from games.protocol.replay import StepLuck
from games.reviews.figures import PERCENT
from games.reviews.mistakes import cost_of, describe_better_move, margin_of_error
from games.rules.words import words
from games.seats import PlayerIndex, seat_of
from games.store import Snapshot

# Number of players whose chances are described, most likely winners first.
MAX_NAMED = 4


def list_step_luck(snapshot: Snapshot, hand: Hand, reviewed: ReviewedHand) -> list[StepLuck]:
    """Return the luck after the deal and after each action, in the order of the replay's steps."""
    steps = len(reviewed.accounts[0].curve)
    return [_build_step_luck(step, snapshot, hand, reviewed) for step in range(steps)]


def _build_step_luck(step: int, snapshot: Snapshot, hand: Hand, reviewed: ReviewedHand) -> StepLuck:
    """Return the luck at a step, with better alternatives to the decisions that led to it."""
    names = snapshot.names(hand, step)
    chances = [round(PERCENT * account.curve[step]) for account in reviewed.accounts]
    mistakes = [move for move in reviewed.moves if move.step + 1 == step]
    return {
        "chances": {
            str(seat_of(reviewed.players, PlayerIndex(player))): chance
            for player, chance in enumerate(chances)
        },
        "text": _format_chances(names, chances),
        "better": " ".join(describe_better_at(move, snapshot, hand) for move in mistakes),
    }


def _format_chances(names: Sequence[str], chances: Sequence[int]) -> str:
    likeliest = sorted(zip(names, chances, strict=True), key=lambda pair: -pair[1])[:MAX_NAMED]
    text = _("Most likely to win: {chances}.")
    if len(names) <= MAX_NAMED:
        text = _("Chances of winning: {chances}.")
    parts = [f"{name} {chance}%" for name, chance in likeliest]
    return text.format(chances=words.join_names(parts))


def describe_better_at(move: ReviewedMove, snapshot: Snapshot, hand: Hand) -> str:
    """Describe the better move, and by how many percentage points it was better."""
    cost = cost_of(move)
    return ngettext(
        "Better: {better} (+{cost} percentage point, ±{error}).",
        "Better: {better} (+{cost} percentage points, ±{error}).",
        cost,
    ).format(
        better=describe_better_move(move, snapshot.names(hand, move.step), snapshot.rules),
        cost=cost,
        error=margin_of_error(move),
    )
