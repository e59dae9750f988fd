"""Student lists as organizers have them: bytes of a CSV or XLSX file in, lines of text out.

Whatever cannot be read for certain is refused, or noted at its cell, with a sentence that says
what to do: a list that is read wrongly keeps somebody out of an event.
"""

from __future__ import annotations

import csv
import io
import re
import struct
import unicodedata
import warnings
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time
from itertools import islice
from typing import Any

from defusedxml.common import DefusedXmlException
from openpyxl import load_workbook

MAX_BYTES = 5_000_000
MAX_UNPACKED = 40_000_000
MAX_ROWS = 20_000
MAX_COLUMNS = 60
MAX_CELLS = 10 * MAX_ROWS

# Digits beyond these are not in an Excel number any more: they came back as zeros.
EXACT_DIGITS = 15


class FileRefused(ValueError):
    """The file as a whole cannot be taken. `code` is stable; str() is the sentence to show.

    Codes: empty, too-big, too-many-rows, too-wide, old-excel, macros, other-format, damaged,
    entities, encoding, quotes, no-columns, columns-twice, sheets.
    """

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


@dataclass(frozen=True)
class Line:
    """One row: its number in the file (from 1), its cells, and what is doubtful at a column."""

    number: int
    cells: list[str]
    doubts: dict[int, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Sheet:
    """A table of lines with notes about how it was read."""

    title: str
    lines: list[Line]
    notes: list[str]


def read_sheets(data: bytes, columns_of: Callable[[Sequence[str]], int]) -> list[Sheet]:
    """The visible sheets of a workbook, or a text file as a single one. Raises FileRefused.

    `columns_of` counts the columns known in a line, to find out how a text file is separated.
    """
    if not data.strip(b"\x00 \t\r\n"):
        raise FileRefused("empty", "The file is empty.")
    if len(data) > MAX_BYTES:
        raise FileRefused(
            "too-big",
            f"The file has {len(data) / 1e6:.1f} MB; at most {MAX_BYTES // 1_000_000} MB are "
            "read. Save only the list of students, without pictures, as CSV.",
        )
    _refuse_other_formats(data)
    if data.startswith(b"PK\x03\x04"):
        return _read_workbook(data)
    return [_read_text(data, columns_of)]


def _refuse_other_formats(data: bytes) -> None:
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        raise FileRefused(
            "old-excel",
            "This is an old Excel file (.xls) or one with a password. "
            "Open it and save it as .xlsx without a password, or as CSV UTF-8.",
        )
    starts = {b"%PDF": "a PDF", b"\x89PNG": "a picture", b"\xff\xd8\xff": "a picture",
              b"{\\rtf": "a text document", b"<": "a web page or XML", b"\x1f\x8b": "an archive",
              b"PK\x05\x06": "an empty archive"}  # fmt: skip
    for start, name in starts.items():
        if data.lstrip(b" \r\n\t\xef\xbb\xbf").startswith(start):
            raise FileRefused(
                "other-format", f"This is {name}, not a list. Save the list as .xlsx or CSV UTF-8."
            )


# -- text --------------------------------------------------------------------------------------


def _read_text(data: bytes, columns_of: Callable[[Sequence[str]], int]) -> Sheet:
    text, notes = _decode(data)
    lines = text.split("\n", 1)
    named = re.fullmatch(r"sep=(.)\r?", lines[0], re.IGNORECASE)
    if named and len(lines) > 1:
        # Excel's own first line; it counts as a row there.
        return Sheet("", list(_records(lines[1], named[1], first=2)), notes)
    best = max(",;\t|", key=lambda mark: _known_columns(text, mark, columns_of))
    return Sheet("", list(_records(text, best, first=1)), notes)


def _decode(data: bytes) -> tuple[str, list[str]]:
    for mark, name in ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe\x00\x00", "utf-32-le"),
                       (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):  # fmt: skip
        if data.startswith(mark):
            return _decode_as(data[len(mark) :], name), []
    if guess := _wide_encoding(data):
        return _decode_as(data, guess), []
    try:
        return data.decode("utf-8"), []
    except UnicodeDecodeError:
        note = "The file is not in UTF-8; it was read as Windows-1252. Check names with accents."
        return _decode_as(data, "cp1252"), [note]


def _wide_encoding(data: bytes) -> str:
    """UTF-16 without its mark: every other byte of plain letters is zero."""
    head = data[:400]
    even, odd = head[::2].count(0), head[1::2].count(0)
    if len(head) % 2 == 0 and max(even, odd) > len(head) // 4:
        return "utf-16-be" if even > odd else "utf-16-le"
    return ""


def _decode_as(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise FileRefused(
            "encoding",
            f"The letters cannot be read (byte {error.start + 1} is no {encoding.upper()}). "
            "Save the list as CSV UTF-8 or as .xlsx.",
        ) from error


def _known_columns(text: str, mark: str, columns_of: Callable[[Sequence[str]], int]) -> int:
    head = text[:20_000].splitlines()[:10]
    return max((columns_of(next(csv.reader([line], delimiter=mark), [])) for line in head),
               default=0)  # fmt: skip


def _records(text: str, mark: str, first: int) -> Iterator[Line]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
    number = first - 1
    while True:
        number += 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise FileRefused(
                "quotes",
                f"Row {number}: the quotation marks do not fit together. Close the one that is "
                "open, and write a quotation mark inside a cell twice.",
            ) from error
        _check_extent(number, len(cells))
        yield Line(number, [_excel_text(cell) for cell in cells], _text_doubts(cells))


def _excel_text(cell: str) -> str:
    """The text of ="00123", which is how people keep Excel from making it a number."""
    found = re.fullmatch(r'\s*="([^"]*)"\s*', cell)
    return found[1] if found else cell


def _text_doubts(cells: Sequence[str]) -> dict[int, str]:
    doubts = {}
    for column, cell in enumerate(cells):
        if "\x00" in cell:
            doubts[column] = "holds a NUL character, which is no text; type the cell again"
        elif cell.lstrip().startswith("=") and _excel_text(cell) == cell:
            doubts[column] = "is a formula; put its value in its place"
    return doubts


def _check_extent(rows: int, columns: int) -> None:
    if rows > MAX_ROWS:
        raise FileRefused(
            "too-many-rows",
            f"The list has more than {MAX_ROWS} rows. Delete the empty rows below the list, or "
            "import it in parts.",
        )
    if columns > MAX_COLUMNS:
        raise FileRefused(
            "too-wide",
            f"Row {rows} has {columns} columns; at most {MAX_COLUMNS} are read. Delete the "
            "columns that the list does not need.",
        )


# -- workbooks ---------------------------------------------------------------------------------

# What zipfile raises of its own and through what it calls, when bytes were changed or are missing.
_TORN = (
    zipfile.BadZipFile, zlib.error, struct.error, RuntimeError, EOFError, OSError, ValueError,
)  # fmt: skip


def _read_workbook(data: bytes) -> list[Sheet]:
    _check_archive(data)

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about drop-down lists and the like that it leaves out
            book = load_workbook(io.BytesIO(data), data_only=False, keep_links=False)
    except Exception as error:  # openpyxl raises whatever its many parsers raise
        if _forbidden(error):
            raise FileRefused(
                "entities", "The workbook declares XML entities; no list needs them. Save it again."
            ) from error
        raise FileRefused(
            "damaged", "The workbook is damaged. Open it, save it again as .xlsx, or as CSV UTF-8."
        ) from error
    hidden = [sheet.title for sheet in book.worksheets if sheet.sheet_state != "visible"]
    notes = [f"The hidden sheet “{title}” was left out." for title in hidden]
    visible = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
    return [_read_sheet(sheet, notes) for sheet in visible]


def _forbidden(error: BaseException | None) -> bool:
    """Whether defusedxml, by which openpyxl parses, refused the XML; openpyxl wraps its error."""
    while error and not isinstance(error, DefusedXmlException):
        error = error.__cause__ or error.__context__
    return error is not None


def _check_archive(data: bytes) -> None:
    """Look at the directory alone: nothing is unpacked before its size is known."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except _TORN as error:
        raise FileRefused("damaged", "The workbook is damaged; save it again.") from error
    parts = archive.infolist()
    names = {part.filename.lower() for part in parts}
    if any(name.endswith("vbaproject.bin") for name in names):
        raise FileRefused(
            "macros", "The workbook holds macros (.xlsm). Save it as .xlsx or as CSV UTF-8."
        )
    if "xl/workbook.xml" not in names:
        raise FileRefused(
            "other-format",
            "This is not an Excel workbook. Save the list as .xlsx or as CSV UTF-8.",
        )
    unpacked = sum(part.file_size for part in parts)
    if unpacked > MAX_UNPACKED or len(parts) > 1000:
        raise FileRefused(
            "too-big",
            f"The workbook unpacks to {unpacked / 1e6:.0f} MB in {len(parts)} parts; at most "
            f"{MAX_UNPACKED // 1_000_000} MB are read. Save only the list, as CSV UTF-8.",
        )
    _count_cells(archive, parts)


def _count_cells(archive: zipfile.ZipFile, parts: Sequence[zipfile.ZipInfo]) -> None:
    """Refuse a great sheet before it is parsed: counting costs a hundredth of parsing."""
    for part in parts:
        if part.filename.startswith("xl/worksheets/"):
            content = _unpack(archive, part)
            if _more_than(MAX_ROWS, rb"<(?:\w+:)?row[\s/>]", content):
                _check_extent(MAX_ROWS + 1, 0)
            if _more_than(MAX_CELLS, rb"<(?:\w+:)?c[\s/>]", content):
                raise FileRefused(
                    "too-big", "The workbook has too many cells. Save only the list of students."
                )


def _unpack(archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> bytes:
    try:
        return archive.read(part)
    except _TORN as error:
        raise FileRefused("damaged", "The workbook is damaged; save it again.") from error


def _more_than(limit: int, pattern: bytes, content: bytes) -> bool:
    return next(islice(re.finditer(pattern, content), limit, None), None) is not None


def _read_sheet(sheet: Any, notes: Sequence[str]) -> Sheet:
    # One stray cell at the far corner would make every row and column between.
    _check_extent(sheet.max_row, sheet.max_column)
    found = list(notes)
    if sheet.merged_cells.ranges:
        ranges = ", ".join(sorted(str(each) for each in sheet.merged_cells.ranges)[:5])
        found.append(f"Merged cells ({ranges}) count in their first cell alone; the others are "
                     "empty.")  # fmt: skip
    if any(dimension.hidden for dimension in sheet.row_dimensions.values()):
        found.append("Hidden rows are read like the others.")
    lines = [_read_row(number, row) for number, row in enumerate(sheet.iter_rows(), 1)]
    return Sheet(sheet.title, lines, found)


def _read_row(number: int, row: Sequence[Any]) -> Line:
    cells, doubts = [], {}
    for column, cell in enumerate(row):
        text, doubt = _read_cell(cell)
        cells.append(text)
        if doubt:
            doubts[column] = doubt
    return Line(number, cells, doubts)


def _read_cell(cell: Any) -> tuple[str, str]:
    """The text of an Excel cell as a person would read it, and what is doubtful about it."""
    value = cell.value
    if value is None:
        return "", ""
    if cell.data_type == "f":
        return str(value), "is a formula; paste its value in its place"
    if cell.data_type == "e":
        return str(value), "is an error of Excel; type the value again"
    if isinstance(value, datetime | date | time):
        return str(value), "has been made a date by Excel; format the cell as text and type it anew"
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _read_number(value, cell.number_format)
    return str(value), ""


def _read_number(value: int | float, number_format: str) -> tuple[str, str]:
    if value != value or value in (float("inf"), float("-inf")) or value != int(value):
        return str(value), ""
    text = str(int(value))
    if len(text.lstrip("-")) > EXACT_DIGITS:
        return text, (
            f"has more than {EXACT_DIGITS} digits, of which Excel keeps only the first; format "
            "the column as text and type the number again"
        )
    zeros = re.fullmatch(r"0+", number_format)
    return (text.zfill(len(number_format)) if zeros else text), ""


def printable(text: str) -> str:
    """A cell for a message: no control characters, at most 40 letters."""
    plain = "".join(c if unicodedata.category(c)[0] != "C" else " " for c in text)
    plain = " ".join(plain.split())
    return plain if len(plain) <= 40 else plain[:39] + "…"
