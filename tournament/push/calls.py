"""Calls of absent players to their table, which the worker finds and sends.

Nothing is written while a match is played: every second the worker asks whom a table
waits for. A message is sent only for as long as that is so.
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
from tournament.push.encryption import authorization, decode, encrypt
from tournament.push.hosts import EndpointError
from tournament.push.services import keep_signed_in
from tournament.push.transport import ServiceAnswer, post

logger = logging.getLogger(__name__)

# A full hall is called within seconds, and a service that is slow or away keeps few threads.
AT_ONCE, THREADS = 32, 8
# Longer than a request may take.
CLAIMED_FOR = timedelta(seconds=30)
FIRST_PAUSE, LONGEST_PAUSE = timedelta(seconds=2), timedelta(seconds=30)
GONE = (404, 410)
# Lock screens cut long texts anyway.
MOST_TITLE = 80
MOST_ERROR = 40
# No Retry-After makes a worker's arithmetic fail.
MOST_SECONDS = 86_400


def carry_out() -> None:
    """Call everyone for whom a table waits, once to each turn.

    An unexpected error is logged, and the next look tries again.
    """
    try:
        _call_absent_players()
    except DatabaseError:
        raise
    except Exception:
        logger.exception("Absent players are not called")


def _call_absent_players() -> None:
    if not settings.PUSH_MESSAGES or not PushSubscription.objects.exists():
        return
    now = timezone.now()
    awaited = facts.list_awaited(PushSubscription.objects.values("user"), now)
    _drop_others(awaited)
    _write(awaited, now)
    _send_due(now)


def _drop_others(awaited: Iterable[AwaitedPlayer]) -> None:
    """Drop messages about turns that are over, and to players who have come."""
    current = {(each.user, each.match.pk, each.call) for each in awaited}
    unsent = PushMessage.objects.filter(due__isnull=False)
    columns = unsent.values_list("pk", "subscription__user", "match", "call")
    over = [pk for pk, *call in columns if tuple(call) not in current]
    if over:
        PushMessage.objects.filter(pk__in=over).delete()


def _write(awaited: Iterable[AwaitedPlayer], now: datetime) -> None:
    """Write the messages that do not exist yet, to be sent immediately."""
    waits = {each.user: each for each in awaited}
    devices = PushSubscription.objects.filter(user__in=waits).select_related("user")
    called = PushMessage.objects.filter(subscription__in=devices)
    known = set(called.values_list("subscription", "match", "call"))
    new = [
        device
        for device in devices
        if (device.pk, waits[device.user_id].match.pk, waits[device.user_id].call) not in known
    ]
    if not new:
        return
    written = (_make_message(device, waits[device.user_id], now) for device in keep_signed_in(new))
    # Another machine's worker may have been first.
    PushMessage.objects.bulk_create(written, ignore_conflicts=True)


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
    """A message as it is sent to its device's push service."""

    message: PushMessage
    headers: dict[str, str]
    body: bytes

    def send(self) -> ServiceAnswer | str:
        """Send it and return the answer, or a word for what went wrong. Uses no database."""
        try:
            return post(self.message.subscription.endpoint, self.headers, self.body)
        except OSError as error:
            return type(error).__name__
        except EndpointError as error:
            return f"refused {error}"
        except ValueError:
            # What the address led to is no name or no request.
            return "refused address"


def _send_due(now: datetime) -> None:
    due = PushMessage.objects.filter(due__lte=now, until__gt=now).order_by("due", "pk")
    rows = due.select_related("subscription", "match")[:AT_ONCE]
    requests = [_build_request(row, now) for row in rows if _claim(row, now)]
    if not requests:
        return
    with ThreadPoolExecutor(THREADS) as pool:
        for request, answer in zip(requests, pool.map(PushRequest.send, requests), strict=True):
            _record(request.message, answer)


def _claim(message: PushMessage, now: datetime) -> bool:
    """Claim the message so that no other worker sends it too."""
    mine = PushMessage.objects.filter(pk=message.pk, due=message.due)
    message.due, message.tries = now + CLAIMED_FOR, message.tries + 1
    return bool(mine.update(due=message.due, tries=F("tries") + 1))


def _build_request(message: PushMessage, now: datetime) -> PushRequest:
    device = message.subscription
    body = encrypt(build_text(message), decode(device.public_key), decode(device.secret))
    headers = {
        "Authorization": authorization(device.endpoint),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(max(1, int((message.until - now).total_seconds()))),
        # A later message of the match replaces one that still waits for the device.
        "Topic": salted_hmac("tournament.push", str(message.match_id)).hexdigest()[:32],
        "Urgency": "high",
    }
    return PushRequest(message, headers, body)


def build_text(message: PushMessage) -> bytes:
    """Return what the device shows, in its language: no names of players and no cards.

    Anyone near the device can read its lock screen.
    """
    language = message.subscription.language
    event = Event.objects.filter(stages__rounds__tables__match=message.match_id).first()
    with translation.override(language):
        title = _("Your match begins") if message.call == facts.BEGINS else _("Your turn")
    text = {
        "title": title,
        "body": shorten(event.title, MOST_TITLE) if event else "",
        "address": message.match.get_absolute_url(),
        "language": language,
    }
    return json.dumps(text, ensure_ascii=False).encode()


def _record(message: PushMessage, answer: ServiceAnswer | str) -> None:
    """Record the outcome: sent, to be tried again, given up, or that the device is gone."""
    own = PushMessage.objects.filter(pk=message.pk)
    if isinstance(answer, ServiceAnswer) and answer.status in GONE:
        message.subscription.delete()
        return
    if isinstance(answer, ServiceAnswer) and 200 <= answer.status < 300:
        own.update(sent_at=timezone.now(), due=None, error="")
        return
    error = answer if isinstance(answer, str) else f"refused {answer.status}"
    again = _find_next_try(message, answer)
    logger.warning("A push message was not sent%s: %s", " and is tried again" * bool(again), error)
    own.update(due=again, error=error[:MOST_ERROR])


def _find_next_try(message: PushMessage, answer: ServiceAnswer | str) -> datetime | None:
    """Return when to try again; None if that cannot help or would be too late."""
    pause = min(LONGEST_PAUSE, FIRST_PAUSE * (1 << min(message.tries - 1, 10)))
    if isinstance(answer, ServiceAnswer):
        if answer.status not in (429, *range(500, 600)):
            return None
        if answer.retry_after is not None:
            pause = max(FIRST_PAUSE, timedelta(seconds=min(answer.retry_after, MOST_SECONDS)))
    elif answer.startswith("refused"):
        return None
    again = timezone.now() + pause
    return again if again < message.until else None
