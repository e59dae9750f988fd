"""Subscriptions of devices to push messages."""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from hmac import compare_digest
from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from games.models import Match
from tournament.models import PushMessage, PushSubscription, User
from tournament.people.accounts.desk_sessions import find_stored_event_limit, is_match_within
from tournament.pure.push_keys import decode_base64url
from tournament.push.hosts import check_endpoint

# Enough for a phone, a laptop and a tablet with several browsers each. If there are more, the
# devices that have been unused for longest are removed.
MAX_DEVICES = 10
POINT_BYTES, SECRET_BYTES = 65, 16
# Messages are kept to count them, and to prevent a second message about the same turn.
MESSAGE_RETENTION = timedelta(days=1)


class DeviceKeys(NamedTuple):
    """A device's URL at its push service, and its public key and secret in base64url."""

    endpoint: str
    p256dh: str
    auth: str

    def check(self) -> None:
        """Check that the URL is allowed, and that the keys can encrypt messages.

        Raises ValueError if one of them is unusable.
        """
        check_endpoint(self.endpoint)
        point, secret = decode_base64url(self.p256dh), decode_base64url(self.auth)
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
        if len(point) != POINT_BYTES or len(secret) != SECRET_BYTES:
            raise ValueError("key")


@transaction.atomic
def subscribe(user: User, session: str, language: str, device: DeviceKeys) -> None:
    """Subscribe a device to the user's messages until the session ends.

    A device that belongs to another account is transferred to this one. Raises ValueError if its
    URL or keys are unusable.
    """
    device.check()
    now = timezone.now()
    values = {
        "user": user,
        "public_key": device.p256dh,
        "secret": device.auth,
        "session": session,
        "language": language,
        "used_at": now,
    }
    PushSubscription.objects.update_or_create(endpoint=device.endpoint, defaults=values)
    own = PushSubscription.objects.filter(user=user).order_by("-used_at", "-pk")
    PushSubscription.objects.filter(pk__in=[each.pk for each in own[MAX_DEVICES:]]).delete()


def unsubscribe(user: User, endpoint: str) -> None:
    """Remove a device from the user's subscriptions."""
    PushSubscription.objects.filter(user=user, endpoint=endpoint).delete()


def forget_signed_out_device(request: HttpRequest, **_signal: object) -> None:
    """Remove the subscription of a device that is signing out.

    This is a receiver of Django's signal, which is sent before the session ends.
    """
    if key := request.session.session_key:
        PushSubscription.objects.filter(session=key).delete()


def select_expired_devices(now: datetime) -> QuerySet[PushSubscription]:
    """Return the devices that have signed out, or were unused for a session's lifetime.

    If push messages are turned off, return all devices.
    """
    if not settings.PUSH_MESSAGES:
        return PushSubscription.objects.all()
    active_sessions = Session.objects.filter(session_key=OuterRef("session"), expire_date__gt=now)
    oldest = now - timedelta(days=settings.KEEP_SESSION_DAYS)
    return PushSubscription.objects.filter(Q(used_at__lt=oldest) | ~Exists(active_sessions))


def select_old_messages(now: datetime) -> QuerySet[PushMessage]:
    return PushMessage.objects.filter(written_at__lt=now - MESSAGE_RETENTION)


class SignedInDevice(NamedTuple):
    """A device that is signed in.

    `limit` is the key of the event to which a desk code limits the session, or None.
    """

    subscription: PushSubscription
    limit: int | None

    def may_announce(self, match: Match) -> bool:
        return self.limit is None or is_match_within(self.limit, match)


def iterate_signed_in(devices: Iterable[PushSubscription]) -> Iterator[SignedInDevice]:
    """Yield the devices that are still signed in, and delete the others.

    Changing the password ends sessions without deleting their rows, so this compares password
    hashes.
    """
    devices = list(devices)
    now = timezone.now()
    keys = {device.session for device in devices}
    active_sessions = Session.objects.filter(session_key__in=keys, expire_date__gt=now)
    sessions = {row.session_key: row for row in active_sessions}
    for device in devices:
        session = sessions.get(device.session)
        if session and device.user.is_active and _has_current_password(session, device.user):
            yield SignedInDevice(device, find_stored_event_limit(session))
        else:
            device.delete()


def _has_current_password(session: Session, user: User) -> bool:
    password_hash = session.get_decoded().get(HASH_SESSION_KEY, "")
    return compare_digest(password_hash, user.get_session_auth_hash())
