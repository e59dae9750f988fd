"""The append-only activity log, chained row by row (pure/chain.py).

A seal covers each row's content and actor. A person can therefore be anonymized without
breaking the chain. Some actions in the event history record the last position of the log
(`ANCHORS`).
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
# Rows of the public history whose facts tell the log's last row before them: number and digest.
ANCHORS = (LogAction.CARRY_OUT, LogAction.CARRY_IN, LogAction.WINNER, LogAction.LOCK)


@dataclass(frozen=True)
class LogState:
    """Integrity of an event's activity log; rows are given by number.

    `broken`: where the chain breaks, or None. `others`: rows whose actor differs from the
    sealed one.
    `loosened`: rows from which words were removed.
    `cut`: rows that the event history refers to but that no longer match.
    """

    rows: int
    head: str
    broken: int | None
    others: list[int]
    loosened: list[int]
    cut: list[int]


def add(
    event: Event, actor: User | None, action: str, text: str, reason: str, data: Facts
) -> AuditEntry:
    """Add a row, in the caller's transaction.

    While the event is on another machine, its log is written there. Actions that still happen
    here, such as signing in or looking at cards, go to the site's log, and the row is not stored.
    """
    # Rows are numbered and chained to each other, so they are added one at a time.
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


def anchor(event: Event, action: LogAction) -> Mapping[str, object]:
    """Return the log position to record in the event history, if the action is in ANCHORS."""
    return {"log": list(LOG.find_head(event))} if action in ANCHORS else {}


def log_state(event: Event) -> LogState:
    """Check the integrity of the event's whole log."""
    entries = list(event.audit.order_by("number"))
    known = {entry.number: entry.digest for entry in entries}
    return LogState(
        rows=len(entries),
        head=entries[-1].digest if entries else START,
        broken=LOG.find_broken(entries),
        others=[] if event.brought else [e.number for e in entries if _is_by_another(e)],
        loosened=[entry.number for entry in entries if entry.redacted],
        cut=[
            number for number, digest in _list_anchors(event) if known.get(number, START) != digest
        ],
    )


def _is_by_another(entry: AuditEntry) -> bool:
    return not entry.redacted and entry.actor_id != entry.account


def _list_anchors(event: Event) -> list[tuple[int, str]]:
    told = event.history.filter(action__in=ANCHORS, facts__has_key="log").order_by("number")
    return [tuple(facts["log"]) for facts in told.values_list("facts", flat=True)]
