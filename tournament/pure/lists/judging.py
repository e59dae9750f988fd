"""Judgement of the rows of a list, so that organizers can review an import before it is applied.

Each row is new, changed, unchanged, a duplicate or faulty. Nothing is stored here.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from tournament.pure.lists.columns import COLUMNS
from tournament.pure.lists.files import read_sheets
from tournament.pure.lists.headings import count_known_headings
from tournament.pure.lists.layouts import REQUIRED, Layout, apply_column_choice, find_layout
from tournament.pure.lists.sheets import ListLine, ReadingBudget
from tournament.pure.lists.texts import is_email, join_name_parts, normalise_email, restore_cell
from tournament.pure.lists.verdicts import (
    ACCEPTED,
    Change,
    Fault,
    ListedStudent,
    ListReport,
    Verdict,
    VerdictKind,
)
from tournament.pure.texts import clean_text, shorten_cell


@dataclass(frozen=True)
class _Row:
    """A readable row.

    * `number`: the number of the row in the file.
    * `restored`: for each cell that a program had changed, a tuple of the column, the cell and the
      restored text.
    """

    number: int
    student: ListedStudent
    restored: tuple[Change, ...] = ()


# Checking the time takes much longer than reading a row.
ROWS_BETWEEN_CHECKS = 256


def judge(
    data: bytes,
    existing: Iterable[ListedStudent] = (),
    *,
    chosen: Mapping[str, str] | None = None,
    meanings: Sequence[str] | None = None,
) -> ListReport:
    """Judge the rows of a file against the current list.

    * `existing`: the current list.
    * `chosen`: the organizers' choices about headings in earlier files.
    * `meanings`: the organizers' choices for the columns of this file.

    Raises RefusedFileError if the file is refused.
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
    """Judge the rows of a file like `judge`, but do not raise an error if its columns are unclear.

    The report then has no rows, and `problem` is set.
    """
    budget = ReadingBudget()
    layout = find_layout(read_sheets(data, count_known_headings, budget), chosen or {})
    budget.check()
    if meanings is not None:
        apply_column_choice(layout, meanings)
    headings = tuple(
        (text.strip()[:120], _find_column_meaning(layout, number))
        for number, text in enumerate(layout.headings)
    )
    if layout.problem:
        return ListReport((), tuple(layout.notes), {}, (), headings, layout.problem)
    listed = {student.key: student for student in existing}
    rows = [
        _read_within_budget(layout, line, budget, number) for number, line in enumerate(layout.body)
    ]
    verdicts = _judge_rows(rows, listed, layout.positions, budget)
    in_file = {verdict.student.key for verdict in verdicts if verdict.student}
    absent = tuple(student for key, student in listed.items() if key not in in_file)
    return ListReport(
        tuple(verdicts), tuple(layout.notes), layout.headings_by_column, absent, headings
    )


def _find_column_meaning(layout: Layout, column: int) -> str:
    return next((name for name, positions in layout.positions.items() if column in positions), "")


def _read_within_budget(
    layout: Layout, line: ListLine, budget: ReadingBudget, number: int
) -> _Row | Verdict:
    if number % ROWS_BETWEEN_CHECKS == 0:
        budget.check()
    return _read_row(layout, line)


def _make_faulty_verdict(
    row: int, fault: Fault, student: ListedStudent | None = None, name: str = ""
) -> Verdict:
    return Verdict(row, VerdictKind.FAULTY, student, fault.code, fault.arguments, who=name)


def _describe_person(layout: Layout, line: ListLine) -> str:
    cells = [_join_cells(layout, name, line.cells) for name in ("name", "roll_number")]
    return " ".join(shorten_cell(cell) for cell in cells if cell.strip())


def _join_cells(layout: Layout, name: str, cells: Sequence[str]) -> str:
    positions = layout.positions.get(name, ())
    return clean_text(" ".join(cells[column] for column in positions if column < len(cells)))


def _read_row(layout: Layout, line: ListLine) -> _Row | Verdict:
    """Return the student in a row, or a verdict if the row cannot be used."""
    if doubt := _find_unreadable_fault(layout, line):
        return _make_faulty_verdict(line.number, doubt, name=_describe_person(layout, line))
    cells = {name: _join_cells(layout, name, line.cells) for name in layout.positions}
    parts = [line.cells[column] for column in layout.positions["name"] if column < len(line.cells)]
    name = join_name_parts(parts) if len(parts) > 1 else cells["name"]
    texts = {key: restore_cell(key, cell) for key, cell in {**cells, "name": name}.items()}
    restored = tuple(
        (name, cells[name], text) for name, text in texts.items() if text != cells[name]
    )
    texts["email"] = normalise_email(texts.get("email", ""))
    student = ListedStudent(**texts)
    if student_fault := find_fault(student):
        return _make_faulty_verdict(line.number, student_fault, student)
    return _Row(line.number, student, restored)


def _find_unreadable_fault(layout: Layout, line: ListLine) -> Fault | None:
    """Return a fault if the row has doubtful cells or more cells than columns, or None."""
    if line.doubts:
        for name, positions in layout.positions.items():
            for column in positions:
                if doubt := line.doubts.get(column):
                    return _make_doubt_fault(name, doubt, line.cells[column])
    extra = [cell for cell in line.cells[layout.width :] if cell.strip()]
    return Fault("more-cells", {"cell": shorten_cell(extra[0])}) if extra else None


def _make_doubt_fault(name: str, doubt: str, cell: str) -> Fault:
    limit = str(COLUMNS[name].limit)
    return Fault(doubt, {"column": name, "cell": shorten_cell(cell), "limit": limit})


def find_fault(student: ListedStudent) -> Fault | None:
    """Return the fault of a student's texts, or None if all are valid."""
    return _find_length_fault(student) or _find_content_fault(student)


def _find_length_fault(student: ListedStudent) -> Fault | None:
    for name in REQUIRED:
        if not getattr(student, name):
            return Fault("missing", {"column": name})
    for name, column in COLUMNS.items():
        if len(text := getattr(student, name)) > column.limit:
            arguments = {"column": name, "cell": shorten_cell(text), "limit": str(column.limit)}
            return Fault("too-long", arguments)
    return None


def _find_content_fault(student: ListedStudent) -> Fault | None:
    # Only Excel's notation is matched. 21E045 is a roll number in electrical engineering.
    if re.fullmatch(r"\d([.,]\d+)?E\+\d{2,}", student.roll_number, re.IGNORECASE):
        return Fault("shortened", {"cell": student.roll_number})
    if not any(character.isalnum() for character in student.roll_number):
        return Fault("no-roll-number", {"cell": shorten_cell(student.roll_number)})
    if not any(character.isalpha() for character in student.name):
        return Fault("no-name", {"cell": shorten_cell(student.name)})
    if student.email and not is_email(student.email):
        return Fault("no-address", {"cell": shorten_cell(student.email)})
    return None


def _judge_rows(
    rows: Sequence[_Row | Verdict],
    listed: Mapping[str, ListedStudent],
    columns: Collection[str],
    budget: ReadingBudget,
) -> list[Verdict]:
    """Judge all rows of a file.

    If a listed student gets a new address in this file, another row may use the old address,
    provided that the student's row is accepted. The rows are therefore judged again until no
    further row is refused.
    """
    readable = [row.student for row in rows if isinstance(row, _Row)]
    with_new_address = {student.key for student in readable if student.email}
    while True:
        budget.check()
        judge_ = _RowJudge(listed, columns, with_new_address)
        verdicts = [judge_.judge_row(row) if isinstance(row, _Row) else row for row in rows]
        accepted = {
            verdict.student.key
            for verdict in verdicts
            if verdict.student and verdict.kind in ACCEPTED
        }
        if with_new_address <= accepted:
            return verdicts
        with_new_address &= accepted


class _RowJudge:
    """A judge of valid rows, which remembers the roll numbers and addresses of earlier rows.

    `with_new_address` lists the keys of students whose listed addresses other rows may use.
    """

    def __init__(
        self,
        listed: Mapping[str, ListedStudent],
        columns: Collection[str],
        with_new_address: Collection[str],
    ) -> None:
        self.known = listed
        self.columns = columns
        self.taken = {
            student.email: student
            for key, student in listed.items()
            if student.email and key not in with_new_address
        }
        self.without_zeros = {key.lstrip("0"): student for key, student in listed.items()}
        self.rows: dict[tuple[str, str], Verdict] = {}

    def judge_row(self, row: _Row) -> Verdict:
        """Return the verdict on a readable row."""
        student = row.student
        clash = self._find_duplicate(row.number, student) or self._find_listed_clash(
            row.number, student
        )
        if clash:
            return clash
        verdict = replace(self._compare_with_list(row.number, student), restored=row.restored)
        for claim in self._list_unique_keys(student):
            self.rows[claim] = verdict
        return verdict

    def _list_unique_keys(self, student: ListedStudent) -> list[tuple[str, str]]:
        claims = [("roll", student.key.lstrip("0"))]
        return [*claims, ("email", student.email)] if student.email else claims

    def _find_duplicate(self, row: int, student: ListedStudent) -> Verdict | None:
        """Return a verdict if the row repeats an earlier row of the file, or None."""
        for claim, value in self._list_unique_keys(student):
            earlier = self.rows.get((claim, value))
            if earlier and earlier.student:
                code, arguments = self._describe_clash(claim, student, earlier.student)
                return Verdict(
                    row, VerdictKind.DUPLICATE, student, code, arguments, of_row=earlier.row
                )
        return None

    def _describe_clash(
        self, claim: str, student: ListedStudent, other: ListedStudent
    ) -> tuple[str, dict[str, str]]:
        """Return the code and arguments of the verdict for a clash with another student."""
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
        """Return a verdict if the row clashes with a listed student, or None.

        A row clashes if it has the address of another student, or if its roll number differs from
        a listed one only in leading zeros.
        """
        similar = self.without_zeros.get(student.key.lstrip("0"))
        if similar and student.key not in self.known:
            arguments = {"listed": similar.roll_number}
            return Verdict(row, VerdictKind.DUPLICATE, student, "listed-but-zeros", arguments)
        owner = self.taken.get(student.email)
        if owner and owner.key != student.key:
            arguments = {"owner": owner.name, "listed": owner.roll_number}
            return Verdict(row, VerdictKind.DUPLICATE, student, "listed-address", arguments)
        return None

    def _compare_with_list(self, row: int, student: ListedStudent) -> Verdict:
        listed = self.known.get(student.key)
        if listed is None:
            return Verdict(row, VerdictKind.NEW, student, "new")
        arguments = {name: getattr(student, name) for name in self.columns}
        # An empty cell must not remove a listed address. Without an address, anyone could register
        # as this student.
        arguments["email"] = student.email or listed.email
        student = replace(listed, **arguments)
        changes = tuple(
            (name, getattr(listed, name), getattr(student, name))
            for name in COLUMNS
            if getattr(listed, name) != getattr(student, name)
        )
        if not changes:
            return Verdict(row, VerdictKind.SAME, student, "same")
        return Verdict(row, VerdictKind.CHANGED, student, "changed", changes=changes)
