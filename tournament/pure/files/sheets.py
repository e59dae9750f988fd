"""Sheets for export, with named columns and rows of plain cells."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from games.rules.text import _

# Flags are true or false in JSON. In other formats, they are “yes” or empty.
Cell = str | int | float | bool | None
# First characters of formulas. With East Asian settings, spreadsheets accept full-width characters
# too.
FORMULA = (*"=+-@＝＋－＠", "\t", "\r", "\n")
# Control characters do not belong in text files, and XML forbids them.
CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


@dataclass(frozen=True)
class Column:
    """A column of a sheet.

    * `key`: the name that programs use. It must never change.
    * `title`: the heading that people read.
    * `wide`: whether the column contains sentences.
    """

    key: str
    title: str
    wide: bool = False


@dataclass(frozen=True)
class Sheet:
    """A table to export.

    * `name`: part of the file's name.
    * `rows`: rows with a cell for each column. They may be iterated only once.
    """

    name: str
    title: str
    columns: Sequence[Column]
    rows: Iterable[Sequence[Cell]]


def format_flag(value: Cell) -> Cell:
    """Convert a flag to “yes” or "", and return any other cell unchanged."""
    if isinstance(value, bool):
        return _("yes") if value else ""
    return value


def escape_formula(value: Cell) -> Cell:
    """Return a cell that spreadsheets do not treat as a formula.

    A formula gets a leading apostrophe (OWASP ASVS 5.0, 1.2.10). Numbers remain numbers, and flags
    become words.
    """
    value = format_flag(value)
    if not isinstance(value, str):
        return value
    text = CONTROLS.sub("", value)
    return f"'{text}" if _needs_apostrophe(text) else text


def unescape_formula(text: str) -> str:
    """Return the original text of a cell that `escape_formula` returned."""
    return text[1:] if text.startswith("'") and _needs_apostrophe(text[1:]) else text


def _needs_apostrophe(text: str) -> bool:
    # A text that starts with an apostrophe and a formula needs another apostrophe. Otherwise,
    # `unescape_formula` would remove the original one.
    bare = text.lstrip("'")
    # Spreadsheets trim cells, so a formula may follow spaces.
    return bare.startswith(FORMULA) or bare.lstrip(" \u00a0").startswith(FORMULA)
