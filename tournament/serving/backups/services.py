"""Backup and restore of the site's database, for SQLite and PostgreSQL."""

import contextlib
import sqlite3
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from games.process.db import DATABASE_DOWN
from tournament.serving.backups import archive, postgres, postgres_programs, sqlite
from tournament.serving.backups.archive import BackupManifest
from tournament.serving.backups.facts import (
    BackupError,
    DifferentDataError,
    collect_facts,
    list_differences,
)


def back_up(file: Path) -> BackupManifest:
    """Back up the running site's database to the file.

    Raises BackupError if that fails. No partial file is left behind.
    """
    parent, engine = file.absolute().parent, connection.vendor
    try:
        with _make_scratch_folder(parent) as folder, _report_unavailable_database():
            database = folder / "database"
            if engine == "sqlite":
                return archive.write(file, engine, database, sqlite.dump(database))
            versions = postgres_programs.check_can_dump()
            return archive.write(file, engine, database, postgres.dump(database), versions)
    except (OSError, sqlite3.OperationalError) as error:
        raise BackupError(f"No backup could be written into {parent}: {error}") from None


@contextlib.contextmanager
def _report_unavailable_database() -> Iterator[None]:
    try:
        yield
    except DATABASE_DOWN as error:
        raise BackupError(f"The database cannot be read: {error}") from None


def find_newest_backup_time(folder: Path) -> float | None:
    """Return the time of the newest backup in the folder, in seconds since 1970.

    For a folder without backups, this is the time of the folder itself, so that a missing first
    backup is reported as late too. Returns None if the folder does not exist or is not readable.
    """
    try:
        made = folder.stat().st_mtime
        return max((file.stat().st_mtime for file in folder.glob("*.backup")), default=made)
    except OSError:
        return None


@dataclass(frozen=True)
class RestoreResult:
    """The result of a restore. `saved` is the backup of the replaced data, if there was any."""

    manifest: BackupManifest
    saved: Path | None


def restore(file: Path, *, replace: bool) -> RestoreResult:
    """Replace the site's database with the one in the file.

    Existing data is replaced only if `replace` is true, and is backed up to var/ first. Raises
    BackupError if nothing was changed, or its subclass DifferentDataError if the restored data does
    not match the backup.
    """
    manifest = archive.read(file)
    saved = None
    with _report_unavailable_database():
        _check_compatible(manifest)
        if not _is_database_empty():
            if not replace:
                raise BackupError(
                    "The database is not empty: --replace puts the backup in its place."
                )
            saved = _back_up_current_data(file)
        with _make_scratch_folder(Path(settings.VAR_DIR)) as folder:
            archive.unpack(file, folder / "database")
            _restore_database(folder / "database", manifest)
            _check_restored(manifest, saved)
    return RestoreResult(manifest, saved)


def _back_up_current_data(file: Path) -> Path:
    """Back up the current data to a file with the time in its name, and return its path.

    A second attempt to restore therefore does not overwrite the first backup.
    """
    moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    saved = Path(settings.VAR_DIR) / f"before-{file.stem}-{moment}.backup"
    back_up(saved)
    return saved


def _restore_database(database: Path, manifest: BackupManifest) -> None:
    if connection.vendor == "sqlite":
        with sqlite.hold_worker_lock():
            if wrong := list_differences(manifest["facts"], sqlite.examine_file(database)):
                raise BackupError(f"The backup is not what it says: {', '.join(wrong[:5])}.")
            sqlite.restore(database)
    else:
        postgres.check_site_stopped()
        postgres.restore(database)


def _check_restored(manifest: BackupManifest, saved: Path | None) -> None:
    if wrong := list_differences(manifest["facts"], collect_facts("default")):
        undo = f" To undo: manage.py restore --replace {saved}" if saved else ""
        raise DifferentDataError(
            "RESTORED, BUT DO NOT START THE SITE: some of the data is not what was saved:"
            f" {', '.join(wrong[:5])}.{undo}"
        )


def has_unapplied_migrations(manifest: BackupManifest) -> bool:
    """Return whether the code has migrations that the backed-up database lacks."""
    return bool(_list_known_migrations() - set(manifest["facts"]["migrations"]))


def _check_compatible(manifest: BackupManifest) -> None:
    if manifest["engine"] != connection.vendor:
        raise BackupError(f"It is a backup of {manifest['engine']}, not of {connection.vendor}.")
    own = {
        name
        for name in manifest["facts"]["migrations"]
        if name.startswith(("games.", "tournament."))
    }
    if newer := sorted(own - _list_known_migrations()):
        raise BackupError(f"It is of a newer version of the site, with {', '.join(newer)}.")
    if connection.vendor != "sqlite":
        postgres_programs.check_can_restore(manifest.get("versions", {}))


def _list_known_migrations() -> set[str]:
    loader = MigrationLoader(None)
    replaced = {key for each in loader.disk_migrations.values() for key in each.replaces}
    return {".".join(key) for key in {*loader.disk_migrations, *replaced}}


def _is_database_empty() -> bool:
    """Return whether the database has neither accounts nor matches."""
    with connection.cursor() as cursor:
        existing = connection.introspection.table_names(cursor)
        for table in {"tournament_user", "games_match"} & set(existing):
            cursor.execute(f"SELECT 1 FROM {table} LIMIT 1")  # noqa: S608 - one of the two
            if cursor.fetchone():
                return False
    return True


@contextlib.contextmanager
def _make_scratch_folder(parent: Path) -> Iterator[Path]:
    """Create a temporary folder that only its owner can read, on the same disk as `parent`."""
    with tempfile.TemporaryDirectory(prefix=".backup-", dir=parent) as folder:
        yield Path(folder)
