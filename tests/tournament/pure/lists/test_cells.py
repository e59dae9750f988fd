"""Tests of the many forms of cells and headings in real lists."""

import io
import zipfile
from collections.abc import Callable

import pytest
from openpyxl import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from tests.tournament.pure.lists.test_workbooks import HEADER, PLAIN_WORKBOOK, make_workbook
from tests.typed import sure
from tournament.pure.files.sheets import escape_formula, unescape_formula
from tournament.pure.lists import ListedStudent, judge
from tournament.pure.lists.headings import parse_heading
from tournament.pure.lists.number_formats import format_number
from tournament.pure.lists.sentences import describe_note


@pytest.mark.parametrize(
    ("value", "number_format", "expected"),
    [
        ("1", '"CHE-"000', ("CHE-001", "")), ("20210007", "0000-0000", ("2021-0007", "")),
        ("21.1", "0.00", ("21.10", "")), ("1234567", "#,##0", ("1,234,567", "")),
        ("-5", "0;(0)", ("(5)", "")), ("0.5", "0%", ("50%", "")),
        ("7", "[>5]0;0.0", ("7", "")), ("5", "[>5]0;0.0", ("5.0", "")), ("7", "", ("7", "")),
        ("5551234", "[<=9999999]###-####;(###) ###-####", ("555-1234", "")),
        ("2125551234", "[<=9999999]###-####;(###) ###-####", ("(212) 555-1234", "")),
        ("3", '[=1]"UG";[=2]"PG";"PhD "0', ("PhD 3", "")), ("2", '[=1]"UG";[=2]"PG";0', ("PG", "")),
        ("4", "[>5]0", ("4", "format")), ("-7", "[>5]0;0.0", ("-7", "format")),
        ("4", "[>5]0;0.0;0.00", ("4", "format")), ("0", "[<>0]0;\\-", ("-", "")),
        ("7", '"R-"@', ("7", "format")), ("-7", '"N"0;"T"@', ("-N7", "")),
        ("0", '0;-0;"T"@', ("0", "")),
        ("0", "0#", ("00", "")), ("5", "0#", ("05", "")), ("45", '00"/"000', ("00/045", "")),
        ("123456", "0.00E+00", ("123456", "format")), ("1.5", "[h]:mm:ss", ("1.5", "date")),
        ("1.5", "# ?/?", ("1.5", "format")), ("44000", "dd/mm/yyyy", ("44000", "date")),
        ("123456789", "000\\-00\\-0000", ("123-45-6789", "")), ("7", "@", ("7", "")),
        ("12345678.5", f"0.{'0' * 30}", (f"12345678.5{'0' * 29}", "")),
        ("5", f"0{'%' * 200}", (f"5{'0' * 400}{'%' * 200}", "")),
    ],
)  # fmt: skip
def test_number_is_formatted_as_in_a_spreadsheet(
    value: str, number_format: str, expected: tuple[str, str]
) -> None:
    assert format_number(value, number_format) == expected


def test_number_format_is_applied_to_a_roll_number() -> None:
    def change_number_format(book: Workbook, sheet: Worksheet) -> None:
        sheet["A2"].number_format = '"CHE-"000'

    [verdict] = judge(make_workbook(HEADER, [1, "Asha"], change=change_number_format)).verdicts
    assert sure(verdict.student).roll_number == "CHE-001"


@pytest.mark.parametrize(
    ("number_format", "shown"),
    [('"CHE-"@', "CHE-001"), ('0;-0;0;"T/"@', "T/001"), ("@", "001"), ("000", "001"),
     ('@" (new)"', "001 (new)"), (";;;", "001"), ("@@", "001001"), ('"A"0;"B"0', "001")],
)  # fmt: skip
def test_number_format_is_applied_to_a_text(number_format: str, shown: str) -> None:
    def set_number_format(book: Workbook, sheet: Worksheet) -> None:
        sheet["A2"].number_format = number_format

    [verdict] = judge(make_workbook(HEADER, ["001", "Asha"], change=set_number_format)).verdicts
    assert sure(verdict.student).roll_number == shown


def test_escaped_line_ends_are_replaced() -> None:
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
        ('"2021001,0",Asha,,', "The roll number “2021001,0” was read as 2021001."),
        ('1,Asha,,"2,00"', "The year “2,00” was read as 2."),
        ("'00123',Asha,,", "The roll number “'00123'” was read as 00123."),
        ('"“21001”",Asha,,', "The roll number ““21001”” was read as 21001."),
        ("1,Asha,Asha Sen <asha@c.edu>,", ""),
        ("1,Asha,asha@c.edu (college),",
         "The email address “asha@c.edu (college)” was read as asha@c.edu."),
        ("1,Asha,anonymous,", "The email address “anonymous” was left out."),
        ("1,Asha,No email,", "The email address “No email” was left out."),
        ("1,Asha,N. A.,", "The email address “N. A.” was left out."),
        ("1,Asha,***,", "The email address “***” was left out."),
        ("1,Asha,not given yet,", "The email address “not given yet” was left out."),
        ("1,Asha,নেই,", "The email address “নেই” was left out."),
    ],
)  # fmt: skip
def test_restored_cell_is_reported(row: str, expected: str) -> None:
    [verdict] = judge(f"Roll,Name,Email,Year\n{row}\n".encode()).verdicts
    assert (verdict.kind, verdict.sentence.partition(" is new. ")[2]) == ("new", expected)


@pytest.mark.parametrize(
    "address", ["asha@", "asha", "asha.c.edu", "no.reply.c.edu", "a@c.edu / b@c.edu", "no@", "12"]
)
def test_mistyped_address_is_a_fault(address: str) -> None:
    [verdict] = judge(f"Roll,Name,Email\n1,Asha,{address}\n".encode()).verdicts
    assert (verdict.kind, verdict.code) == ("faulty", "no-address")


@pytest.mark.parametrize(
    ("parts", "name"),
    [
        (".,,Sukarno", "Sukarno"), ("-,,Madhavan", "Madhavan"), ("Ravi,NA,Kumar", "Ravi Kumar"),
        ("Ravi,.,.", "Ravi"), ("Asha,N/A,Sen", "Asha Sen"), ("Jennifer,,Null", "Jennifer Null"),
        ("Nil,null,Sen", "Nil Sen"), ("N.A.,,Khan", "N.A. Khan"),
        ("Minho,,Na", "Minho Na"), ("Na,,Minho", "Na Minho"), ("A.,P.,Kalam", "A. P. Kalam"),
        ("None,,", "None"), ("মোঃ,,রহিম", "মোঃ রহিম"),
    ],
)  # fmt: skip
def test_filler_in_a_part_of_a_name_is_left_out(parts: str, name: str) -> None:
    head = "Roll,First name,Middle name,Last name"
    [verdict] = judge(f"{head}\n1,{parts}\n".encode()).verdicts
    assert sure(verdict.student).name == name
    joined = " ".join(parts.replace(",", " ").split())
    assert ("was read as" in verdict.sentence) == (joined != name)


@pytest.mark.parametrize("name", ["21001", "(3)", "१२३", "12/07"])
def test_number_is_not_accepted_as_a_name(name: str) -> None:
    [verdict] = judge(f"Roll,Name\n1,{name}\n".encode()).verdicts
    assert (verdict.kind, verdict.code) == ("faulty", "no-name")


@pytest.mark.parametrize(
    "text", ["-", "'-", "''=x", "@lex Roy", "-12", "=1", "Asha", "'t Hooft", "\tx"]
)
def test_unescaped_cell_is_unchanged(text: str) -> None:
    assert unescape_formula(str(escape_formula(text))) == text


def test_repeated_headings_are_skipped_with_a_note() -> None:
    report = judge(b"Roll,Name\n1,Asha\nRoll,Name\n2,Ben\n")
    assert [verdict.row for verdict in report.verdicts] == [2, 4]
    assert [(note.code, note.what) for note in report.notes] == [("repeated-headings", "3")]


@pytest.mark.parametrize(
    "lines",
    [
        "Roll,Student,,Email\nNo.,First name,Last name,Address",
        "Roll No.,Name of the student,,Email\n,First name,Surname,",
        "Roll No.,Student details,,\n,First name,Last name,Email",
        "Roll No.,First name,Last name,Email\n(University),(in English),,(official)",
        "Notice,,,\nRoll No.,Name,,Email\n,First,Last,",
    ],
)
def test_headings_in_two_lines_are_joined(lines: str) -> None:
    first, second = judge(f"{lines}\n1,Asha,Sen,a@c.edu\nTwo,Mail,Das,b@c.edu\n".encode()).verdicts
    assert (first.student, sure(second.student).name) == (
        ListedStudent("1", "Asha Sen", "a@c.edu"),
        "Mail Das",
    )


@pytest.mark.parametrize(
    ("lines", "verdicts"),
    [
        ("Roll,Name\nRoll,Name\n1,Asha", [("new", "Asha")]),
        ("Roll No,Name\nअनुक्रमांक,नाम\n1,Asha", [("new", "Asha")]),
        ("Roll,Name\nCH,Asha\n2,Ben", [("new", "Asha"), ("new", "Ben")]),
        ("Roll,Name,Father's Name,\n,,First name,Last name\n1,Asha,Ram,Sen", [("new", "Asha")]),
        ("Sl,Roll,Name\n(1),(2),(3)\n1,CH,Asha", [("faulty", "(3)"), ("new", "Asha")]),
    ],
)
def test_line_below_the_headings_is_joined_to_them_only_if_it_contains_headings(
    lines: str, verdicts: list[tuple[str, str]]
) -> None:
    found = judge(lines.encode()).verdicts
    assert [(each.kind, sure(each.student).name) for each in found] == verdicts


@pytest.mark.parametrize(
    ("column", "notes"), [("B", ("Hidden columns are read like all others.",)), ("Z", ())]
)
def test_hidden_columns_are_read_with_a_note(column: str, notes: tuple[str, ...]) -> None:
    def hide_column(book: Workbook, sheet: Worksheet) -> None:
        sheet.column_dimensions[column].hidden = True

    report = judge(make_workbook(HEADER, ["1", "Asha"], change=hide_column))
    assert tuple(map(describe_note, report.notes)) == notes


JOINED = ["Roll No.;Name;Email", 'CH-1;"Sen; Asha";a@c.edu', "CH-2;Ben;b@c.edu"]


@pytest.mark.parametrize(
    "data",
    [
        "\n".join('"' + line.replace('"', '""') + '"' for line in JOINED).encode(),
        make_workbook(["Students, all of them"], *([line] for line in JOINED)),
    ],
    ids=["quoted lines", "workbook"],
)
def test_rows_in_a_single_cell_are_split_with_a_note(data: bytes) -> None:
    report = judge(data)
    assert [(s.roll_number, s.name, s.email) for v in report.verdicts if (s := v.student)] == [
        ("CH-1", "Sen; Asha", "a@c.edu"),
        ("CH-2", "Ben", "b@c.edu"),
    ]
    assert tuple(map(describe_note, report.notes)) == (
        "Each row was in a single cell, so it was split at “;”.",
    )


def test_script_of_digits_does_not_matter_in_roll_numbers() -> None:
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
        ("Sl. No.", None), ("Timestamp", None), ("College Name", None), ("Institute Name", None),
        ("Class Name", "programme"), ("Exam Name", None), ("Board", None),
        ("Name of the College", None), ("What is your full name?", "name"),
        ("What’s your name?", "name"),
        ("Type your roll number here", "roll_number"), ("Roll No of the student", "roll_number"),
        ("PRN No.", "roll_number"), ("ERP ID", "roll_number"), ("SAP ID", "roll_number"),
        ("Enr. No", "roll_number"), ("Reg #", "roll_number"), ("Surname, First name", "name"),
        ("First Name + Last Name", "name"), ("Name & Surname", "name"), ("Given Names", "first"),
        ("Applicant Name", "name"), ("विद्यार्थी का पूरा नाम", "name"), ("पंजीकरण सं.", "roll_number"),
        ("रोल न.", "roll_number"), ("ইমেইল অ্যাড্রেস", "email"), ("आपका नाम", "name"),
        ("আপনার নাম", "name"), ("পিতার নাম", None), ("पिता का नाम", None), ("माता का नाम", None),
        ("கடைசி பெயர்", "last"), ("பெயர்", "name"), ("பதிவு எண்", "roll_number"),
        ("மின்னஞ்சல்", "email"), ("పేరు", "name"), ("રોલ નંબર", "roll_number"), ("नाव", "name"),
        ("ಹೆಸರು", "name"), ("പേര്", "name"), ("ਨਾਮ", "name"), ("ନାମ", "name"), ("نام", "name"),
        ("رول نمبر", "roll_number"), ("Last Name, First Name and Father's Name", None),
        ("Program of study", "programme"), ("Specialisation", "department"),
    ],
)  # fmt: skip
def test_meaning_of_a_heading_is_recognized(heading: str, meaning: str | None) -> None:
    assert parse_heading(heading) == meaning


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
def test_workbook_with_unusual_part_names_or_schemas_is_read(
    rename: Callable[[str], str], change: Callable[[bytes], bytes]
) -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(PLAIN_WORKBOOK)) as old, zipfile.ZipFile(target, "w", 8) as new:
        for part in old.namelist():
            new.writestr(rename(part), change(old.read(part)))
    assert judge(target.getvalue()).verdicts == judge(PLAIN_WORKBOOK).verdicts
