"""Going on without those who have not come."""

from collections.abc import Iterable

from django.db import transaction
from django.utils.translation import gettext as _

from tournament.models import Registration, Round, User
from tournament.queries.seats import kept_in
from tournament.services.errors import Refused
from tournament.services.locks import lock_event
from tournament.services.moving import change_seats, proposal, repair_round


@transaction.atomic
def leave_out(played: Round, chosen: Iterable[Registration], actor: User, reason: str = "") -> int:
    """Take these people out of a round that has not started, and put its tables right; how many.

    Refused with: nobody, and as `change_seats` and `repair_round`.
    """
    lock_event(played.stage.event)
    played.refresh_from_db()
    chairs = kept_in(played)
    going = [one for one in chosen if one.pk in chairs]
    if not going:
        text = _("None of them has a seat in {round}.")
        raise Refused("nobody", text.format(round=played))
    for one in going:
        change_seats(played, actor, one, "out", reason)
    if proposal(played).sentences:
        repair_round(played, actor, reason)
    return len(going)
