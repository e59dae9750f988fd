"""Mails to people about their registrations: sent after the commit, and never in its way.

Each template's first line is the subject, the rest the text.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from django.core.mail import EmailMessage, get_connection
from django.db import transaction
from django.template.loader import render_to_string

from tournament.models import Registration

logger = logging.getLogger(__name__)


@dataclass
class Outbox:
    """Mails whose transactions are committed. `failed`: names of those who got none."""

    mails: list[tuple[str, EmailMessage]] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)

    @property
    def sentence(self) -> str:
        """What to tell the organizer, "" if everything went out."""
        if not self.failed:
            return ""
        return (
            f"The mail server did not take the mail to {', '.join(self.failed)}. "
            "What you did stands: please tell them yourself."
        )

    def deliver(self) -> None:
        """Send everything over one connection; what fails is logged and noted."""
        connection = get_connection()
        mails, self.mails = self.mails, []
        try:
            connection.open()
        except OSError:
            logger.exception("The mail server cannot be reached: %d mails are lost.", len(mails))
            self.failed += [name for name, _mail in mails]
            return
        for name, mail in mails:
            try:
                connection.send_messages([mail])
            except OSError:
                logger.exception("A mail about %s is lost.", mail.subject)
                self.failed.append(name)
        connection.close()


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


def notify(registration: Registration, what: str) -> None:
    """Once the transaction has succeeded, mail the person: `approved`, `refused`, `moved-up`."""
    context = {"registration": registration, "event": registration.event}
    text = render_to_string(f"tournament/email/{what}.txt", context)
    subject, _, body = text.strip().partition("\n")
    mail = EmailMessage(subject.strip(), body.strip() + "\n", to=[registration.user.email])
    transaction.on_commit(lambda: _post(registration.name, mail))


def _post(name: str, mail: EmailMessage) -> None:
    box = _open.get()
    if box is not None:
        box.mails.append((name, mail))
        return
    alone = Outbox([(name, mail)])
    alone.deliver()
