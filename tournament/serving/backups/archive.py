"""Backup files: zip archives that contain the database and a manifest."""

import hashlib
import json
import lzma
import os
import shutil
import struct
import zipfile
import zlib
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, NotRequired, TypedDict

from tournament.serving.backups.facts import BackupError, BackupFacts

FORMAT = 1
DATABASE, MANIFEST = "database", "manifest.json"
CHUNK = 1 << 20
# Errors that reading a damaged zip file can raise. zipfile raises RuntimeError if a damaged flag
# makes the file look encrypted.
READ_ERRORS = (
    *(OSError, EOFError, KeyError, TypeError, ValueError, RuntimeError),
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error),
)


class BackupManifest(TypedDict):
    """The manifest of a backup.

    * `format`: the version of the file format.
    * `engine`: sqlite or postgresql.
    * `at`: when the backup was made, in UTC.
    * `sha256`: the digest of the packed database.
    * `facts`: facts about the database that a restore verifies.
    * `versions`: the major versions of the PostgreSQL server and pg_dump. Missing in backups made
      by earlier releases.
    """

    format: int
    engine: str
    at: str
    sha256: str
    facts: BackupFacts
    versions: NotRequired[dict[str, int]]


def write(
    file: Path,
    engine: str,
    database: Path,
    facts: BackupFacts,
    versions: dict[str, int] | None = None,
) -> BackupManifest:
    """Write a backup file that only its owner can read.

    The backup is verified before the file gets its final name.
    """
    manifest = BackupManifest(
        format=FORMAT,
        engine=engine,
        at=datetime.now(UTC).isoformat(timespec="seconds"),
        sha256=_compute_digest(database.open("rb")),
        facts=facts,
        versions=versions or {},
    )
    part = file.with_name(f"{file.name}.part")
    try:
        _pack_backup(part, database, manifest)
        read(part)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    part.replace(file)
    return manifest


def _pack_backup(temporary_file: Path, database: Path, manifest: BackupManifest) -> None:
    with open(os.open(temporary_file, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "wb") as out:
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            archive.write(database, DATABASE)
            archive.writestr(MANIFEST, json.dumps(manifest, indent=1))
        out.flush()
        os.fsync(out.fileno())


def read(file: Path) -> BackupManifest:
    """Check that the database in the file matches its manifest, and return the manifest.

    Raises BackupError if it does not.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            manifest: BackupManifest = json.loads(archive.read(MANIFEST))
            actual_digest = _compute_digest(archive.open(DATABASE))
            version, digest = manifest["format"], manifest["sha256"]
    except FileNotFoundError:
        raise BackupError(f"There is no file {file}.") from None
    except READ_ERRORS as error:
        why = str(error) or type(error).__name__
        raise BackupError(f"{file} is no backup, or a damaged one: {why}") from None
    if version != FORMAT:
        raise BackupError(f"{file} has a format that this version does not read.")
    if actual_digest != digest:
        raise BackupError(f"{file} is damaged: its database is not the one that was packed.")
    return manifest


def unpack(file: Path, target: Path) -> None:
    descriptor = os.open(target, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600)
    with open(descriptor, "wb") as out, zipfile.ZipFile(file) as archive:
        with archive.open(DATABASE) as source:
            shutil.copyfileobj(source, out, CHUNK)
        out.flush()
        os.fsync(out.fileno())


def _compute_digest(source: IO[bytes]) -> str:
    digest = hashlib.sha256()
    with source:
        while chunk := source.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
