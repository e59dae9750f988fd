"""Append-only rows of an event: its public history and its activity log.

An event that returns brings rows that this site already has. The local rows are kept.
Text that was removed from them elsewhere, because a person was anonymized, is removed
here too.
"""

from collections.abc import Iterable, Iterator
from itertools import islice

from django.db.models import Model

from tournament.models import AuditEntry, Event, HistoryEntry
from tournament.oversight.chains import LOG
from tournament.pure.chain import Facts

GROWN: tuple[type[Model], ...] = (HistoryEntry, AuditEntry)


def count_rows(event: Event) -> dict[type[Model], int]:
    """Count the rows of each kind that are already here."""
    return {HistoryEntry: event.history.count(), AuditEntry: event.audit.count()}


def has_same_beginning(event: Event, history: Iterable[Facts], log: Iterable[Facts]) -> bool:
    """Return whether the file's history and log continue the local ones.

    A log from an older version of the site has no digests, so it is not compared.
    """
    told, logged = ([row.get("digest") for row in rows] for rows in (history, log))
    ours = list(event.history.order_by("number").values_list("digest", flat=True))
    own_log = list(event.audit.order_by("number").values_list("digest", flat=True))
    bare = not any(logged)
    return told[: len(ours)] == ours and (bare or logged[: len(own_log)] == own_log)


def remove_text(event: Event, history: Iterable[Facts], log: Iterable[AuditEntry]) -> None:
    """Remove text from local rows that was removed from them elsewhere."""
    numbers = [row["number"] for row in history if row.get("redacted")]
    event.history.filter(number__in=numbers, redacted=False).update(**HistoryEntry.LOOSENED)
    ours = list(event.audit.order_by("number"))
    for own, theirs in zip(ours, islice(log, len(ours)), strict=True):
        if theirs.redacted or not theirs.digest:
            _take_over(own, theirs)


def _take_over(audit_entry: AuditEntry, theirs: AuditEntry) -> None:
    names = ("text", "reason", "data", "actor_id")
    changed = {name: getattr(theirs, name) for name in names}
    if changed != {name: getattr(audit_entry, name) for name in names}:
        AuditEntry.objects.filter(pk=audit_entry.pk).update(**changed, **AuditEntry.LOOSENED)


def chain_rows(event: Event, rows: Iterable[AuditEntry]) -> Iterator[AuditEntry]:
    """Yield the log rows as they are stored; rows of an older version of the site get a chain."""
    head = LOG.find_head(event)
    for row in rows:
        if not row.digest:
            row.account = row.actor_id
            LOG.append(row, head)
        head = row.number, row.digest
        yield row
