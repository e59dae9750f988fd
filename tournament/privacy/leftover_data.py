"""Search for remaining traces of a person in the whole database and the site's files.

The search ignores the declared purpose of a column, because it verifies the deletion.
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

ROWS_AT_ONCE = 500
# Shorter words and roll numbers occur inside other words, so only whole words match.
SHORTEST = 5
# The site's own, in its folder: the database, what is served to everybody, and backups.
NOT_READ = re.compile(r"(.*\.sqlite3(-wal|-shm|-journal)?|.*\.backup|static|secret-key)")
# As lists of students come: files of Windows have one byte a letter, or two.
ENCODINGS = ("utf-8", "cp1252", "utf-16-le", "utf-16-be")


# In how many cells or lines something was found, by the place's name.
Traces = Counter[str]


class SearchTerms:
    """Search words in every form that may occur: any case, any blanks, escaped in JSON."""

    def __init__(self, words: Iterable[str]) -> None:
        known = {_normalize_text(word).strip() for word in words} - {""}
        self._pattern = re.compile("|".join(map(_make_pattern, sorted(known))) or r"(?!)")

    def named_in(self, text: str) -> bool:
        return any(
            self._pattern.search(_normalize_text(each)) for each in (text, _unescape_json(text))
        )


def _normalize_text(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _make_pattern(word: str) -> str:
    """Make a search pattern; numbers and short words match only as a whole."""
    found = r"\s+".join(map(re.escape, word.split()))
    whole = len(word) < SHORTEST or (re.search(r"\d", word) and not re.search(r"[@\s]", word))
    return rf"(?<!\w){found}(?!\w)" if whole else found


def _unescape_json(text: str) -> str:
    """Decode letters that JSON has escaped because they are not ASCII."""
    if "\\" not in text:
        return ""
    letters = re.sub(r"((?:\\u[0-9a-fA-F]{4})+)", lambda m: _decode_letters(m[1]), text)
    return letters.replace('\\"', '"')


def _decode_letters(escaped: str) -> str:
    return str(json.loads(f'"{escaped}"'))


def search_database(sought: SearchTerms) -> Traces:
    """Count traces by table and column in every table of the database, whatever created it."""
    found = Traces()
    with transaction.atomic():
        for table in _list_tables():
            found.update(f"{table}.{column}" for column in _iterate_matching_columns(table, sought))
    found.update(
        "django_session.session_data" for text in _iterate_sessions() if sought.named_in(text)
    )
    return found


def _list_tables() -> list[str]:
    with connection.cursor() as cursor:
        return sorted(connection.introspection.table_names(cursor))


def _iterate_matching_columns(table: str, sought: SearchTerms) -> Iterator[str]:
    """Yield the column of each cell of the table that contains one of the words."""
    with connection.chunked_cursor() as cursor:
        cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")  # noqa: S608
        rows = cursor.fetchmany(ROWS_AT_ONCE)
        columns = [column[0] for column in cursor.description or ()]
        while rows:
            for row in rows:
                cells = zip(columns, row, strict=True)
                yield from (name for name, cell in cells if _does_contain(cell, sought))
            rows = cursor.fetchmany(ROWS_AT_ONCE)


def _iterate_sessions() -> Iterator[str]:
    """Yield the content of sessions, which are stored encoded."""
    for session in Session.objects.iterator(chunk_size=ROWS_AT_ONCE):
        yield json.dumps(session.get_decoded(), default=str)


def _does_contain(cell: object, sought: SearchTerms) -> bool:
    if isinstance(cell, bytes | memoryview):
        return any(sought.named_in(text) for text in texts_of(bytes(cell)))
    if isinstance(cell, dict | list):
        return sought.named_in(json.dumps(cell, ensure_ascii=False))
    return isinstance(cell, str) and sought.named_in(cell)


def texts_of(data: bytes) -> Iterator[str]:
    """Yield the possible texts of bytes.

    Archives are opened, and texts are read in each of the usual encodings.
    """
    if data.startswith(b"PK") and zipfile.is_zipfile(BytesIO(data)):
        with zipfile.ZipFile(BytesIO(data)) as packed:
            for name in packed.namelist():
                yield name
                yield from texts_of(packed.read(name))
        return
    # In two-byte encodings letters start at even offsets, whatever bytes precede them.
    for encoding in ENCODINGS if b"\0" in data else ENCODINGS[:2]:
        yield data.decode(encoding, errors="replace")


def search_files(sought: SearchTerms, folder: Path) -> Traces:
    """Count traces by path, in log lines and all other files in the site's folder."""
    found = Traces()
    for file in _iterate_files(folder):
        if sought.named_in(file.name):
            found[str(file)] += 1
        with gzip.open(file) if file.suffix == ".gz" else file.open("rb") as lines:
            found[str(file)] += sum(_does_contain(line, sought) for line in lines)
    return +found


def _iterate_files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if NOT_READ.fullmatch(path.name) or path.is_symlink():
            continue
        if path.is_dir():
            yield from _iterate_files(path)
        elif path.is_file():
            yield path


@dataclass(frozen=True)
class OldBackup:
    """A backup made before a deletion; it holds the deleted data until it expires itself."""

    path: Path
    made: datetime
    gone_by: datetime


def list_old_backups(deleted: datetime) -> list[OldBackup]:
    """Return the backups made before the deletion, oldest first.

    The nightly timer checks once a day, so one day is added.
    """
    folders = {Path(settings.BACKUP_FOLDER), Path(settings.VAR_DIR)}
    files = [path for folder in folders for path in _list_backups(folder)]
    found = [_describe_backup(path) for path in files]
    return sorted((each for each in found if each.made <= deleted), key=lambda each: each.made)


def _list_backups(folder: Path) -> list[Path]:
    return list(folder.glob("*.backup")) if folder.is_dir() else []


def _describe_backup(path: Path) -> OldBackup:
    made = datetime.fromtimestamp(path.stat().st_mtime, timezone.get_current_timezone())
    return OldBackup(path, made, made + timedelta(days=settings.KEEP_BACKUP_DAYS + 1))
