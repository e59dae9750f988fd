"""The backup file: a zip archive of the database and a manifest with its digest and facts."""

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
# Reading a damaged zip file raises these errors. A damaged flag can make the file look encrypted.
READ_ERRORS = (
    *(OSError, EOFError, KeyError, TypeError, ValueError, RuntimeError),
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error),
)


class BackupManifest(TypedDict):
    """Manifest of a backup.

    `engine` is sqlite or postgresql, `at` the time in UTC, `sha256` that of the database's file.
    `versions` has the major versions of PostgreSQL's server and pg_dump. Backups of earlier
    releases have none.
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
    """Write the backup, readable only by its owner, and verify it before giving it its name."""
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
        _pack(part, database, manifest)
        read(part)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    part.replace(file)
    return manifest


def _pack(part: Path, database: Path, manifest: BackupManifest) -> None:
    with open(os.open(part, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "wb") as out:
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            archive.write(database, DATABASE)
            archive.writestr(MANIFEST, json.dumps(manifest, indent=1))
        out.flush()
        os.fsync(out.fileno())


def read(file: Path) -> BackupManifest:
    """Check that the database in the file matches the manifest, and return the manifest.

    Raises BackupError.
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
