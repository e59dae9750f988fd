"""Who may see a match, and who may act in it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.apps import apps

from games.apps import Commentary, GamesConfig
from games.guests import held_by
from games.models import Match, Seat
from games.seats import SeatNumber
from games.sockets.entrance.identity import Identity
from games.store import Rights


@dataclass(frozen=True, slots=True)
class Admission:
    """A match that somebody may see, with the seat that is theirs (None for viewers)."""

    match: Match
    seat: Seat | None

    @property
    def number(self) -> SeatNumber | None:
        return self.seat.number if self.seat else None


def admit(public_id: str, user: Any) -> Admission:
    """Everybody may watch a match, except somebody else's practice; a guest sits in practice alone.

    Raises Match.DoesNotExist, the same for unknown and for not allowed.
    """
    match = Match.objects.get(public_id=public_id)
    seat = None
    if user is not None and (user.is_authenticated or match.practice):
        seat = match.seats.filter(held_by(user)).first()
    if match.practice and seat is None:
        raise Match.DoesNotExist
    return Admission(match, seat)


def admit_commentator(public_id: str, user: Any, session_key: str) -> Admission:
    """A match all of whose cards this person may see, a while later, by this session.

    Raises Match.DoesNotExist, the same for unknown and for not allowed.
    """
    admission = admit(public_id, user)
    if admission.seat is not None or commentator_since(admission.match.pk, user) is None:
        raise Match.DoesNotExist
    if not _get_commentary().is_proven(user, session_key):
        raise Match.DoesNotExist
    return admission


def commentator_since(match: int, user: Any) -> datetime | None:
    """Who organizes the match (by key) lets this person see all cards of hands dealt since then.

    None: of no hand.
    """
    return None if user is None else _get_commentary().commentator_since(match, user)


def note_commentator(match: int, user: Any, *, by_socket: bool) -> None:
    """Have it written down that the commentator has opened the match (by key)."""
    _get_commentary().log_opening(match, user, by_socket=by_socket)


def _get_commentary() -> Commentary:
    games = apps.get_app_config("games")
    assert isinstance(games, GamesConfig)
    return games.commentary


def rights(seat: int, identity: Identity) -> Rights:
    """By what this session acts for the seat (by key)."""
    return Rights(seat, identity.holder, identity.password, identity.session_key)
