"""Tests of cells and headings as programs and people write them."""

import io
import zipfile
from collections.abc import Callable

import pytest
from openpyxl import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from tests.tournament.pure.lists.test_workbooks import HEADER, PLAIN_WORKBOOK, make_workbook
from tests.typed import sure
from tournament.pure.files.sheets import escape_formula, unescape_formula
from tournament.pure.lists import judge
from tournament.pure.lists.headings import known_heading
from tournament.pure.lists.number_formats import show_number


@pytest.mark.parametrize(
    ("value", "number_format", "expected"),
    [
        ("1", '"CHE-"000', ("CHE-001", "")), ("20210007", "0000-0000", ("2021-0007", "")),
        ("21.1", "0.00", ("21.10", "")), ("1234567", "#,##0", ("1,234,567", "")),
        ("-5", "0;(0)", ("(5)", "")), ("0.5", "0%", ("50%", "")),
        ("7", "[>5]0;0.0", ("7", "format")),
        ("1.5", "# ?/?", ("1.5", "format")), ("44000", "dd/mm/yyyy", ("44000", "date")),
        ("123456789", "000\\-00\\-0000", ("123-45-6789", "")), ("7", "@", ("7", "")),
    ],
)  # fmt: skip
def test_a_number_is_read_as_its_format_shows_it(
    value: str, number_format: str, expected: tuple[str, str]
) -> None:
    assert show_number(value, number_format) == expected


def test_a_roll_number_of_a_format_is_the_one_that_the_student_knows() -> None:
    def change_number_format(book: Workbook, sheet: Worksheet) -> None:
        sheet["A2"].number_format = '"CHE-"000'

    [verdict] = judge(make_workbook(HEADER, [1, "Asha"], change=change_number_format)).verdicts
    assert sure(verdict.student).roll_number == "CHE-001"


def test_escaped_line_ends_are_undone() -> None:
    rows = (["Roll_x000D_ No.", "Name", "Dept"], ["1", "Asha Sen_x000D_", "Chem_x000D_ Eng"])
    [verdict] = judge(make_workbook(*rows)).verdicts
    assert (sure(verdict.student).name, sure(verdict.student).department) == (
        "Asha Sen",
        "Chem Eng",
    )


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("'00123,Asha,,", "The roll number “'00123” was read as 00123."),
        ('"2,021,001",Asha,,', "The roll number “2,021,001” was read as 2021001."),
        ("21.00,Asha,,", "The roll number “21.00” was read as 21."),
        ("1,Asha,,2.0", "The year “2.0” was read as 2."),
        ("1,O&#39;Neil,,", "The name “O&#39;Neil” was read as O'Neil."),
        ("1,JosÃ©,,", "The name “JosÃ©” was read as José."),
        ("1,Asha,asha@c.edu.,", "The email address “asha@c.edu.” was read as asha@c.edu."),
        ("1,Asha,-,", "The email address “-” was left out."),
    ],
)
def test_what_a_program_did_to_a_cell_is_undone_and_said(row: str, expected: str) -> None:
    [verdict] = judge(f"Roll,Name,Email,Year\n{row}\n".encode()).verdicts
    assert (verdict.kind, verdict.sentence.partition(" is new. ")[2]) == ("new", expected)


@pytest.mark.parametrize(
    "text", ["-", "'-", "''=x", "@lex Roy", "-12", "=1", "Asha", "'t Hooft", "\tx"]
)
def test_a_guarded_cell_comes_back_as_it_was(text: str) -> None:
    assert unescape_formula(str(escape_formula(text))) == text


def test_repeated_headings_are_passed_over_with_a_note() -> None:
    report = judge(b"Roll,Name\n1,Asha\nRoll,Name\n2,Ben\n")
    assert [verdict.row for verdict in report.verdicts] == [2, 4]
    assert [(note.code, note.what) for note in report.notes] == [("repeated-headings", "3")]


def test_digits_of_another_script_are_the_same_roll_number() -> None:
    first, second = judge("রোল নং,নাম\n২১০০১,রবি\n21001,রুবি\n".encode()).verdicts
    assert (first.kind, second.kind) == ("new", "duplicate")


@pytest.mark.parametrize(
    ("heading", "meaning"),
    [
        ("College Roll Number", "roll_number"), ("Exam Roll Number", "roll_number"),
        ("Class Roll Number", "roll_number"), ("ID number", "roll_number"),
        ("First Name [Required]", "first"), ("Surname", "last"), ("अनुक्रमांक", "roll_number"),
        ("नाम / Name", "name"), ("ই-মেল", "email"), ("বিভাগ", "department"),
        ("Email (official)", "email"), ("Father's Name", None), ("Mobile No", None),
        ("Sl. No.", None), ("Timestamp", None),
    ],
)  # fmt: skip
def test_headings_are_known_as_others_write_them(heading: str, meaning: str | None) -> None:
    assert known_heading(heading) == meaning


STRICT_ROOT = b"http://purl.oclc.org/ooxml/"
USUAL_ROOT = b"http://schemas.openxmlformats.org/"


@pytest.mark.parametrize(
    ("rename", "change"),
    [
        (lambda name: name.replace("/", "\\"), lambda content: content),
        (
            lambda name: name.replace("workbook.xml", "workbook2.xml"),
            lambda content: content.replace(b"workbook.xml", b"workbook2.xml"),
        ),
        (
            lambda name: name,
            lambda content: content.replace(
                USUAL_ROOT + b"spreadsheetml/2006/", STRICT_ROOT + b"spreadsheetml/"
            ).replace(USUAL_ROOT + b"officeDocument/2006/", STRICT_ROOT + b"officeDocument/"),
        ),
    ],
    ids=["backslashes", "another name", "strict"],
)  # fmt: skip
def test_workbooks_of_unusual_make_are_read(
    rename: Callable[[str], str], change: Callable[[bytes], bytes]
) -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(PLAIN_WORKBOOK)) as old, zipfile.ZipFile(target, "w", 8) as new:
        for part in old.namelist():
            new.writestr(rename(part), change(old.read(part)))
    assert judge(target.getvalue()).verdicts == judge(PLAIN_WORKBOOK).verdicts
