"""Append-only rows of an event: its public history and its activity log.

The file of a returning event also contains the rows that this site already has. The local rows are
kept. If text was removed on the other site to anonymize a person, it is removed here too.
"""

from collections.abc import Iterable, Iterator
from itertools import islice

from django.db.models import Model

from tournament.models import AuditEntry, Event, HistoryEntry
from tournament.oversight.chains import LOG
from tournament.pure.chain import Facts

APPEND_ONLY: tuple[type[Model], ...] = (HistoryEntry, AuditEntry)


def count_rows(event: Event) -> dict[type[Model], int]:
    """Count the event's local rows of each kind."""
    return {HistoryEntry: event.history.count(), AuditEntry: event.audit.count()}


def has_same_beginning(event: Event, history: Iterable[Facts], log: Iterable[Facts]) -> bool:
    """Return whether the history and log in the file continue the local ones.

    Logs from older versions of the site have no digests and are not compared.
    """
    file_history, file_log = ([row.get("digest") for row in rows] for rows in (history, log))
    local_history = list(event.history.order_by("number").values_list("digest", flat=True))
    local_log = list(event.audit.order_by("number").values_list("digest", flat=True))
    has_no_digests = not any(file_log)
    return file_history[: len(local_history)] == local_history and (
        has_no_digests or file_log[: len(local_log)] == local_log
    )


def remove_text(event: Event, history: Iterable[Facts], log: Iterable[AuditEntry]) -> None:
    """Remove text from local rows if it was removed on the other site."""
    numbers = [row["number"] for row in history if row.get("redacted")]
    event.history.filter(number__in=numbers, redacted=False).update(
        **HistoryEntry.personal.redaction_values
    )
    local_rows = list(event.audit.order_by("number"))
    for local, imported in zip(local_rows, islice(log, len(local_rows)), strict=True):
        if imported.redacted or not imported.digest:
            _copy_content(local, imported)


def _copy_content(audit_entry: AuditEntry, imported: AuditEntry) -> None:
    names = ("text", "reason", "data", "actor_id")
    changed = {name: getattr(imported, name) for name in names}
    if changed != {name: getattr(audit_entry, name) for name in names}:
        AuditEntry.objects.filter(pk=audit_entry.pk).update(
            **changed, **AuditEntry.personal.redaction_values
        )


def chain_rows(event: Event, rows: Iterable[AuditEntry]) -> Iterator[AuditEntry]:
    """Yield the log rows, and add missing digests to rows from older versions of the site."""
    head = LOG.find_head(event)
    for row in rows:
        if not row.digest:
            row.account = row.actor_id
            LOG.append(row, head)
        head = row.number, row.digest
        yield row
