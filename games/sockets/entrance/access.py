"""Permission to see a match and to act in it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from games.apps import Commentary, get_games_config
from games.guests import held_by
from games.models import Match, Seat
from games.seats import SeatNumber


@dataclass(frozen=True, slots=True)
class Admission:
    """A match that a user may see, with the user's seat. `seat` is None for a viewer."""

    match: Match
    seat: Seat | None

    @property
    def number(self) -> SeatNumber | None:
        return self.seat.number if self.seat else None


def admit(public_id: str, user: Any, limit: int | None = None) -> Admission:
    """Admit a user to a match.

    Everyone may watch every match, except for other users' practice matches. A guest has a seat
    only in practice matches. A session with a `limit` has no seat in matches outside that limit.

    Raises Match.DoesNotExist if the match is unknown or the user may not see it.
    """
    match = Match.objects.get(public_id=public_id)
    seat = None
    if user is not None and (user.is_authenticated or match.practice):
        seat = match.seats.filter(held_by(user)).first()
    if seat and limit is not None and not get_games_config().session_limits.covers(limit, match.pk):
        seat = None
    if match.practice and seat is None:
        raise Match.DoesNotExist
    return Admission(match, seat)


def admit_commentator(public_id: str, user: Any, session_key: str) -> Admission:
    """Admit a commentator, who may see all cards of the match with a delay.

    The permission applies to this user in this session.

    Raises Match.DoesNotExist if the match is unknown or the user may not see it.
    """
    admission = admit(public_id, user)
    if admission.seat is not None or commentator_since(admission.match.pk, user) is None:
        raise Match.DoesNotExist
    if not _get_commentary().is_proven(user, session_key):
        raise Match.DoesNotExist
    return admission


def commentator_since(match: int, user: Any) -> datetime | None:
    """Return when the organizers made this user a commentator for the match, or None.

    The user may see all cards of hands that were dealt after that time. `match` is a primary key.
    """
    return None if user is None else _get_commentary().commentator_since(match, user)


def log_commentator(match: int, user: Any, *, by_socket: bool) -> None:
    """Log that the commentator has opened the match with this primary key."""
    _get_commentary().log_opening(match, user, by_socket=by_socket)


def _get_commentary() -> Commentary:
    return get_games_config().commentary
