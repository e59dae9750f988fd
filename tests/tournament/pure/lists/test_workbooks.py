"""Tests of student lists in Excel workbooks."""

import io
import zipfile
from collections.abc import Callable, Sequence
from datetime import date, datetime

import pytest
from openpyxl import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from tests.typed import sure
from tournament.pure.lists import ListedStudent, RefusedFileError, judge
from tournament.pure.lists import workbooks as _loaded  # noqa: F401  where its lines are counted
from tournament.pure.lists.sentences import describe_note

WORKSHEET_TAG = (
    b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
    b"<sheetData>%b</sheetData>%b</worksheet>"
)
HEADER = ["Roll No.", "Name", "Email", "Department", "Course", "Year"]


def make_workbook(
    *rows: Sequence[object], change: Callable[[Workbook, Worksheet], None] | None = None
) -> bytes:
    """Return the bytes of a workbook with these rows, modified by `change(book, sheet)`."""
    book = Workbook()
    sheet = book.active
    for row in rows:
        sheet.append(row)
    if change:
        change(book, sheet)
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def repack_workbook(data: bytes, **parts: str | bytes) -> bytes:
    """Replace parts of a workbook's archive, or add parts.

    In the names of the arguments, __ stands for /.
    """
    target = io.BytesIO()
    changes = {name.replace("__", "/") + ".xml": content for name, content in parts.items()}
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(target, "w", 8) as new:
        for part in old.infolist():
            if part.filename not in changes:
                new.writestr(part, old.read(part))
        for name, content in changes.items():
            new.writestr(name, content)
    return target.getvalue()


def list_verdicts(data: bytes) -> list[tuple[str, str]]:
    return [(v.kind, v.sentence) for v in judge(data).verdicts]


def get_refusal(data: bytes) -> str:
    with pytest.raises(RefusedFileError) as refused:
        judge(data)
    return refused.value.code


PLAIN_WORKBOOK = make_workbook(HEADER, ["CH001", "Asha Rao", "asha@college.edu", "Chem", "UG", 2])


def test_plain_list_is_read() -> None:
    report = judge(PLAIN_WORKBOOK)
    assert [v.student for v in report.verdicts] == [
        ListedStudent("CH001", "Asha Rao", "asha@college.edu", "Chem", "UG", "2")
    ]
    assert report.notes == ()


@pytest.mark.parametrize(
    ("value", "roll"), [(123, "123"), (123.0, "123"), (12.5, "12.5"), ("00123", "00123")]
)
def test_numbers_are_read_without_unnecessary_decimals(value: float | str, roll: str) -> None:
    assert (
        sure(judge(make_workbook(HEADER, [value, "Asha"])).verdicts[0].student).roll_number == roll
    )


def test_leading_zeros_from_a_number_format_are_kept() -> None:
    def pad_with_zeros(book: Workbook, sheet: Worksheet) -> None:
        sheet["A2"].number_format = "000000"

    data = make_workbook(HEADER, [123, "Asha"], change=pad_with_zeros)
    assert sure(judge(data).verdicts[0].student).roll_number == "000123"


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        (20212345678901200,
         "Row 2: the roll number “20212345678901200” has more than 15 digits, and Excel "
"keeps only the first 15; format the column as text and type the number again."),
        ("2.02E+16",
         "Row 2: the roll number “2.02E+16” was shortened by Excel, so its last digits "
"are lost; format the column as text and type the number again."),
        (datetime(2019, 7, 4),  # noqa: DTZ001  Excel knows no zones
         "Row 2: the roll number “2019-07-04 00:00:00” was turned into a date by Excel; "
"format the cell as text and type the value again."),
        (date(2019, 7, 4),
         "Row 2: the roll number “2019-07-04 00:00:00” was turned into a date by Excel; "
"format the cell as text and type the value again."),
        ("=B2&1",
         "Row 2: the roll number “=B2&1” is a formula; paste its value instead."),
        ("#N/A",
         "Row 2: the roll number “#N/A” is an Excel error; type the value again."),
    ],
)  # fmt: skip
def test_cell_changed_by_excel_is_a_fault(
    value: int | str | date | datetime, sentence: str
) -> None:
    assert list_verdicts(make_workbook(HEADER, [value, "Asha"])) == [("faulty", sentence)]


def test_date_in_an_unused_column_is_ignored() -> None:
    data = make_workbook([*HEADER, "Born"], ["1", "Asha", None, None, None, None, date(2002, 1, 1)])
    assert list_verdicts(data) == [("new", "Row 2: Asha is new.")]


def test_hidden_sheets_are_left_out_with_a_note() -> None:
    def add_hidden_sheet(book: Workbook, sheet: Worksheet) -> None:
        old = book.create_sheet("Old")
        old.append(HEADER)
        old.append(["9", "Old student"])
        old.sheet_state = "hidden"

    report = judge(make_workbook(HEADER, ["1", "Asha"], change=add_hidden_sheet))
    assert [sure(v.student).name for v in report.verdicts] == ["Asha"]
    assert tuple(map(describe_note, report.notes)) == ("The hidden sheet “Old” was left out.",)


def test_sheet_with_the_headings_is_read_and_two_such_sheets_are_refused() -> None:
    def add_other_sheet(book: Workbook, sheet: Worksheet) -> None:
        book.create_sheet("Notes", 0).append(["Ask the office", "for the rest"])

    assert [
        kind
        for kind, _ in list_verdicts(make_workbook(HEADER, ["1", "Asha"], change=add_other_sheet))
    ] == ["new"]

    def add_second_list(book: Workbook, sheet: Worksheet) -> None:
        sheet.title = "UG"
        book.create_sheet("PG").append(HEADER)

    with pytest.raises(RefusedFileError, match="Several sheets look like lists: “UG” and “PG”"):
        judge(make_workbook(HEADER, ["1", "Asha"], change=add_second_list))


def test_merged_cells_and_hidden_rows_are_read_with_a_note() -> None:
    def merge_and_hide(book: Workbook, sheet: Worksheet) -> None:
        sheet.merge_cells("D2:D3")
        sheet.row_dimensions[3].hidden = True

    data = make_workbook(HEADER, ["1", "Asha", None, "Chem"], ["2", "Ben"], change=merge_and_hide)
    report = judge(data)
    assert [sure(v.student).department for v in report.verdicts] == ["Chem", ""]
    assert tuple(map(describe_note, report.notes)) == (
        "In merged cells (D2:D3), only the first cell counts; the others are read as empty.",
        "Hidden rows are read like all others.",
    )


def test_title_above_the_headings_and_empty_rows_are_skipped() -> None:
    data = make_workbook(["Students of 2026"], [], HEADER, [], ["1", "Asha"], [None, " "])
    assert list_verdicts(data) == [("new", "Row 5: Asha is new.")]


# -- refused -----------------------------------------------------------------------------------


def test_macros_are_refused() -> None:
    target = io.BytesIO(PLAIN_WORKBOOK)
    with zipfile.ZipFile(target, "a") as archive:
        archive.writestr("xl/vbaProject.bin", b"\xd0\xcf")
    assert get_refusal(target.getvalue()) == "macros"


def test_archive_that_is_not_a_workbook_is_refused() -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
    assert get_refusal(target.getvalue()) == "other-format"


# The parameters are shares of the length, which varies slightly with the current time. Otherwise,
# test workers would collect different tests.
@pytest.mark.parametrize("share", [0.01, 0.5, 0.99])
def test_truncated_file_is_refused(share: float) -> None:
    assert get_refusal(PLAIN_WORKBOOK[: int(len(PLAIN_WORKBOOK) * share)]) == "damaged"


def test_workbook_with_an_unsupported_zip_version_is_refused() -> None:
    broken = bytearray(PLAIN_WORKBOOK)
    broken[broken.rfind(b"PK\x01\x02") + 6] = 235  # the version needed to unpack, 23.5
    assert get_refusal(bytes(broken)) == "damaged"


def test_part_outside_the_file_is_refused() -> None:
    broken = bytearray(PLAIN_WORKBOOK)
    broken[broken.rfind(b"PK\x01\x02") + 45] = 0xFF  # the offset of the part's content
    assert get_refusal(bytes(broken)) == "damaged"


def test_malformed_number_is_refused() -> None:
    sheet = WORKSHEET_TAG % (b'<row><c t="n"><v>one</v></c></row>', b"")
    assert get_refusal(repack_workbook(PLAIN_WORKBOOK, xl__worksheets__sheet1=sheet)) == "damaged"


def test_corrupted_byte_never_raises_an_unexpected_error() -> None:
    for position in range(0, len(PLAIN_WORKBOOK), 37):
        broken = bytearray(PLAIN_WORKBOOK)
        broken[position] ^= 0xFF
        try:
            judge(bytes(broken))
        except RefusedFileError as refused:
            assert refused.code  # noqa: PT017
