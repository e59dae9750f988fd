"""Reactions that players send each other at the table, with a rate limit."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.models import Reaction, Seat
from games.play.answers import Ack, RefusedError
from games.play.codes import PlayCode
from games.protocol.reactions import REACTIONS
from games.seats import SeatNumber

# Minimum time between two reactions of a seat.
MIN_GAP = timedelta(seconds=2)
# A seat may send at most MAX_REACTIONS in any PERIOD.
MAX_REACTIONS, PERIOD = 8, timedelta(minutes=1)


@transaction.atomic
def react(match_id: int, seat: SeatNumber, reaction: str) -> Ack:
    """Store a reaction sent by this seat.

    Raises RefusedError with the code `reaction` or `too-often`.
    """
    if reaction not in REACTIONS:
        raise RefusedError(PlayCode.REACTION, _("That reaction doesn’t exist."))
    sender = Seat.objects.select_for_update().get(match_id=match_id, number=seat)
    now = timezone.now()
    times = list(sender.reactions.filter(at__gt=now - PERIOD).values_list("at", flat=True))
    if len(times) >= MAX_REACTIONS or any(at > now - MIN_GAP for at in times):
        raise RefusedError(PlayCode.TOO_OFTEN, _("Wait a moment before you send another reaction."))
    Reaction.objects.create(seat=sender, shown=reaction, at=now)
    return Ack(sender.match.version)
