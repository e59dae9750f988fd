"""Search for remaining traces of a person in the whole database and the site's files.

It verifies a deletion, so it does not rely on the declarations of columns.
"""

import gzip
import json
import re
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from io import BytesIO
from pathlib import Path

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import connection, transaction
from django.utils import timezone

BATCH_SIZE = 500
# Shorter words and roll numbers also occur inside other words, so they match only as whole words.
MIN_PARTIAL_LENGTH = 5
# Files that are not searched: the database, public static files, backups and the secret key.
SKIPPED_FILES = re.compile(r"(.*\.sqlite3(-wal|-shm|-journal)?|.*\.backup|static|secret-key)")
# Encodings of student lists. Windows programs use one or two bytes per letter.
ENCODINGS = ("utf-8", "cp1252", "utf-16-le", "utf-16-be")


# The number of matching cells or lines, by column or file.
Traces = Counter[str]


class SearchTerms:
    """Search terms. Matching ignores case, white space and JSON escapes."""

    def __init__(self, words: Iterable[str]) -> None:
        normalized = {_normalize_text(word).strip() for word in words} - {""}
        self._pattern = re.compile("|".join(map(_make_pattern, sorted(normalized))) or r"(?!)")

    def occur_in(self, text: str) -> bool:
        return any(
            self._pattern.search(_normalize_text(each)) for each in (text, _unescape_json(text))
        )


def _normalize_text(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _make_pattern(word: str) -> str:
    """Return a pattern for a word. Short words and roll numbers match only as whole words."""
    pattern = r"\s+".join(map(re.escape, word.split()))
    is_whole_word = len(word) < MIN_PARTIAL_LENGTH or (
        re.search(r"\d", word) and not re.search(r"[@\s]", word)
    )
    return rf"(?<!\w){pattern}(?!\w)" if is_whole_word else pattern


def _unescape_json(text: str) -> str:
    """Decode non-ASCII letters that are escaped as in JSON."""
    if "\\" not in text:
        return ""
    letters = re.sub(r"((?:\\u[0-9a-fA-F]{4})+)", lambda m: json.loads(f'"{m[1]}"'), text)
    return letters.replace('\\"', '"')


def search_database(terms: SearchTerms) -> Traces:
    """Count matches by table and column. All tables of the database are searched."""
    traces = Traces()
    with transaction.atomic():
        for table in _list_tables():
            traces.update(f"{table}.{column}" for column in _iterate_matching_columns(table, terms))
    traces.update(
        "django_session.session_data" for text in _iterate_sessions() if terms.occur_in(text)
    )
    return traces


def _list_tables() -> list[str]:
    with connection.cursor() as cursor:
        return sorted(connection.introspection.table_names(cursor))


def _iterate_matching_columns(table: str, terms: SearchTerms) -> Iterator[str]:
    """Yield the column's name for each cell of the table that contains one of the terms."""
    with connection.chunked_cursor() as cursor:
        cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")  # noqa: S608
        rows = cursor.fetchmany(BATCH_SIZE)
        columns = [column[0] for column in cursor.description or ()]
        while rows:
            for row in rows:
                cells = zip(columns, row, strict=True)
                yield from (name for name, cell in cells if _contains_terms(cell, terms))
            rows = cursor.fetchmany(BATCH_SIZE)


def _iterate_sessions() -> Iterator[str]:
    """Yield the decoded content of sessions."""
    for session in Session.objects.iterator(chunk_size=BATCH_SIZE):
        yield json.dumps(session.get_decoded(), default=str)


def _contains_terms(cell: object, terms: SearchTerms) -> bool:
    if isinstance(cell, bytes | memoryview):
        return any(terms.occur_in(text) for text in decode_texts(bytes(cell)))
    if isinstance(cell, dict | list):
        return terms.occur_in(json.dumps(cell, ensure_ascii=False))
    return isinstance(cell, str) and terms.occur_in(cell)


def decode_texts(data: bytes) -> Iterator[str]:
    """Yield all texts that the bytes may represent.

    Archives are unpacked, and each of the usual encodings is tried.
    """
    if data.startswith(b"PK") and zipfile.is_zipfile(BytesIO(data)):
        with zipfile.ZipFile(BytesIO(data)) as archive:
            for name in archive.namelist():
                yield name
                yield from decode_texts(archive.read(name))
        return
    # In two-byte encodings, each ASCII letter and line end has a zero byte.
    for encoding in ENCODINGS if b"\0" in data else ENCODINGS[:2]:
        yield data.decode(encoding, errors="replace")


def search_files(terms: SearchTerms, folder: Path) -> Traces:
    """Count matches by path in all files of the site's folder, including logs."""
    traces = Traces()
    for file in _iterate_files(folder):
        if terms.occur_in(file.name):
            traces[str(file)] += 1
        with gzip.open(file) if file.suffix == ".gz" else file.open("rb") as lines:
            traces[str(file)] += sum(_contains_terms(line, terms) for line in lines)
    return +traces


def _iterate_files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if SKIPPED_FILES.fullmatch(path.name) or path.is_symlink():
            continue
        if path.is_dir():
            yield from _iterate_files(path)
        elif path.is_file():
            yield path


@dataclass(frozen=True)
class OldBackup:
    """A backup from before a deletion. It contains the deleted data until it expires."""

    path: Path
    made: datetime
    expires_at: datetime


def list_old_backups(deleted: datetime) -> list[OldBackup]:
    """Return the backups from before the deletion, oldest first.

    The expiry dates are a day later than the retention period, because backups are deleted only
    once a night.
    """
    folders = {Path(settings.BACKUP_FOLDER), Path(settings.VAR_DIR)}
    files = [path for folder in folders for path in _list_backups(folder)]
    backups = [_describe_backup(path) for path in files]
    return sorted((each for each in backups if each.made <= deleted), key=lambda each: each.made)


def _list_backups(folder: Path) -> list[Path]:
    return list(folder.glob("*.backup")) if folder.is_dir() else []


def _describe_backup(path: Path) -> OldBackup:
    made = datetime.fromtimestamp(path.stat().st_mtime, timezone.get_current_timezone())
    return OldBackup(path, made, made + timedelta(days=settings.KEEP_BACKUP_DAYS + 1))
