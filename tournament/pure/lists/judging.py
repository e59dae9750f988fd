"""The list of eligible students: reads a file, judges every row and explains each verdict.

Nothing is stored here. `judge` reports for each row whether it is new, changed, unchanged, a
duplicate or faulty, and why, so that an import can be reviewed before it is applied.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from tournament.pure.lists.columns import COLUMNS
from tournament.pure.lists.files import read_sheets
from tournament.pure.lists.headings import count_known
from tournament.pure.lists.layouts import REQUIRED, Layout, choose_places, find_layout
from tournament.pure.lists.sheets import ListLine, ReadingBudget
from tournament.pure.lists.texts import is_email, normalise_email, undo_cell
from tournament.pure.lists.verdicts import (
    ACCEPTED,
    Change,
    Fault,
    ListedStudent,
    ListReport,
    Verdict,
    VerdictKind,
)
from tournament.pure.texts import clean_text, is_name, printable


@dataclass(frozen=True)
class _Row:
    """A readable row.

    `undone`: (column, cell, text) of the cells that were read as another text.
    """

    number: int
    student: ListedStudent
    undone: tuple[Change, ...] = ()


# A row costs far less than a look at the clock.
ROWS_BETWEEN_CHECKS = 256


def judge(
    data: bytes,
    existing: Iterable[ListedStudent] = (),
    *,
    chosen: Mapping[str, str] | None = None,
    meanings: Sequence[str] | None = None,
) -> ListReport:
    """Judge a file's rows against the current list.

    `chosen`: the organizers' choices about headings of earlier files. `meanings`: their choices
    about each column of this one. Raises RefusedFileError for the whole file.
    """
    report = examine(data, existing, chosen=chosen, meanings=meanings)
    if report.problem:
        raise report.problem
    return report


def examine(
    data: bytes,
    existing: Iterable[ListedStudent] = (),
    *,
    chosen: Mapping[str, str] | None = None,
    meanings: Sequence[str] | None = None,
) -> ListReport:
    """Judge a file as `judge` does, but return a report without rows if its columns are unclear."""
    budget = ReadingBudget()
    found = find_layout(read_sheets(data, count_known, budget), chosen or {})
    budget.check()
    if meanings is not None:
        choose_places(found, meanings)
    heads = tuple(
        (text.strip()[:120], _find_use(found, n)) for n, text in enumerate(found.headings)
    )
    if found.problem:
        return ListReport((), tuple(found.notes), {}, (), heads, found.problem)
    known = {student.key: student for student in existing}
    rows = [_read_counted(found, line, budget, n) for n, line in enumerate(found.body)]
    verdicts = _compare(rows, known, found.at, budget)
    named = {v.student.key for v in verdicts if v.student}
    absent = tuple(student for key, student in known.items() if key not in named)
    return ListReport(tuple(verdicts), tuple(found.notes), found.heading_of, absent, heads)


def _find_use(layout: Layout, at: int) -> str:
    return next((name for name, places in layout.at.items() if at in places), "")


def _read_counted(
    layout: Layout, line: ListLine, budget: ReadingBudget, number: int
) -> _Row | Verdict:
    if number % ROWS_BETWEEN_CHECKS == 0:
        budget.check()
    return _read_row(layout, line)


def _make_faulty_verdict(
    row: int, fault: Fault, student: ListedStudent | None = None, name: str = ""
) -> Verdict:
    return Verdict(row, VerdictKind.FAULTY, student, fault.code, fault.given, who=name)


def _describe_person(layout: Layout, line: ListLine) -> str:
    cells = [_join_cells(layout, name, line.cells) for name in ("name", "roll_number")]
    return " ".join(printable(cell) for cell in cells if cell.strip())


def _join_cells(layout: Layout, name: str, cells: Sequence[str]) -> str:
    places = layout.at.get(name, ())
    return clean_text(" ".join(cells[at] for at in places if at < len(cells)))


def _read_row(layout: Layout, line: ListLine) -> _Row | Verdict:
    """Return the row's student, or a verdict if the row cannot be used."""
    if unread := _find_unreadable_fault(layout, line):
        return _make_faulty_verdict(line.number, unread, name=_describe_person(layout, line))
    cells = {name: _join_cells(layout, name, line.cells) for name in layout.at}
    texts = {name: undo_cell(name, cell) for name, cell in cells.items()}
    undone = tuple((name, cells[name], text) for name, text in texts.items() if text != cells[name])
    texts["email"] = normalise_email(texts.get("email", ""))
    student = ListedStudent(**texts)
    if wrong := fault(student):
        return _make_faulty_verdict(line.number, wrong, student)
    return _Row(line.number, student, undone)


def _find_unreadable_fault(layout: Layout, line: ListLine) -> Fault | None:
    """Return the fault of a row with ambiguous content, None for most rows."""
    if line.doubts:
        for name, places in layout.at.items():
            for column in places:
                if doubt := line.doubts.get(column):
                    return _make_doubt(name, doubt, line.cells[column])
    extra = [cell for cell in line.cells[layout.width :] if cell.strip()]
    return Fault("more-cells", {"cell": printable(extra[0])}) if extra else None


def _make_doubt(name: str, doubt: str, cell: str) -> Fault:
    limit = str(COLUMNS[name].limit)
    return Fault(doubt, {"column": name, "cell": printable(cell), "limit": limit})


def fault(student: ListedStudent) -> Fault | None:
    """Return the fault of a readable line, None if it is valid."""
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
    if not is_name(student.name):
        return Fault("no-name", {"cell": printable(student.name)})
    if student.email and not is_email(student.email):
        return Fault("no-address", {"cell": printable(student.email)})
    return None


def _compare(
    rows: Sequence[_Row | Verdict],
    known: Mapping[str, ListedStudent],
    columns: Collection[str],
    budget: ReadingBudget,
) -> list[Verdict]:
    """Settle all rows; an address that a listed student gives up in this file is free.

    That is certain only once the student's own row is settled, so the pass is repeated until no
    further row is refused.
    """
    sound = [row.student for row in rows if isinstance(row, _Row)]
    renewed = {student.key for student in sound if student.email}
    while True:
        budget.check()
        desk = _Desk(known, columns, renewed)
        settled = [desk.settle(row) if isinstance(row, _Row) else row for row in rows]
        written = {v.student.key for v in settled if v.student and v.kind in ACCEPTED}
        if renewed <= written:
            return settled
        renewed &= written


class _Desk:
    """Settles valid rows one after the other and remembers the claims of earlier rows."""

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
        settled = replace(self._compare_with_list(row.number, student), undone=row.undone)
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
        """Return the code and values of the sentence about a clash with another student."""
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

        A clash is the same address, or almost the same number.
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
