"""Tests of the limits on workbooks, which protect the site from hostile files."""

import contextlib
import io
import re
import tracemalloc
import zipfile
from collections.abc import Iterator
from unittest.mock import patch

import pytest
from openpyxl import Workbook, load_workbook
from openpyxl.chart import BarChart
from openpyxl.comments import Comment
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.table import Table
from openpyxl.worksheet.worksheet import Worksheet

from tests.tournament.pure.lists.test_workbooks import (
    HEADER,
    PLAIN_WORKBOOK,
    WORKSHEET_TAG,
    get_refusal,
    list_verdicts,
    make_workbook,
    repack_workbook,
)
from tests.typed import sure
from tournament.pure.lists import ListedStudent, RefusedFileError, judge
from tournament.pure.lists.sentences import describe_note


@contextlib.contextmanager
def limit_work(*, unpacked: int = 5_000_000, memory: int = 150_000_000) -> Iterator[None]:
    """Check that the block unpacks and keeps in memory no more than these numbers of bytes.

    Time is not limited, because it depends on the machine.
    """
    pieces: list[int] = []
    read = zipfile.ZipExtFile.read

    def read_and_count(part: zipfile.ZipExtFile, n: int | None = -1) -> bytes:
        piece = read(part, n)
        pieces.append(len(piece))
        return piece

    tracemalloc.start()
    try:
        # Tracing makes reading several times slower, so the time limit of the reader is disabled.
        with (
            patch.object(zipfile.ZipExtFile, "read", read_and_count),
            patch("tournament.pure.lists.sheets.time.thread_time", return_value=0.0),
        ):
            yield
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert sum(pieces) < unpacked
    assert peak < memory


def expect_refusal(data: bytes, code: str) -> None:
    """Check that the file is refused with this code, after little work."""
    with limit_work():
        assert get_refusal(data) == code


def test_zip_bomb_is_refused_before_it_is_unpacked() -> None:
    bomb = repack_workbook(PLAIN_WORKBOOK, xl__worksheets__sheet9=b" " * 70_000_000)
    assert len(bomb) < 200_000
    expect_refusal(bomb, "too-big")


def test_million_rows_are_refused_before_parsing() -> None:
    rows = b"<row><c><v>1</v></c></row>" * 1_000_000
    expect_refusal(
        repack_workbook(PLAIN_WORKBOOK, xl__worksheets__sheet1=b"<x>" + rows + b"</x>"),
        "too-many-rows",
    )


@pytest.mark.slow
@pytest.mark.patient
def test_too_many_cells_are_refused_before_parsing() -> None:
    rows = b"<row>" + b"<c/>" * 500_000 + b"</row>"
    expect_refusal(
        repack_workbook(PLAIN_WORKBOOK, xl__worksheets__sheet1=b"<x>" + rows + b"</x>"), "too-big"
    )


def test_file_of_fifty_megabytes_is_refused() -> None:
    expect_refusal(b"PK\x03\x04" + b"x" * 50_000_000, "too-big")


def test_cell_in_the_last_row_and_column_is_refused() -> None:
    def fill_last_cell(book: Workbook, sheet: Worksheet) -> None:
        sheet["XFD1048576"] = "x"

    with limit_work():
        assert (
            get_refusal(make_workbook(HEADER, ["1", "Asha"], change=fill_last_cell))
            == "too-many-rows"
        )


def make_workbook_with_ranges(after: str = "", comment: str = "") -> bytes:
    """Return a workbook with two students and with these ranges.

    * `after`: XML to insert after the rows.
    * `comment`: the range of a comment.
    """

    def add_comment(book: Workbook, sheet: Worksheet) -> None:
        if comment:
            sheet["A1"].comment = Comment("Ask the office.", "Office")

    data = make_workbook(HEADER, ["1", "Asha", "a@b.in", "Chem"], ["2", "Ben"], change=add_comment)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        sheet = archive.read("xl/worksheets/sheet1.xml").replace(b"</sheetData>", (
            "</sheetData>" + after).encode())  # fmt: skip
        parts = {"xl__worksheets__sheet1": sheet}
        if comment:
            texts = archive.read("xl/comments/comment1.xml")
            parts["xl__comments__comment1"] = texts.replace(b'"A1"', f'"{comment}"'.encode())
    return repack_workbook(data, **parts)


def make_merge_cells(*refs: str) -> str:
    cells = "".join(f'<mergeCell ref="{ref}"/>' for ref in refs)
    return f"<mergeCells>{cells}</mergeCells>"


@pytest.mark.parametrize(
    "ranges",
    [
        {"after": make_merge_cells("E1:E1048576")},
        {"after": make_merge_cells("E1&#58;XFD1048576")},
        {"after": make_merge_cells("XFD2:XFD1048576")},
        {"after": '<hyperlinks><hyperlink ref="E1:G300000" location="A1"/></hyperlinks>'},
        {"after": '<hyperlinks><hyperlink ref="A1:XFD1048576" location="A1"/></hyperlinks>'},
        {"comment": "A1:XFD1048576"},
    ],
)
def test_ranges_over_a_million_rows_need_little_memory(ranges: dict[str, str]) -> None:
    data = make_workbook_with_ranges(**ranges)
    with limit_work(memory=3_000_000):
        report = judge(data)
    assert [sure(v.student).name for v in report.verdicts] == ["Asha", "Ben"]
    assert [sure(v.student).department for v in report.verdicts] == ["Chem", ""]


def test_too_many_merged_cells_are_refused_with_advice() -> None:
    rows = b"".join(b'<row r="%d"><c><v>1</v></c></row>' % n for n in range(1, 2_001))
    cells = make_merge_cells(*[f"A{n}:A2000" for n in range(1, 111)]).encode()
    with pytest.raises(RefusedFileError) as refused:
        judge(repack_workbook(PLAIN_WORKBOOK, xl__worksheets__sheet1=WORKSHEET_TAG % (rows, cells)))
    assert str(refused.value) == (
        "More than 200000 cells of the workbook are merged. Select the whole sheet, unmerge its "
        "cells, and save it again."
    )


def test_cells_hidden_under_merged_cells_are_not_read() -> None:
    data = make_workbook_with_ranges(make_merge_cells("B2:D2"))
    report = judge(data)
    assert report.verdicts[0].student == ListedStudent("1", "Asha")
    assert tuple(map(describe_note, report.notes)) == (
        "In merged cells (B2:D2), only the first cell counts; the others are read as empty.",
    )


@pytest.mark.parametrize("ref", ["B2:B1048576", "$B$2:$B$9"])
def test_names_are_missing_below_a_merged_cell(ref: str) -> None:
    assert [
        kind for kind, _ in list_verdicts(make_workbook_with_ranges(make_merge_cells(ref)))
    ] == [
        "new",
        "faulty",
    ]


@pytest.mark.slow
@pytest.mark.patient
def test_cells_are_counted_in_a_sheet_in_utf_16() -> None:
    sheet = WORKSHEET_TAG % (b"<row>" + b"<c/>" * 250_000 + b"</row>", b"")
    data = repack_workbook(PLAIN_WORKBOOK, xl__worksheets__sheet1=sheet.decode().encode("utf-16"))
    expect_refusal(data, "too-big")


def test_unneeded_part_of_a_workbook_is_not_unpacked() -> None:
    sheet = WORKSHEET_TAG % (b"<row>" + b"<c/>" * 250_000 + b"</row>", b"")
    with limit_work(memory=3_000_000):
        assert (
            judge(repack_workbook(PLAIN_WORKBOOK, lists__one=sheet)).verdicts
            == judge(PLAIN_WORKBOOK).verdicts
        )


@pytest.mark.slow
@pytest.mark.patient
def test_too_many_merged_ranges_are_refused_before_parsing() -> None:
    cells = make_merge_cells(*["A1"] * 250_000).encode()
    expect_refusal(
        repack_workbook(PLAIN_WORKBOOK, xl__worksheets__sheet1=WORKSHEET_TAG % (b"", cells)),
        "too-big",
    )


@pytest.mark.parametrize(
    "content",
    [
        b'<x a="' + b"x" * 30_000_000 + b'"/>',
        b"<!--" + b"x" * 30_000_000 + b"-->",
    ],
)
def test_overlong_tag_or_comment_is_refused(
    content: bytes,
) -> None:
    expect_refusal(
        repack_workbook(PLAIN_WORKBOOK, xl__worksheets__sheet1=WORKSHEET_TAG % (b"", content)),
        "too-big",
    )


def test_too_many_sheets_are_refused() -> None:
    def add_sheets(book: Workbook, sheet: Worksheet) -> None:
        for number in range(100):
            book.create_sheet(f"Group {number}")

    expect_refusal(make_workbook(HEADER, [1, "Asha"], change=add_sheets), "too-big")


def test_deeply_nested_elements_are_refused() -> None:
    sheet = b"<x>" + b"<r>" * 2_000_000
    expect_refusal(repack_workbook(PLAIN_WORKBOOK, xl__worksheets__sheet1=sheet), "too-big")


def test_too_many_ranges_of_one_rule_are_refused() -> None:
    rules = (b'<dataValidation sqref="' + b"A1 " * 30_000 + b'"/>') * 10
    expect_refusal(
        repack_workbook(PLAIN_WORKBOOK, xl__worksheets__sheet1=WORKSHEET_TAG % (b"", rules)),
        "too-big",
    )


def test_workbook_with_charts_comments_and_tables_is_read() -> None:
    def add_features(book: Workbook, sheet: Worksheet) -> None:
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
    assert (
        judge(make_workbook(HEADER, row, change=add_features)).verdicts
        == judge(PLAIN_WORKBOOK).verdicts
    )


def test_out_of_order_rows_are_refused_with_their_numbers() -> None:
    rows = b'<row r="2"><c><v>1</v></c></row><row r="1"><c><v>1</v></c></row>'
    with pytest.raises(RefusedFileError, match="In the workbook, row 1 comes after row 2"):
        judge(repack_workbook(PLAIN_WORKBOOK, xl__worksheets__sheet1=WORKSHEET_TAG % (rows, b"")))


@pytest.mark.parametrize("size", ["A1:B2", "A1:XFD1048576"])
def test_declared_sheet_size_is_not_trusted(size: str) -> None:
    with zipfile.ZipFile(io.BytesIO(PLAIN_WORKBOOK)) as archive:
        sheet = archive.read("xl/worksheets/sheet1.xml").decode()
    wrong = re.sub(r'<dimension ref="[^"]*"', f'<dimension ref="{size}"', sheet)
    assert wrong != sheet
    data = repack_workbook(PLAIN_WORKBOOK, xl__worksheets__sheet1=wrong.encode())
    assert judge(data).verdicts == judge(PLAIN_WORKBOOK).verdicts


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
    with zipfile.ZipFile(io.BytesIO(PLAIN_WORKBOOK)) as archive:
        content = archive.read(name).decode()
    content = content[content.index("?>") + 2 :] if content.startswith("<?xml") else content
    evil = f"<?xml version='1.0'?><!DOCTYPE x [{entities}]>{content}"
    with limit_work():
        assert get_refusal(repack_workbook(PLAIN_WORKBOOK, **{part: evil.encode()})) == "entities"


def test_repacked_workbook_keeps_all_other_parts() -> None:
    assert (
        load_workbook(io.BytesIO(repack_workbook(PLAIN_WORKBOOK))).active["B2"].value == "Asha Rao"
    )
