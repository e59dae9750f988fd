"""Verdicts on the rows of a list. They are stored as codes and displayed as sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field
from enum import StrEnum
from typing import Any

from tournament.pure.lists import sentences
from tournament.pure.lists.sheets import FileNote, RefusedFileError
from tournament.pure.lists.texts import normalise_roll

Change = tuple[str, str, str]


class VerdictKind(StrEnum):
    """The kinds of verdict, in the order in which organizers review them."""

    FAULTY = "faulty"
    DUPLICATE = "duplicate"
    CHANGED = "changed"
    NEW = "new"
    SAME = "same"


WRITTEN = (VerdictKind.NEW, VerdictKind.CHANGED)
ACCEPTED = (*WRITTEN, VerdictKind.SAME)


@dataclass(frozen=True)
class ListedStudent:
    """An eligible student. A value is "" if it is unknown."""

    roll_number: str
    name: str
    email: str = ""
    department: str = ""
    programme: str = ""
    year: str = ""

    @property
    def key(self) -> str:
        """The roll number, normalized for comparison."""
        return normalise_roll(self.roll_number)


@dataclass(frozen=True)
class Fault:
    """A fault in a row.

    * `code`: a key of `sentences.FAULTS`.
    * `arguments`: the values of its placeholders. `column` and `columns` are keys of COLUMNS.
    """

    code: str
    arguments: Mapping[str, str]

    @property
    def text(self) -> str:
        """A phrase that describes the fault."""
        return sentences.describe_fault(self.code, self.arguments)


@dataclass(frozen=True)
class Verdict:
    """The verdict on a row. Only the kinds in WRITTEN change the list.

    * `row`: the number of the row in the file.
    * `student`: the student in the row, or None if the row is unreadable.
    * `code`: a key of `sentences.VERDICTS` or `sentences.FAULTS`.
    * `arguments`: the values of its placeholders.
    * `changes`: for each changed column, a tuple of the column, the old and the new text.
    * `of_row`: for a duplicate, the row that it repeats, or None if it clashes with the list.
    * `who`: the name and roll number in an unreadable row, as written in the file.
    * `restored`: for each restored cell, a tuple of the column, the cell and the restored text.
    """

    row: int
    kind: VerdictKind
    student: ListedStudent | None
    code: str
    arguments: Mapping[str, str] = field(default_factory=dict)
    changes: tuple[Change, ...] = ()
    of_row: int | None = None
    who: str = ""
    restored: tuple[Change, ...] = ()

    @property
    def sentence(self) -> str:
        """Sentences about the row, such as "Row 7: …"."""
        numbers = {"row": str(self.row), "of_row": str(self.of_row)}
        student = vars(self.student) if self.student else {}
        changes = sentences.describe_changes(self.changes)
        text = sentences.describe_verdict(
            self.code, {**student, "changes": changes, **numbers, **self.arguments}
        )
        return " ".join(
            [text, *(sentences.describe_restored_cell(*each) for each in self.restored)]
        )

    def to_json(self) -> list[Any]:
        """Return the verdict in the form that `from_json` restores."""
        student = list(astuple(self.student)) if self.student else None
        fields = [self.row, self.kind.value, student, self.code, dict(self.arguments)]
        return [*fields, [list(change) for change in self.changes], self.of_row, self.who,
                [list(each) for each in self.restored]]  # fmt: skip

    @classmethod
    def from_json(cls, data: Sequence[Any]) -> Verdict:
        """Restore a stored verdict."""
        row, kind, student, code, arguments, changes, of_row, who, restored = data
        return cls(
            row=row,
            kind=VerdictKind(kind),
            student=ListedStudent(*student) if student else None,
            code=code,
            arguments=arguments,
            changes=tuple((name, old, new) for name, old, new in changes),
            of_row=of_row,
            who=who,
            restored=tuple((name, cell, text) for name, cell, text in restored),
        )


@dataclass(frozen=True)
class ListReport:
    """A report on a file.

    * `verdicts`: the verdicts on the rows, in order.
    * `notes`: notes about how the file was read.
    * `columns`: the headings of the columns that were recognized, by key of COLUMNS.
    * `absent`: listed students who are not in the file. An import does not remove them
      automatically.
    * `headings`: pairs of a heading in the file and a key of COLUMNS, or "" if it is unknown.
    * `problem`: the reason why no rows could be read, or None.
    """

    verdicts: tuple[Verdict, ...]
    notes: tuple[FileNote, ...]
    columns: dict[str, str]
    absent: tuple[ListedStudent, ...]
    headings: tuple[tuple[str, str], ...] = ()
    problem: RefusedFileError | None = None

    @property
    def without_address(self) -> int:
        """The number of students who will have no email address once the list is applied."""
        listed = [
            verdict.student
            for verdict in self.verdicts
            if verdict.student and verdict.kind in ACCEPTED
        ]
        return sum(not student.email for student in (*listed, *self.absent))

    @property
    def counts(self) -> dict[str, int]:
        """The number of rows of each kind, including kinds without rows."""
        counts = Counter(verdict.kind for verdict in self.verdicts)
        return {kind.value: counts[kind] for kind in VerdictKind}


@dataclass(frozen=True)
class StoredReport:
    """A report in the form in which it is stored.

    * `rows`: the output of `Verdict.to_json`, by kind of verdict and then by row. Pages restore
      only the verdicts that they show.
    * `absent`: the number of listed students who are not in the file.
    * `without_address`, `headings`: as in `ListReport`.
    * `problem`: the reason why no rows could be read, or "".
    """

    rows: Sequence[Sequence[Any]]
    notes: tuple[FileNote, ...]
    absent: int
    without_address: int
    headings: tuple[tuple[str, str], ...] = ()
    problem: str = ""

    VERSION = 2

    @classmethod
    def from_report(cls, report: ListReport) -> StoredReport:
        """Convert a report to the form in which it is stored."""
        order = list(VerdictKind)
        verdicts = sorted(
            report.verdicts, key=lambda verdict: (order.index(verdict.kind), verdict.row)
        )
        rows = [verdict.to_json() for verdict in verdicts]
        problem = str(report.problem) if report.problem else ""
        return cls(
            rows, report.notes, len(report.absent), report.without_address, report.headings, problem
        )

    def to_json(self) -> dict[str, object]:
        """Return the report in the form that `from_json` restores."""
        return {
            "version": self.VERSION,
            "rows": self.rows,
            "notes": [[note.code, note.what] for note in self.notes],
            "absent": self.absent,
            "without_address": self.without_address,
            "headings": [list(each) for each in self.headings],
            "problem": self.problem,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> StoredReport | None:
        """Restore a stored report.

        Returns None if nothing is stored, or if the report has another version.
        """
        if data.get("version") != cls.VERSION:
            return None
        notes = tuple(FileNote(code, what) for code, what in data["notes"])
        return cls(
            data["rows"],
            notes,
            data["absent"],
            data["without_address"],
            tuple((heading, use) for heading, use in data["headings"]),
            data["problem"],
        )

    @property
    def texts(self) -> list[str]:
        """Sentences about how the file was read."""
        return [sentences.describe_note(note) for note in self.notes]

    def students_to_write(self) -> list[ListedStudent]:
        """Return the students whom an import adds or changes, in the order of the file."""
        chosen = {row: student for row, kind, student, *_ in self.rows if kind in WRITTEN}
        return [ListedStudent(*chosen[row]) for row in sorted(chosen)]
