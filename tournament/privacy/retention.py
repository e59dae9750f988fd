"""Deleting data past its retention date. The settings define the retention periods.

The worker does this every ten minutes, and `manage.py retention` immediately.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from tournament.mail import letters
from tournament.models import RetentionDay
from tournament.privacy.accounts import forget_idle_accounts, idle_accounts
from tournament.privacy.services import due_events, purge_due_events
from tournament.push.services import select_expired_devices, select_old_messages

TASK_RETENTION = timedelta(hours=6)


@dataclass(frozen=True)
class RetentionKind:
    """A kind of data with a retention period.

    * `count_expired`: returns the number of rows past their retention date.
    * `delete_expired`: deletes these rows, and returns their number.
    """

    count_expired: Callable[[datetime], int]
    delete_expired: Callable[[datetime], int]


def _make_row_kind(select: Callable[[datetime], QuerySet[Any]]) -> RetentionKind:
    return RetentionKind(lambda now: select(now).count(), lambda now: select(now).delete()[0])


def _select_expired_sessions(now: datetime) -> QuerySet[Session]:
    return Session.objects.filter(expire_date__lt=now)


def _select_old_log_entries(now: datetime) -> QuerySet[LogEntry]:
    return LogEntry.objects.filter(action_time__lt=now - timedelta(days=settings.KEEP_LOG_DAYS))


def _select_old_tasks(now: datetime) -> QuerySet[Any]:
    return DBTaskResult.objects.finished().filter(finished_at__lt=now - TASK_RETENTION)


def _iterate_old_files(now: datetime) -> Iterator[Path]:
    """Yield the logs and backups in the site's folder that are past their retention date."""
    for pattern, days in (
        ("*.log*", settings.KEEP_LOG_DAYS),
        ("*.backup", settings.KEEP_BACKUP_DAYS),
    ):
        oldest = (now - timedelta(days=days)).timestamp()
        paths = Path(settings.VAR_DIR).glob(pattern)
        yield from (file for file in paths if file.is_file() and file.stat().st_mtime < oldest)


def _delete_old_files(now: datetime) -> int:
    files = list(_iterate_old_files(now))
    for file in files:
        file.unlink(missing_ok=True)
    return len(files)


KINDS: Mapping[str, RetentionKind] = {
    "events": RetentionKind(lambda now: len(due_events(now)), purge_due_events),
    "accounts": RetentionKind(lambda now: idle_accounts(now).count(), forget_idle_accounts),
    "sessions": _make_row_kind(_select_expired_sessions),
    "devices": _make_row_kind(select_expired_devices),
    "calls": _make_row_kind(select_old_messages),
    "mails": _make_row_kind(letters.select_expired),
    "log": _make_row_kind(_select_old_log_entries),
    "tasks": _make_row_kind(_select_old_tasks),
    "files": RetentionKind(lambda now: len(list(_iterate_old_files(now))), _delete_old_files),
}


def count_expired_data(now: datetime) -> dict[str, int]:
    """Count the rows of each kind that would be deleted now."""
    return {name: kind.count_expired(now) for name, kind in KINDS.items()}


def delete_expired_data() -> dict[str, int]:
    """Delete all data past its retention date, and record the numbers of deleted rows by kind."""
    now = timezone.now()
    deleted = {name: kind.delete_expired(now) for name, kind in KINDS.items()}
    _record_deletions(now, {name: count for name, count in deleted.items() if count})
    return deleted


@transaction.atomic
def _record_deletions(now: datetime, counts: dict[str, int]) -> None:
    RetentionDay.objects.get_or_create(day=timezone.localdate(now), defaults={"at": now})
    row = RetentionDay.objects.select_for_update().get(day=timezone.localdate(now))
    row.at, row.done = now, _add_counts(row.done, counts)
    row.save(update_fields=["at", "done"])


def _add_counts(first: Mapping[str, int], second: Mapping[str, int]) -> dict[str, int]:
    return {
        name: first.get(name, 0) + second.get(name, 0)
        for name in KINDS
        if name in {*first, *second}
    }


def list_deletions(day: date) -> tuple[datetime | None, dict[str, int]]:
    """Return the time of the last run, and the number of deletions by kind since `day`."""
    rows = list(RetentionDay.objects.filter(day__gte=day))
    total: dict[str, int] = {}
    for row in rows:
        total = _add_counts(total, row.done)
    return max((row.at for row in rows), default=None), total
