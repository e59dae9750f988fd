"""The log of organizers' actions."""

from collections.abc import Callable
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.process import here
from tournament.common.desk_deeds import acts_by_desk_code
from tournament.common.language import use_site_language
from tournament.models import AuditEntry, Event, LogAction, Round, Table, User
from tournament.oversight import desk_log
from tournament.oversight.history_texts import SENTENCES
from tournament.oversight.public_history import append

# Everybody reads that it was done; why, the person alone, and who organizes.
WHY_IS_PRIVATE = (LogAction.RULING, LogAction.RULING_OFF)


def refresh_open_pages(event: Event) -> None:
    """Refresh all open pages of the event once the transaction has succeeded."""
    topic = event.topic
    transaction.on_commit(lambda: here().hub.poke(topic))


def where(part: Round | Table) -> dict[str, int | bool]:
    """Return the facts that identify a round or table in the event history.

    They are numbers, which stay valid after the database rows are deleted.
    """
    if isinstance(part, Table):
        return {**where(part.round), "table": part.number}
    return {"stage": part.stage.number, "round": part.number, "final": part.is_final}


def record(
    event: Event,
    actor: User | None,
    action: LogAction,
    text: Callable[[], str],
    reason: str = "",
    **data: Any,
) -> AuditEntry:
    """Log one action in the caller's transaction, and refresh the event's pages after it.

    `text` builds the sentence, because the log is kept in the site's language. Details that the
    public history also has are added to the entry, together with `data`.
    """
    refresh_open_pages(event)
    with use_site_language(), timezone.override(event.zone):
        told = text()
        if actor and acts_by_desk_code(actor.pk):
            told = _add_desk_code(told, event)
    if action in SENTENCES:
        public = "" if action in WHY_IS_PRIVATE else reason[:300]
        append(event, actor, action, public, {**data, **desk_log.anchor(event, action)})
    return desk_log.add(event, actor, action, told[:300], reason[:300], data)


def _add_desk_code(text: str, event: Event) -> str:
    """Add that the desk's code opened the session; room for it is kept."""
    by = _("(Signed in with a code from the desk of {event}.)").format(event=event.title)
    return f"{text[: 299 - len(by)]} {by}"
