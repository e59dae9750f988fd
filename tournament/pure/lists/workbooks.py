"""The sheets of an XLSX workbook, converted to the text that a spreadsheet would show.

The XML is parsed with the standard library, one element at a time. openpyxl would create objects
for all elements, find parts only by their usual names, and ignore number formats.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from games.rules.text import _
from tournament.pure.lists.archives import Archive, make_damaged_error
from tournament.pure.lists.number_formats import format_number, format_text
from tournament.pure.lists.packages import Package, SheetEntry, read_package
from tournament.pure.lists.sheets import (
    MAX_CELL,
    MAX_CELLS,
    MAX_COLUMNS,
    MAX_ROWS,
    MAX_SHEETS,
    FileCode,
    FileNote,
    ListLine,
    ListSheet,
    ReadingBudget,
    RefusedFileError,
    check_size,
)

# Elements of which a long list has many.
_COMMON_TAGS = ("row", "c", "v", "f", "is", "si", "t", "r")
_ESCAPED = re.compile(r"(?:_x[0-9A-Fa-f]{4}_)+")
_REFERENCE = re.compile(r"\$?([A-Za-z]{1,3})\$?(\d{1,7})")


def read_workbook(data: bytes, budget: ReadingBudget | None = None) -> list[ListSheet]:
    """Return the visible sheets of a workbook.

    Raises RefusedFileError if the workbook cannot be read.
    """
    archive = Archive(data, budget or ReadingBudget())
    package = read_package(archive)
    texts = _read_texts(archive, package.texts) if archive.has_part(package.texts) else []
    _check_sheets(len(package.sheets))
    notes = [FileNote("hidden-sheet", sheet.title) for sheet in package.sheets if sheet.hidden]
    counter = _ElementCounter()
    return [
        _SheetReader(archive, package, texts, counter).read(sheet, notes)
        for sheet in package.sheets
        if not sheet.hidden
    ]


def _check_sheets(count: int) -> None:
    # Searching the beginning of a sheet for headings takes time.
    if count > MAX_SHEETS:
        text = _("The workbook has {count} sheets; the limit is {most}. Save only the list.")
        raise RefusedFileError(FileCode.TOO_BIG, text.format(count=count, most=MAX_SHEETS))


class _ElementCounter:
    """A counter of XML elements. Raises RefusedFileError if there are too many."""

    def __init__(self) -> None:
        self.others = self.cells = 0

    def count_element(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag in _COMMON_TAGS:
            self.cells += tag in ("c", "si", "row")
        else:
            # The attribute lists all ranges that have, for example, the same drop-down list.
            self.others += 1 + len(attributes.get("sqref", "")) // 4
        if self.cells > MAX_CELLS + MAX_ROWS or self.others > MAX_CELLS:
            raise RefusedFileError(
                FileCode.TOO_BIG,
                _("The workbook has too many cells. Save only the list of students."),
            )


def unescape(text: str) -> str:
    """Replace escapes such as _x000D_ in the text of a cell with the characters they stand for."""
    return _ESCAPED.sub(_unescape_run, text) if "_x" in text else text


def _unescape_run(run: re.Match[str]) -> str:
    units = b"".join(
        int(unit, 16).to_bytes(2, "little") for unit in re.findall(r"_x(.{4})_", run[0])
    )
    return units.decode("utf-16-le", "replace")


class _CellText:
    """The text of a cell. Characters beyond the maximum length are dropped."""

    def __init__(self, budget: ReadingBudget) -> None:
        self.budget = budget
        self.pieces: list[str] = []
        self.length = 0

    def add_piece(self, piece: str) -> None:
        if self.length <= MAX_CELL:
            piece = piece[: MAX_CELL + 1 - self.length]
            self.length += len(piece)
            self.pieces.append(piece)

    def take_text(self) -> str:
        text = "".join(self.pieces)
        self.budget.spend_letters(self.length)
        self.pieces, self.length = [], 0
        return text


def _read_texts(archive: Archive, part: str) -> list[str]:
    """Return the shared texts. Cells refer to them by number."""
    texts: list[str] = []
    text = _CellText(archive.budget)
    counter = _ElementCounter()
    state = {"t": False, "rPh": False}

    def start(tag: str, attributes: Mapping[str, str]) -> None:
        counter.count_element(tag, attributes)
        if tag in state:
            state[tag] = True

    def end(tag: str) -> None:
        if tag in state:
            state[tag] = False
        elif tag == "si":
            texts.append(unescape(text.take_text()))

    def characters(piece: str) -> None:
        # Elements named rPh contain the pronunciation of Japanese text.
        if state["t"] and not state["rPh"]:
            text.add_piece(piece)

    archive.parse(part, start, end, characters)
    return texts


class _SheetReader:
    """A reader for the cells of one sheet."""

    def __init__(
        self, archive: Archive, package: Package, texts: Sequence[str], counter: _ElementCounter
    ) -> None:
        self.archive, self.texts, self.counter = archive, texts, counter
        self.formats = package.formats
        self.lines: list[ListLine] = []
        self.merged: list[str] = []
        self.hidden_rows = False
        self.hidden_columns: list[int] = []
        self.row = self.column = 0
        self.kind = self.style = ""
        self.formula: str | None = None
        self.value = _CellText(archive.budget)
        self.open_tag = ""
        self.phonetic = False

    def read(self, sheet: SheetEntry, notes: Sequence[FileNote]) -> ListSheet:
        self.archive.parse(sheet.part, self._start_element, self._end_element, self._add_text)
        _clear_merged_cells(self.lines, self.merged)
        all_notes = list(notes)
        if self.merged:
            all_notes.append(FileNote("merged", ", ".join(sorted(self.merged)[:5])))
        if self.hidden_rows:
            all_notes.append(FileNote("hidden-rows"))
        lines = _pad_lines(self.lines)
        if lines and any(column <= len(lines[0].cells) for column in self.hidden_columns):
            all_notes.append(FileNote("hidden-columns"))
        return ListSheet(sheet.title, lines, all_notes)

    def _start_element(self, tag: str, attributes: Mapping[str, str]) -> None:
        self.counter.count_element(tag, attributes)
        if tag == "c":
            self._start_cell(attributes)
        elif tag in ("v", "f", "t"):
            self.open_tag = tag
        elif tag == "row":
            self._start_row(attributes)
        elif tag == "rPh":
            self.phonetic = True
        elif tag == "col" and attributes.get("hidden", "") in ("1", "true"):
            first = attributes.get("min", "")
            self.hidden_columns.append(int(first) if first.isdecimal() and len(first) < 9 else 1)
        elif tag == "mergeCell":
            self.merged.append(attributes.get("ref", "")[:40])

    def _start_row(self, attributes: Mapping[str, str]) -> None:
        self.hidden_rows |= attributes.get("hidden", "") in ("1", "true")
        number = attributes.get("r", "")
        row = int(number) if number.isdecimal() and len(number) < 9 else self.row + 1
        if row <= self.row:
            text = _(
                "In the workbook, row {row} comes after row {before}. Open it and save it "
                "again as .xlsx or CSV UTF-8."
            )
            raise RefusedFileError(FileCode.DAMAGED, text.format(row=row, before=self.row))
        self.row, self.column = row, -1

    def _start_cell(self, attributes: Mapping[str, str]) -> None:
        match = _REFERENCE.fullmatch(attributes.get("r", ""))
        self.column = _column_index(match[1]) if match else self.column + 1
        self.kind, self.style = attributes.get("t", "n"), attributes.get("s", "")
        self.formula = None

    def _add_text(self, piece: str) -> None:
        if self.open_tag and not self.phonetic:
            self.value.add_piece(piece)

    def _end_element(self, tag: str) -> None:
        if tag == "f":
            self.formula, self.open_tag = self.value.take_text(), ""
        elif tag in ("v", "t"):
            self.open_tag = ""
        elif tag == "rPh":
            self.phonetic = False
        elif tag == "c":
            self._end_cell()

    def _end_cell(self) -> None:
        text, doubt = self._read_cell(self.value.take_text())
        if not text:
            return
        check_size(self.row, self.column + 1)
        if not self.lines or self.lines[-1].number != self.row:
            self.lines.append(ListLine(self.row, []))
        line = self.lines[-1]
        line.cells.extend([""] * (self.column + 1 - len(line.cells)))
        line.cells[self.column] = text[:MAX_CELL]
        if doubt or len(text) > MAX_CELL:
            line.doubts[self.column] = doubt or "too-long"

    def _read_cell(self, value: str) -> tuple[str, str]:
        """Return the text that a spreadsheet shows for a cell, and a code if it is doubtful."""
        if self.formula is not None:
            return f"={self.formula}", "formula"
        if self.kind in ("s", "str", "inlineStr"):
            text = self._get_shared_text(value) if self.kind == "s" else unescape(value)
            return format_text(text, self._get_format()) if text else "", ""
        if self.kind == "e":
            return value, "error"
        if self.kind == "d":
            return value, "date" if value else ""
        if self.kind == "b":
            return {"1": "TRUE", "0": "FALSE"}.get(value.strip(), value), ""
        return self._read_number(value) if value.strip() else ("", "")

    def _get_shared_text(self, value: str) -> str:
        try:
            return self.texts[int(value)] if value else ""
        except (ValueError, IndexError) as error:
            raise make_damaged_error() from error

    def _get_format(self) -> str:
        style = int(self.style) if self.style.isdecimal() and len(self.style) < 9 else -1
        return self.formats[style] if 0 <= style < len(self.formats) else "General"

    def _read_number(self, value: str) -> tuple[str, str]:
        try:
            text, doubt = format_number(value, self._get_format())
        except ValueError as error:
            raise make_damaged_error() from error
        return (_format_date(value), doubt) if doubt == "date" else (text, doubt)


def _format_date(value: str) -> str:
    """Convert a number of days since 1900, as Excel stores dates, to a date.

    A time without a date remains a number.
    """
    from datetime import datetime, timedelta

    days = float(value)
    if not 1 <= days < 2_900_000:
        return value
    return str(datetime(1899, 12, 30) + timedelta(days=round(days * 86_400) / 86_400))  # noqa: DTZ001  Excel has no time zones


def _column_index(letters: str) -> int:
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - 64
    return number - 1


def _pad_lines(lines: Sequence[ListLine]) -> list[ListLine]:
    """Pad all lines to the width of the widest line."""
    width = max((len(line.cells) for line in lines), default=0)
    return [replace(line, cells=line.cells + [""] * (width - len(line.cells))) for line in lines]


def _clear_merged_cells(lines: Sequence[ListLine], merged: Sequence[str]) -> None:
    """Clear the cells that merged ranges hide. Some programs leave text in them."""
    by_row = {line.number: line for line in lines}
    last = lines[-1].number if lines else 0
    covered = 0
    for ref in merged:
        left, top, right, bottom = _limit_range(ref, last)
        covered += max(1, right - left + 1) * max(1, bottom - top + 1)
        _check_covered(covered)
        for row in range(top, bottom + 1):
            if line := by_row.get(row):
                for column in range(left, min(right + 1, len(line.cells))):
                    if (row, column) != (top, left):
                        line.cells[column] = ""
                        line.doubts.pop(column, None)


def _limit_range(ref: str, last_row: int) -> tuple[int, int, int, int]:
    """Parse a range, and limit it to the size of a list.

    Returns the first column, the first row, the last column and the last row.
    """
    corners = [_REFERENCE.fullmatch(part) for part in ref.split(":")]
    first_corner, last_corner = corners[0], corners[-1]
    if first_corner is None or last_corner is None:
        raise make_damaged_error()
    right = min(_column_index(last_corner[1]), MAX_COLUMNS - 1)
    return (
        _column_index(first_corner[1]),
        int(first_corner[2]),
        right,
        min(int(last_corner[2]), last_row, MAX_ROWS),
    )


def _check_covered(cells: int) -> None:
    if cells > MAX_CELLS:
        text = _(
            "More than {most} cells of the workbook are merged. Select the whole sheet, unmerge "
            "its cells, and save it again."
        )
        raise RefusedFileError(FileCode.TOO_BIG, text.format(most=MAX_CELLS))
