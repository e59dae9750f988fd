"""Emails about registrations and accounts, written after an action has been committed.

The first line of a template is the subject, and the rest is the body.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from types import MappingProxyType

from django.core.mail import EmailMessage
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import ngettext

from tournament.common.desk_code_sessions import is_acting_by_desk_code
from tournament.common.language import use_site_language
from tournament.mail import letters
from tournament.models import Event, Letter, Registration, Round, User
from tournament.site.address import absolute_url


class MailKind(StrEnum):
    """Kinds of emails, each with its own template."""

    REGISTERED = "registered"
    APPROVED = "approved"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"
    MOVED_UP = "moved-up"
    SEAT = "seat"
    SUBSTITUTE = "substitute"
    RULING = "ruling"
    DESK_SIGN_IN = "desk-sign-in"
    INVITATION = "invitation"
    SECOND_FACTOR = "second-factor"
    COLLEGE_PARTED = "college-parted"
    HISTORY = "history"

    @property
    def template(self) -> str:
        return f"tournament/email/{self}.txt"


@dataclass
class Outbox:
    """Emails of committed transactions, collected to be sent together."""

    mails: list[Letter] = field(default_factory=list)
    events: set[int] = field(default_factory=set)

    @property
    def sentence(self) -> str:
        """A message for the organizer about emails that were not accepted, or ""."""
        waiting = Letter.objects.filter(event__in=self.events, due__isnull=False).exclude(error="")
        if not self.events or not (count := waiting.count()):
            return ""
        text = ngettext(
            "The mail server has not accepted {count} email yet. The site keeps trying for "
            "a day and a half; the “Emails” page shows its progress.",
            "The mail server has not accepted {count} emails yet. The site keeps trying "
            "for a day and a half; the “Emails” page shows their progress.",
            count,
        )
        return text.format(count=count)

    def deliver(self) -> None:
        """Post all collected emails."""
        mails, self.mails = self.mails, []
        self.events |= {letter.event_id for letter in mails if letter.event_id is not None}
        letters.queue_letters(mails)


_open: ContextVar[Outbox | None] = ContextVar("outbox", default=None)


@contextmanager
def outbox() -> Iterator[Outbox]:
    """Collect the emails of actions in this context, and send them together at the end."""
    box = Outbox()
    token = _open.set(box)
    try:
        yield box
    finally:
        _open.reset(token)
        if box.mails:
            box.deliver()


@contextmanager
def suppress_emails() -> Iterator[None]:
    """Discard the emails of actions in this context, because the people are fictional."""
    token = _open.set(Outbox())
    try:
        yield
    finally:
        _open.reset(token)


def notify(registration: Registration, kind: MailKind, **more: object) -> None:
    """Email a person about their registration once the transaction commits."""
    _queue_registration_email(registration, kind, more)


def notify_of_spot(
    registration: Registration, kind: MailKind, calendar: Callable[[Event], str]
) -> None:
    """Email a person about their registration once the transaction commits.

    If the registration is approved, the calendar file that `calendar` returns is attached.
    """
    file = calendar if registration.state == Registration.State.APPROVED else None
    _queue_registration_email(registration, kind, {}, file=file)


def notify_of_seat(registration: Registration, round_: Round, chair: str, **more: object) -> None:
    """Email a player about their seat in a round once the transaction commits.

    The seat is stored in `Letter.chair`.
    """
    fields = {"round": round_, "chair": chair}
    _queue_registration_email(registration, MailKind.SEAT, {"round": round_, **more}, fields)


def _queue_registration_email(
    registration: Registration,
    kind: MailKind,
    more: Mapping[str, object],
    fields: Mapping[str, object] = MappingProxyType({}),
    file: Callable[[Event], str] | None = None,
) -> None:
    event, address = registration.event, registration.user.mailbox
    by_code = is_acting_by_desk_code(registration.user_id)
    context = {"registration": registration, "event": event, "by_desk_code": by_code, **more}
    attachment = {"file": partial(file, event)} if file else {}
    about = {"registration": registration, **fields}
    _queue_notice(event, registration.name, address, kind, context, about, **attachment)


def notify_person(user: User, kind: MailKind, **more: object) -> None:
    """Email an account's owner about the account once the transaction commits."""
    _queue_notice(None, str(user), user.mailbox, kind, {"user": user, **more})


def notify_address(event: Event, email: str, kind: MailKind, **more: object) -> None:
    """Email an address, with or without an account, once the transaction commits."""
    _queue_notice(event, email, email, kind, {"event": event, **more})


def _queue_notice(
    event: Event | None,
    name: str,
    address: str,
    kind: MailKind,
    context: Mapping[str, object],
    fields: Mapping[str, object] = MappingProxyType({}),
    file: Callable[[], str] = str,
) -> None:
    if not address:
        return

    def post() -> None:
        calendar = file()
        message = _build_message(event, address, kind, {**context, "calendar": calendar})
        _post_letter(
            letters.write_letter(message, event=event, name=name, calendar=calendar, **fields)
        )

    # If the letter cannot be written, the action is committed nevertheless, and `robust` makes
    # Django log the error.
    transaction.on_commit(post, robust=True)


def _build_message(
    event: Event | None, address: str, kind: MailKind, context: Mapping[str, object]
) -> EmailMessage:
    page = absolute_url(reverse("event", args=[event.slug])) if event else ""
    # The active language is the organizer's, which may not be the recipient's.
    with use_site_language(), timezone.override(event.zone if event else None):
        text = render_to_string(kind.template, {**context, "event_page": page})
    subject, _newline, body = text.strip().partition("\n")
    return EmailMessage(subject.strip(), body.strip() + "\n", to=[address])


def _post_letter(letter: Letter) -> None:
    box = _open.get()
    if box is None:
        letters.queue_letters([letter])
    else:
        box.mails.append(letter)
