"""The organizer's list of eligible students: read a file, judge every row, compare, explain.

Nothing is stored here. `judge` says of each row whether it is new, changed, the same, a duplicate
or faulty, and why, so that an import can be looked at before it is applied.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from games.rules.text import _
from tournament.pure.lists.columns import COLUMNS, known_column
from tournament.pure.lists.files import read_sheets
from tournament.pure.lists.sheets import (
    FileCode,
    ListLine,
    ListSheet,
    RefusedFileError,
)
from tournament.pure.lists.texts import is_email, normalise_email, whole_number
from tournament.pure.lists.verdicts import (
    ACCEPTED,
    Fault,
    ListedStudent,
    ListReport,
    Verdict,
    VerdictKind,
)
from tournament.pure.texts import clean_text, printable
from tournament.pure.words import join_words

REQUIRED = [name for name, column in COLUMNS.items() if column.required]
# Not translated, because headings are recognized in this form whatever the reader's language.
EXAMPLE = "Roll No., Name, Email, Department, Course, Year"


@dataclass(frozen=True)
class _Row:
    """A row that could be read. `cell`: its roll number as it stands, where it was read anew."""

    number: int
    student: ListedStudent
    cell: str = ""


def _count_known_columns(cells: Sequence[str]) -> int:
    return len({known_column(cell) for cell in cells} - {None})


@dataclass
class _List:
    """The sheet that holds the list: where its columns are and where its rows begin."""

    sheet: ListSheet
    at: dict[str, int]
    headings: dict[str, str]
    body: list[ListLine] = field(default_factory=list)
    width: int = 0


def _find_list(sheets: Sequence[ListSheet]) -> _List:
    found = [each for sheet in sheets if (each := _find_header(sheet))]
    if len(found) > 1:
        titles = join_words([f"“{each.sheet.title}”" for each in found])
        text = _("Several sheets look like lists: {titles}. Keep only one of them.")
        raise RefusedFileError(FileCode.SHEETS, text.format(titles=titles))
    if found:
        return found[0]
    first = next((line.cells for s in sheets for line in s.lines if any(line.cells)), [])
    seen = ", ".join(f"“{printable(c)}”" for c in first[:8] if c.strip()) or _("nothing")
    text = _(
        "The first line must name the columns, including one for the roll number and "
        "one for the name, for example: {example}. Found: {seen}."
    )
    raise RefusedFileError(FileCode.NO_COLUMNS, text.format(example=EXAMPLE, seen=seen))


def _find_header(sheet: ListSheet) -> _List | None:
    """Find the header row, which may follow a title, within the first ten rows."""
    for position, line in enumerate(sheet.lines[:10]):
        columns = [known_column(cell) for cell in line.cells]
        if set(REQUIRED) <= set(columns):
            _refuse_twice(line, columns)
            at = {name: column for column, name in enumerate(columns) if name}
            headings = {name: line.cells[column].strip() for name, column in at.items()}
            body = [each for each in sheet.lines[position + 1 :] if any(map(str.strip, each.cells))]
            return _List(sheet, at, headings, body, len(line.cells))
    return None


def _refuse_twice(line: ListLine, columns: Sequence[str | None]) -> None:
    for name, times in Counter(columns).items():
        if name and times > 1:
            same = [printable(c) for c, n in zip(line.cells, columns, strict=True) if n == name]
            text = _("{headings} could each be the {column} column. Rename or delete all but one.")
            headings = join_words([f"“{heading}”" for heading in same])
            told = text.format(headings=headings, column=_(COLUMNS[name].title))
            raise RefusedFileError(FileCode.COLUMNS_TWICE, told)


# -- judging -----------------------------------------------------------------------------------


def judge(data: bytes, existing: Iterable[ListedStudent] = ()) -> ListReport:
    """Judge a file's rows against the list as it is. Raises RefusedFileError for the whole file."""
    found = _find_list(read_sheets(data, _count_known_columns))
    known = {student.key: student for student in existing}
    rows = [_read_row(found, line) for line in found.body]
    verdicts = _compare(rows, known, found.at)
    named = {v.student.key for v in verdicts if v.student}
    absent = tuple(student for key, student in known.items() if key not in named)
    return ListReport(tuple(verdicts), tuple(found.sheet.notes), found.headings, absent)


def _make_faulty_verdict(
    row: int, fault: Fault, student: ListedStudent | None = None, who: str = ""
) -> Verdict:
    return Verdict(row, VerdictKind.FAULTY, student, fault.code, fault.given, who=who)


def _describe_person(found: _List, line: ListLine) -> str:
    cells = [
        line.cells[found.at[name]]
        for name in ("name", "roll_number")
        if found.at[name] < len(line.cells)
    ]
    return " ".join(printable(clean_text(cell)) for cell in cells if cell.strip())


def _read_row(found: _List, line: ListLine) -> _Row | Verdict:
    """Return the row's student, or a verdict if the row cannot be used."""
    if unread := _find_unreadable_fault(found, line):
        return _make_faulty_verdict(line.number, unread, who=_describe_person(found, line))
    read = _make_student(found.at, line.cells)
    student = replace(read, roll_number=whole_number(read.roll_number))
    if wrong := fault(student):
        return _make_faulty_verdict(line.number, wrong, student)
    cell = read.roll_number if read != student else ""
    return _Row(line.number, student, cell)


def _find_unreadable_fault(found: _List, line: ListLine) -> Fault | None:
    """Why it is not known what the row says; None for most."""
    for name, column in found.at.items():
        if doubt := line.doubts.get(column):
            return Fault(doubt, {"column": name, "cell": printable(line.cells[column])})
    extra = [cell for cell in line.cells[found.width :] if cell.strip()]
    return Fault("more-cells", {"cell": printable(extra[0])}) if extra else None


def _make_student(at: dict[str, int], cells: Sequence[str]) -> ListedStudent:
    texts = {
        name: clean_text(cells[column]) if column < len(cells) else ""
        for name, column in at.items()
    }
    texts["email"] = normalise_email(texts.get("email", ""))
    return ListedStudent(**texts)


def fault(student: ListedStudent) -> Fault | None:
    """Return the fault of a readable line, None if it can be listed."""
    return _find_length_fault(student) or _find_content_fault(student)


def _find_length_fault(student: ListedStudent) -> Fault | None:
    for name in REQUIRED:
        if not getattr(student, name):
            return Fault("missing", {"column": name})
    for name, column in COLUMNS.items():
        if len(text := getattr(student, name)) > column.limit:
            given = {"column": name, "cell": printable(text), "limit": str(column.limit)}
            return Fault("too-long", given)
    return None


def _find_content_fault(student: ListedStudent) -> Fault | None:
    # Exactly what Excel writes: 21E045 is a roll number of the electrical engineers.
    if re.fullmatch(r"\d([.,]\d+)?E\+\d{2,}", student.roll_number, re.IGNORECASE):
        return Fault("shortened", {"cell": student.roll_number})
    if not any(c.isalnum() for c in student.roll_number):
        return Fault("no-roll-number", {"cell": printable(student.roll_number)})
    if not any(c.isalnum() for c in student.name):
        return Fault("no-name", {"cell": printable(student.name)})
    if student.email and not is_email(student.email):
        return Fault("no-address", {"cell": printable(student.email)})
    return None


def _compare(
    rows: Sequence[_Row | Verdict], known: Mapping[str, ListedStudent], columns: Collection[str]
) -> list[Verdict]:
    """Settle all rows. An address that a student of the list gives up in this file is free.

    Whether it does is known only when its row is settled: repeat until nothing more is refused.
    """
    sound = [row.student for row in rows if isinstance(row, _Row)]
    renewed = {student.key for student in sound if student.email}
    while True:
        desk = _Desk(known, columns, renewed)
        settled = [desk.settle(row) if isinstance(row, _Row) else row for row in rows]
        written = {v.student.key for v in settled if v.student and v.kind in ACCEPTED}
        if renewed <= written:
            return settled
        renewed &= written


class _Desk:
    """Settles sound rows one after the other; remembers what earlier rows have claimed."""

    def __init__(
        self, known: Mapping[str, ListedStudent], columns: Collection[str], renewed: Collection[str]
    ) -> None:
        self.known = known
        self.columns = columns
        self.taken = {s.email: s for key, s in known.items() if s.email and key not in renewed}
        self.without_zeros = {key.lstrip("0"): s for key, s in known.items()}
        self.rows: dict[tuple[str, str], Verdict] = {}

    def settle(self, row: _Row) -> Verdict:
        """Return the verdict on a readable row."""
        student = row.student
        clash = self._find_duplicate(row.number, student) or self._find_listed_clash(
            row.number, student
        )
        if clash:
            return clash
        settled = replace(self._compare_with_list(row.number, student), read_from=row.cell)
        for claim in self._list_claims(student):
            self.rows[claim] = settled
        return settled

    def _list_claims(self, student: ListedStudent) -> list[tuple[str, str]]:
        claims = [("roll", student.key.lstrip("0"))]
        return [*claims, ("email", student.email)] if student.email else claims

    def _find_duplicate(self, row: int, student: ListedStudent) -> Verdict | None:
        """Return the verdict on a duplicate of an earlier row in the file, or None."""
        for claim, value in self._list_claims(student):
            before = self.rows.get((claim, value))
            if before and before.student:
                code, given = self._describe_clash(claim, student, before.student)
                return Verdict(row, VerdictKind.DUPLICATE, student, code, given, of_row=before.row)
        return None

    def _describe_clash(
        self, claim: str, student: ListedStudent, other: ListedStudent
    ) -> tuple[str, dict[str, str]]:
        """Code and filling of the sentence about what is there already."""
        if claim == "email":
            return "address-again", {}
        if student.key != other.key:
            return "number-but-zeros", {}
        differing = [
            name
            for name in self.columns
            if name != "roll_number" and getattr(student, name) != getattr(other, name)
        ]
        if differing:
            return "number-again-but", {"columns": " ".join(differing)}
        return "number-again", {}

    def _find_listed_clash(self, row: int, student: ListedStudent) -> Verdict | None:
        """Return the verdict on a clash with a listed student, None if there is none.

        A clash is the same address or almost the same number.
        """
        near = self.without_zeros.get(student.key.lstrip("0"))
        if near and student.key not in self.known:
            given = {"listed": near.roll_number}
            return Verdict(row, VerdictKind.DUPLICATE, student, "listed-but-zeros", given)
        owner = self.taken.get(student.email)
        if owner and owner.key != student.key:
            given = {"owner": owner.name, "listed": owner.roll_number}
            return Verdict(row, VerdictKind.DUPLICATE, student, "listed-address", given)
        return None

    def _compare_with_list(self, row: int, student: ListedStudent) -> Verdict:
        before = self.known.get(student.key)
        if before is None:
            return Verdict(row, VerdictKind.NEW, student, "new")
        given = {name: getattr(student, name) for name in self.columns}
        # An empty cell proves nothing; without an address anybody could be this student.
        given["email"] = student.email or before.email
        student = replace(before, **given)
        changes = tuple(
            (name, getattr(before, name), getattr(student, name))
            for name in COLUMNS
            if getattr(before, name) != getattr(student, name)
        )
        if not changes:
            return Verdict(row, VerdictKind.SAME, student, "same")
        return Verdict(row, VerdictKind.CHANGED, student, "changed", changes=changes)
