"""Guests: people who practise without an account.

A guest is stored only in the session and has no database row.
"""

import secrets
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, ClassVar

from django.db.models import Q
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from games.seats import Holder

GUEST_LIFETIME = timedelta(days=1)
_KEY = "guest"


# Number of random letters in a key, and of the letters after them that identify the network.
RANDOM_LENGTH, NETWORK_LENGTH = 24, 8


@dataclass(frozen=True, slots=True)
class Guest:
    """A player without an account. A guest has only practice seats and is never signed in."""

    key: str = field(default_factory=lambda: secrets.token_urlsafe(18))
    pk: ClassVar[None] = None
    is_authenticated: ClassVar[bool] = False

    @classmethod
    def create(cls, network: str) -> "Guest":
        """Create a guest on this network.

        The keys of all guests on a network end in the same letters.
        """
        mark = salted_hmac("games.guests", network, algorithm="sha256").hexdigest()
        return cls(cls().key + mark[:NETWORK_LENGTH])

    @property
    def network(self) -> str:
        """Identifier of the network on which the guest was created, or "" if unknown."""
        return self.key[RANDOM_LENGTH:]


def find_guest(session: Any) -> Guest | None:
    """Return the guest stored in this session, or None."""
    key = session.get(_KEY)
    return Guest(key) if key else None


def player_of(request: HttpRequest) -> Any:
    """Return the signed-in user of the request, else its guest, else the anonymous user."""
    if request.user.is_authenticated:
        return request.user
    return find_guest(request.session) or request.user


def store_guest(request: HttpRequest, guest: Guest) -> None:
    """Store this guest in the session, and let the session expire after GUEST_LIFETIME.

    Call this only for visitors who play, because it sets a cookie.
    """
    request.session[_KEY] = guest.key
    request.session.set_expiry(int(GUEST_LIFETIME.total_seconds()))


def remove_guest(request: HttpRequest) -> Guest | None:
    """Remove the guest from the session and return it, or None if there is none."""
    guest = find_guest(request.session)
    if guest is not None:
        del request.session[_KEY]
    return guest


def holder_of(player: Any) -> Holder | None:
    """Return the value that identifies this player as the holder of a seat."""
    return player.key if isinstance(player, Guest) else player.pk


def held_by(player: Any, seat: str = "") -> Q:
    """Return a filter for this player's seats. It matches no seats for an anonymous visitor.

    `seat` is the lookup prefix that leads from the filtered model to its seats.
    """
    if isinstance(player, Guest):
        return Q(**{f"{seat}guest": player.key})
    return Q(**{f"{seat}user": player.pk, f"{seat}user__isnull": False})
