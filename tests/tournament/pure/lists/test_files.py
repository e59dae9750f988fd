"""Tests of reading list files with any separator, quotation marks, encoding or line ends."""

import csv
import io
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import Workbook

from tournament.pure.files import FORMATS, Column
from tournament.pure.files import Sheet as Exported
from tournament.pure.lists import ListedStudent, RefusedFileError, judge
from tournament.pure.lists.files import read_sheets
from tournament.pure.lists.sheets import (
    MAX_BYTES,
    MAX_COLUMNS,
    MAX_ROWS,
    FileNote,
    ListLine,
    ListSheet,
)
from tournament.pure.texts import clean_text

HEADER = ["Roll No.", "Name", "Email", "Department", "Course", "Year"]


def count_known_columns(cells: Sequence[str]) -> int:
    return len({cell.strip().casefold() for cell in cells} & {"roll", "name"})


def read_sheet(data: bytes) -> ListSheet:
    [found] = read_sheets(data, count_known_columns)
    return found


def read_cells(data: bytes) -> list[list[str]]:
    return [line.cells for line in read_sheet(data).lines]


def get_refusal(read: Callable[[], object]) -> tuple[str, str]:
    with pytest.raises(RefusedFileError) as caught:
        read()
    return caught.value.code, str(caught.value)


def list_valid_students(data: bytes) -> list[ListedStudent]:
    return [v.student for v in judge(data).verdicts if v.student]


# -- arbitrary cell contents -------------------------------------------------------------------

# Characters that have a meaning in a file format, and letters of several scripts.
characters = st.sampled_from(
    [*",;\t|\"'= \n\r", *"azAZ09éßЖक漢🂡", "\u0301", "\u200b", "sep=", '""']
)
texts = st.lists(characters, max_size=8).map(lambda found: clean_text("x" + "".join(found)))
people = st.lists(st.tuples(texts, texts, texts), max_size=5).map(
    lambda rows: [
        ListedStudent(f"CH{number:03}", name, f"p{number}@b.in", department, programme)
        for number, (name, department, programme) in enumerate(rows)
    ]
)
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32")


def write_csv(students: Sequence[ListedStudent], mark: str, ends: str, quoting: int) -> str:
    out = io.StringIO()
    writer = csv.writer(out, delimiter=mark, lineterminator=ends, quoting=quoting)  # type: ignore[arg-type]
    writer.writerow(HEADER)
    writer.writerows(list(vars(student).values()) for student in students)
    return out.getvalue()


@given(
    people,
    st.sampled_from(",;\t|"),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    st.sampled_from(ENCODINGS),
)
def test_students_in_a_text_file_are_read_unchanged(
    students: list[ListedStudent], mark: str, ends: str, quoting: int, encoding: str
) -> None:
    assert (
        list_valid_students(write_csv(students, mark, ends, quoting).encode(encoding)) == students
    )


@settings(max_examples=15)
@given(people)
def test_students_in_a_workbook_are_read_unchanged(students: list[ListedStudent]) -> None:
    book = Workbook()
    page = book.active
    assert page is not None
    page.append(HEADER)
    for student in students:
        page.append(list(vars(student).values()))
    out = io.BytesIO()
    book.save(out)
    assert list_valid_students(out.getvalue()) == students


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_exported_list_can_be_imported(kind: str) -> None:
    students = [
        ListedStudent("007", "Zoë “Z” Núñez, Jr.", "zoe@b.in", "Chem; Eng", "UG", "2"),
        ListedStudent("CH-2", "কাজল", "kajal@b.in", "A|B", '"PG"', "1"),
    ]
    columns = [Column(name.casefold(), name) for name in HEADER]
    rows = [list(vars(student).values()) for student in students]
    out = io.BytesIO()
    FORMATS[kind].write(Exported("list", "Students", columns, iter(rows)), out)
    assert list_valid_students(out.getvalue()) == students


# -- splitting text ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Roll,Name\n1,a;b;c;d\n", [["Roll", "Name"], ["1", "a;b;c;d"]]),
        ("Roll;Name\n1;a,b,c,d\n", [["Roll", "Name"], ["1", "a,b,c,d"]]),
        ("Students, all of them, by name\nRoll;Name\n", [["Students, all of them, by name"],
                                                         ["Roll", "Name"]]),
        ("Notice, dear students\n" * 16 + "\n" * 16 + "Roll;Name\n",
         [*[["Notice, dear students"]] * 16, *[[]] * 16, ["Roll", "Name"]]),
        ("sep=|\nRoll|Name\n", [["Roll", "Name"]]),
        ("SEP=;\r\nRoll;Name\r\n", [["Roll", "Name"]]),
        ("sep=\t\nRoll\tName\n", [["Roll", "Name"]]),
        ("sep=.\nRoll.Name\n", [["Roll", "Name"]]),
        ("sep=;", [["sep=;"]]),  # without further lines, this is not a separator
        ("Roll,Name\n\n1,Asha", [["Roll", "Name"], [], ["1", "Asha"]]),
        ('Roll,Name\n1,"As""ha, R."\n', [["Roll", "Name"], ["1", 'As"ha, R.']]),
        ("a\tb\n", [["a\tb"]]),  # without a known column, the separator is a comma
    ],
)  # fmt: skip
def test_separator_that_yields_known_columns_is_chosen(
    text: str, expected: list[list[str]]
) -> None:
    assert read_cells(text.encode()) == expected


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("Roll,Name\n1,A\n2,B\n", [1, 2, 3]),
        ("sep=,\nRoll,Name\n1,A\n", [2, 3]),  # Excel counts the first line
        ('Roll,Name\n1,"A\nB"\n2,C\n', [1, 2, 3]),  # a row may span several lines
    ],
)
def test_rows_are_numbered_as_in_a_spreadsheet(text: str, numbers: list[int]) -> None:
    assert [line.number for line in read_sheet(text.encode()).lines] == numbers


@pytest.mark.parametrize(
    ("cell", "text", "doubt"),
    [
        ('="00123"', "00123", ""),
        (' ="00123" ', "00123", ""),
        ('=""', "", ""),
        ('="a"&"b"', '="a"&"b"', "text-formula"),
        ("=A1", "=A1", "text-formula"),
        ("  =A1", "  =A1", "text-formula"),
        ("a=b", "a=b", ""),
        ("+91 98", "+91 98", ""),
        ("a\x00b", "a\x00b", "nul"),
        ("=\x00", "=\x00", "nul"),
    ],
)
def test_formula_in_a_text_file_is_unwrapped_or_marked_as_doubtful(
    cell: str, text: str, doubt: str
) -> None:
    quoted = '"' + cell.replace('"', '""') + '"'
    [_head, line] = read_sheet(f"Roll,Name\n1,{quoted}\n".encode()).lines
    assert line == ListLine(2, ["1", text], {1: doubt} if doubt else {})


# -- encodings ---------------------------------------------------------------------------------


def test_only_a_file_in_another_encoding_than_utf_8_gets_a_note() -> None:
    text = "Roll,Name\n1,Zoë\n"
    assert read_sheet(text.encode()).notes == []
    assert read_sheet(text.encode("cp1252")) == ListSheet(
        "", read_sheet(text.encode()).lines, [FileNote("not-utf-8", "Windows-1252")]
    )


WIDE = {
    "Hindi": "अनुक्रमांक,नाम,ईमेल\n१०१,श्रीमती देवी,a@c.edu\n",
    "Bengali below": "Roll,Name\n" + "1,শ্রীকান্ত চট্টোপাধ্যায়\n" * 20,
    "Chinese": "学号,姓名\r\n1,王小明\r\n",
    "Greek": "Roll\tName\n1\tΠαπαδόπουλος Γεώργιος Κωνσταντίνου\n",
}


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("text", WIDE.values(), ids=WIDE)
def test_utf_16_without_a_byte_order_mark_is_recognized(text: str, encoding: str) -> None:
    assert read_sheet(text.encode(encoding)) == read_sheet(text.encode())


@pytest.mark.parametrize("row", [b"1,Asha\x00\n", b"1,Asha\x00\x00\n", b"1,A\x00\n22,Bo\x00\n"])
def test_text_with_nul_characters_is_not_decoded_as_utf_16(row: bytes) -> None:
    assert read_cells(b"Roll,Name\n" + row * 9)[0] == ["Roll", "Name"]


@pytest.mark.parametrize("end", [b"\x1a", b"\x1a\x00", b"\x00" * 7])
def test_padding_at_the_end_of_a_file_is_ignored(end: bytes) -> None:
    assert read_cells(b"Roll,Name\r\n1,Asha\r\n" + end) == [["Roll", "Name"], ["1", "Asha"]]


@pytest.mark.parametrize(
    ("name", "encoding", "shown"),
    [
        ("Їжак Олена", "koi8_u", "KOI8-U"), ("Иван Петров", "koi8_r", "KOI8-U"),
        ("Мария Иванова", "cp866", "DOS 866"),
        ("Иван Петров", "cp1251", "Windows-1251"), ("אברהם כהן", "cp1255", "Windows-1255"),
    ],
)  # fmt: skip
def test_encoding_of_another_script_is_detected(name: str, encoding: str, shown: str) -> None:
    found = read_sheet(f"Roll,Name\n1,{name}\n2,{name}\n".encode(encoding))
    assert (found.lines[1].cells[1], found.notes) == (name, [FileNote("not-utf-8", shown)])


def test_message_names_the_position_of_an_invalid_byte() -> None:
    data = b"Roll,Name\n1,\xff\x81"
    assert get_refusal(lambda: read_sheet(data)) == (
        "encoding",
        "The text can’t be read (byte 14 is not valid CP1252). Save the list as CSV "
        "UTF-8 or as .xlsx.",
    )


def test_file_with_a_truncated_last_character_is_refused() -> None:
    data = "Roll,Name\n1,Asha".encode("utf-16")
    assert get_refusal(lambda: read_sheet(data[:-1]))[0] == "encoding"


# -- limits ------------------------------------------------------------------------------------


def test_file_of_the_maximum_size_is_parsed() -> None:
    data = b"Roll,Name\n".ljust(MAX_BYTES, b"\n")
    assert get_refusal(lambda: read_sheet(data))[0] == "too-many-rows"  # the file was parsed
    assert get_refusal(lambda: read_sheet(data + b"\n")) == (
        "too-big",
        "The file is larger than 5 MB. Save only the list of students, without pictures, as CSV.",
    )


def test_row_with_the_maximum_number_of_columns_is_accepted() -> None:
    assert len(read_cells(b"," * (MAX_COLUMNS - 1))[0]) == MAX_COLUMNS
    assert get_refusal(lambda: read_sheet(b"a\n" + b"," * MAX_COLUMNS)) == (
        "too-wide",
        "Row 2 has 61 columns; the limit is 60. Delete the columns that the list does not need.",
    )


def test_maximum_number_of_rows_is_accepted() -> None:
    assert len(read_sheet(b"1\n" * MAX_ROWS).lines) == MAX_ROWS
    assert get_refusal(lambda: read_sheet(b"1\n" * (MAX_ROWS + 1))) == (
        "too-many-rows",
        "The list has more than 20000 rows. Delete the empty rows below the list, or import it in "
        "parts.",
    )


@pytest.mark.parametrize(
    ("start", "name"),
    [
        (b"%PDF-1.7", "a PDF"),
        (b"\x89PNG\r\n", "a picture"),
        (b"\xff\xd8\xff\xe0", "a picture"),
        (b"{\\rtf1", "a text document"),
        (b"<html>", "a web page or XML"),
        (b" \r\n\t<html>", "a web page or XML"),
        (b"\xef\xbb\xbf <?xml", "a web page or XML"),
        (b"\x1f\x8b\x08", "an archive"),
        (b"PK\x05\x06" + b"\0" * 18, "an empty archive"),
    ],
)
def test_message_names_an_unsupported_file_type(start: bytes, name: str) -> None:
    assert get_refusal(lambda: read_sheet(start)) == (
        "other-format",
        f"This is {name}, not a list. Save the list as .xlsx or CSV UTF-8.",
    )


def test_refusal_of_an_extremely_long_cell_names_its_row() -> None:
    data = f"Roll No.,Name\n1,{'a' * 200_000}\n".encode()
    assert get_refusal(lambda: read_sheet(data)) == (
        "too-big",
        "Row 2 contains a cell with more than 131,072 characters. Shorten or delete it.",
    )
