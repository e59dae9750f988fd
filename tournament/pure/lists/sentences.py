"""Sentences about the rows of a list.

Verdicts are stored as a code and values. Their sentences are built when they are shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from games.rules.text import _, gettext_noop
from tournament.pure.lists.columns import COLUMNS
from tournament.pure.lists.sheets import EXACT_DIGITS, FileNote
from tournament.pure.texts import shorten_cell
from tournament.pure.words import join_words

# Faults in a row, as phrases.
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
        "These rows repeat the headings and were passed over: {what}."
    ),
    "joined": gettext_noop("Each row was in a single cell, so it was split at “{what}”."),
    "hidden-sheet": gettext_noop("The hidden sheet “{what}” was left out."),
    "merged": gettext_noop(
        "In merged cells ({what}), only the first cell counts; the others are read as empty."
    ),
    "hidden-rows": gettext_noop("Hidden rows are read like all others."),
    "hidden-columns": gettext_noop("Hidden columns are read like all others."),
}


def column_title(column: str) -> str:
    """Return the title of a column in the reader's language."""
    return _(COLUMNS[column].title)


def describe_fault(code: str, arguments: Mapping[str, str]) -> str:
    """Return a phrase that describes a fault."""
    return _(FAULTS[code]).format_map(_replace_column_keys(arguments))


def describe_verdict(code: str, arguments: Mapping[str, str]) -> str:
    """Return a sentence about a row, such as "Row 7: …"."""
    if code in FAULTS:
        return _("Row {row}: {fault}.").format(
            row=arguments["row"], fault=describe_fault(code, arguments)
        )
    return _(VERDICTS[code]).format_map(_replace_column_keys(arguments))


def describe_restored_cell(column: str, cell: str, text: str) -> str:
    """Describe the restored text of a cell that a program had changed."""
    if not text:
        text_pattern = _("The {column} “{cell}” was left out.")
        return text_pattern.format(column=column_title(column), cell=shorten_cell(cell))
    text_pattern = _("The {column} “{cell}” was read as {text}.")
    return text_pattern.format(column=column_title(column), cell=shorten_cell(cell), text=text)


def describe_changes(differences: Iterable[tuple[str, str, str]]) -> str:
    """Describe the changes in a row, given as tuples of the column, the old and the new text."""
    text = _("{column} “{new}” instead of “{old}”")
    return "; ".join(
        text.format(column=column_title(name), old=old, new=new) for name, old, new in differences
    )


def describe_note(note: FileNote) -> str:
    """Return the sentence of a note."""
    return _(NOTES[note.code]).format(what=note.what)


def _replace_column_keys(arguments: Mapping[str, str]) -> dict[str, str]:
    """Replace the keys of columns in `column` and `columns` with their titles."""
    values = {"digits": str(EXACT_DIGITS), **arguments}
    if column := arguments.get("column"):
        values["column"] = column_title(column)
    if columns := arguments.get("columns"):
        values["columns"] = join_words([column_title(name) for name in columns.split()])
    return values
