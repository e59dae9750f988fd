"""Student lists from Excel: its traps, and files made to do harm."""

import contextlib
import io
import re
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime
from unittest.mock import patch

import pytest
from openpyxl import Workbook, load_workbook
from openpyxl.chart import BarChart
from openpyxl.comments import Comment
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.table import Table
from openpyxl.worksheet.worksheet import Worksheet

from tests.typed import sure
from tournament.eligibility import FileRefused, Student, judge
from tournament.eligibility.sentences import note

MAIN = (
    b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
    b"<sheetData>%b</sheetData>%b</worksheet>"
)
# Hundreds of thousands of elements; the lines that count them are seen elsewhere, and so is what
# refuses too many.
COUNTLESS = pytest.mark.no_cover
HEAD = ["Roll No.", "Name", "Email", "Department", "Course", "Year"]


def workbook(
    *rows: Sequence[object], change: Callable[[Workbook, Worksheet], None] | None = None
) -> bytes:
    """The bytes of a workbook with these rows; `change(book, sheet)` has the last word."""
    book = Workbook()
    sheet = book.active
    for row in rows:
        sheet.append(row)
    if change:
        change(book, sheet)
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def repacked(data: bytes, **parts: str | bytes) -> bytes:
    """The workbook with parts of the archive replaced or added; __ stands for /."""
    target = io.BytesIO()
    changes = {name.replace("__", "/") + ".xml": content for name, content in parts.items()}
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(target, "w", 8) as new:
        for part in old.infolist():
            if part.filename not in changes:
                new.writestr(part, old.read(part))
        for name, content in changes.items():
            new.writestr(name, content)
    return target.getvalue()


def told(data: bytes) -> list[tuple[str, str]]:
    return [(v.kind, v.sentence) for v in judge(data).verdicts]


def refusal(data: bytes) -> str:
    with pytest.raises(FileRefused) as refused:
        judge(data)
    return refused.value.code


PLAIN = workbook(HEAD, ["CH001", "Asha Rao", "asha@college.edu", "Chem", "UG", 2])


def test_a_plain_list_is_read() -> None:
    report = judge(PLAIN)
    assert [v.student for v in report.verdicts] == [
        Student("CH001", "Asha Rao", "asha@college.edu", "Chem", "UG", "2")
    ]
    assert report.notes == ()


@pytest.mark.parametrize(
    ("value", "roll"), [(123, "123"), (123.0, "123"), (12.5, "12.5"), ("00123", "00123")]
)
def test_numbers_are_read_as_a_person_reads_them(value: float | str, roll: str) -> None:
    assert sure(judge(workbook(HEAD, [value, "Asha"])).verdicts[0].student).roll_number == roll


def test_zeros_that_a_format_shows_are_kept() -> None:
    def show_zeros(book: Workbook, sheet: Worksheet) -> None:
        sheet["A2"].number_format = "000000"

    data = workbook(HEAD, [123, "Asha"], change=show_zeros)
    assert sure(judge(data).verdicts[0].student).roll_number == "000123"


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        (20212345678901200,
         "Row 2: the roll number “20212345678901200” has more than 15 digits, of which Excel "
         "keeps only the first; format the column as text and type the number again."),
        ("2.02E+16",
         "Row 2: the roll number “2.02E+16” has been shortened by Excel, its last digits are "
         "lost; format the column as text and type the number again."),
        (datetime(2019, 7, 4),  # noqa: DTZ001  Excel knows no zones
         "Row 2: the roll number “2019-07-04 00:00:00” has been made a date by Excel; format the "
         "cell as text and type it anew."),
        (date(2019, 7, 4),
         "Row 2: the roll number “2019-07-04 00:00:00” has been made a date by Excel; format the "
         "cell as text and type it anew."),
        ("=B2&1",
         "Row 2: the roll number “=B2&1” is a formula; paste its value in its place."),
        ("#N/A",
         "Row 2: the roll number “#N/A” is an error of Excel; type the value again."),
    ],
)  # fmt: skip
def test_what_excel_has_done_to_a_cell_is_said(
    value: int | str | date | datetime, sentence: str
) -> None:
    assert told(workbook(HEAD, [value, "Asha"])) == [("faulty", sentence)]


def test_a_date_in_a_column_that_is_not_read_does_no_harm() -> None:
    data = workbook([*HEAD, "Born"], ["1", "Asha", None, None, None, None, date(2002, 1, 1)])
    assert told(data) == [("new", "Row 2: Asha is new.")]


def test_hidden_sheets_are_left_out_with_a_note() -> None:
    def hide(book: Workbook, sheet: Worksheet) -> None:
        old = book.create_sheet("Old")
        old.append(HEAD)
        old.append(["9", "Old student"])
        old.sheet_state = "hidden"

    report = judge(workbook(HEAD, ["1", "Asha"], change=hide))
    assert [sure(v.student).name for v in report.verdicts] == ["Asha"]
    assert tuple(map(note, report.notes)) == ("The hidden sheet “Old” was left out.",)


def test_of_several_sheets_the_one_with_the_headings_counts_and_two_are_too_many() -> None:
    def add(book: Workbook, sheet: Worksheet) -> None:
        book.create_sheet("Notes", 0).append(["Ask the office", "for the rest"])

    assert [kind for kind, _ in told(workbook(HEAD, ["1", "Asha"], change=add))] == ["new"]

    def add_another(book: Workbook, sheet: Worksheet) -> None:
        sheet.title = "UG"
        book.create_sheet("PG").append(HEAD)

    with pytest.raises(FileRefused, match="The sheets “UG” and “PG” all look like lists"):
        judge(workbook(HEAD, ["1", "Asha"], change=add_another))


def test_merged_cells_and_hidden_rows_are_noted() -> None:
    def merge(book: Workbook, sheet: Worksheet) -> None:
        sheet.merge_cells("D2:D3")
        sheet.row_dimensions[3].hidden = True

    data = workbook(HEAD, ["1", "Asha", None, "Chem"], ["2", "Ben"], change=merge)
    report = judge(data)
    assert [sure(v.student).department for v in report.verdicts] == ["Chem", ""]
    assert tuple(map(note, report.notes)) == (
        "Merged cells (D2:D3) count in their first cell alone; the others are empty.",
        "Hidden rows are read like the others.",
    )


def test_a_title_above_the_headings_and_empty_rows_are_passed_over() -> None:
    data = workbook(["Students of 2026"], [], HEAD, [], ["1", "Asha"], [None, " "])
    assert told(data) == [("new", "Row 5: Asha is new.")]


# -- refused -----------------------------------------------------------------------------------


def test_macros_are_refused() -> None:
    target = io.BytesIO(PLAIN)
    with zipfile.ZipFile(target, "a") as archive:
        archive.writestr("xl/vbaProject.bin", b"\xd0\xcf")
    assert refusal(target.getvalue()) == "macros"


def test_other_archives_are_refused() -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
    assert refusal(target.getvalue()) == "other-format"


# Shares, not positions: a workbook's length changes with the minute at which it is written,
# and every worker must collect the same tests.
@pytest.mark.parametrize("share", [0.01, 0.5, 0.99])
def test_a_torn_file_is_refused(share: float) -> None:
    assert refusal(PLAIN[: int(len(PLAIN) * share)]) == "damaged"


def test_a_workbook_that_asks_for_a_zip_format_of_the_future_is_refused() -> None:
    broken = bytearray(PLAIN)
    broken[broken.rfind(b"PK\x01\x02") + 6] = 235  # the version needed to unpack, 23.5
    assert refusal(bytes(broken)) == "damaged"


def test_a_directory_that_points_before_the_file_is_refused() -> None:
    broken = bytearray(PLAIN)
    broken[broken.rfind(b"PK\x01\x02") + 45] = 0xFF  # the offset of the part's content
    assert refusal(bytes(broken)) == "damaged"


def test_a_number_that_is_none_is_refused() -> None:
    sheet = MAIN % (b'<row><c t="n"><v>one</v></c></row>', b"")
    assert refusal(repacked(PLAIN, xl__worksheets__sheet1=sheet)) == "damaged"


def test_a_changed_byte_is_refused_or_read_but_never_raises_anything_else() -> None:
    for position in range(0, len(PLAIN), 37):
        broken = bytearray(PLAIN)
        broken[position] ^= 0xFF
        try:
            judge(bytes(broken))
        except FileRefused as refused:
            assert refused.code  # noqa: PT017


@contextlib.contextmanager
def little_work(*, unpacked: int = 5_000_000, memory: int = 150_000_000) -> Iterator[None]:
    """Fails where more bytes are unpacked or held than that: a clock would measure the machine."""
    pieces: list[int] = []
    read = zipfile.ZipExtFile.read

    def counted(part: zipfile.ZipExtFile, n: int | None = -1) -> bytes:
        piece = read(part, n)
        pieces.append(len(piece))
        return piece

    tracemalloc.start()
    try:
        with patch.object(zipfile.ZipExtFile, "read", counted):
            yield
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert sum(pieces) < unpacked
    assert peak < memory


def quickly_refused(data: bytes, code: str) -> None:
    """Refused with the code, with little work, before openpyxl sees any of it."""
    with patch("tournament.eligibility.workbooks.load_workbook") as parser, little_work():
        assert refusal(data) == code
    parser.assert_not_called()


def test_a_zip_bomb_is_refused_before_it_is_unpacked() -> None:
    bomb = repacked(PLAIN, xl__worksheets__sheet9=b" " * 70_000_000)
    assert len(bomb) < 200_000
    quickly_refused(bomb, "too-big")


def test_a_million_rows_are_refused_before_they_are_parsed() -> None:
    rows = b"<row><c><v>1</v></c></row>" * 1_000_000
    quickly_refused(
        repacked(PLAIN, xl__worksheets__sheet1=b"<x>" + rows + b"</x>"), "too-many-rows"
    )


@COUNTLESS
def test_too_many_cells_are_refused_before_they_are_parsed() -> None:
    rows = b"<row>" + b"<c/>" * 500_000 + b"</row>"
    quickly_refused(repacked(PLAIN, xl__worksheets__sheet1=b"<x>" + rows + b"</x>"), "too-big")


def test_fifty_megabytes_are_refused() -> None:
    quickly_refused(b"PK\x03\x04" + b"x" * 50_000_000, "too-big")


def test_one_cell_in_the_far_corner_is_refused() -> None:
    def far(book: Workbook, sheet: Worksheet) -> None:
        sheet["XFD1048576"] = "x"

    with little_work():
        assert refusal(workbook(HEAD, ["1", "Asha"], change=far)) == "too-many-rows"


def with_ranges(after: str = "", comment: str = "") -> bytes:
    """A list of two whose sheet declares these ranges after its rows."""

    def comments(book: Workbook, sheet: Worksheet) -> None:
        if comment:
            sheet["A1"].comment = Comment("Ask the office.", "Office")

    data = workbook(HEAD, ["1", "Asha", "a@b.in", "Chem"], ["2", "Ben"], change=comments)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        sheet = archive.read("xl/worksheets/sheet1.xml").replace(b"</sheetData>", (
            "</sheetData>" + after).encode())  # fmt: skip
        parts = {"xl__worksheets__sheet1": sheet}
        if comment:
            texts = archive.read("xl/comments/comment1.xml")
            parts["xl__comments__comment1"] = texts.replace(b'"A1"', f'"{comment}"'.encode())
    return repacked(data, **parts)


def merged(*refs: str) -> str:
    cells = "".join(f'<mergeCell ref="{ref}"/>' for ref in refs)
    return f"<mergeCells>{cells}</mergeCells>"


@pytest.mark.parametrize(
    "ranges",
    [
        {"after": merged("E1:E1048576")},
        {"after": merged("E1&#58;XFD1048576")},
        {"after": merged("XFD2:XFD1048576")},
        {"after": '<hyperlinks><hyperlink ref="E1:G300000" location="A1"/></hyperlinks>'},
        {"after": '<hyperlinks><hyperlink ref="A1:XFD1048576" location="A1"/></hyperlinks>'},
        {"comment": "A1:XFD1048576"},
    ],
)
def test_ranges_over_a_million_rows_cost_nothing(ranges: dict[str, str]) -> None:
    data = with_ranges(**ranges)
    with little_work(memory=3_000_000):
        report = judge(data)
    assert [sure(v.student).name for v in report.verdicts] == ["Asha", "Ben"]
    assert [sure(v.student).department for v in report.verdicts] == ["Chem", ""]


def test_too_many_merged_cells_are_refused_with_what_to_do() -> None:
    rows = b"".join(b'<row r="%d"><c><v>1</v></c></row>' % n for n in range(1, 2_001))
    cells = merged(*[f"A{n}:A2000" for n in range(1, 111)]).encode()
    with pytest.raises(FileRefused) as refused:
        judge(repacked(PLAIN, xl__worksheets__sheet1=MAIN % (rows, cells)))
    assert str(refused.value) == (
        "More than 200000 cells of the workbook are merged. Select the whole sheet, unmerge its "
        "cells, and save it again."
    )


def test_what_lies_hidden_under_merged_cells_is_not_read() -> None:
    data = with_ranges(merged("B2:D2"))
    report = judge(data)
    assert report.verdicts[0].student == Student("1", "Asha")
    assert tuple(map(note, report.notes)) == (
        "Merged cells (B2:D2) count in their first cell alone; the others are empty.",
    )


@pytest.mark.parametrize("ref", ["B2:B1048576", "$B$2:$B$9"])
def test_a_column_that_is_merged_as_a_whole_is_read_with_a_note(ref: str) -> None:
    assert [kind for kind, _ in told(with_ranges(merged(ref)))] == ["new", "faulty"]


@COUNTLESS
def test_cells_are_counted_in_every_encoding() -> None:
    sheet = MAIN % (b"<row>" + b"<c/>" * 250_000 + b"</row>", b"")
    quickly_refused(repacked(PLAIN, xl__worksheets__sheet1=sheet.decode().encode("utf-16")),
                    "too-big")  # fmt: skip


@COUNTLESS
def test_a_sheet_elsewhere_in_the_archive_is_counted_too() -> None:
    sheet = MAIN % (b"<row>" + b"<c/>" * 250_000 + b"</row>", b"")
    quickly_refused(repacked(PLAIN, lists__one=sheet), "too-big")


@COUNTLESS
def test_a_great_number_of_merged_ranges_is_refused_before_it_is_parsed() -> None:
    cells = merged(*["A1"] * 250_000).encode()
    quickly_refused(repacked(PLAIN, xl__worksheets__sheet1=MAIN % (b"", cells)), "too-big")


@pytest.mark.parametrize(
    "content",
    [
        b'<x a="' + b"x" * 30_000_000 + b'"/>',
        b"<!--" + b"x" * 30_000_000 + b"-->",
    ],
)
def test_a_tag_without_an_end_is_refused_before_it_is_parsed_again_and_again(
    content: bytes,
) -> None:
    quickly_refused(repacked(PLAIN, xl__worksheets__sheet1=MAIN % (b"", content)), "too-big")


def test_ranges_of_rules_are_counted_too() -> None:
    rules = (b'<dataValidation sqref="' + b"A1 " * 30_000 + b'"/>') * 10
    quickly_refused(repacked(PLAIN, xl__worksheets__sheet1=MAIN % (b"", rules)), "too-big")


def test_a_workbook_with_all_that_excel_can_add_is_read() -> None:
    def add(book: Workbook, sheet: Worksheet) -> None:
        sheet.auto_filter.ref, sheet.print_title_rows = "A1:F3", "1:1"
        sheet.print_area, sheet.freeze_panes = "A1:F3", "A2"
        sheet["A2"].comment = Comment("Ask the office.", "Office")
        sheet["C2"].hyperlink = "mailto:asha@college.edu"
        choice = DataValidation(type="list", formula1='"UG,PG"')
        choice.add("E2:E1048576")
        sheet.add_data_validation(choice)
        sheet.add_table(Table(displayName="Students", ref="A1:F2"))
        sheet.add_chart(BarChart(), "H1")
        book.create_chartsheet("Chart").add_chart(BarChart())

    row = ["CH001", "Asha Rao", "asha@college.edu", "Chem", "UG", 2]
    assert judge(workbook(HEAD, row, change=add)).verdicts == judge(PLAIN).verdicts


def test_rows_out_of_order_are_refused_with_their_numbers() -> None:
    rows = b'<row r="2"><c><v>1</v></c></row><row r="1"><c><v>1</v></c></row>'
    with pytest.raises(FileRefused, match="Row 1 of the workbook stands after row 2"):
        judge(repacked(PLAIN, xl__worksheets__sheet1=MAIN % (rows, b"")))


@pytest.mark.parametrize("size", ["A1:B2", "A1:XFD1048576"])
def test_what_a_sheet_says_of_its_own_size_is_not_believed(size: str) -> None:
    with zipfile.ZipFile(io.BytesIO(PLAIN)) as archive:
        sheet = archive.read("xl/worksheets/sheet1.xml").decode()
    wrong = re.sub(r'<dimension ref="[^"]*"', f'<dimension ref="{size}"', sheet)
    assert wrong != sheet
    data = repacked(PLAIN, xl__worksheets__sheet1=wrong.encode())
    assert judge(data).verdicts == judge(PLAIN).verdicts


@pytest.mark.parametrize(
    "entities",
    [
        '<!ENTITY x SYSTEM "file:///etc/hostname">',
        '<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;"><!ENTITY x "&b;&b;&b;&b;&b;">',
    ],
)
@pytest.mark.parametrize("part", ["xl__worksheets__sheet1", "xl__styles", "xl__workbook"])
def test_entities_are_refused(entities: str, part: str) -> None:
    name = part.replace("__", "/") + ".xml"
    with zipfile.ZipFile(io.BytesIO(PLAIN)) as archive:
        content = archive.read(name).decode()
    content = content[content.index("?>") + 2 :] if content.startswith("<?xml") else content
    evil = f"<?xml version='1.0'?><!DOCTYPE x [{entities}]>{content}"
    with little_work():
        assert refusal(repacked(PLAIN, **{part: evil.encode()})) == "entities"


def test_the_helper_changes_only_what_it_names() -> None:
    assert load_workbook(io.BytesIO(repacked(PLAIN))).active["B2"].value == "Asha Rao"
