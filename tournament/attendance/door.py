"""Check-in codes: one displayed at the door, and one that each player can show.

The door's code changes every minute and is valid for two minutes, so a photo of it soon becomes
useless. It is derived from the site's secret key, so every process can compute it without storage.
"""

import time

from django.core import signing
from django.utils.crypto import constant_time_compare, salted_hmac

from tournament.models import Event, Registration

SLOT_SECONDS = 60
# Forty bits cannot be guessed within the two minutes for which a code is valid.
CODE_LENGTH = 10
# Maximum time between scanning the code and confirming check-in. Visitors may have to sign in and
# register first.
VISIT_SECONDS = 15 * 60
SIGNER = signing.Signer(salt="tournament.door.player")


def door_code(event: Event, now: float | None = None) -> str:
    """Return the code that is displayed at the door now."""
    return _make_code(event, _compute_time_slot(now))


def is_valid_code(event: Event, code: str, now: float | None = None) -> bool:
    """Return whether this code is displayed at the door now, or was in the previous minute."""
    slot = _compute_time_slot(now)
    return any(constant_time_compare(code, _make_code(event, each)) for each in (slot, slot - 1))


def _compute_time_slot(now: float | None) -> int:
    return int((time.time() if now is None else now) // SLOT_SECONDS)


def _make_code(event: Event, slot: int) -> str:
    digest = salted_hmac("tournament.door", f"{event.pk}:{slot}", algorithm="sha256")
    return digest.hexdigest()[:CODE_LENGTH]


def player_code(registration: Registration) -> str:
    """Return the signed code for a player's QR code. It identifies the registration."""
    return SIGNER.sign(str(registration.pk))


def find_player_by_code(event: Event, code: str) -> Registration | None:
    """Return the event's registration for a signed code, or None if the code is invalid."""
    try:
        pk = SIGNER.unsign(code)
    except signing.BadSignature:
        return None
    return event.registrations.filter(pk=pk).first()
