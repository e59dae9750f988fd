"""A sheet: a title, named columns and rows of plain cells."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from games.rules.text import _

# A flag is true or false in JSON, and “yes” or empty for people.
Cell = str | int | float | bool | None
# First characters of formulas. Full-width forms are included, because spreadsheets with East Asian
# settings treat them like the narrow ones.
FORMULA = (*"=+-@＝＋－＠", "\t", "\r", "\n")
# Text files should not contain these characters, and XML forbids them.
CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


@dataclass(frozen=True)
class Column:
    """A column. `key` is for programs and never changes; `title` is for people.

    `wide` marks columns that contain sentences.
    """

    key: str
    title: str
    wide: bool = False


@dataclass(frozen=True)
class Sheet:
    """A table to export. `name` becomes part of the file's name.

    Each of `rows` has one cell for each column. The rows can be iterated only once.
    """

    name: str
    title: str
    columns: Sequence[Column]
    rows: Iterable[Sequence[Cell]]


def show_flag(value: Cell) -> Cell:
    """Return the word for a flag, and any other cell unchanged."""
    if isinstance(value, bool):
        return _("yes") if value else ""
    return value


def escape_formula(value: Cell) -> Cell:
    """Return a cell that spreadsheets read as text. A formula gets a leading apostrophe.

    This follows OWASP's ASVS 5.0, 1.2.10. Numbers stay numbers, and flags become words.
    """
    value = show_flag(value)
    if not isinstance(value, str):
        return value
    text = CONTROLS.sub("", value)
    return f"'{text}" if _needs_guard(text) else text


def unescape_formula(text: str) -> str:
    """Return the original text of a cell that `escape_formula` has escaped."""
    return text[1:] if text.startswith("'") and _needs_guard(text[1:]) else text


def _needs_guard(text: str) -> bool:
    # An apostrophe in the original text needs another one, or it would be taken for the guard.
    bare = text.lstrip("'")
    # Spreadsheets trim cells, so a formula may also follow leading blanks.
    return bare.startswith(FORMULA) or bare.lstrip(" \u00a0").startswith(FORMULA)
