"""F35: uploaded lists that are designed to exhaust time or memory."""

import io
import time
import tracemalloc
import zipfile

import pytest

from tests.tournament.pure.lists.test_workbooks import (
    HEADER,
    PLAIN_WORKBOOK,
    WORKSHEET_TAG,
    make_workbook,
    repack_workbook,
)
from tournament.pure.lists import ListedStudent, RefusedFileError, judge
from tournament.pure.lists.sheets import MOST_SECONDS

# The limit, plus half a second for the work after the time is last checked.
MAX_SECONDS = MOST_SECONDS + 0.5
MAX_MEMORY = 100_000_000


def read_part(name: str) -> bytes:
    with zipfile.ZipFile(io.BytesIO(PLAIN_WORKBOOK)) as archive:
        return archive.read(name)


def make_sheet(rows: bytes, after: bytes = b"") -> bytes:
    return repack_workbook(PLAIN_WORKBOOK, xl__worksheets__sheet1=WORKSHEET_TAG % (rows, after))


def make_shared_text_workbook(cells: int, rows: int, letters: int) -> bytes:
    """Return a workbook whose cells all refer to one long shared text."""
    row = b"<row>" + b'<c t="s"><v>0</v></c>' * cells + b"</row>"
    head = b"".join(
        b'<c t="inlineStr"><is><t>%b</t></is></c>' % text.encode() for text in HEADER[:cells]
    )
    texts = b"<sst><si><t>" + b"x" * letters + b"</t></si></sst>"
    rels = read_part("xl/_rels/workbook.xml.rels").replace(
        b"</Relationships>",
        b'<Relationship Id="rIdX" Type="http://x/sharedStrings" Target="/xl/sharedStrings.xml"/>'
        b"</Relationships>",
    )
    data = make_sheet(b"<row>" + head + b"</row>" + row * rows)
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(target, "w", 8) as new:
        for part in old.namelist():
            if part not in ("xl/sharedStrings.xml", "xl/_rels/workbook.xml.rels"):
                new.writestr(part, old.read(part))
        new.writestr("xl/sharedStrings.xml", texts)
        new.writestr("xl/_rels/workbook.xml.rels", rels)
    return target.getvalue()


def make_styles(formats: int) -> bytes:
    codes = b"".join(b'<numFmt numFmtId="%d" formatCode="%b"/>' % (200 + n, b"0;" * 20_000)
                     for n in range(formats))  # fmt: skip
    return (b"<styleSheet><numFmts>" + codes + b"</numFmts><cellXfs>"
            + b"".join(b'<xf numFmtId="%d"/>' % (200 + n) for n in range(formats))
            + b"</cellXfs></styleSheet>")  # fmt: skip


def make_number_rows(count: int) -> bytes:
    cells = b"".join(b'<c s="%d"><v>12345</v></c>' % style for style in range(6))
    return (b"<row>" + cells + b"</row>") * count


def make_chained_lists(count: int) -> tuple[bytes, list[ListedStudent]]:
    """Return a list in which each row takes the next row's stored address, and the stored list."""
    known = [ListedStudent(f"R{n}", "Asha", f"a{n}@b.in") for n in range(count)]
    rows = [f"R{n},Asha,a{n + 1}@b.in" for n in range(count - 1)]
    return ("Roll,Name,Email\n" + "\n".join(rows)).encode(), known


HOSTILE_LISTS = {
    "one text of 25 MB in 190,000 cells": lambda: make_shared_text_workbook(6, 19_000, 25_000_000),
    "one row of three such cells": lambda: make_shared_text_workbook(3, 1, 25_000_000),
    "a million texts": lambda: repack_workbook(
        PLAIN_WORKBOOK, xl__sharedStrings=b"<sst>" + b"<si><t>a</t></si>" * 1_000_000 + b"</sst>"
    ),
    "inline texts of 30 MB": lambda: make_sheet(
        (b'<row><c t="inlineStr"><is><t>' + b"y" * 30_000 + b"</t></is></c></row>") * 1_000
    ),
    "a formula of 30 MB": lambda: make_sheet(
        b"<row><c><f>" + b"A" * 30_000_000 + b"</f></c></row>"
    ),
    "a number of 30 MB": lambda: make_sheet(b"<row><c><v>" + b"1" * 30_000_000 + b"</v></c></row>"),
    "nested elements": lambda: make_sheet(b"<x>" * 400_000 + b"</x>" * 400_000),
    "escapes without end": lambda: make_sheet(
        (b'<row><c t="inlineStr"><is><t>' + b"_x000D_" * 4_000 + b"</t></is></c></row>") * 1_000
    ),
    "formats of 40 kB": lambda: repack_workbook(
        PLAIN_WORKBOOK, xl__styles=make_styles(60),
        xl__worksheets__sheet1=WORKSHEET_TAG % (make_number_rows(19_000), b""),
    ),
    "many attributes": lambda: make_sheet(
        b"<row " + b" ".join(b'a%d="1"' % n for n in range(100_000)) + b"/>"
    ),
    "many names of elements": lambda: make_sheet(b"".join(b"<a%d/>" % n for n in range(1_000_000))),
    "a thousand sheets": lambda: repack_workbook(
        PLAIN_WORKBOOK, xl__workbook=read_part("xl/workbook.xml").replace(
            b"</sheets>", b'<sheet name="a" sheetId="1" r:id="rId1"/>' * 100_000 + b"</sheets>")
    ),
    "rows with marks": lambda: make_sheet(
        ("<row><c t='inlineStr'><is><t>" + "e" + "\u0335" * 299 + "</t></is></c></row>").encode()
        * 19_000
    ),
    "merged ranges": lambda: make_sheet(
        b"<row><c><v>1</v></c></row>" * 100,
        b"<mergeCells>" + b'<mergeCell ref="A1:BH20000"/>' * 100_000 + b"</mergeCells>",
    ),
    "a CSV cell of 4.9 MB": lambda: b"Roll,Name\n1," + b"x" * 4_900_000,
    "a CSV of quoted cells of 130 kB": lambda: (
        b"Roll,Name\n" + (b'1,"' + b"x" * 130_000 + b'"\n') * 35
    ),
    "a CSV of one million columns": lambda: b"Roll,Name\n" + b"," * 4_900_000,
    "a CSV of headings": lambda: b"Roll,Name\n" * 450_000,
    "a CSV of long names": lambda: (
        b"Roll,Name\n"
        + b"".join(b"%d,%b\n" % (n, "\u0930\u093e".encode() * 45) for n in range(18_000))
    ),
    "a CSV of quotation marks": lambda: b'"' * 4_900_000,
    "a CSV in no encoding": lambda: b"Roll,Name\n" + b"1,\xe9\xff\x81\n" * 19_000,
    "a CSV of line ends": lambda: b"\r" * 4_999_999,
    "a first line of 5 MB": lambda: b"sep=" * 1_200_000,
}  # fmt: skip


@pytest.mark.parametrize("kind", HOSTILE_LISTS)
def test_hostile_file_is_cheap_to_process_or_refused_with_a_reason(kind: str) -> None:
    data = HOSTILE_LISTS[kind]()
    began = time.thread_time()
    try:
        judge(data)
    except RefusedFileError as refused:
        assert str(refused).endswith((".", "?"))  # noqa: PT017
    assert time.thread_time() - began < MAX_SECONDS


@pytest.mark.parametrize("kind", HOSTILE_LISTS)
def test_hostile_file_uses_little_memory(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # Measuring memory slows processing down, so the time limit is raised.
    monkeypatch.setattr("tournament.pure.lists.sheets.MOST_SECONDS", 60)
    data = HOSTILE_LISTS[kind]()
    tracemalloc.start()
    try:
        judge(data)
    except RefusedFileError as refused:
        assert refused.code  # noqa: PT017
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < MAX_MEMORY


def test_long_chain_of_exchanged_addresses_is_refused_in_time() -> None:
    data, known = make_chained_lists(15_000)
    began = time.thread_time()
    with pytest.raises(RefusedFileError, match="takes too long"):
        judge(data, known)
    assert time.thread_time() - began < MAX_SECONDS + 0.5


def test_oversized_cell_is_refused_with_its_row() -> None:
    [verdict] = judge(make_workbook(HEADER, ["1", "Asha " * 5_000])).verdicts
    assert verdict.sentence.startswith("Row 2: the name “Asha Asha")
    assert verdict.sentence.endswith("…” is longer than 120 characters.")
