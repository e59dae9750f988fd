"""Push messages to players whose turn it is while they are away.

The worker looks every second for players who keep a table waiting, and sends them a message. The
game itself sends none, so a slow push service cannot delay it.
"""

import json
import logging
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import NamedTuple

from django.conf import settings
from django.db import DatabaseError
from django.db.models import F
from django.utils import timezone, translation
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from games import facts
from games.facts import AwaitedPlayer
from games.rules.clusters import shorten
from tournament.models import Event, PushMessage, PushSubscription
from tournament.pure.push_keys import decode_base64url
from tournament.push.encryption import authorization, encrypt
from tournament.push.hosts import EndpointError
from tournament.push.services import iterate_signed_in
from tournament.push.transport import ServiceAnswer, post

logger = logging.getLogger(__name__)

# Enough to reach hundreds of players within seconds. A slow push service blocks only these threads.
BATCH_SIZE, THREADS = 32, 8
# Longer than the timeout of a request.
CLAIM_DURATION = timedelta(seconds=30)
FIRST_PAUSE, LONGEST_PAUSE = timedelta(seconds=2), timedelta(seconds=30)
GONE_STATUSES = (404, 410)
# Lock screens truncate longer texts.
MAX_TITLE_LENGTH = 80
MAX_ERROR_LENGTH = 40
# Larger Retry-After values could overflow date arithmetic.
MAX_RETRY_SECONDS = 86_400


def call_absent_players() -> None:
    """Send a message to each player who keeps a table waiting, once per turn.

    Unexpected errors are logged, and the next run tries again.
    """
    try:
        _call_absent_players()
    except DatabaseError:
        raise
    except Exception:
        logger.exception("Could not call absent players")


def _call_absent_players() -> None:
    if not settings.PUSH_MESSAGES or not PushSubscription.objects.exists():
        return
    now = timezone.now()
    awaited = facts.list_awaited_players(PushSubscription.objects.values("user"), now)
    _delete_outdated_messages(awaited)
    _write_messages(awaited, now)
    _send_due_messages(now)


def _delete_outdated_messages(awaited: Iterable[AwaitedPlayer]) -> None:
    """Delete unsent messages about turns that are over, or to players who have returned."""
    current = {(each.user, each.match.pk, each.call) for each in awaited}
    unsent = PushMessage.objects.filter(due__isnull=False)
    columns = unsent.values_list("pk", "subscription__user", "match", "call")
    outdated = [pk for pk, *call in columns if tuple(call) not in current]
    if outdated:
        PushMessage.objects.filter(pk__in=outdated).delete()


def _write_messages(awaited: Iterable[AwaitedPlayer], now: datetime) -> None:
    """Create the missing messages and make them due immediately."""
    waits_by_user = {each.user: each for each in awaited}
    devices = PushSubscription.objects.filter(user__in=waits_by_user).select_related("user")
    existing = PushMessage.objects.filter(subscription__in=devices)
    already_called = set(existing.values_list("subscription", "match", "call"))
    new_devices = [
        device
        for device in devices
        if (device.pk, waits_by_user[device.user_id].match.pk, waits_by_user[device.user_id].call)
        not in already_called
    ]
    if not new_devices:
        return
    devices_and_waits = (
        (device, waits_by_user[device.subscription.user_id])
        for device in iterate_signed_in(new_devices)
    )
    messages = [
        _make_message(device.subscription, wait, now)
        for device, wait in devices_and_waits
        if device.may_announce(wait.match)
    ]
    # A worker on another machine may have created the same messages.
    PushMessage.objects.bulk_create(messages, ignore_conflicts=True)


def _make_message(device: PushSubscription, wait: AwaitedPlayer, now: datetime) -> PushMessage:
    return PushMessage(
        subscription=device,
        match=wait.match,
        call=wait.call,
        written_at=now,
        due=now,
        until=wait.until,
    )


class PushRequest(NamedTuple):
    """An HTTP request that sends a message to the push service of a device."""

    message: PushMessage
    headers: dict[str, str]
    body: bytes

    def send(self) -> ServiceAnswer | str:
        """Send the request, and return the answer or a short description of the error.

        This runs in a thread and must not use the database.
        """
        try:
            return post(self.message.subscription.endpoint, self.headers, self.body)
        except OSError as error:
            return type(error).__name__
        except EndpointError as error:
            return f"refused {error}"
        except ValueError:
            # The URL has an invalid host name or does not form a valid request.
            return "refused address"


def _send_due_messages(now: datetime) -> None:
    due = PushMessage.objects.filter(due__lte=now, until__gt=now).order_by("due", "pk")
    rows = due.select_related("subscription", "match")[:BATCH_SIZE]
    requests = [_build_request(row, now) for row in rows if _claim_message(row, now)]
    if not requests:
        return
    with ThreadPoolExecutor(THREADS) as pool:
        for request, answer in zip(requests, pool.map(PushRequest.send, requests), strict=True):
            _record_outcome(request.message, answer)


def _claim_message(message: PushMessage, now: datetime) -> bool:
    """Claim the message for this worker. Return False if another worker was faster."""
    unclaimed = PushMessage.objects.filter(pk=message.pk, due=message.due)
    message.due, message.tries = now + CLAIM_DURATION, message.tries + 1
    return bool(unclaimed.update(due=message.due, tries=F("tries") + 1))


def _build_request(message: PushMessage, now: datetime) -> PushRequest:
    device = message.subscription
    body = encrypt(
        build_text(message), decode_base64url(device.public_key), decode_base64url(device.secret)
    )
    headers = {
        "Authorization": authorization(device.endpoint),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(max(1, int((message.until - now).total_seconds()))),
        # Replaces an older message about the match that the device has not received yet.
        "Topic": salted_hmac("tournament.push", str(message.match_id)).hexdigest()[:32],
        "Urgency": "high",
    }
    return PushRequest(message, headers, body)


def build_text(message: PushMessage) -> bytes:
    """Return the message in the device's language.

    It names neither players nor cards, because anyone nearby can read a lock screen.
    """
    language = message.subscription.language
    event = Event.objects.filter(stages__rounds__tables__match=message.match_id).first()
    with translation.override(language):
        title = _("Your match has started") if message.call == facts.BEGINS else _("Your turn")
    content = {
        "title": title,
        "body": shorten(event.title, MAX_TITLE_LENGTH) if event else "",
        "address": message.match.get_absolute_url(),
        "language": language,
    }
    return json.dumps(content, ensure_ascii=False).encode()


def _record_outcome(message: PushMessage, answer: ServiceAnswer | str) -> None:
    """Record the outcome of an attempt, and schedule another one if it could succeed.

    A device that no longer exists is deleted.
    """
    row = PushMessage.objects.filter(pk=message.pk)
    if isinstance(answer, ServiceAnswer) and answer.status in GONE_STATUSES:
        message.subscription.delete()
        return
    if isinstance(answer, ServiceAnswer) and 200 <= answer.status < 300:
        row.update(sent_at=timezone.now(), due=None, error="")
        return
    error = answer if isinstance(answer, str) else f"refused {answer.status}"
    next_try = _find_next_try(message, answer)
    retried = "; it will be retried" if next_try else ""
    logger.warning("Could not send a push message (%s)%s", error, retried)
    row.update(due=next_try, error=error[:MAX_ERROR_LENGTH])


def _find_next_try(message: PushMessage, answer: ServiceAnswer | str) -> datetime | None:
    """Return the time of the next attempt, or None if it could not succeed or would be too late."""
    pause = min(LONGEST_PAUSE, FIRST_PAUSE * (1 << min(message.tries - 1, 10)))
    if isinstance(answer, ServiceAnswer):
        if answer.status not in (429, *range(500, 600)):
            return None
        if answer.retry_after is not None:
            pause = max(FIRST_PAUSE, timedelta(seconds=min(answer.retry_after, MAX_RETRY_SECONDS)))
    elif answer.startswith("refused"):
        return None
    next_try = timezone.now() + pause
    return next_try if next_try < message.until else None
