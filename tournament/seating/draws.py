"""Numbered draws by lot. Discarded draws stay in the public history."""

from collections.abc import Iterable
from functools import partial

from django.utils.translation import gettext as _

from tournament.common.refusals import RefusedError
from tournament.models import Draw, Event, LogAction, Round, Stage, User
from tournament.oversight.audit import identify_place, record
from tournament.pure import arrangement
from tournament.pure.codes import Code


def prepare_draw(stage: Stage, number: int, problem: arrangement.SeatingProblem) -> Draw:
    """Return the round's next draw, unsaved, with its number and input."""
    last = stage.draws.filter(round_number=number).order_by("number").last()
    return Draw(
        stage=stage,
        round_number=number,
        number=last.number + 1 if last else 1,
        input=problem.text(),
        digest=problem.digest(),
    )


def key_of(draw: Draw) -> str:
    """Return the key for drawing the seats.

    The key is derived from the stage's key and the draw's input, so no one can choose it.
    """
    return arrangement.draw_key(draw.stage.lots_key, draw.round_number, draw.number, draw.digest)


def check_reason(stage: Stage, number: int, reason: str) -> None:
    """Check that a reason is given if a draw would be discarded.

    Raises RefusedError with the code `no-reason`.
    """
    if not reason.strip() and any(_list_drawn_rounds(stage.rounds.filter(number=number))):
        text = _("Say why the seats are being redrawn. Everyone can see the reason.")
        raise RefusedError(Code.NO_REASON, text)


def record_discarded_draws(event: Event, actor: User, rounds: Iterable[Round], reason: str) -> None:
    """Record in the public history that the draws of these rounds are discarded.

    The caller must have locked the event.
    """
    for played in _list_drawn_rounds(rounds):
        draw = played.stage.draws.filter(round_number=played.number).order_by("number").last()
        data = {**identify_place(played), "draw": draw.number if draw else 0}
        record(
            event,
            actor,
            LogAction.DRAW_DROPPED,
            partial(_describe_discarded_draw, played),
            reason,
            **data,
        )


def _list_drawn_rounds(rounds: Iterable[Round]) -> list[Round]:
    """Return the rounds whose seats were drawn with a key."""
    return [played for played in rounds if played.seating.key]


def _describe_discarded_draw(round_: Round) -> str:
    return _("Discarded the seats drawn for {round}.").format(round=round_)
