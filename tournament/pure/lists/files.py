"""Conversion of student lists, in CSV or XLSX files, to lines of text.

A misread list could exclude a student from an event. A file that cannot be read with certainty is
therefore refused, and doubtful cells are marked.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence

from games.rules.text import _, gettext_noop
from tournament.pure.files.sheets import unescape_formula
from tournament.pure.lists.encodings import guess_encoding
from tournament.pure.lists.headings import count_known_headings
from tournament.pure.lists.sheets import (
    MAX_BYTES,
    MAX_CELL,
    MOST_ABOVE,
    FileCode,
    FileNote,
    ListLine,
    ListSheet,
    ReadingBudget,
    RefusedFileError,
    check_size,
)

ROWS_BETWEEN_CHECKS = 256
_SEPARATORS = ",;\t|"


def read_sheets(
    data: bytes, count_columns: Callable[[Sequence[str]], int], budget: ReadingBudget | None = None
) -> list[ListSheet]:
    """Return the visible sheets of a workbook, or a text file as a single sheet.

    `count_columns` counts the known headings in a line. The separator of a text file is the one
    with the most known headings. Raises RefusedFileError if the file cannot be read.
    """
    if not data.strip(b"\x00 \t\r\n"):
        raise RefusedFileError(FileCode.EMPTY, _("The file is empty."))
    if len(data) > MAX_BYTES:
        text = _(
            "The file is larger than {most} MB. Save only the list of students, without "
            "pictures, as CSV."
        )
        raise RefusedFileError(FileCode.TOO_BIG, text.format(most=MAX_BYTES // 1_000_000))
    _refuse_other_formats(data)
    if data.startswith(b"PK\x03\x04"):
        # Imported only for workbooks, so that processes start faster.
        from tournament.pure.lists.workbooks import read_workbook

        return read_workbook(data, budget)
    return [_read_text(data, count_columns, budget or ReadingBudget())]


# The first bytes of other file types, and phrases for these types.
_STARTS = {
    b"%PDF": gettext_noop("a PDF"),
    b"\x89PNG": gettext_noop("a picture"),
    b"\xff\xd8\xff": gettext_noop("a picture"),
    b"{\\rtf": gettext_noop("a text document"),
    b"<": gettext_noop("a web page or XML"),
    b"\x1f\x8b": gettext_noop("an archive"),
    b"PK\x05\x06": gettext_noop("an empty archive"),
}


def _refuse_other_formats(data: bytes) -> None:
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        raise RefusedFileError(
            FileCode.OLD_EXCEL,
            _(
                "This is an old Excel file (.xls) or is protected by a password. Open it and "
                "save it as .xlsx without a password, or as CSV UTF-8."
            ),
        )
    for start, name in _STARTS.items():
        if data.lstrip(b" \r\n\t\xef\xbb\xbf").startswith(start):
            text = _("This is {name}, not a list. Save the list as .xlsx or CSV UTF-8.")
            raise RefusedFileError(FileCode.OTHER_FORMAT, text.format(name=_(name)))


# -- text --------------------------------------------------------------------------------------


def _read_text(
    data: bytes, count_columns: Callable[[Sequence[str]], int], budget: ReadingBudget
) -> ListSheet:
    text, notes = _decode(data)
    # Old programs end a text with ^Z, and some fill the last block of a file with zeros.
    text = text.rstrip("\x00\x1a")
    lines = text.split("\n", 1)
    declared = re.fullmatch(r"sep=(.)\r?", lines[0], re.IGNORECASE)
    if declared and len(lines) > 1:
        # Excel counts the line that declares the separator, so the list starts in row 2.
        return ListSheet("", list(_iterate_records(lines[1], declared[1], 2, budget)), notes)
    separator = max(_SEPARATORS, key=lambda each: _count_known_columns(text, each, count_columns))
    return ListSheet("", list(_iterate_records(text, separator, 1, budget)), notes)


def split_joined_rows(sheet: ListSheet) -> ListSheet | None:
    """Split a sheet in which each row is a single cell with a line of text.

    Programs save such sheets after opening a text file with another separator. Returns None for
    other sheets.
    """
    if any(cell.strip() for line in sheet.lines for cell in line.cells[1:]):
        return None
    text = "\n".join(line.cells[0].replace("\n", " ") for line in sheet.lines if line.cells)
    separator = max(
        _SEPARATORS, key=lambda each: _count_known_columns(text, each, count_known_headings)
    )
    if _count_known_columns(text, separator, count_known_headings) < 2:
        return None
    lines = [_split_line(line, separator) for line in sheet.lines]
    return ListSheet(sheet.title, lines, [*sheet.notes, FileNote("joined", separator)])


def _split_line(line: ListLine, separator: str) -> ListLine:
    try:
        cells = next(csv.reader(line.cells[:1], delimiter=separator, skipinitialspace=True), [])
    except csv.Error:
        return line
    check_size(line.number, len(cells))
    return ListLine(line.number, cells, line.doubts)


def _decode(data: bytes) -> tuple[str, list[FileNote]]:
    for mark, name in ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe\x00\x00", "utf-32-le"),
                       (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):  # fmt: skip
        if data.startswith(mark):
            return _decode_as(data[len(mark) :], name), []
    if guess := _guess_wide_encoding(data):
        return _decode_as(data, guess), []
    try:
        return data.decode("utf-8"), []
    except UnicodeDecodeError:
        encoding, name = guess_encoding(data)
        return _decode_as(data, encoding), [FileNote("not-utf-8", name)]


def _guess_wide_encoding(data: bytes) -> str:
    """Recognize UTF-16 without a byte order mark. Return its name, or "" for other encodings.

    In Latin text, every other byte is zero. In other scripts, only separators and line ends have a
    zero byte, so the decoded file must also look like text.
    """
    head = data[:400]
    even, odd = head[::2].count(0), head[1::2].count(0)
    if len(head) % 2 == 0 and max(even, odd) > len(head) // 4:
        return "utf-16-be" if even > odd else "utf-16-le"
    sample = data[:4000]
    if 0 not in sample or all(byte in _PLAIN_BYTES for byte in sample):
        return ""
    likely = (each for each in ("utf-16-le", "utf-16-be") if _looks_like_text(sample, each))
    return next(likely, "")


_PLAIN_BYTES = frozenset(b"\x00\t\n\r" + bytes(range(0x20, 0x7F)))


def _looks_like_text(sample: bytes, encoding: str) -> bool:
    """Return whether the sample, in this encoding, has lines and only characters of texts."""
    text = sample.decode(encoding, "replace")[:-1]
    return "\n" in text and all(
        character in "\t\r\n\u200c\u200d" or unicodedata.category(character)[0] in "LMNPZ"
        for character in text
        if not character.isascii() or not character.isprintable()
    )


def _decode_as(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        text = _(
            "The text can’t be read (byte {byte} is not valid {encoding}). Save the list "
            "as CSV UTF-8 or as .xlsx."
        )
        sentence = text.format(byte=error.start + 1, encoding=encoding.upper())
        raise RefusedFileError(FileCode.ENCODING, sentence) from error


def _count_known_columns(
    text: str, separator: str, count_columns: Callable[[Sequence[str]], int]
) -> int:
    # There may be a letterhead above the headings.
    head = [line for line in text[:20_000].splitlines() if line.strip()][: MOST_ABOVE + 1]
    return max((count_columns(next(csv.reader([line], delimiter=separator), [])) for line in head),
               default=0)  # fmt: skip


def _iterate_records(
    text: str, separator: str, first: int, budget: ReadingBudget
) -> Iterator[ListLine]:
    # With skipinitialspace, quotation marks count even if a space precedes them.
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=separator, strict=True, skipinitialspace=True
    )
    number = first - 1
    while True:
        number += 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise _make_record_error(number, quotes='"' in text) from error
        if number % ROWS_BETWEEN_CHECKS == 0:
            budget.check()
        check_size(number, len(cells))
        yield _make_line(number, cells)


def _make_record_error(number: int, *, quotes: bool) -> RefusedFileError:
    """Return the error for a row that cannot be parsed.

    If the file has no quotation marks, the only possible reason is an extremely long cell.
    """
    if quotes:
        text = _(
            "Row {row}: the quotation marks don’t match. Close any open quotation mark, "
            "and double every quotation mark inside a cell."
        )
        return RefusedFileError(FileCode.QUOTES, text.format(row=number))
    text = _("Row {row} contains a cell with more than {most} characters. Shorten or delete it.")
    most = f"{csv.field_size_limit():,}"
    return RefusedFileError(FileCode.TOO_BIG, text.format(row=number, most=most))


def _make_line(number: int, cells: Sequence[str]) -> ListLine:
    too_long = {column: "too-long" for column, cell in enumerate(cells) if len(cell) > MAX_CELL}
    cells = [cell[:MAX_CELL] for cell in cells] if too_long else cells
    texts = [_replace_line_ends(unescape_formula(_unwrap_excel_text(cell))) for cell in cells]
    return ListLine(number, texts, {**_find_text_doubts(cells), **too_long})


def _replace_line_ends(cell: str) -> str:
    """Replace tabs and line ends that some programs write as escapes, such as _x000D_."""
    return re.sub(r"_x000[9AD]_", " ", cell, flags=re.IGNORECASE) if "_x" in cell else cell


def _unwrap_excel_text(cell: str) -> str:
    """Return the text of a formula such as ="00123", and any other cell unchanged.

    Some files use such formulas so that Excel does not convert a text to a number.
    """
    if "=" not in cell:
        return cell
    match = re.fullmatch(r'\s*="([^"]*)"\s*', cell)
    return match[1] if match else cell


def _find_text_doubts(cells: Sequence[str]) -> dict[int, str]:
    doubts = {}
    for column, cell in enumerate(cells):
        if "\x00" in cell:
            doubts[column] = "nul"
        elif cell.lstrip().startswith("=") and _unwrap_excel_text(cell) == cell:
            doubts[column] = "text-formula"
    return doubts
