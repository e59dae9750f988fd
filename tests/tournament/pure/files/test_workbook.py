"""Tests of exported workbooks, as reopened with openpyxl."""

import io
from collections.abc import Sequence

import openpyxl
import pytest
from openpyxl.worksheet.worksheet import Worksheet

from tournament.pure.files import Cell, Column, Sheet
from tournament.pure.files.workbook import LONGEST_NAME, NARROW, WIDE, write_xlsx

COLUMNS = [
    Column("rank", "Rank"),
    Column("department", "Department of the first degree"),
    Column("why", "Why", wide=True),
]


def reopen_worksheet(*rows: Sequence[Cell], title: str = "Standings") -> Worksheet:
    out = io.BytesIO()
    write_xlsx(Sheet("standings", title, COLUMNS, iter(rows)), out)
    found = openpyxl.load_workbook(out).active
    assert isinstance(found, Worksheet)
    return found


def test_heading_is_bold_and_stays_in_view() -> None:
    found = reopen_worksheet([1, "Chem", "So."])
    assert found.freeze_panes == "A2"
    assert [[cell.font.b for cell in row] for row in found.iter_rows()] == [
        [True, True, True],
        [False, False, False],
    ]


def test_column_width_depends_on_the_title_and_on_sentences() -> None:
    found = reopen_worksheet()
    widths = [found.column_dimensions[letter].width for letter in "ABC"]
    assert widths == [NARROW, len("Department of the first degree") + 2, WIDE]


@pytest.mark.parametrize(("length", "wrapped"), [(1, False), (60, False), (61, True)])
def test_text_longer_than_its_column_is_wrapped(length: int, *, wrapped: bool) -> None:
    [cell] = [row[2] for row in reopen_worksheet([1, "", "x" * length]).iter_rows(min_row=2)]
    assert (cell.alignment.vertical, bool(cell.alignment.wrap_text)) == ("top", wrapped)


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Cup: Standings", "Cup Standings"),
        ("a[b]c*d?e/f\\g'h", "abcdefgh"),
        ("x" * 31, "x" * 31),
        ("x" * 32, "x" * 31),
        ("[" * 9 + "x" * 40, "x" * 31),
        ("কাজল", "কাজল"),
    ],
)
def test_worksheet_name_is_valid_in_excel(title: str, name: str) -> None:
    assert reopen_worksheet(title=title).title == name
    assert len(name) <= LONGEST_NAME


def test_numbers_are_numeric_cells_and_texts_are_text_cells() -> None:
    rows: list[list[Cell]] = [[1, "007", None], [-2.5, "=1", "2026-01-01"]]
    found = [[cell.value for cell in row] for row in reopen_worksheet(*rows).iter_rows(min_row=2)]
    assert found == [[1, "007", None], [-2.5, "'=1", "2026-01-01"]]
