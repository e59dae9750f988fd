"""SQLite backups: a copy made without waiting for writers, and restore by renaming a file."""

import contextlib
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.db import connection, connections

from tournament.serving import worker_process
from tournament.serving.backups.facts import BackupError, BackupFacts, facts


def dump(target: Path) -> BackupFacts:
    """Copy the running site's database into this file and return the facts of the copy."""
    with (
        contextlib.closing(sqlite3.connect(_get_file(), timeout=20)) as source,
        contextlib.closing(sqlite3.connect(target)) as copy,
    ):
        source.backup(copy)
        # The copy must be a single file, without the two extra files of WAL mode.
        copy.execute("PRAGMA journal_mode=DELETE")
    return examine(target)


def examine(file: Path) -> BackupFacts:
    """Return the facts of a database file that is not the site's own.

    Raises BackupError if SQLite finds it damaged.
    """
    with _attach_database(file) as alias:
        with connections[alias].cursor() as cursor:
            cursor.execute("PRAGMA integrity_check")
            if (found := cursor.fetchone()[0]) != "ok":
                raise BackupError(f"SQLite finds the database damaged: {found}")
        return facts(alias)


@contextlib.contextmanager
def _attach_database(file: Path) -> Iterator[str]:
    """Provide an alias for an additional database, which is removed afterwards."""
    alias = "backup"
    own = {**connections.settings["default"], "NAME": str(file)}
    own["OPTIONS"] = {"timeout": 20}
    connections.settings[alias] = own
    try:
        yield alias
    finally:
        connections[alias].close()
        del connections[alias]
        del connections.settings[alias]


def _get_file() -> Path:
    return Path(connection.settings_dict["NAME"])


@contextlib.contextmanager
def hold_at_rest() -> Iterator[None]:
    """Hold the lock that shows that no process is serving from this folder.

    Raises BackupError if a process is.
    """
    with worker_process.lock(Path(settings.VAR_DIR) / "worker.lock") as ours:
        if not ours:
            raise BackupError("The site is running: stop its processes first.")
        yield


def fill(database: Path) -> None:
    """Make the examined file the site's database, keeping the old file under another name."""
    file = _get_file()
    connection.close()
    if file.exists():
        with contextlib.closing(sqlite3.connect(file)) as old:
            old.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
        file.with_name(f"{file.name}.before-{moment}").hardlink_to(file)
    for rest in ("-wal", "-shm"):
        file.with_name(file.name + rest).unlink(missing_ok=True)
    database.replace(file)
