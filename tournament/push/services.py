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

from tournament.models import PushMessage, PushSubscription, User
from tournament.pure.push_keys import decode
from tournament.push.hosts import check_endpoint

# Enough for a phone, laptop and tablet with several browsers each. Beyond it, the devices that
# have been unused for longest are removed.
MOST_DEVICES = 10
POINT_BYTES, SECRET_BYTES = 65, 16
# Messages are kept for the counts, and so that no call is repeated.
MESSAGES_KEPT = timedelta(days=1)


class DeviceKeys(NamedTuple):
    """A device's address at its push service, and its public key and secret, in base64url."""

    endpoint: str
    p256dh: str
    auth: str

    def check(self) -> None:
        """Check that messages can be encrypted for the device and may be sent to its address.

        Raises ValueError.
        """
        check_endpoint(self.endpoint)
        point, secret = decode(self.p256dh), decode(self.auth)
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
        if len(point) != POINT_BYTES or len(secret) != SECRET_BYTES:
            raise ValueError("key")


@transaction.atomic
def subscribe(user: User, session: str, language: str, device: DeviceKeys) -> None:
    """Subscribe the device to calls of the user until the session ends.

    A device of another account is transferred to this one.

    Raises ValueError for a device without a usable address or keys.
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
    PushSubscription.objects.filter(pk__in=[each.pk for each in own[MOST_DEVICES:]]).delete()


def unsubscribe(user: User, endpoint: str) -> None:
    """Remove the device from the user's subscriptions."""
    PushSubscription.objects.filter(user=user, endpoint=endpoint).delete()


def forget_signed_out_device(request: HttpRequest, **_signal: object) -> None:
    """Remove the device that signs out; Django sends the signal before the session ends."""
    if key := request.session.session_key:
        PushSubscription.objects.filter(session=key).delete()


def select_expired_devices(now: datetime) -> QuerySet[PushSubscription]:
    """Return the devices whose sign-in has ended or that have been unused for as long as one lasts.

    Returns all devices if push messages are off.
    """
    if not settings.PUSH_MESSAGES:
        return PushSubscription.objects.all()
    running = Session.objects.filter(session_key=OuterRef("session"), expire_date__gt=now)
    oldest = now - timedelta(days=settings.KEEP_SESSION_DAYS)
    return PushSubscription.objects.filter(Q(used_at__lt=oldest) | ~Exists(running))


def select_old_messages(now: datetime) -> QuerySet[PushMessage]:
    return PushMessage.objects.filter(written_at__lt=now - MESSAGES_KEPT)


def iterate_signed_in(devices: Iterable[PushSubscription]) -> Iterator[PushSubscription]:
    """Yield the devices that are still signed in, and delete the others.

    A new password ends a session without deleting its row, so its password hash is compared.
    """
    devices = list(devices)
    now = timezone.now()
    keys = {device.session for device in devices}
    running = Session.objects.filter(session_key__in=keys, expire_date__gt=now)
    sessions = {row.session_key: row.get_decoded() for row in running}
    for device in devices:
        session = sessions.get(device.session, {})
        if device.user.is_active and _is_current(session.get(HASH_SESSION_KEY, ""), device.user):
            yield device
        else:
            device.delete()


def _is_current(password_hash: str, user: User) -> bool:
    return compare_digest(password_hash, user.get_session_auth_hash())
