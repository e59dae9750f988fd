"""Tests of the file formats for downloads."""

import csv
import io
import json
import subprocess
import sys

import openpyxl
import pytest
from django.conf import settings
from hypothesis import given
from hypothesis import strategies as st

from tournament.pure.files import FORMATS, Cell, Column, Sheet, escape_formula
from tournament.pure.files.sheets import FORMULA

COLUMNS = [Column("rank", "Rank"), Column("name", "Name"), Column("why", "Why", wide=True)]


def make_sheet(*rows: list[Cell], columns: list[Column] = COLUMNS) -> Sheet:
    return Sheet("standings", "Chem Fest: Standings", columns, iter(rows))


def write_sheet(kind: str, *rows: list[Cell], columns: list[Column] = COLUMNS) -> bytes:
    out = io.BytesIO()
    FORMATS[kind].write(make_sheet(*rows, columns=columns), out)
    return out.getvalue()


def reopen_workbook(*rows: list[Cell]) -> list[list[object]]:
    book = openpyxl.load_workbook(io.BytesIO(write_sheet("xlsx", *rows)))
    return [[cell.value for cell in row] for row in book.worksheets[0].iter_rows()]


def test_csv_starts_with_a_byte_order_mark_and_the_headings() -> None:
    content = write_sheet("csv", [1, "Zoë", None])
    assert content.startswith(b"\xef\xbb\xbf")
    assert list(csv.reader(io.StringIO(content.decode("utf-8-sig")))) == [
        ["Rank", "Name", "Why"],
        ["1", "Zoë", ""],
    ]


def test_json_keys_do_not_change_with_the_language() -> None:
    assert json.loads(write_sheet("json", [1, "Zoë", None], [2, "Ben", "Behind."])) == {
        "title": "Chem Fest: Standings",
        "columns": {"rank": "Rank", "name": "Name", "why": "Why"},
        "rows": [
            {"rank": 1, "name": "Zoë", "why": None},
            {"rank": 2, "name": "Ben", "why": "Behind."},
        ],
    }


def test_flag_is_true_in_json_and_a_word_elsewhere() -> None:
    flags: list[list[Cell]] = [[1, "Zoë", True], [2, "Ben", False]]
    assert [row["why"] for row in json.loads(write_sheet("json", *flags))["rows"]] == [True, False]
    assert [row[2] for row in reopen_workbook(*flags)[1:]] == ["yes", None]
    lines = write_sheet("csv", *flags).decode("utf-8-sig").splitlines()[1:]
    assert lines == ["1,Zoë,yes", "2,Ben,"]


def test_json_without_rows_is_valid() -> None:
    assert json.loads(write_sheet("json"))["rows"] == []


def test_numbers_stay_numbers_in_a_workbook() -> None:
    assert reopen_workbook([1, "Asha", 1.25]) == [["Rank", "Name", "Why"], [1, "Asha", 1.25]]


def test_workbook_title_drops_characters_that_excel_refuses() -> None:
    book = openpyxl.load_workbook(io.BytesIO(write_sheet("xlsx")))
    assert book.sheetnames == ["Chem Fest Standings"]


@pytest.mark.parametrize("start", [*"=+-@＝＋－＠", "\t", "\r", "\n", " =", "\0="])
def test_formula_gets_a_leading_apostrophe(start: str) -> None:
    assert escape_formula(f"{start}1+1") == f"'{start.replace(chr(0), '')}1+1"


def test_other_cells_are_unchanged() -> None:
    cells: list[Cell] = ["Asha", "3-4", 12, -5, -0.5, None, ""]
    assert [escape_formula(cell) for cell in cells] == cells


@given(st.text(max_size=20))
def test_escaped_text_is_never_a_formula(text: str) -> None:
    """Check that no name chosen by a player becomes a formula (F31)."""
    message = escape_formula(text)
    assert isinstance(message, str)
    assert not message.lstrip(" \u00a0").startswith(FORMULA)
    assert "\0" not in message


def test_workbook_has_no_formula_cells() -> None:
    book = openpyxl.load_workbook(io.BytesIO(write_sheet("xlsx", [1, "=1+1", "-5\x00"])))
    cells = [cell for row in book.worksheets[0].iter_rows() for cell in row]
    assert [cell.data_type for cell in cells if isinstance(cell.value, str)] == ["s"] * 5
    assert [cell.value for cell in cells[4:]] == ["'=1+1", "'-5"]


def test_pdf_is_portrait_if_its_columns_fit() -> None:
    def get_page_size(columns: int) -> str:
        many = [Column(str(n), str(n)) for n in range(columns)]
        content = write_sheet("pdf", list(range(columns)), columns=many).decode("latin-1")
        return content.split("/MediaBox [", 1)[1].split("]", 1)[0]

    assert get_page_size(3) == "0 0 595.28 841.89"
    assert get_page_size(9) == "0 0 841.89 595.28"


def test_long_pdf_repeats_its_heading_on_each_page() -> None:
    many: list[list[Cell]] = [[n, "Asha", "So."] for n in range(120)]
    content = write_sheet("pdf", *many)
    assert content.count(b"/Type /Page\n") == 3


def test_rarely_used_file_libraries_are_not_imported_at_startup() -> None:
    loaded = "sorted({'fpdf', 'fontTools', 'openpyxl'} & set(sys.modules))"
    script = f"import sys, tournament.urls; print({loaded})"
    command = [sys.executable, "manage.py", "shell", "-v0", "-c", script]
    printed = subprocess.check_output(command, cwd=settings.BASE_DIR, text=True)
    assert printed == "[]\n"
