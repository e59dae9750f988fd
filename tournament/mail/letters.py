"""Emails of the site, stored in the database from writing until sending.

`send_due` is a task of the queue "mail", which the worker carries out
(serving/worker.py). If the mail server is unreachable or the process ends, emails are
only delayed. A letter is claimed before it is sent, for as long as sending may take. If
the worker is killed between the mail server's reply and the commit, the letter is sent
once more, with the same Message-ID.
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
# A site without a mail server uses this backend, which prints mails instead of sending them.
NOWHERE = "django.core.mail.backends.console.EmailBackend"
PATIENCE = timedelta(hours=36)
# A person waiting for a code soon requests another one, and then the old code would only confuse.
CODE_PATIENCE = timedelta(seconds=settings.CODE_SECONDS)
# Longer than the mail server is given for an answer.
CLAIMED_FOR = timedelta(minutes=2)
# A letter's task sends it immediately, so one that is due this long has lost its worker.
OVERDUE = timedelta(seconds=10)
FIRST_PAUSE = timedelta(seconds=5)
LONGEST_PAUSE, LONGEST_FOR_CODES = timedelta(minutes=15), timedelta(seconds=10)
# One task sends at most this many, so that a stopping worker finishes within seconds.
AT_ONCE = 10
# For how long one that was not sent can still be sent by hand.
TEXT_KEPT = timedelta(days=7)


def write_letter(message: EmailMessage, **about: Any) -> Letter:
    """Return the message as an unsent letter.

    `about` accepts: event, name, urgent, patience, calendar.
    """
    now, patience = timezone.now(), about.pop("patience", PATIENCE)
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


def post(letters: Iterable[Letter]) -> None:
    """Store the letters, to be sent within about a second after the transaction commits."""
    with transaction.atomic():
        Letter.objects.bulk_create(letters)
        send_due.enqueue()


@task(queue_name=QUEUE)
def send_due() -> None:
    """Send all due letters, codes first, over one connection to the mail server."""
    connection = mailer()
    try:
        for letter in islice(iter(_claim, None), AT_ONCE):
            _send(letter, connection)
        if Letter.objects.filter(due__lte=timezone.now()).exists():
            send_due.enqueue()
    except _MailServerAwayError as away:
        _postpone_all(away.error)
    finally:
        connection.close()


class _MailServerAwayError(Exception):
    """Error that means that no letter can be sent at the moment."""

    def __init__(self, error: str) -> None:
        super().__init__(error)
        self.error = error


def _claim() -> Letter | None:
    """Claim the next letter so that no other worker takes it for CLAIMED_FOR.

    Returns None if nothing is due.
    """
    while True:
        now = timezone.now()
        due = Letter.objects.filter(due__lte=now).order_by("-urgent", "due", "pk")
        if (letter := due.first()) is None:
            return None
        mine = Letter.objects.filter(pk=letter.pk, due=letter.due)
        if mine.update(due=now + CLAIMED_FOR, tries=F("tries") + 1):
            letter.tries += 1
            return letter


def _send(letter: Letter, connection: Any) -> None:
    if letter.until < timezone.now():
        _give_up(letter)
        return
    try:
        connection.open()
    except Exception as error:
        _record_failure(letter, reason(error))
        raise _MailServerAwayError(reason(error)) from error
    try:
        connection.send_messages([_build_message(letter)])
    except Exception as error:
        _record_failure(letter, reason(error))
        connection.close()
    else:
        _record_sent(letter)


def reason(error: Exception) -> str:
    """Return the error as a word and a code.

    The text of the error is left out, since it may contain an address.
    """
    if isinstance(error, SMTPRecipientsRefused):
        return f"refused {next(iter(error.recipients.values()))[0]}"
    if isinstance(error, SMTPResponseException):
        return f"refused {error.smtp_code}"
    return type(error).__name__


def _build_message(letter: Letter) -> EmailMessage:
    domain = letter.sender.rpartition("@")[2].strip("> ")
    name = f"<{letter.written_at:%Y%m%d%H%M%S%f}.{letter.pk}@{domain}>"
    message = EmailMessage(
        letter.subject,
        letter.body,
        letter.sender,
        [letter.address],
        headers={"Message-ID": name},
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
    logger.error("A mail to @%s was not sent and is tried again: %s.", domain, error)
    letter.error, letter.due = error, timezone.now() + pause(letter)
    letter.save(update_fields=["error", "due"])
    send_due.using(run_after=letter.due).enqueue()


def pause(letter: Letter) -> timedelta:
    """Return the wait until the next attempt.

    It doubles each time, but stays short for letters with a code that someone is waiting for.
    """
    longest = LONGEST_FOR_CODES if letter.urgent else LONGEST_PAUSE
    doubled = min(max(letter.tries - 1, 0), 10)
    return min(longest, FIRST_PAUSE * (1 << doubled))


def _postpone_all(error: str) -> None:
    """Postpone all due letters after an error that would affect them as well.

    The server is then tried once for all of them.
    """
    with transaction.atomic():
        due = Letter.objects.filter(due__lte=timezone.now())
        moments = [_postpone_letter(letter, error) for letter in due]
        if moments:
            send_due.using(run_after=min(moments)).enqueue()


def _postpone_letter(letter: Letter, error: str) -> datetime:
    letter.tries += 1
    letter.error, letter.due = error, timezone.now() + pause(letter)
    letter.save(update_fields=["tries", "error", "due"])
    return letter.due


def _give_up(letter: Letter) -> None:
    domain = letter.address.rpartition("@")[2]
    logger.error("A mail to @%s was not sent in time: %s.", domain, letter.error or "no try")
    if letter.event_id is None:
        letter.delete()
    else:
        Letter.objects.filter(pk=letter.pk).update(due=None)


def work() -> bool:
    """Return whether emails can be delivered: a mail server is configured and accepts them."""
    return not nowhere() and not held_up()


def nowhere() -> bool:
    """Return whether the site has no mail server and therefore prints emails to its log."""
    return bool(settings.MAILERS["default"]["BACKEND"] == NOWHERE)


def held_up() -> bool:
    """Return whether emails wait because of an unreachable mail server, not a single mailbox."""
    tried = Letter.objects.filter(due__isnull=False).exclude(error="")
    return tried.exclude(error__startswith="refused").exists()


def try_again(letters: Iterable[Letter]) -> int:
    """Send unsent letters now and keep trying; return how many there were.

    Sent letters do not change. A letter that is due within two minutes may already be with a
    worker and is left as it is.
    """
    now = timezone.now()
    chosen = [letter.pk for letter in letters]
    with transaction.atomic():
        unsent = Letter.objects.filter(pk__in=chosen, sent_at=None).exclude(body="")
        waiting = unsent.filter(Q(due=None) | Q(due__gt=now + CLAIMED_FOR))
        count = waiting.update(due=now, until=now + PATIENCE)
        if count:
            send_due.enqueue()
    return count


def tidy() -> None:
    """Restart letters whose task was lost, and delete old texts.

    A worker runs this from time to time.
    """
    now = timezone.now()
    if Letter.objects.filter(due__lt=now - OVERDUE).exists():
        send_due.enqueue()
    given_up = Letter.objects.filter(due=None, until__lt=now - TEXT_KEPT).exclude(body="")
    given_up.update(body="", address="", calendar="")


def list_finished(now: datetime) -> QuerySet[Letter]:
    """Return the letters that no longer need to be listed."""
    days = timedelta(days=settings.KEEP_MAIL_DAYS)
    return Letter.objects.filter(due=None, written_at__lt=now - days)
