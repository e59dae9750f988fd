"""SQLite backups: a copy made without waiting for writers, and restore by renaming a file."""

import contextlib
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.db import connection, connections

from tournament.serving import worker_process
from tournament.serving.backups.facts import BackupError, BackupFacts, collect_facts


def dump(target: Path) -> BackupFacts:
    """Copy the running site's database to this file, and return the facts of the copy."""
    with (
        contextlib.closing(sqlite3.connect(_get_database_file(), timeout=20)) as source,
        contextlib.closing(sqlite3.connect(target)) as copy,
    ):
        source.backup(copy)
        # A copy in WAL mode would consist of three files.
        copy.execute("PRAGMA journal_mode=DELETE")
    return examine_file(target)


def examine_file(file: Path) -> BackupFacts:
    """Collect the facts about a database file other than the site's own.

    Raises BackupError if SQLite finds the file damaged.
    """
    with _attach_database(file) as alias:
        with connections[alias].cursor() as cursor:
            cursor.execute("PRAGMA integrity_check")
            if (result := cursor.fetchone()[0]) != "ok":
                raise BackupError(f"SQLite finds the database damaged: {result}")
        return collect_facts(alias)


@contextlib.contextmanager
def _attach_database(file: Path) -> Iterator[str]:
    """Attach the file as a database, and yield its alias. The alias is removed afterwards."""
    alias = "backup"
    database_settings = {**connections.settings["default"], "NAME": str(file)}
    database_settings["OPTIONS"] = {"timeout": 20}
    connections.settings[alias] = database_settings
    try:
        yield alias
    finally:
        connections[alias].close()
        del connections[alias]
        del connections.settings[alias]


def _get_database_file() -> Path:
    return Path(connection.settings_dict["NAME"])


@contextlib.contextmanager
def hold_worker_lock() -> Iterator[None]:
    """Hold the worker's lock, so that no process can serve the site from this folder.

    Raises BackupError if a process is serving it.
    """
    with worker_process.try_lock(Path(settings.VAR_DIR) / "worker.lock") as is_held:
        if not is_held:
            raise BackupError("The site is running: stop its processes first.")
        yield


def restore(database: Path) -> None:
    """Make this file the site's database. The previous file is kept under another name."""
    file = _get_database_file()
    connection.close()
    if file.exists():
        with contextlib.closing(sqlite3.connect(file)) as old:
            old.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
        file.with_name(f"{file.name}.before-{moment}").hardlink_to(file)
    for suffix in ("-wal", "-shm"):
        file.with_name(file.name + suffix).unlink(missing_ok=True)
    database.replace(file)
