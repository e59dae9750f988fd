"""Leaving missing players out of a round."""

from collections.abc import Iterable
from dataclasses import replace

from django.db import transaction
from django.utils.translation import gettext as _

from tournament.common.locks import lock_event
from tournament.common.refusals import RefusedError
from tournament.models import Registration, Round, User
from tournament.pure.codes import Code
from tournament.seating.changes import repair_round
from tournament.seating.queries import retained_players


@transaction.atomic
def leave_out_players(
    round_: Round, chosen: Iterable[Registration], actor: User, reason: str = ""
) -> int:
    """Remove these players from a round that has not started, and repair its tables.

    Returns the number of removed players. Raises RefusedError with the code `nobody`, or like
    `repair_round`.
    """
    lock_event(round_.stage.event, round_)
    seated = retained_players(round_)
    leaving = [registration for registration in chosen if registration.pk in seated]
    if not leaving:
        text = _("None of these players has a seat in {round}.")
        raise RefusedError(Code.NOBODY, text.format(round=round_))
    out = {*round_.seating.out, *(registration.pk for registration in leaving)}
    round_.seating = replace(round_.seating, out=tuple(sorted(out)))
    round_.save(update_fields=["seating"])
    repair_round(round_, actor, reason)
    return len(leaving)
