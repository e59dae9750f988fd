"""The append-only activity log, a hash chain of rows (pure/chain.py).

A digest covers only a seal of the row's content and actor, so people can be anonymized without
breaking the chain. With some actions (`ANCHORS`), the event history records the last row of the
log. Later changes to the log can therefore be detected.
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
class LogCheckResult:
    """The result of checking an event's activity log. Rows are identified by number.

    * `rows`: the number of rows.
    * `head`: the digest of the last row.
    * `broken`: the first row that does not fit the chain, or None.
    * `others`: rows whose actor is not the one in the seal.
    * `redacted`: the redacted rows.
    * `cut`: rows that are missing, or whose digest differs from the one in the event history.
    """

    rows: int
    head: str
    broken: int | None
    others: list[int]
    redacted: list[int]
    cut: list[int]


def add_entry(
    event: Event, actor: User | None, action: str, text: str, reason: str, data: Facts
) -> AuditEntry:
    """Add a row to the event's log in the caller's transaction.

    While the event is on another machine, its log is written there. Actions that remain possible
    here, such as signing in or viewing cards, go to the site's log file instead, and the returned
    row is unsaved.
    """
    # The lock makes concurrent writers wait, because a row is linked to the previous one.
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
    """Return the last row of the log as facts for the history, or {} for actions not in ANCHORS."""
    return {"log": list(LOG.find_head(event))} if action in ANCHORS else {}


def check_log(event: Event) -> LogCheckResult:
    """Check whether rows of the event's log were changed or removed."""
    entries = list(event.audit.order_by("number"))
    digests = {entry.number: entry.digest for entry in entries}
    return LogCheckResult(
        rows=len(entries),
        head=entries[-1].digest if entries else START,
        broken=LOG.find_broken_row(entries),
        others=[] if event.brought else [e.number for e in entries if _has_other_actor(e)],
        redacted=[entry.number for entry in entries if entry.redacted],
        cut=[
            number
            for number, digest in _list_anchors(event)
            if digests.get(number, START) != digest
        ],
    )


def _has_other_actor(entry: AuditEntry) -> bool:
    return not entry.redacted and entry.actor_id != entry.account


def _list_anchors(event: Event) -> list[tuple[int, str]]:
    rows = event.history.filter(action__in=ANCHORS, facts__has_key="log").order_by("number")
    return [tuple(facts["log"]) for facts in rows.values_list("facts", flat=True)]
