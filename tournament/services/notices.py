"""Mails to people about their registrations: posted after the commit, and never in its way.

Each template's first line is the subject, the rest the text.
"""

from collections.abc import Iterator
from concurrent.futures import wait
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from django.core.mail import EmailMessage
from django.db import transaction
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.models import Registration, User
from tournament.plumbing import mail
from tournament.services.language import of_the_site

# Seconds for which an organizer's page waits to hear what became of the mails.
PATIENCE = 2.0


@dataclass
class Outbox:
    """Mails whose transactions are committed.

    `failed`: names of those who got none; `waiting`: of how many that is not known yet.
    """

    mails: list[tuple[str, EmailMessage]] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    waiting: int = 0

    @property
    def sentence(self) -> str:
        """What to tell the organizer, "" if everything went out."""
        told = []
        if self.failed:
            text = _(
                "The mail server did not take the mail to {names}. "
                "What you did stands: please tell them yourself."
            )
            told.append(text.format(names=", ".join(self.failed)))
        if self.waiting:
            text = ngettext(
                "{count} mail is still on the way; if one fails, the server's log names its "
                "domain.",
                "{count} mails are still on the way; if one fails, the server's log names its "
                "domain.",
                self.waiting,
            )
            told.append(text.format(count=self.waiting))
        return " ".join(told)

    def deliver(self) -> None:
        """Post everything, and wait a moment for what becomes of it."""
        mails, self.mails = self.mails, []
        posted = [(name, mail.post(message)) for name, message in mails]
        known = wait([sent for _name, sent in posted], timeout=PATIENCE).done
        self.failed += [name for name, sent in posted if sent in known and not sent.result()]
        self.waiting += len(posted) - len(known)


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
    context = {"registration": registration, "event": registration.event, **more}
    _mail(registration.name, registration.user.email, what, context)


def tell_person(user: User, what: str, **more: object) -> None:
    """Once the transaction has succeeded, mail the account's owner about the account itself."""
    _mail(str(user), user.email, what, {"user": user, **more})


def _mail(name: str, address: str, what: str, context: dict[str, object]) -> None:
    # The language of the organizer, who is looking at the page, need not be the person's.
    with of_the_site():
        text = render_to_string(f"tournament/email/{what}.txt", context)
    subject, _newline, body = text.strip().partition("\n")
    message = EmailMessage(subject.strip(), body.strip() + "\n", to=[address])
    transaction.on_commit(lambda: _post(name, message))


def _post(name: str, message: EmailMessage) -> None:
    box = _open.get()
    if box is None:
        mail.post(message)
    else:
        box.mails.append((name, message))
