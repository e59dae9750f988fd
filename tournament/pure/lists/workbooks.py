"""The sheets of an XLSX workbook as lines of text, as a person would read them.

openpyxl reads row by row here: otherwise it makes a cell for every cell of a merged range, a
link's or a comment's, and a column that is merged as a whole has a million of them.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime, time
from typing import Any

from defusedxml.common import DefusedXmlException
from openpyxl import load_workbook
from openpyxl.utils.cell import range_boundaries

from games.rules.text import _
from tournament.pure.lists.archives import SheetInfo, look_into
from tournament.pure.lists.sheets import (
    EXACT_DIGITS,
    MAX_CELLS,
    FileCode,
    FileNote,
    ListLine,
    ListSheet,
    RefusedFileError,
    check_extent,
)


def read_workbook(data: bytes) -> list[ListSheet]:
    """Return the visible sheets of a workbook.

    Raises RefusedFileError.
    """
    looks = look_into(data)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about drop-down lists and the like that it leaves out
            return _read_visible(data, looks)
    except RefusedFileError:
        raise
    except Exception as error:  # openpyxl's parsers raise errors of many types
        if _is_forbidden(error):
            raise RefusedFileError(
                FileCode.ENTITIES,
                _("The workbook declares XML entities, which no list needs. Save it again."),
            ) from error
        raise RefusedFileError(
            FileCode.DAMAGED,
            _("The workbook is damaged. Open it and save it again as .xlsx or CSV UTF-8."),
        ) from error


def _is_forbidden(error: BaseException | None) -> bool:
    """Return whether defusedxml refused the XML.

    openpyxl parses with defusedxml and wraps its error.
    """
    while error and not isinstance(error, DefusedXmlException):
        error = error.__cause__ or error.__context__
    return error is not None


def _read_visible(data: bytes, looks: dict[str, SheetInfo]) -> list[ListSheet]:
    book = load_workbook(io.BytesIO(data), read_only=True, data_only=False, keep_links=False)
    hidden = [sheet.title for sheet in book.worksheets if sheet.sheet_state != "visible"]
    notes = [FileNote("hidden-sheet", title) for title in hidden]
    visible = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
    return [_read_sheet(sheet, looks[sheet._worksheet_path], notes) for sheet in visible]


def _read_sheet(sheet: Any, look: SheetInfo, notes: Sequence[FileNote]) -> ListSheet:
    lines = _clear_merged_cells(_pad_lines(list(_read_rows(sheet))), look.merged)
    found = list(notes)
    if look.merged:
        ranges = ", ".join(sorted(look.merged)[:5])
        found.append(FileNote("merged", ranges))
    if look.hidden_rows:
        found.append(FileNote("hidden-rows"))
    return ListSheet(sheet.title, lines, found)


def _read_rows(sheet: Any) -> Iterator[ListLine]:
    sheet.reset_dimensions()  # the size that the file states is often wrong
    for number, row in enumerate(sheet.iter_rows(), 1):
        # One stray cell in the far corner would create every row and column in between.
        check_extent(number, len(row))
        yield _read_row(number, row)


def _pad_lines(lines: Sequence[ListLine]) -> list[ListLine]:
    """All lines as wide as the widest: a sheet has as many columns in each row."""
    width = max((len(line.cells) for line in lines), default=0)
    return [replace(line, cells=line.cells + [""] * (width - len(line.cells))) for line in lines]


def _clear_merged_cells(lines: list[ListLine], merged: Sequence[str]) -> list[ListLine]:
    """Clear cells under a merged range, where some programs keep content that no reader sees."""
    covered = 0
    for ref in merged:
        left, top, right, bottom = _limit_range(ref, lines)
        covered += max(1, right - left + 1) * max(1, bottom - top + 1)
        _check_covered(covered)
        for line in lines[top - 1 : bottom]:
            for column in range(left - 1, right):
                if (line.number, column) != (top, left - 1):
                    line.cells[column] = ""
                    line.doubts.pop(column, None)
    return lines


def _limit_range(ref: str, lines: Sequence[ListLine]) -> tuple[int, int, int, int]:
    """First column, first row, last column and last row of a range, as far as there are cells."""
    left, top, right, bottom = range_boundaries(ref)
    width = len(lines[0].cells) if lines else 0
    return left, top, min(right, width), min(bottom, len(lines))


def _check_covered(cells: int) -> None:
    if cells > MAX_CELLS:
        text = _(
            "More than {most} cells of the workbook are merged. Select the whole sheet, unmerge "
            "its cells, and save it again."
        )
        raise RefusedFileError(FileCode.TOO_BIG, text.format(most=MAX_CELLS))


def _read_row(number: int, row: Sequence[Any]) -> ListLine:
    cells, doubts = [], {}
    for column, cell in enumerate(row):
        text, doubt = _read_cell(cell)
        cells.append(text)
        if doubt:
            doubts[column] = doubt
    return ListLine(number, cells, doubts)


def _read_cell(cell: Any) -> tuple[str, str]:
    """Return the text of an Excel cell as a person would read it, and the code of any doubt."""
    value = cell.value
    if value is None:
        return "", ""
    if cell.data_type == "f":
        return str(value), "formula"
    if cell.data_type == "e":
        return str(value), "error"
    if isinstance(value, datetime | date | time):
        return str(value), "date"
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _read_number(value, cell.number_format)
    return str(value), ""


def _read_number(value: int | float, number_format: str) -> tuple[str, str]:
    if value != value or value in (float("inf"), float("-inf")) or value != int(value):
        return str(value), ""
    text = str(int(value))
    if len(text.lstrip("-")) > EXACT_DIGITS:
        return text, "digits"
    zeros = re.fullmatch(r"0+", number_format)
    return (text.zfill(len(number_format)) if zeros else text), ""
