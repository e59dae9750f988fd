"""Mails to people about their registrations: posted after the commit, and never in its way.

Each template's first line is the subject, the rest the text.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from types import MappingProxyType

from django.core.mail import EmailMessage
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import ngettext

from tournament.models import Event, Letter, Registration, Round, User
from tournament.services import letters
from tournament.services.language import of_the_site
from tournament.services.site_address import absolute


@dataclass
class Outbox:
    """Mails whose transactions are committed."""

    mails: list[Letter] = field(default_factory=list)
    events: set[int] = field(default_factory=set)

    @property
    def sentence(self) -> str:
        """What to tell the organizer, "" unless mails were refused before."""
        waiting = Letter.objects.filter(event__in=self.events, due__isnull=False).exclude(error="")
        if not self.events or not (count := waiting.count()):
            return ""
        text = ngettext(
            "The mail server has not taken {count} mail yet. It is tried again for a day and a "
            "half; “Mails” on the desk shows what becomes of it.",
            "The mail server has not taken {count} mails yet. They are tried again for a day and "
            "a half; “Mails” on the desk shows what becomes of them.",
            count,
        )
        return text.format(count=count)

    def deliver(self) -> None:
        """Post everything."""
        mails, self.mails = self.mails, []
        self.events |= {letter.event_id for letter in mails if letter.event_id is not None}
        letters.post(mails)


_open: ContextVar[Outbox | None] = ContextVar("outbox", default=None)


@contextmanager
def outbox() -> Iterator[Outbox]:
    """Collect the mails of what is done inside, send them together at the end."""
    box = Outbox()
    before = _open.set(box)
    try:
        yield box
    finally:
        _open.reset(before)
        if box.mails:
            box.deliver()


@contextmanager
def nothing_sent() -> Iterator[None]:
    """For invented people: whatever is done inside, nobody gets a mail."""
    before = _open.set(Outbox())
    try:
        yield
    finally:
        _open.reset(before)


def notify(registration: Registration, what: str, **more: object) -> None:
    """Once the transaction has succeeded, mail the person about it.

    `what`: `approved`, `refused`, `moved-up`, `desk-sign-in`.
    """
    _notify(registration, what, more)


def notify_of_seat(registration: Registration, played: Round, chair: str, **more: object) -> None:
    """The same about their seat in a round; the letter keeps which one (`Letter.chair`)."""
    kept = {"round": played, "registration": registration, "chair": chair}
    _notify(registration, "seat", {"round": played, **more}, kept)


def _notify(
    registration: Registration,
    what: str,
    more: Mapping[str, object],
    kept: Mapping[str, object] = MappingProxyType({}),
) -> None:
    context = {"registration": registration, "event": registration.event, **more}
    _mail(registration.event, registration.name, registration.user.mailbox, what, context, kept)


def tell_person(user: User, what: str, **more: object) -> None:
    """Once the transaction has succeeded, mail the account's owner about the account itself."""
    _mail(None, str(user), user.mailbox, what, {"user": user, **more})


def tell_address(event: Event, email: str, what: str, **more: object) -> None:
    """Once the transaction has succeeded, mail somebody who may have no account: `invitation`."""
    _mail(event, email, email, what, {"event": event, **more})


def _mail(
    event: Event | None,
    name: str,
    address: str,
    what: str,
    context: dict[str, object],
    kept: Mapping[str, object] = MappingProxyType({}),
) -> None:
    if not address:
        return
    page = absolute(reverse("event", args=[event.slug])) if event else ""
    # The language of the organizer, who is looking at the page, need not be the person's.
    with of_the_site(), timezone.override(event.zone if event else None):
        text = render_to_string(f"tournament/email/{what}.txt", {**context, "event_page": page})
    subject, _newline, body = text.strip().partition("\n")
    message = EmailMessage(subject.strip(), body.strip() + "\n", to=[address])
    letter = letters.written(message, event=event, name=name, **kept)
    transaction.on_commit(lambda: _post(letter))


def _post(letter: Letter) -> None:
    box = _open.get()
    if box is None:
        letters.post([letter])
    else:
        box.mails.append(letter)
