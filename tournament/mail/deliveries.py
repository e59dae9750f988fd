"""Descriptions of the delivery status of emails."""

from typing import NamedTuple

from django.db.models import Count, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.common.moments import moment_text
from tournament.models import Event, Letter, Round


class MailCounts(NamedTuple):
    """The numbers of an event's emails by status.

    `tried` is the number of waiting emails for which an attempt has failed.
    """

    sent: int
    waiting: int
    tried: int
    failed: int

    @property
    def has_any(self) -> bool:
        return bool(self.sent or self.waiting or self.failed)


def mail_counts(about: Event | Round) -> MailCounts:
    """Count the emails of an event, or those about the seats of a round, in one query."""
    is_waiting = Q(due__isnull=False)
    return MailCounts(
        **about.letters.aggregate(
            sent=Count("pk", filter=Q(sent_at__isnull=False)),
            waiting=Count("pk", filter=is_waiting),
            tried=Count("pk", filter=is_waiting & ~Q(error="")),
            failed=Count("pk", filter=Q(sent_at=None, due=None)),
        )
    )


def delivery_text(letter: Letter) -> str:
    """Describe the delivery status of the email, and the next attempt."""
    if letter.sent_at is not None:
        return _("Sent {moment}.").format(moment=moment_text(letter.sent_at))
    if letter.due is None:
        return _("{why} The site will not try again.").format(why=describe_error(letter.error))
    if not letter.error:
        return _("The email will be sent within seconds.")
    next_attempt = max(letter.due, timezone.now())
    text = _("{why} Next attempt: {moment}.")
    return text.format(why=describe_error(letter.error), moment=moment_text(next_attempt))


def describe_error(error: str) -> str:
    """Describe the last delivery error in a sentence."""
    kind, _space, code = error.partition(" ")
    if kind == "refused":
        return _("The mail server rejected the email ({code}).").format(code=code)
    if error:
        return _("The mail server could not be reached ({error}).").format(error=error)
    return _("The email was not sent in time.")
