"""The activity log: rows are only added, each chained to the one before (pure/chain.py).

A seal covers each row's content and actor. A person can therefore be anonymized without
breaking the chain. Some actions in the event history record where the log ended (`ANCHORS`).
"""

import json
import logging
import secrets
from collections.abc import Mapping
from dataclasses import dataclass

from django.utils import timezone

from tournament.common.locks import row_of
from tournament.models import AuditEntry, Event, Logged, User
from tournament.pure.chain import START, Facts, Link, first_broken, seal

logger = logging.getLogger(__name__)
# Rows of the public history whose facts tell the log's last row before them: number and digest.
ANCHORS = (Logged.CARRY_OUT, Logged.CARRY_IN, Logged.WINNER, Logged.LOCK)
VERSION = 2


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

    While the event is on another machine its log is written there: what is done here all the same
    (somebody signs in, looks at cards) goes to the site's log, and the row is not stored.
    """
    # Rows have numbers, and hold one another: they are added one after the other.
    event = row_of(event)
    number, previous = head(event)
    entry = AuditEntry(
        event=event,
        actor=actor,
        at=timezone.now(),
        action=action,
        text=text,
        reason=reason,
        data=data,
        account=actor.pk if actor else None,
        salt=secrets.token_hex(16),
    )
    chain(entry, number + 1, previous)
    if event.away_since:
        logger.warning("Event %s is elsewhere: %s by account %s", event.pk, action, entry.account)
    else:
        entry.save(force_insert=True)
    return entry


def chain(entry: AuditEntry, number: int, previous: str) -> None:
    """Seal what the row says, and let it hold the row before."""
    entry.number, entry.previous = number, previous
    entry.seal = seal(entry.salt, _build_sealed_text(entry))
    entry.digest = link_of(entry).digest()


def head(event: Event) -> tuple[int, str]:
    """Return the number and digest of the last row."""
    last = event.audit.order_by("number").values_list("number", "digest").last()
    return last or (0, START)


def anchor(event: Event, action: Logged) -> Mapping[str, object]:
    """Return what a row of the event history also records about the log."""
    return {"log": list(head(event))} if action in ANCHORS else {}


def link_of(entry: AuditEntry) -> Link:
    """Build the chain link for a row's digest, sealing existing content again."""
    return Link(
        event=entry.event_id,
        number=entry.number,
        action=entry.action,
        role="log",
        facts={},
        reason=entry.seal if entry.redacted else seal(entry.salt, _build_sealed_text(entry)),
        at=entry.at,
        previous=entry.previous,
        version=VERSION,
    )


def _build_sealed_text(entry: AuditEntry) -> str:
    """Return the text that the seal covers.

    Account numbers in the data are left out, because they differ between machines.
    """
    told = {key: value for key, value in entry.data.items() if key != "user"}
    return json.dumps(
        [entry.account, entry.text, entry.reason, json.loads(json.dumps(told))], sort_keys=True
    )


def log_state(event: Event) -> LogState:
    """Look at the whole log."""
    entries = list(event.audit.order_by("number"))
    known = {entry.number: entry.digest for entry in entries}
    return LogState(
        rows=len(entries),
        head=entries[-1].digest if entries else START,
        broken=first_broken((link_of(entry), entry.digest) for entry in entries),
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
