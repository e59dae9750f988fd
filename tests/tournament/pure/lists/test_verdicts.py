"""Tests of reports on lists, and of storing them."""

import json
from collections.abc import Iterable

import pytest

from tournament.pure.lists import ListedStudent, RefusedFileError, judge
from tournament.pure.lists.sheets import FileNote
from tournament.pure.lists.verdicts import (
    ListReport,
    StoredReport,
    Verdict,
    VerdictKind,
)

ASHA = ListedStudent("007", "Asha Rao", "asha@b.in", "Chem", "UG", "2")
BEN = ListedStudent("CH2", "Ben")
ZOE = ListedStudent("CH9", "Zoe", "zoe@b.in")
HEADER = "Roll,Name,Email,Department,Course,Year\n"
# Rows of each kind. Their order differs from the order in which they are stored.
LIST_FILE = (
    HEADER + "CH2,Ben,,,,\n"  # row 2: unchanged
    "CH5,Eva,eva@b.in,,,\n"  # row 3: new
    ",Nobody,,,,\n"  # row 4: faulty
    "CH5,Eve,eva@b.in,,,\n"  # row 5: a duplicate of row 3
    "007,Asha Rao,asha@b.in,Chem,UG,3\n"  # row 6: changed
    "123.0,Dev,,,,\n"  # row 7: new, with a restored cell
)


def judge_list_file(existing: Iterable[ListedStudent] = (ASHA, BEN, ZOE)) -> ListReport:
    return judge(LIST_FILE.encode("cp1252") + "CH7,Zoë,,,,\n".encode("cp1252"), existing)


def store_and_reload(list_report: ListReport) -> StoredReport:
    """Return the report after a round trip through JSON."""
    report = StoredReport.from_json(
        json.loads(json.dumps(StoredReport.from_report(list_report).to_json()))
    )
    assert report is not None
    return report


def test_stored_rows_are_sorted_by_kind() -> None:
    rows = [Verdict.from_json(row) for row in store_and_reload(judge_list_file()).rows]
    assert [(each.kind, each.row) for each in rows] == [
        (VerdictKind.FAULTY, 4),
        (VerdictKind.DUPLICATE, 5),
        (VerdictKind.CHANGED, 6),
        (VerdictKind.NEW, 3),
        (VerdictKind.NEW, 7),
        (VerdictKind.NEW, 8),
        (VerdictKind.SAME, 2),
    ]


def test_restored_verdicts_have_the_same_sentences() -> None:
    found = judge_list_file()
    rows = {each.row: each for each in map(Verdict.from_json, store_and_reload(found).rows)}
    assert list(found.verdicts) == [rows[each.row] for each in found.verdicts]
    assert [rows[number].sentence for number in range(2, 9)] == [
        "Row 2: Ben is already on the list.",
        "Row 3: Eva is new.",
        "Row 4: the roll number is missing.",
        "Row 5 has the same roll number as row 3 (CH5) but a different name, so it is left out.",
        "Row 6: Asha Rao: year “3” instead of “2”.",
        "Row 7: Dev is new. The roll number “123.0” was read as 123.",
        "Row 8: Zoë is new.",
    ]


def test_new_and_changed_students_are_written_in_the_order_of_the_file() -> None:
    assert store_and_reload(judge_list_file()).students_to_write() == [
        ListedStudent("CH5", "Eva", "eva@b.in"),
        ListedStudent("007", "Asha Rao", "asha@b.in", "Chem", "UG", "3"),
        ListedStudent("123", "Dev"),
        ListedStudent("CH7", "Zoë"),
    ]


def test_notes_and_counts_are_stored() -> None:
    found = store_and_reload(judge_list_file())
    assert found.notes == (FileNote("not-utf-8", "Windows-1252"),)
    assert found.texts == [
        "The file is not in UTF-8; it was read as Windows-1252. Check names with accents."
    ]
    # Zoe is not in the file; Ben, Dev and Zoë have no address.
    assert (found.absent, found.without_address) == (1, 3)


@pytest.mark.parametrize("stored", [{}, {"version": 0}, {"version": 1, "rows": []}])
def test_report_of_another_version_is_not_restored(stored: dict[str, object]) -> None:
    assert StoredReport.from_json(stored) is None


def test_rows_of_each_kind_are_counted() -> None:
    assert judge_list_file().counts == {
        "faulty": 1,
        "duplicate": 1,
        "changed": 1,
        "new": 3,
        "same": 1,
    }
    assert judge(HEADER.encode()).counts == dict.fromkeys(VerdictKind, 0)


def test_report_has_the_headings_of_the_columns() -> None:
    found = judge(b"Sl,Enrolment No,Student Name ,Remark\n1,CH5,Eva,\n")
    assert found.columns == {"roll_number": "Enrolment No", "name": "Student Name"}


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        (
            "Roll,Name,Email,E-mail ID",
            "“Email” and “E-mail ID” could each be the email address column",
        ),
        ("Roll No,USN,PRN,Name", "“Roll No”, “USN” and “PRN” could each be the roll number column"),
    ],
)
def test_message_names_all_columns_with_the_same_meaning(heading: str, expected: str) -> None:
    with pytest.raises(RefusedFileError) as refused:
        judge(f"{heading}\n1,2,3,4\n".encode())
    assert refused.value.code == "columns-twice"
    assert str(refused.value) == f"{expected}. Rename or delete all but one."


@pytest.mark.parametrize(("lines_above", "is_found"), [(9, True), (30, True), (31, False)])
def test_headings_are_found_below_at_most_thirty_lines(lines_above: int, *, is_found: bool) -> None:
    data = ("Students of 2026\n" * lines_above + "Roll,Name\n1,Asha\n").encode()
    if is_found:
        assert [verdict.row for verdict in judge(data).verdicts] == [lines_above + 2]
    else:
        with pytest.raises(RefusedFileError, match="The first line must name the columns"):
            judge(data)


@pytest.mark.parametrize(
    ("column", "limit"),
    [("roll_number", 40), ("name", 120), ("department", 120), ("programme", 60), ("year", 20)],
)
def test_text_of_the_maximum_length_is_accepted(column: str, limit: int) -> None:
    texts = {"roll_number": "1", "name": "A", "email": "", "department": "", "programme": "",
             "year": ""}  # fmt: skip
    codes = []
    for length in (limit, limit + 1):
        row = ",".join((texts | {column: "x" * length}).values())
        codes.append(judge((HEADER + row).encode()).verdicts[0].code)
    assert codes == ["new", "too-long"]


@pytest.mark.parametrize(
    ("rolls", "codes"),
    [
        (("0", "00"), ["new", "number-but-zeros"]),
        (("7", "07", "007"), ["new", "number-but-zeros", "number-but-zeros"]),
        (("10", "1", "100"), ["new", "new", "new"]),
        (("CH-1", "CH–1"), ["new", "number-again"]),
    ],
)
def test_roll_numbers_that_differ_only_in_zeros_or_dashes_are_duplicates(
    rolls: tuple[str, ...], codes: list[str]
) -> None:
    rows = "".join(f"{roll},Asha\n" for roll in rolls)
    assert [each.code for each in judge(f"Roll,Name\n{rows}".encode()).verdicts] == codes
