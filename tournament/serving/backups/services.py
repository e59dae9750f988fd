"""Backup and restore of the site's database, for both kinds of database."""

import contextlib
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from games.process.db import DATABASE_AWAY
from tournament.serving.backups import archive, postgres, sqlite
from tournament.serving.backups.archive import BackupManifest
from tournament.serving.backups.facts import BackupError, differences, facts


def back_up(file: Path) -> BackupManifest:
    """Write the running site's database to the file.

    Raises BackupError. No partial file is left behind.
    """
    parent = file.absolute().parent
    dump = sqlite.dump if connection.vendor == "sqlite" else postgres.dump
    try:
        with _make_scratch_folder(parent) as folder:
            database = folder / "database"
            return archive.write(file, connection.vendor, database, dump(database))
    except DATABASE_AWAY as error:
        raise BackupError(f"The database cannot be read: {error}") from None
    except (OSError, sqlite3.OperationalError) as error:
        raise BackupError(f"No backup could be written into {parent}: {error}") from None


def find_newest_backup(folder: Path) -> float | None:
    """Return the time of the newest backup in this folder, in seconds since 1970.

    If there is no backup, return the time at which the folder was created, so that a failing first
    backup is also reported as late. Return None if there is no folder, or if this process cannot
    read it.
    """
    try:
        made = folder.stat().st_mtime
        return max((file.stat().st_mtime for file in folder.glob("*.backup")), default=made)
    except OSError:
        return None


def restore(file: Path, *, replace: bool) -> BackupManifest:
    """Replace the site's database by the one in the file.

    Existing data is replaced only with `replace`, and is saved in var/ first.

    Raises BackupError, in which case nothing has changed.
    """
    manifest = archive.read(file)
    _check_compatible(manifest)
    if not _is_empty():
        if not replace:
            raise BackupError("The database is not empty: --replace puts the backup in its place.")
        back_up(Path(settings.VAR_DIR) / f"before-{file.stem}.backup")
    with _make_scratch_folder(Path(settings.VAR_DIR)) as folder:
        archive.unpack(file, folder / "database")
        _fill(folder / "database", manifest)
    return manifest


def _fill(database: Path, manifest: BackupManifest) -> None:
    if connection.vendor == "sqlite":
        with sqlite.hold_at_rest():
            if wrong := differences(manifest["facts"], sqlite.examine(database)):
                raise BackupError(f"The backup is not what it says: {', '.join(wrong[:5])}.")
            sqlite.fill(database)
    else:
        postgres.check_at_rest()
        postgres.fill(database)
    if wrong := differences(manifest["facts"], facts("default")):
        raise BackupError(f"What was restored is not what was saved: {', '.join(wrong[:5])}.")


def has_unapplied(manifest: BackupManifest) -> bool:
    """Return whether the code has migrations that the backup's database lacks."""
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


def _list_known_migrations() -> set[str]:
    loader = MigrationLoader(None)
    replaced = {key for each in loader.disk_migrations.values() for key in each.replaces}
    return {".".join(key) for key in {*loader.disk_migrations, *replaced}}


def _is_empty() -> bool:
    """Return whether the database has no accounts and no matches."""
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
