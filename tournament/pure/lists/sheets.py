"""A list as lines of text, the limits on its size, and the error for an unusable file."""

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
# Columns hold at most 254 characters, so the rest of a longer cell is ignored.
MAX_CELL = 300
# Maximum number of lines of text above the list, such as a letterhead, a title or a date.
MOST_ABOVE = 30

# Excel replaces any further digits of a number with zeros.
EXACT_DIGITS = 15


class FileCode(StrEnum):
    """Stable codes for files that are refused as a whole."""

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
    """Raised if a file cannot be used at all. str() is the sentence for the user."""

    def __init__(self, code: FileCode, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


@dataclass(frozen=True)
class ListLine:
    """One line of a list: its number in the file, from 1, and its cells.

    `doubts` has the codes of doubtful cells, by column (`sentences.FAULTS`).
    """

    number: int
    cells: list[str]
    doubts: dict[int, str] = field(default_factory=dict)


@dataclass(frozen=True)
class FileNote:
    """A note about how a file was read: a code in `sentences.NOTES`, and its value."""

    code: str
    what: str = ""


@dataclass(frozen=True)
class ListSheet:
    """A sheet of lines, with notes about how it was read."""

    title: str
    lines: list[ListLine]
    notes: list[FileNote]


def check_extent(rows: int, columns: int) -> None:
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


# Processor time of this thread, which excludes time spent waiting for other threads.
MOST_SECONDS = 1.0
# A list of twenty thousand rows has about two million letters.
MOST_LETTERS = 6_000_000


class ReadingBudget:
    """Limits on the processor time and the number of letters spent on one file."""

    def __init__(self, seconds: float = MOST_SECONDS) -> None:
        self.end = time.thread_time() + seconds
        self.letters = MOST_LETTERS

    def check(self) -> None:
        """Raise RefusedFileError if the file has exceeded its limits."""
        if time.thread_time() > self.end or self.letters < 0:
            raise RefusedFileError(
                FileCode.TOO_BIG,
                _(
                    "This file takes too long to read. Save only the columns and rows of the "
                    "list, as CSV UTF-8, or import it in parts."
                ),
            )

    def spend_letters(self, letters: int) -> None:
        """Count letters that are kept in memory."""
        self.letters -= letters
        if self.letters < 0:
            self.check()
