"""Reactions that players send each other at the table. Their number is limited."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.models import Reaction, Seat
from games.play.answers import Ack, RefusedError
from games.play.codes import PlayCode
from games.protocol.reactions import REACTIONS
from games.seats import SeatNumber

GAP = timedelta(seconds=2)
# A seat may send at most MOST reactions in any period of this length.
MOST, WITHIN = 8, timedelta(minutes=1)


@transaction.atomic
def react(match_id: int, seat: SeatNumber, reaction: str) -> Ack:
    """Store a reaction of this seat.

    Raises RefusedError with the code `reaction` or `too-often`.
    """
    if reaction not in REACTIONS:
        raise RefusedError(PlayCode.REACTION, _("That reaction doesn’t exist."))
    sender = Seat.objects.select_for_update().get(match_id=match_id, number=seat)
    now = timezone.now()
    times = list(sender.reactions.filter(at__gt=now - WITHIN).values_list("at", flat=True))
    if len(times) >= MOST or any(at > now - GAP for at in times):
        raise RefusedError(PlayCode.TOO_OFTEN, _("Wait a moment before you send another reaction."))
    Reaction.objects.create(seat=sender, shown=reaction, at=now)
    return Ack(sender.match.version)
