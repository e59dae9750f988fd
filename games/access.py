"""Who may see a match, and who may act in it."""

from dataclasses import dataclass
from typing import Any

from django.contrib.sessions.models import Session
from django.db.models import Exists
from django.utils import timezone

from games.identity import Identity
from games.models import Match, Seat


@dataclass(frozen=True, slots=True)
class Admission:
    """A match that somebody may see, with the seat that is theirs (None for viewers)."""

    match: Match
    seat: Seat | None


def admit(public_id: str, user: Any) -> Admission:
    """Everybody may watch a match, except somebody else's practice.

    Raises Match.DoesNotExist, the same for unknown and for not allowed.
    """
    match = Match.objects.get(public_id=public_id)
    seat = None
    if user is not None and user.is_authenticated:
        seat = match.seats.filter(user=user).first()
    if match.practice and seat is None:
        raise Match.DoesNotExist
    return Admission(match, seat)


def may_act(seat: int, identity: Identity) -> bool:
    """Whether account, session and seat (by key) still belong together. One query."""
    session = Session.objects.filter(pk=identity.session_key, expire_date__gt=timezone.now())
    return (
        Seat.objects.filter(
            Exists(session),
            pk=seat,
            user=identity.user.pk,
            user__is_active=True,
            user__password=identity.password,
        )
    ).exists()
