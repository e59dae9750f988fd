"""The organizer's list of eligible students: read a file, judge every row, compare, explain.

Nothing is stored here. `judge` says of each row whether it is new, changed, the same, a duplicate
or faulty, and why, so that an import can be looked at before it is applied.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tournament.eligibility.columns import (
    COLUMNS,
    LIMITS,
    REQUIRED,
    known_column,
)
from tournament.eligibility.files import read_sheets
from tournament.eligibility.sheets import FileRefused, Line, Sheet, printable
from tournament.eligibility.texts import (
    clean_text,
    email_fault,
    normalise_email,
    normalise_roll,
)


@dataclass(frozen=True)
class Student:
    """A line of the list; all texts, "" where the list says nothing."""

    roll_number: str
    name: str
    email: str = ""
    department: str = ""
    programme: str = ""
    year: str = ""

    @property
    def key(self) -> str:
        """The roll number as it is compared."""
        return normalise_roll(self.roll_number)


@dataclass(frozen=True)
class Verdict:
    """What a row comes to.

    `kind`: new, changed, same, duplicate or faulty; only new and changed rows are to be written.
    `changes`: (column, old, new). `of_row`: the earlier row that a duplicate repeats, None if it
    clashes with the list. `sentence` is complete: "Row 7: …". `who`: the name and roll number as
    they stand in a row that could not be read, to find it by.
    """

    row: int
    kind: str
    student: Student | None
    sentence: str
    changes: tuple[tuple[str, str, str], ...] = ()
    of_row: int | None = None
    who: str = ""


@dataclass(frozen=True)
class Report:
    """Every row's verdict in the file's order, notes on the file, and who is not in it.

    `columns`: the columns found, by the file's own heading. `absent`: students of the list whom
    the file does not name; an import does not remove them by itself.
    """

    verdicts: tuple[Verdict, ...]
    notes: tuple[str, ...]
    columns: dict[str, str]
    absent: tuple[Student, ...]

    @property
    def without_address(self) -> int:
        """How many students the list will have without an e-mail address."""
        listed = [v.student for v in self.verdicts if v.student and v.kind in _ACCEPTED]
        return sum(not student.email for student in (*listed, *self.absent))

    @property
    def counts(self) -> dict[str, int]:
        """How many rows of each kind: new, changed, same, duplicate, faulty."""
        found = Counter(verdict.kind for verdict in self.verdicts)
        return {kind: found[kind] for kind in ("new", "changed", "same", "duplicate", "faulty")}


def _columns_known(cells: Sequence[str]) -> int:
    return len({known_column(cell) for cell in cells} - {None})


@dataclass
class _List:
    """The sheet that holds the list: where its columns are and where its rows begin."""

    sheet: Sheet
    at: dict[str, int]
    headings: dict[str, str]
    body: list[Line] = field(default_factory=list)
    width: int = 0


def _find_list(sheets: Sequence[Sheet]) -> _List:
    found = [each for sheet in sheets if (each := _header(sheet))]
    if len(found) > 1:
        titles = " and ".join(f"“{each.sheet.title}”" for each in found)
        raise FileRefused("sheets", f"The sheets {titles} all look like lists: keep one of them.")
    if found:
        return found[0]
    first = next((line.cells for s in sheets for line in s.lines if any(line.cells)), [])
    seen = ", ".join(f"“{printable(c)}”" for c in first[:8] if c.strip()) or "nothing"
    raise FileRefused(
        "no-columns",
        "The first line must name the columns, with one for the roll number and one for the name, "
        f"for instance: Roll No., Name, Email, Department, Course, Year. Found: {seen}.",
    )


def _header(sheet: Sheet) -> _List | None:
    """The heading may stand below a title, within the first ten rows."""
    for position, line in enumerate(sheet.lines[:10]):
        columns = [known_column(cell) for cell in line.cells]
        if set(REQUIRED) <= set(columns):
            _refuse_twice(line, columns)
            at = {name: column for column, name in enumerate(columns) if name}
            headings = {name: line.cells[column].strip() for name, column in at.items()}
            body = [each for each in sheet.lines[position + 1 :] if any(map(str.strip, each.cells))]
            return _List(sheet, at, headings, body, len(line.cells))
    return None


def _refuse_twice(line: Line, columns: Sequence[str | None]) -> None:
    for name, times in Counter(columns).items():
        if name and times > 1:
            same = [printable(c) for c, n in zip(line.cells, columns, strict=True) if n == name]
            both = " and ".join(f"“{heading}”" for heading in same)
            raise FileRefused(
                "columns-twice",
                f"{both} could each be the {COLUMNS[name][0]}: rename or delete all but one.",
            )


# -- judging -----------------------------------------------------------------------------------


def judge(data: bytes, existing: Iterable[Student] = ()) -> Report:
    """Judge a file's rows against the list as it is. Raises FileRefused for the whole file."""
    found = _find_list(read_sheets(data, _columns_known))
    known = {student.key: student for student in existing}
    rows = [_read_row(found, line) for line in found.body]
    verdicts = _compare(rows, known, found.at)
    named = {v.student.key for v in verdicts if v.student}
    absent = tuple(student for key, student in known.items() if key not in named)
    return Report(tuple(verdicts), tuple(found.sheet.notes), found.headings, absent)


def _faulty(row: int, why: str, student: Student | None = None, who: str = "") -> Verdict:
    return Verdict(row, "faulty", student, f"Row {row}: {why}.", who=who)


def _who(found: _List, line: Line) -> str:
    cells = [
        line.cells[found.at[name]]
        for name in ("name", "roll_number")
        if found.at[name] < len(line.cells)
    ]
    return " ".join(printable(clean_text(cell)) for cell in cells if cell.strip())


def _read_row(found: _List, line: Line) -> Verdict:
    """The row's student as a "new" verdict with what is to be added, or what is wrong with it."""
    for name, column in found.at.items():
        if doubt := line.doubts.get(column):
            cell = printable(line.cells[column])
            why = f"the {COLUMNS[name][0]} “{cell}” {doubt}"
            return _faulty(line.number, why, who=_who(found, line))
    if extra := [cell for cell in line.cells[found.width :] if cell.strip()]:
        why = (
            f"has more cells than the heading (“{printable(extra[0])}” has no column); "
            "put a cell that holds the separator in quotation marks"
        )
        return _faulty(line.number, why, who=_who(found, line))
    read = _student(found.at, line.cells)
    student = replace(read, roll_number=_without_point(read.roll_number))
    why = fault(student)
    told = _told_apart(read.roll_number, student.roll_number)
    return _faulty(line.number, why, student) if why else Verdict(line.number, "new", student, told)


def _without_point(roll_number: str) -> str:
    """123.0 is what programs write for a number that once was a whole one."""
    return re.sub(r"^(\d+)\.0$", r"\1", roll_number)


def _told_apart(cell: str, roll_number: str) -> str:
    return f" The roll number “{cell}” was read as {roll_number}." if cell != roll_number else ""


def _student(at: dict[str, int], cells: Sequence[str]) -> Student:
    texts = {
        name: clean_text(cells[column]) if column < len(cells) else ""
        for name, column in at.items()
    }
    texts["email"] = normalise_email(texts.get("email", ""))
    return Student(**texts)


def fault(student: Student) -> str:
    """ "" or what is wrong with a row that could be read."""
    for name in REQUIRED:
        if not getattr(student, name):
            return f"the {COLUMNS[name][0]} is missing"
    for name, limit in LIMITS.items():
        if len(getattr(student, name)) > limit:
            text = printable(getattr(student, name))
            return f"the {COLUMNS[name][0]} “{text}” is longer than {limit} letters"
    # Exactly what Excel writes: 21E045 is a roll number of the electrical engineers.
    if re.fullmatch(r"\d([.,]\d+)?E\+\d{2,}", student.roll_number, re.IGNORECASE):
        return (
            f"the roll number “{student.roll_number}” has been shortened by Excel, its last digits "
            "are lost; format the column as text and type the number again"
        )
    if not any(c.isalnum() for c in student.roll_number):
        return f"“{printable(student.roll_number)}” is no roll number: it has no letter or digit"
    if not any(c.isalnum() for c in student.name):
        return f"“{printable(student.name)}” is no name: it has no letter"
    return email_fault(student.email) if student.email else ""


def _compare(
    rows: Sequence[Verdict], known: Mapping[str, Student], columns: Collection[str]
) -> list[Verdict]:
    """Settle all rows. An address that a student of the list gives up in this file is free.

    Whether it does is known only when its row is settled: repeat until nothing more is refused.
    """
    sound = [v.student for v in rows if v.student and v.kind == "new"]
    renewed = {student.key for student in sound if student.email}
    while True:
        desk = _Desk(known, columns, renewed)
        settled = [desk.settle(verdict) for verdict in rows]
        written = {v.student.key for v in settled if v.student and v.kind in _ACCEPTED}
        if renewed <= written:
            return settled
        renewed &= written


_ACCEPTED = ("new", "changed", "same")


class _Desk:
    """Settles sound rows one after the other; remembers what earlier rows have claimed."""

    def __init__(
        self, known: Mapping[str, Student], columns: Collection[str], renewed: Collection[str]
    ) -> None:
        self.known = known
        self.columns = columns
        self.taken = {s.email: s for key, s in known.items() if s.email and key not in renewed}
        self.without_zeros = {key.lstrip("0"): s for key, s in known.items()}
        self.rows: dict[tuple[str, str], Verdict] = {}

    def settle(self, verdict: Verdict) -> Verdict:
        """The verdict on a row that could be read; one that could not stays as it is."""
        student = verdict.student
        if verdict.kind != "new" or student is None:
            return verdict
        clash = self._earlier(verdict.row, student) or self._listed(verdict.row, student)
        if clash:
            return clash
        settled = self._against_list(verdict.row, student)
        settled = replace(settled, sentence=settled.sentence + verdict.sentence)
        for claim in self._claims(student):
            self.rows[claim] = settled
        return settled

    def _claims(self, student: Student) -> list[tuple[str, str]]:
        claims = [("roll", student.key.lstrip("0"))]
        return [*claims, ("email", student.email)] if student.email else claims

    def _earlier(self, row: int, student: Student) -> Verdict | None:
        """A duplicate of an earlier row of the file."""
        for kind, value in self._claims(student):
            before = self.rows.get((kind, value))
            if before and before.student:
                what = self._same(kind, student, before.student)
                text = f"Row {row} has {what} row {before.row}: it is left out."
                return Verdict(row, "duplicate", student, text, of_row=before.row)
        return None

    def _same(self, kind: str, student: Student, other: Student) -> str:
        if kind == "email":
            return f"the e-mail address {student.email} of"
        if student.key != other.key:
            return f"the roll number {student.roll_number}, but for leading zeros that of"
        differing = [
            COLUMNS[name][0]
            for name in self.columns
            if name != "roll_number" and getattr(student, name) != getattr(other, name)
        ]
        but = f" and another {' and '.join(differing)} than" if differing else " of"
        return f"the roll number {student.roll_number}{but}"

    def _listed(self, row: int, student: Student) -> Verdict | None:
        """A clash with a student of the list who keeps that address or almost that number."""
        near = self.without_zeros.get(student.key.lstrip("0"))
        if near and student.key not in self.known:
            text = (
                f"Row {row}: roll number {student.roll_number} differs from {near.roll_number} on "
                "the list only by leading zeros; write it as the list does."
            )
            return Verdict(row, "duplicate", student, text)
        owner = self.taken.get(student.email)
        if owner and owner.key != student.key:
            text = (
                f"Row {row}: the e-mail address {student.email} belongs to {owner.name} "
                f"({owner.roll_number}) on the list."
            )
            return Verdict(row, "duplicate", student, text)
        return None

    def _against_list(self, row: int, student: Student) -> Verdict:
        before = self.known.get(student.key)
        if before is None:
            return Verdict(row, "new", student, f"Row {row}: {student.name} is new.")
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
            return Verdict(row, "same", student, f"Row {row}: {student.name} is on the list.")
        told = "; ".join(
            f"{COLUMNS[name][0]} “{new}” instead of “{old}”" for name, old, new in changes
        )
        return Verdict(row, "changed", student, f"Row {row}: {student.name}: {told}.", changes)
