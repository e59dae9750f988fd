"""A sheet for export: a title, named columns, and rows of plain cells."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from games.rules.text import _

# Flags are true or false in JSON, and “yes” or empty in other formats.
Cell = str | int | float | bool | None
# First characters of formulas. With East Asian settings, spreadsheets treat full-width characters
# like the ASCII ones.
FORMULA = (*"=+-@＝＋－＠", "\t", "\r", "\n")
# Text files should not contain these characters, and XML forbids them.
CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


@dataclass(frozen=True)
class Column:
    """A column of a sheet.

    * `key`: for programs, and never changed.
    * `title`: for people.
    * `wide`: whether the column contains sentences.
    """

    key: str
    title: str
    wide: bool = False


@dataclass(frozen=True)
class Sheet:
    """A table to export.

    `name` becomes part of the file's name. Each of the `rows` has one cell for each column. The
    rows can be iterated only once.
    """

    name: str
    title: str
    columns: Sequence[Column]
    rows: Iterable[Sequence[Cell]]


def show_flag(value: Cell) -> Cell:
    """Convert a flag to a word. Other cells are returned unchanged."""
    if isinstance(value, bool):
        return _("yes") if value else ""
    return value


def escape_formula(value: Cell) -> Cell:
    """Return a cell that spreadsheets do not treat as a formula.

    A formula gets a leading apostrophe, as in OWASP's ASVS 5.0, 1.2.10. Numbers remain numbers,
    and flags become words.
    """
    value = show_flag(value)
    if not isinstance(value, str):
        return value
    text = CONTROLS.sub("", value)
    return f"'{text}" if _needs_guard(text) else text


def unescape_formula(text: str) -> str:
    """Return the original text of a cell from `escape_formula`."""
    return text[1:] if text.startswith("'") and _needs_guard(text[1:]) else text


def _needs_guard(text: str) -> bool:
    # An apostrophe in the original text needs another one. Otherwise it would be mistaken for the
    # guard.
    bare = text.lstrip("'")
    # Spreadsheets trim cells, so spaces may precede a formula.
    return bare.startswith(FORMULA) or bare.lstrip(" \u00a0").startswith(FORMULA)
