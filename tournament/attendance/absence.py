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
def leave_out(played: Round, chosen: Iterable[Registration], actor: User, reason: str = "") -> int:
    """Leave these players out of a round that has not started, and repair its tables.

    Returns how many were left out. Refused with: nobody, and as `repair_round`.
    """
    lock_event(played.stage.event, played)
    chairs = retained_players(played)
    going = [one for one in chosen if one.pk in chairs]
    if not going:
        text = _("None of these players has a seat in {round}.")
        raise RefusedError(Code.NOBODY, text.format(round=played))
    out = {*played.seating.out, *(one.pk for one in going)}
    played.seating = replace(played.seating, out=tuple(sorted(out)))
    played.save(update_fields=["seating"])
    repair_round(played, actor, reason)
    return len(going)
