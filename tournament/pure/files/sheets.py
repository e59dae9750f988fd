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
    return f"'{text}" if _is_guarded(text) else text


def undo_guard(text: str) -> str:
    """Return the text of a cell as it was before `inert`."""
    return text[1:] if text.startswith("'") and _is_guarded(text[1:]) else text


def _is_guarded(text: str) -> bool:
    # An apostrophe that was there before needs its own, or it would be taken for a guard.
    bare = text.lstrip("'")
    # Spreadsheets trim what they read: blanks hide no formula.
    return bare.startswith(FORMULA) or bare.lstrip(" \u00a0").startswith(FORMULA)
