"""Finding and drawing a stage's next round."""

from collections.abc import Collection

from tournament.advancing.services import draw_bracket
from tournament.common.round_names import next_ordinal
from tournament.models import Round, Stage, User
from tournament.results.unplayed import count_earlier_rounds
from tournament.seating.bracket_rounds import make_next_bracket_round
from tournament.seating.services import seat_round


def next_round(stage: Stage) -> Round | None:
    """Return the stage's next round, unsaved, or None if it cannot be drawn now."""
    last = stage.rounds.order_by("-number").first()
    if stage.state == Stage.State.CLOSED or (last and last.is_final):
        return None
    if stage.number > 1 and not stage.qualifiers.exists():
        return None
    if last and last.state != Round.State.CLOSED:
        return None
    if stage.format == Stage.Format.BRACKET:
        following = make_next_bracket_round(stage)
    else:
        following = Round(stage=stage, ordinal=next_ordinal(stage.event))
    following.number = last.number + 1 if last else 1
    return following


def has_following_round(round_: Round) -> bool:
    """Return whether another round is planned after this one in the stage."""
    if round_.stage.format == Stage.Format.BRACKET:
        return not round_.is_final
    return count_earlier_rounds(round_.stage, round_.number) + 1 < round_.stage.rounds_planned


def draw_round(
    stage: Stage,
    actor: User,
    reason: str = "",
    *,
    seen: str | None = None,
    without: Collection[int] = (),
) -> Round:
    """Draw the stage's next round as a draft, replacing any existing draft.

    Raises RefusedError like `seat_round` or `draw_bracket`.
    """
    if stage.format == Stage.Format.BRACKET:
        return draw_bracket(stage, actor, seen=seen, without=without)
    return seat_round(stage, actor, reason, seen=seen, without=without)
