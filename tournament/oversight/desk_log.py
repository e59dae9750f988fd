"""The append-only activity log, a hash chain of rows (pure/chain.py).

The chain has seals of each row's content and actor, so people can be anonymized without breaking
it. The event history records the last position of the log with some actions (`ANCHORS`). This
makes it possible to detect later changes to the log.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass

from django.utils import timezone

from tournament.common.locks import lock_row
from tournament.models import AuditEntry, Event, LogAction, User
from tournament.oversight.chains import LOG
from tournament.pure.chain import START, Facts

logger = logging.getLogger(__name__)
# With these actions, the public history records the number and digest of the log's last row.
ANCHORS = (LogAction.CARRY_OUT, LogAction.CARRY_IN, LogAction.WINNER, LogAction.LOCK)


@dataclass(frozen=True)
class LogState:
    """The integrity of an event's activity log. Rows are identified by number.

    * `broken`: the first row that does not fit the chain, or None.
    * `others`: rows whose actor is not the sealed one.
    * `loosened`: rows from which text was removed.
    * `cut`: rows whose digest differs from the one in the event history.
    """

    rows: int
    head: str
    broken: int | None
    others: list[int]
    loosened: list[int]
    cut: list[int]


def add_entry(
    event: Event, actor: User | None, action: str, text: str, reason: str, data: Facts
) -> AuditEntry:
    """Add a row in the caller's transaction.

    While an event is on another machine, its log is kept there. Actions that are still possible
    here, such as signing in or looking at cards, are written to the site's log file instead, and
    an unsaved row is returned.
    """
    # Concurrent writers have to wait, because each row is linked to the previous one.
    event = lock_row(event)
    entry = AuditEntry(
        event=event,
        actor=actor,
        at=timezone.now(),
        action=action,
        text=text,
        reason=reason,
        data=data,
        account=actor.pk if actor else None,
    )
    LOG.append(entry, LOG.find_head(event))
    if event.away_since:
        logger.warning("Event %s is elsewhere: %s by account %s", event.pk, action, entry.account)
    else:
        entry.save(force_insert=True)
    return entry


def make_anchor(event: Event, action: LogAction) -> Mapping[str, object]:
    """Return the log position for the event history, or {} if the action is not in ANCHORS."""
    return {"log": list(LOG.find_head(event))} if action in ANCHORS else {}


def check_log(event: Event) -> LogState:
    """Check the integrity of the event's whole log."""
    entries = list(event.audit.order_by("number"))
    digests = {entry.number: entry.digest for entry in entries}
    return LogState(
        rows=len(entries),
        head=entries[-1].digest if entries else START,
        broken=LOG.find_broken(entries),
        others=[] if event.brought else [e.number for e in entries if _is_by_another(e)],
        loosened=[entry.number for entry in entries if entry.redacted],
        cut=[
            number
            for number, digest in _list_anchors(event)
            if digests.get(number, START) != digest
        ],
    )


def _is_by_another(entry: AuditEntry) -> bool:
    return not entry.redacted and entry.actor_id != entry.account


def _list_anchors(event: Event) -> list[tuple[int, str]]:
    rows = event.history.filter(action__in=ANCHORS, facts__has_key="log").order_by("number")
    return [tuple(facts["log"]) for facts in rows.values_list("facts", flat=True)]
