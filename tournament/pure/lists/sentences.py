"""Sentences about a list, with codes and named placeholders.

A stored verdict has a code and values, from which its sentence is built when it is shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from games.rules.text import _, gettext_noop
from tournament.pure.lists.columns import COLUMNS
from tournament.pure.lists.sheets import EXACT_DIGITS, FileNote
from tournament.pure.texts import shorten_cell
from tournament.pure.words import join_words

# Problems with a row, as phrases. The first six concern cells with doubtful values.
FAULTS = {
    "nul": gettext_noop(
        "the {column} “{cell}” contains a NUL character, which is not text; type the value again"
    ),
    "text-formula": gettext_noop("the {column} “{cell}” is a formula; enter its value instead"),
    "formula": gettext_noop("the {column} “{cell}” is a formula; paste its value instead"),
    "error": gettext_noop("the {column} “{cell}” is an Excel error; type the value again"),
    "date": gettext_noop(
        "the {column} “{cell}” was turned into a date by Excel; format the cell as "
        "text and type the value again"
    ),
    "digits": gettext_noop(
        "the {column} “{cell}” has more than {digits} digits, and Excel keeps only the "
        "first {digits}; format the column as text and type the number again"
    ),
    "format": gettext_noop(
        "the {column} “{cell}” is shown by Excel in a number format that was not applied; "
        "format the cell as text and type the value again"
    ),
    "more-cells": gettext_noop(
        "there are more cells than columns (“{cell}” has no column); if a cell "
        "contains the separator, put that cell in quotation marks"
    ),
    "missing": gettext_noop("the {column} is missing"),
    "too-long": gettext_noop("the {column} “{cell}” is longer than {limit} characters"),
    "shortened": gettext_noop(
        "the roll number “{cell}” was shortened by Excel, so its last digits are lost; "
        "format the column as text and type the number again"
    ),
    "no-roll-number": gettext_noop("“{cell}” is not a roll number: it has no letters or digits"),
    "no-name": gettext_noop("“{cell}” is not a name: it has no letters"),
    "no-address": gettext_noop(
        "“{cell}” is not an email address; it should look like name@college.edu"
    ),
}
VERDICTS = {
    "new": gettext_noop("Row {row}: {name} is new."),
    "same": gettext_noop("Row {row}: {name} is already on the list."),
    "changed": gettext_noop("Row {row}: {name}: {changes}."),
    "address-again": gettext_noop(
        "Row {row} has the same email address as row {of_row} ({email}), so it is left out."
    ),
    "number-again": gettext_noop(
        "Row {row} has the same roll number as row {of_row} ({roll_number}), so it is left out."
    ),
    "number-again-but": gettext_noop(
        "Row {row} has the same roll number as row {of_row} ({roll_number}) but a "
        "different {columns}, so it is left out."
    ),
    "number-but-zeros": gettext_noop(
        "Row {row}: the roll number {roll_number} differs from that of row {of_row} "
        "only in leading zeros, so the row is left out."
    ),
    "listed-but-zeros": gettext_noop(
        "Row {row}: the roll number {roll_number} differs from {listed} on the list "
        "only in leading zeros. Write it as it is on the list."
    ),
    "listed-address": gettext_noop(
        "Row {row}: on the list, the email address {email} belongs to {owner} ({listed})."
    ),
}
NOTES = {
    "not-utf-8": gettext_noop(
        "The file is not in UTF-8; it was read as {what}. Check names with accents."
    ),
    "repeated-headings": gettext_noop(
        "The headings are repeated in rows {what}; these rows were passed over."
    ),
    "joined": gettext_noop("Each row was in a single cell, so it was split at “{what}”."),
    "hidden-sheet": gettext_noop("The hidden sheet “{what}” was left out."),
    "merged": gettext_noop(
        "In merged cells ({what}), only the first cell counts; the others are read as empty."
    ),
    "hidden-rows": gettext_noop("Hidden rows are read like all others."),
    "hidden-columns": gettext_noop("Hidden columns are read like all others."),
}


def title(column: str) -> str:
    """Return a column's name for use in sentences."""
    return _(COLUMNS[column].title)


def fault(code: str, arguments: Mapping[str, str]) -> str:
    """Describe the fault of a row, as a phrase."""
    return _(FAULTS[code]).format_map(_name_columns(arguments))


def verdict(code: str, arguments: Mapping[str, str]) -> str:
    """Return the sentence about a row, such as "Row 7: …"."""
    if code in FAULTS:
        return _("Row {row}: {fault}.").format(row=arguments["row"], fault=fault(code, arguments))
    return _(VERDICTS[code]).format_map(_name_columns(arguments))


def read_as(column: str, cell: str, text: str) -> str:
    """Describe a cell whose text was restored after a program had changed it."""
    if not text:
        text_pattern = _("The {column} “{cell}” was left out.")
        return text_pattern.format(column=title(column), cell=shorten_cell(cell))
    text_pattern = _("The {column} “{cell}” was read as {text}.")
    return text_pattern.format(column=title(column), cell=shorten_cell(cell), text=text)


def changes(differences: Iterable[tuple[str, str, str]]) -> str:
    """Describe the changes in a row. Each has the form (column, old, new)."""
    text = _("{column} “{new}” instead of “{old}”")
    return "; ".join(
        text.format(column=title(name), old=old, new=new) for name, old, new in differences
    )


def note(about: FileNote) -> str:
    """Describe how the file was read."""
    return _(NOTES[about.code]).format(what=about.what)


def _name_columns(arguments: Mapping[str, str]) -> dict[str, str]:
    """Replace column keys in the arguments with titles.

    One column becomes `column`, several become `columns`.
    """
    values = {"digits": str(EXACT_DIGITS), **arguments}
    if column := arguments.get("column"):
        values["column"] = title(column)
    if columns := arguments.get("columns"):
        values["columns"] = join_words([title(name) for name in columns.split()])
    return values
