"""Continuing without players who have not come."""

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
def leave_out(round_: Round, chosen: Iterable[Registration], actor: User, reason: str = "") -> int:
    """Leave these players out of a round that has not started, and repair its tables.

    Returns how many were left out. Refused with: nobody, and as `repair_round`.
    """
    lock_event(round_.stage.event, round_)
    chairs = retained_players(round_)
    going = [one for one in chosen if one.pk in chairs]
    if not going:
        text = _("None of these players has a seat in {round}.")
        raise RefusedError(Code.NOBODY, text.format(round=round_))
    out = {*round_.seating.out, *(one.pk for one in going)}
    round_.seating = replace(round_.seating, out=tuple(sorted(out)))
    round_.save(update_fields=["seating"])
    repair_round(round_, actor, reason)
    return len(going)
