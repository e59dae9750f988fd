"""Recording of actions in the activity log and, if they are public, in the event history."""

from collections.abc import Callable
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.process import here
from tournament.common.desk_code_sessions import is_acting_by_desk_code
from tournament.common.language import use_site_language
from tournament.models import AuditEntry, Event, LogAction, Round, Table, User
from tournament.oversight import desk_log
from tournament.oversight.history_texts import SENTENCES
from tournament.oversight.public_history import append_entry

# The public history shows these actions without their reasons. Only the organizers and the player
# concerned see the reasons.
PRIVATE_REASONS = (LogAction.RULING, LogAction.RULING_OFF)


def refresh_open_pages(event: Event) -> None:
    """Refresh all open pages of the event after the transaction commits."""
    topic = event.topic
    transaction.on_commit(lambda: here().hub.poke(topic))


def identify_place(round_or_table: Round | Table) -> dict[str, int | bool]:
    """Return the facts that identify a round or table in the event history.

    Rounds and tables are identified by number, so the facts remain valid after the rows have been
    deleted.
    """
    if isinstance(round_or_table, Table):
        return {**identify_place(round_or_table.round), "table": round_or_table.number}
    return {
        "stage": round_or_table.stage.number,
        "round": round_or_table.number,
        "final": round_or_table.is_final,
    }


def record(
    event: Event,
    actor: User | None,
    action: LogAction,
    text: Callable[[], str],
    reason: str = "",
    **data: Any,
) -> AuditEntry:
    """Log an action in the caller's transaction, and refresh the event's pages afterwards.

    * `text`: a function that returns the text. It is called with the site's language active.
    * `data`: facts that are stored with the log entry, and for public actions also in the event
      history.
    """
    refresh_open_pages(event)
    with use_site_language(), timezone.override(event.zone):
        sentence = text()
        if actor and is_acting_by_desk_code(actor.pk):
            sentence = _append_desk_code_note(sentence, event)
    if action in SENTENCES:
        public = "" if action in PRIVATE_REASONS else reason[:300]
        append_entry(event, actor, action, public, {**data, **desk_log.make_anchor(event, action)})
    return desk_log.add_entry(event, actor, action, sentence[:300], reason[:300], data)


def _append_desk_code_note(text: str, event: Event) -> str:
    """Return the text with a note that the session was opened with a desk code.

    The text is shortened if necessary.
    """
    note = _("(Signed in with a code from the desk of {event}.)").format(event=event.title)
    return f"{text[: 299 - len(note)]} {note}"
