"""Tests of student lists in the formats that organizers upload."""

import csv
import io
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.typed import sure
from tournament.pure.lists import ListedStudent, RefusedFileError, judge
from tournament.pure.lists.sentences import describe_note

HEADER = "Roll No.,Name,Email,Department,Course,Year\n"
ASHA = ListedStudent("CH001", "Asha Rao", "asha@college.edu", "Chemical Engineering", "UG", "2")
BEN = ListedStudent("CH002", "Ben Das", "ben@college.edu", "Chemical Engineering", "UG", "3")
LIST = [ASHA, BEN]
LIST_TEXT = (
    HEADER + "CH001,Asha Rao,asha@college.edu,Chemical Engineering,UG,2\n"
    "CH002,Ben Das,ben@college.edu,Chemical Engineering,UG,3\n"
)


def list_students(
    data: bytes, existing: Iterable[ListedStudent] = ()
) -> list[ListedStudent | None]:
    return [v.student for v in judge(data, existing).verdicts]


def list_verdicts(data: bytes, existing: Iterable[ListedStudent] = ()) -> list[tuple[str, str]]:
    return [(v.kind, v.sentence) for v in judge(data, existing).verdicts]


def make_list(*lines: str) -> bytes:
    return (HEADER + "\n".join(lines)).encode()


# -- reading text files ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        LIST_TEXT.encode(),
        LIST_TEXT.encode("utf-8-sig"),
        LIST_TEXT.encode("utf-16"),
        b"\xfe\xff" + LIST_TEXT.encode("utf-16-be"),
        LIST_TEXT.encode("utf-16-le"),
        LIST_TEXT.encode("utf-16-be"),
        LIST_TEXT.encode("utf-32"),
        LIST_TEXT.replace(",", ";").encode(),
        LIST_TEXT.replace(",", "\t").encode(),
        LIST_TEXT.replace(",", "|").encode(),
        LIST_TEXT.replace("\n", "\r\n").encode(),
        LIST_TEXT.replace("\n", "\r").encode(),
        LIST_TEXT.replace("\n", "\n\n , ,\n").encode(),
        ("sep=;\n" + LIST_TEXT.replace(",", ";")).encode(),
        ("Chemical Engineering students,,,,,\n\n" + LIST_TEXT).encode(),
        LIST_TEXT.replace("CH001", '="CH001"')
        .replace("Asha Rao", " Asha\u200b  Rao\u202e ")
        .encode(),
        LIST_TEXT.replace("Ben Das", '"Ben\nDas"').encode(),
        LIST_TEXT.replace("asha@", "MAILTO:Asha@").encode(),
    ],
)
def test_all_variants_of_a_text_file_give_the_same_list(data: bytes) -> None:
    assert list_students(data) == LIST


@pytest.mark.parametrize(
    "heading",
    [
        "Roll No.,Name,Email,Department,Course,Year",
        "ROLL NUMBER,STUDENT NAME,E-MAIL ID,DEPT.,PROGRAMME,YEAR OF STUDY",
        "Enrolment No,Full Name,Mail,Branch,Degree,Batch",
        "Reg. No.,Name of the Student,College Email,Discipline,UG/PG,Sem",
        '"Roll\nNo",Name, email address ,department,program,yr',
    ],
)
def test_usual_headings_are_recognized(heading: str) -> None:
    assert list_students((heading + "\n" + LIST_TEXT.partition("\n")[2]).encode()) == LIST


def test_columns_may_be_in_any_order_and_unknown_ones_are_ignored() -> None:
    data = b"Sl,E-mail,Phone,Name,Roll\n1,asha@college.edu,98,Asha Rao,CH001\n"
    report = judge(data)
    assert [v.student for v in report.verdicts] == [ListedStudent("CH001", "Asha Rao", ASHA.email)]
    assert report.columns == {"email": "E-mail", "name": "Name", "roll_number": "Roll"}


def test_windows_encoding_is_read_with_a_note() -> None:
    report = judge("Roll,Name\n1,Zoë Núñez\n".encode("cp1252"))
    assert sure(report.verdicts[0].student).name == "Zoë Núñez"
    assert tuple(map(describe_note, report.notes)) == (
        "The file is not in UTF-8; it was read as Windows-1252. Check names with accents.",
    )


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty"),
        (b" \n\r\n\x00", "empty"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "old-excel"),
        (b"%PDF-1.7 ...", "other-format"),
        (b"\x89PNG\r\n", "other-format"),
        (b"<html><table><tr><td>Roll", "other-format"),
        (b"\xef\xbb\xbf<?xml version='1.0'?>", "other-format"),
        (b"PK\x05\x06" + b"\0" * 18, "other-format"),
        (b"Roll,Name\n1,\xff\x81", "encoding"),
        (b"\xff\xfeR\x00o", "encoding"),
        (b'Roll,Name\n1,"Asha\n2,Ben\n', "quotes"),
        (b'Roll,Name\n1,"As"ha\n', "quotes"),
        (b"1,Asha\n2,Ben\n", "no-columns"),
        (b"Roll,Email\n1,a@b.in\n", "no-columns"),
        (b"Roll,Name,Email,E-mail ID\n", "columns-twice"),
        (b"Roll,Name\n" + b"1,Asha\n" * 20_001, "too-many-rows"),
        (b"Roll,Name" + b"," * 60 + b"\n", "too-wide"),
        (b"Roll,Name\n" + b"x" * 5_000_000, "too-big"),
        (b"Roll,Name\n1," + b"x" * 200_000, "too-big"),
    ],
)
def test_file_that_cannot_be_a_list_is_refused(data: bytes, code: str) -> None:
    with pytest.raises(RefusedFileError) as refused:
        judge(data)
    assert refused.value.code == code
    assert str(refused.value).endswith((".", "?"))


def test_refusal_message_explains_how_to_correct_the_file() -> None:
    with pytest.raises(RefusedFileError) as refused:
        judge(b"Sl,Student\n1,Asha\n")
    assert str(refused.value) == (
        "The first line must name the columns, including one for the roll number and "
        "one for the name, for example: Roll No., Name, Email, Department, Course, "
        "Year. Found: “Sl”, “Student”."
    )
    with pytest.raises(RefusedFileError, match="Row 3: the quotation marks don’t match"):
        judge(b'Roll,Name\n1,Asha\n2,"Ben\n')


# -- faulty rows -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        (",Asha,,,,", "Row 2: the roll number is missing."),
        ("1", "Row 2: the name is missing."),
        ("1,\u200b,,,,", "Row 2: the name is missing."),
        ("1,Asha,asha@,,,",
         "Row 2: “asha@” is not an email address; it should look like name@college.edu."),
        ("1,Asha,a@b.in c@d.in,,,",
         "Row 2: “a@b.in c@d.in” is not an email address; it should look like "
"name@college.edu."),
        ("2.02E+16,Asha,,,,",
         "Row 2: the roll number “2.02E+16” was shortened by Excel, so its last digits "
"are lost; format the column as text and type the number again."),
        ("=A1+1,Asha,,,,",
         "Row 2: the roll number “=A1+1” is a formula; enter its value instead."),
        ("1,As\x00ha,,,,",
         "Row 2: the name “As ha” contains a NUL character, which is not text; type the "
"value again."),
        ("1,Asha,,,,,extra",
         "Row 2: there are more cells than columns (“extra” has no column); if a cell "
"contains the separator, put that cell in quotation marks."),
        ("--,Asha,,,,", "Row 2: “--” is not a roll number: it has no letters or digits."),
        ("1,…,,,,", "Row 2: “…” is not a name: it has no letters."),
        (f"1,{'a' * 121},,,,",
         f"Row 2: the name “{'a' * 39}…” is longer than 120 characters."),
    ],
)  # fmt: skip
def test_faulty_row_is_described(row: str, sentence: str) -> None:
    assert list_verdicts(make_list(row)) == [("faulty", sentence)]


def test_doubtful_cell_in_an_unused_column_is_ignored() -> None:
    assert list_verdicts(b"Roll,Name,Remark\n1,Asha,=A1\n")[0][0] == "new"


@pytest.mark.parametrize("roll", ["21E045", "19E1234", "20e12", "1E+5", "2.02E16", "12E+16"])
def test_roll_number_with_an_e_is_accepted(roll: str) -> None:
    [verdict] = judge(f"Roll,Name\n{roll},Asha\n".encode()).verdicts
    assert (verdict.kind, verdict.student) == ("new", ListedStudent(roll, "Asha"))


@pytest.mark.parametrize("roll", ["2.02E+16", "2,02E+16", "2E+16", "2.02e+100"])
def test_scientific_notation_is_refused_as_a_roll_number(roll: str) -> None:
    [(kind, sentence)] = list_verdicts(f"Roll;Name\n{roll};Asha\n".encode())
    assert (kind, "was shortened by Excel" in sentence) == ("faulty", True)


def test_decimal_point_is_dropped_from_a_whole_number_with_a_note() -> None:
    data = b"Roll,Name\n123.0,Asha\n124.0,Ben\n"
    assert list_students(data) == [ListedStudent("123", "Asha"), ListedStudent("124", "Ben")]
    assert list_verdicts(data, [ListedStudent("123", "Asha"), ListedStudent("124", "Dev")]) == [
        ("same", "Row 2: Asha is already on the list. The roll number “123.0” was read as 123."),
        ("changed", "Row 3: Ben: name “Ben” instead of “Dev”. The roll number “124.0” was read as "
                    "124."),
    ]  # fmt: skip
    assert list_verdicts(data)[0] == (
        "new", "Row 2: Asha is new. The roll number “123.0” was read as 123.")  # fmt: skip


# -- comparison with the list ------------------------------------------------------------------


def test_new_changed_and_unchanged_rows_are_distinguished() -> None:
    data = make_list(
        "ch 001,Asha Rao,asha@college.edu,Chemical Engineering,UG,3",
        "CH002,Ben Das,BEN@college.edu,Chemical  Engineering,UG,3",
        "CH003,Chen Li,chen@college.edu,,,",
    )
    report = judge(data, LIST)
    assert [(v.row, v.kind, v.sentence) for v in report.verdicts] == [
        (2, "changed", "Row 2: Asha Rao: roll number “ch 001” instead of “CH001”; "
                       "year “3” instead of “2”."),
        (3, "same", "Row 3: Ben Das is already on the list."),
        (4, "new", "Row 4: Chen Li is new."),
    ]  # fmt: skip
    assert report.verdicts[0].changes == (("roll_number", "CH001", "ch 001"), ("year", "2", "3"))
    assert report.counts == {"new": 1, "changed": 1, "same": 1, "duplicate": 0, "faulty": 0}


def test_columns_missing_from_the_file_are_left_unchanged() -> None:
    report = judge(b"Roll,Name\nCH001,Asha R. Rao\n", LIST)
    assert report.verdicts[0].changes == (("name", "Asha Rao", "Asha R. Rao"),)
    assert sure(report.verdicts[0].student).email == "asha@college.edu"
    assert report.absent == (BEN,)


def test_empty_cell_does_not_remove_a_listed_address() -> None:
    report = judge(
        make_list("CH001,Asha Rao,,Chemical Engineering,UG,2", "CH002,Ben Das,,,UG,3"), LIST
    )
    assert [(v.kind, sure(v.student).email) for v in report.verdicts] == [
        ("same", "asha@college.edu"), ("changed", "ben@college.edu")]  # fmt: skip
    assert report.verdicts[1].changes == (("department", "Chemical Engineering", ""),)


@pytest.mark.parametrize("first", [0, 1])
def test_address_kept_by_an_empty_cell_is_refused_for_another_student(first: int) -> None:
    keeps, claims = "CH001,Asha Rao,,,,", "CH005,Eva,asha@college.edu,,,"
    rows = [claims, keeps] if first else [keeps, claims]
    kinds = dict(zip((row[:5] for row in rows), list_verdicts(make_list(*rows), LIST), strict=True))
    assert kinds["CH005"] == (
        "duplicate",
        f"Row {2 + rows.index(claims)}: on the list, the email address "
        "asha@college.edu belongs to Asha Rao (CH001).",
    )


def test_count_of_students_without_an_address_includes_listed_students() -> None:
    eva = ListedStudent("CH009", "Eva")
    assert judge(b"Roll,Name\n1,Asha\n2,Dev\n", [*LIST, eva]).without_address == 3
    assert judge(LIST_TEXT.encode(), LIST).without_address == 0
    assert judge(make_list(",Nobody,,,,"), LIST).without_address == 0


@pytest.mark.parametrize(
    ("rows", "sentence", "of_row"),
    [
        (("1,Asha,,,,", " 1 ,Asha,,,,"),
         "Row 3 has the same roll number as row 2 (1), so it is left out.", 2),
        (("ab1,Asha,,,,", "AB 1,Asha B,,,,"),
         "Row 3 has the same roll number as row 2 (AB 1) but a different name, so it is "
"left out.", 2),
        (("007,Asha,,,,", "7,Asha,,,,"),
         "Row 3: the roll number 7 differs from that of row 2 only in leading zeros, so "
"the row is left out.", 2),
        (("1,Asha,A@b.in,,,", "2,Ben,a@B.in,,,"),
         "Row 3 has the same email address as row 2 (a@b.in), so it is left out.", 2),
        (("5,Eva,,,,", "9,Ben,asha@college.edu,,,"),
         "Row 3: on the list, the email address asha@college.edu belongs to Asha Rao (CH001).",
         None),
        (("5,Eva,,,,", "00CH001,Ben,,,,"),
         "Row 3: the roll number 00CH001 differs from CH001 on the list only in leading "
"zeros. Write it as it is on the list.", None),
    ],
)  # fmt: skip
def test_duplicate_names_the_row_that_it_repeats(
    rows: tuple[str, str], sentence: str, of_row: int | None
) -> None:
    first, second = judge(make_list(*rows), LIST).verdicts
    assert first.kind == "new"
    assert (second.kind, second.sentence, second.of_row) == ("duplicate", sentence, of_row)


def test_two_students_may_swap_their_addresses() -> None:
    data = make_list("CH001,Asha Rao,ben@college.edu,Chemical Engineering,UG,2",
                "CH002,Ben Das,asha@college.edu,Chemical Engineering,UG,3")  # fmt: skip
    assert [kind for kind, _ in list_verdicts(data, LIST)] == ["changed", "changed"]


def test_address_stays_taken_if_the_row_of_its_owner_is_refused() -> None:
    zoe = ListedStudent("CH009", "Zoe", "zoe@college.edu")
    data = make_list("CH001,Asha Rao,zoe@college.edu,,,", "CH005,Eva,asha@college.edu,,,")
    assert [kind for kind, _ in list_verdicts(data, [*LIST, zoe])] == ["duplicate", "duplicate"]


texts = st.text(
    st.characters(codec="utf-8", exclude_characters="\x00", exclude_categories=["Cs"]), max_size=8
)


@given(st.lists(st.lists(texts, max_size=8), max_size=8), st.sampled_from(",;\t|"))
def test_arbitrary_cells_get_consistent_verdicts(rows: list[list[str]], mark: str) -> None:
    target = io.StringIO()
    writer = csv.writer(target, delimiter=mark, lineterminator="\r\n")
    writer.writerows([["Roll", "Name", "Email", "Dept", "Course", "Year"], *rows])
    report = judge(target.getvalue().encode(), LIST)
    assert sum(report.counts.values()) == len(report.verdicts) <= len(rows)
    written = [sure(v.student) for v in report.verdicts if v.kind in ("new", "changed", "same")]
    assert len({s.key.lstrip("0") for s in written}) == len(written)
    addresses = [s.email for s in [*written, *report.absent] if s.email]
    assert len(set(addresses)) == len(addresses)
    assert all(v.sentence.startswith(f"Row {v.row}") for v in report.verdicts)


def get_refusal(data: bytes) -> tuple[str, str] | None:
    """Return the code and sentence of a refusal, or None if the file is accepted."""
    try:
        judge(data)
    except RefusedFileError as refused:
        return refused.code, str(refused)
    return None


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused_with_a_message(data: bytes) -> None:
    refused = get_refusal(data)
    assert refused is None or all(refused)
