"""Emails of the site, stored in the database until they are sent.

The worker (serving/worker.py) runs the task `send_due` from the queue "mail". If the mail server
is unreachable or a process ends, emails are late but not lost. The worker claims a letter for as
long as sending may take. If the worker is killed between the mail server's reply and the commit,
the letter is sent again with the same Message-ID.
"""

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta
from itertools import islice
from smtplib import SMTPRecipientsRefused, SMTPResponseException
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from games.process.next_django import mailer, task
from tournament.models import Letter

logger = logging.getLogger(__name__)

QUEUE = "mail"
# The backend of sites without a mail server, which prints emails instead of sending them.
PRINTING_BACKEND = "django.core.mail.backends.console.EmailBackend"
SEND_LIMIT = timedelta(hours=36)
# When a code is late, its recipient soon requests a new one. The old code would then be confusing.
CODE_SEND_LIMIT = timedelta(seconds=settings.CODE_SECONDS)
# Longer than the timeout of the mail server.
CLAIM_DURATION = timedelta(minutes=2)
# Letters are usually sent immediately. A letter that is this late has lost its task.
OVERDUE = timedelta(seconds=10)
FIRST_PAUSE = timedelta(seconds=5)
LONGEST_PAUSE, LONGEST_CODE_PAUSE = timedelta(minutes=15), timedelta(seconds=10)
# Maximum number of letters per task, so that a worker can stop within seconds.
BATCH_SIZE = 10
# Unsent letters can be resent by hand during this time. After that, their text is deleted.
TEXT_RETENTION = timedelta(days=7)


def write_letter(message: EmailMessage, **about: Any) -> Letter:
    """Convert the message to an unsent letter.

    `about` gives values for fields such as `event`, `name`, `urgent` and `calendar`, and optionally
    `patience`: the time for which the site tries to send the letter.
    """
    now, patience = timezone.now(), about.pop("patience", SEND_LIMIT)
    return Letter(
        address=message.to[0],
        sender=message.from_email,
        subject=" ".join(str(message.subject).split())[:300],
        body=str(message.body),
        written_at=now,
        due=now,
        until=now + patience,
        **about,
    )


def queue_letters(letters: Iterable[Letter]) -> None:
    """Store the letters, to be sent about a second after the transaction commits."""
    with transaction.atomic():
        Letter.objects.bulk_create(letters)
        send_due.enqueue()


@task(queue_name=QUEUE)
def send_due() -> None:
    """Send all due letters over one connection to the mail server, urgent ones first."""
    connection = mailer()
    try:
        for letter in islice(iter(_claim_letter, None), BATCH_SIZE):
            _send_letter(letter, connection)
        if Letter.objects.filter(due__lte=timezone.now()).exists():
            send_due.enqueue()
    except _MailServerDownError as failure:
        _postpone_all(failure.error)
    finally:
        connection.close()


class _MailServerDownError(Exception):
    """Raised if the mail server cannot accept any letters now."""

    def __init__(self, error: str) -> None:
        super().__init__(error)
        self.error = error


def _claim_letter() -> Letter | None:
    """Claim the next due letter for `CLAIM_DURATION`, so that no other worker sends it.

    Returns None if no letter is due.
    """
    while True:
        now = timezone.now()
        due = Letter.objects.filter(due__lte=now).order_by("-urgent", "due", "pk")
        if (letter := due.first()) is None:
            return None
        unclaimed = Letter.objects.filter(pk=letter.pk, due=letter.due)
        if unclaimed.update(due=now + CLAIM_DURATION, tries=F("tries") + 1):
            letter.tries += 1
            return letter


def _send_letter(letter: Letter, connection: Any) -> None:
    if letter.until < timezone.now():
        _give_up_letter(letter)
        return
    try:
        connection.open()
    except Exception as error:
        _record_failure(letter, describe_error_code(error))
        raise _MailServerDownError(describe_error_code(error)) from error
    try:
        connection.send_messages([_build_message(letter)])
    except Exception as error:
        _record_failure(letter, describe_error_code(error))
        connection.close()
    else:
        _record_sent(letter)


def describe_error_code(error: Exception) -> str:
    """Return the error as a keyword and a code.

    The error's text is left out, because it may contain an email address.
    """
    if isinstance(error, SMTPRecipientsRefused):
        return f"refused {next(iter(error.recipients.values()))[0]}"
    if isinstance(error, SMTPResponseException):
        return f"refused {error.smtp_code}"
    return type(error).__name__


def _build_message(letter: Letter) -> EmailMessage:
    domain = letter.sender.rpartition("@")[2].strip("> ")
    message_id = f"<{letter.written_at:%Y%m%d%H%M%S%f}.{letter.pk}@{domain}>"
    message = EmailMessage(
        letter.subject,
        letter.body,
        letter.sender,
        [letter.address],
        headers={"Message-ID": message_id},
    )
    if letter.calendar:
        message.attach("event.ics", letter.calendar, "text/calendar")
    return message


def _record_sent(letter: Letter) -> None:
    if letter.event_id is None:
        letter.delete()
        return
    letter.sent_at, letter.due = timezone.now(), None
    letter.address = letter.body = letter.calendar = letter.error = ""
    letter.save(update_fields=["sent_at", "due", "address", "body", "calendar", "error"])


def _record_failure(letter: Letter, error: str) -> None:
    domain = letter.address.rpartition("@")[2]
    logger.error("A mail to @%s was not sent and will be tried again: %s.", domain, error)
    letter.error, letter.due = error, timezone.now() + retry_delay(letter)
    letter.save(update_fields=["error", "due"])
    send_due.using(run_after=letter.due).enqueue()


def retry_delay(letter: Letter) -> timedelta:
    """Return the delay before the next attempt.

    The delay doubles with each attempt. For codes it stays short, because people wait for them.
    """
    longest = LONGEST_CODE_PAUSE if letter.urgent else LONGEST_PAUSE
    doublings = min(max(letter.tries - 1, 0), 10)
    return min(longest, FIRST_PAUSE * (1 << doublings))


def _postpone_all(error: str) -> None:
    """Postpone all due letters, because an error affects the whole mail server.

    A single task then tries the server again.
    """
    with transaction.atomic():
        due = Letter.objects.filter(due__lte=timezone.now())
        moments = [_postpone_letter(letter, error) for letter in due]
        if moments:
            send_due.using(run_after=min(moments)).enqueue()


def _postpone_letter(letter: Letter, error: str) -> datetime:
    letter.tries += 1
    letter.error, letter.due = error, timezone.now() + retry_delay(letter)
    letter.save(update_fields=["tries", "error", "due"])
    return letter.due


def _give_up_letter(letter: Letter) -> None:
    domain = letter.address.rpartition("@")[2]
    logger.error("A mail to @%s was not sent in time: %s.", domain, letter.error or "no try")
    if letter.event_id is None:
        letter.delete()
    else:
        Letter.objects.filter(pk=letter.pk).update(due=None)


def can_deliver() -> bool:
    """Return whether the site has a mail server that currently accepts emails."""
    return not has_no_mail_server() and not is_delivery_delayed()


def has_no_mail_server() -> bool:
    """Return whether the site has no mail server, and prints emails instead."""
    return bool(settings.MAILERS["default"]["BACKEND"] == PRINTING_BACKEND)


def is_delivery_delayed() -> bool:
    """Return whether emails are delayed because the mail server is unreachable.

    Emails that were refused for a single mailbox do not count.
    """
    tried = Letter.objects.filter(due__isnull=False).exclude(error="")
    return tried.exclude(error__startswith="refused").exists()


def send_again(letters: Iterable[Letter]) -> int:
    """Retry unsent letters immediately, and return their number.

    A letter that is due within two minutes is skipped, because a worker may already be sending it.
    """
    now = timezone.now()
    ids = [letter.pk for letter in letters]
    with transaction.atomic():
        unsent = Letter.objects.filter(pk__in=ids, sent_at=None).exclude(body="")
        waiting = unsent.filter(Q(due=None) | Q(due__gt=now + CLAIM_DURATION))
        count = waiting.update(due=now, until=now + SEND_LIMIT)
        if count:
            send_due.enqueue()
    return count


def tidy() -> None:
    """Queue letters that have lost their task, and delete the text of letters given up long ago.

    A worker calls this regularly.
    """
    now = timezone.now()
    if Letter.objects.filter(due__lt=now - OVERDUE).exists():
        send_due.enqueue()
    given_up = Letter.objects.filter(due=None, until__lt=now - TEXT_RETENTION).exclude(body="")
    given_up.update(body="", address="", calendar="")


def select_expired(now: datetime) -> QuerySet[Letter]:
    """Return the letters that were sent or given up, and are past their retention period."""
    days = timedelta(days=settings.KEEP_MAIL_DAYS)
    return Letter.objects.filter(due=None, written_at__lt=now - days)
