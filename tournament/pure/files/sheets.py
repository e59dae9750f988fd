"""A sheet: a title, named columns, rows of plain cells."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from games.rules.text import _

# A flag is true or false in JSON, and “yes” or empty for people.
Cell = str | int | float | bool | None
# The wide ones too: spreadsheets in East Asian settings read them as the narrow.
FORMULA = (*"=+-@＝＋－＠", "\t", "\r", "\n")
# Text files should not contain these characters, and XML forbids them.
CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


@dataclass(frozen=True)
class Column:
    """`key` is for programs and never changes, `title` is for people; `wide`: sentences."""

    key: str
    title: str
    wide: bool = False


@dataclass(frozen=True)
class Sheet:
    """`name` becomes a part of the file's name; `rows` run along the columns, and run once."""

    name: str
    title: str
    columns: Sequence[Column]
    rows: Iterable[Sequence[Cell]]


def show_flag(value: Cell) -> Cell:
    """Return the word for a flag, and any other cell as it is."""
    if isinstance(value, bool):
        return _("yes") if value else ""
    return value


def inert(value: Cell) -> Cell:
    """Return a cell that spreadsheets read as text: a formula gets an apostrophe in front.

    This follows OWASP's ASVS 5.0, 1.2.10. Numbers stay numbers, and flags become words.
    """
    value = show_flag(value)
    if not isinstance(value, str):
        return value
    text = CONTROLS.sub("", value)
    # Spreadsheets trim what they read: blanks hide no formula.
    hidden = text.lstrip(" \u00a0").startswith(FORMULA)
    return f"'{text}" if hidden or text.startswith(FORMULA) else text
