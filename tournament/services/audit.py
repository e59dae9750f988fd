"""The log of what organizers did."""

from collections.abc import Callable
from typing import Any

from django.db import transaction

from games.process import here
from tournament.models import AuditEntry, Event, User
from tournament.services.language import of_the_site


def tell(event: Event) -> None:
    """Once the transaction has succeeded, let everybody who looks at the event look again."""
    topic = event.topic
    transaction.on_commit(lambda: here().hub.poke(topic))


def record(
    event: Event,
    actor: User | None,
    action: str,
    text: Callable[[], str],
    reason: str = "",
    **data: Any,
) -> AuditEntry:
    """Write down one action, inside its own transaction; the event's pages look again after it.

    `text` makes the sentence: the log is kept in the site's language.
    """
    tell(event)
    with of_the_site():
        told = text()
    return AuditEntry.objects.create(
        event=event, actor=actor, action=action, text=told[:300], reason=reason[:300], data=data
    )
