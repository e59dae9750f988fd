"""Lines and sheets of a list, limits on its size, and the error for a file that is refused."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from enum import StrEnum

from games.rules.text import _

MAX_BYTES = 5_000_000
MAX_UNPACKED = 40_000_000
MAX_SHEETS = 100
MAX_ROWS = 20_000
MAX_COLUMNS = 60
MAX_CELLS = 10 * MAX_ROWS
# Texts have at most 254 characters, so the rest of a longer cell is never needed.
MAX_CELL = 300
# Maximum number of lines above the headings, such as a letterhead, a title or a date.
MOST_ABOVE = 30

# Excel replaces further digits of a number with zeros.
EXACT_DIGITS = 15


class FileCode(StrEnum):
    """Stable codes for the reasons why a file is refused."""

    EMPTY = "empty"
    TOO_BIG = "too-big"
    TOO_MANY_ROWS = "too-many-rows"
    TOO_WIDE = "too-wide"
    OLD_EXCEL = "old-excel"
    MACROS = "macros"
    OTHER_FORMAT = "other-format"
    DAMAGED = "damaged"
    ENTITIES = "entities"
    ENCODING = "encoding"
    QUOTES = "quotes"
    NO_COLUMNS = "no-columns"
    COLUMNS_TWICE = "columns-twice"
    SHEETS = "sheets"


class RefusedFileError(ValueError):
    """Raised if a file is refused. The message is a sentence for the user."""

    def __init__(self, code: FileCode, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


@dataclass(frozen=True)
class ListLine:
    """A line of a list.

    * `number`: the number of the line in the file, from 1.
    * `doubts`: a key of `sentences.FAULTS` for each doubtful cell, keyed by the column's position.
    """

    number: int
    cells: list[str]
    doubts: dict[int, str] = field(default_factory=dict)


@dataclass(frozen=True)
class FileNote:
    """A note about how a file was read.

    * `code`: a key of `sentences.NOTES`.
    * `what`: the value of its placeholder, or "".
    """

    code: str
    what: str = ""


@dataclass(frozen=True)
class ListSheet:
    """A sheet of a file, with notes about how it was read."""

    title: str
    lines: list[ListLine]
    notes: list[FileNote]


def check_size(rows: int, columns: int) -> None:
    if rows > MAX_ROWS:
        text = _(
            "The list has more than {most} rows. Delete the empty rows below the list, or "
            "import it in parts."
        )
        raise RefusedFileError(FileCode.TOO_MANY_ROWS, text.format(most=MAX_ROWS))
    if columns > MAX_COLUMNS:
        text = _(
            "Row {row} has {columns} columns; the limit is {most}. Delete the columns that "
            "the list does not need."
        )
        raise RefusedFileError(
            FileCode.TOO_WIDE, text.format(row=rows, columns=columns, most=MAX_COLUMNS)
        )


# Limit on the processor time of the thread. Time spent waiting for other threads does not count.
MOST_SECONDS = 1.0
# A list with 20,000 rows has about two million letters.
MOST_LETTERS = 6_000_000


class ReadingBudget:
    """Limits on the processor time and the memory that reading a file may take."""

    def __init__(self, seconds: float = MOST_SECONDS) -> None:
        self.end = time.thread_time() + seconds
        self.letters = MOST_LETTERS

    def check(self) -> None:
        """Raise RefusedFileError if a limit has been exceeded."""
        if time.thread_time() > self.end or self.letters < 0:
            raise RefusedFileError(
                FileCode.TOO_BIG,
                _(
                    "This file takes too long to read. Save only the columns and rows of the "
                    "list, as CSV UTF-8, or import it in parts."
                ),
            )

    def spend_letters(self, letters: int) -> None:
        """Count letters that are kept in memory. Raises RefusedFileError if there are too many."""
        self.letters -= letters
        if self.letters < 0:
            self.check()
