"""What is said about a list: every sentence by its code, with names for what it is filled with.

A stored verdict keeps code and filling; the sentence is made when somebody reads it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tournament.eligibility.columns import COLUMNS
from tournament.eligibility.sheets import EXACT_DIGITS, Note

# What is doubtful about a cell; the end of a sentence.
DOUBTS = {
    "nul": "holds a NUL character, which is no text; type the cell again",
    "text-formula": "is a formula; put its value in its place",
    "formula": "is a formula; paste its value in its place",
    "error": "is an error of Excel; type the value again",
    "date": "has been made a date by Excel; format the cell as text and type it anew",
    "digits": f"has more than {EXACT_DIGITS} digits, of which Excel keeps only the first; format "
    "the column as text and type the number again",
}
# What is wrong with a row, as part of a sentence.
FAULTS = {
    **{code: f"the {{column}} “{{cell}}” {doubt}" for code, doubt in DOUBTS.items()},
    "more-cells": "has more cells than the heading (“{cell}” has no column); "
    "put a cell that holds the separator in quotation marks",
    "missing": "the {column} is missing",
    "too-long": "the {column} “{cell}” is longer than {limit} letters",
    "shortened": "the roll number “{cell}” has been shortened by Excel, its last digits "
    "are lost; format the column as text and type the number again",
    "no-roll-number": "“{cell}” is no roll number: it has no letter or digit",
    "no-name": "“{cell}” is no name: it has no letter",
    "no-address": "“{cell}” is not an e-mail address: write one like name@college.edu",
}
VERDICTS = {
    **{code: f"Row {{row}}: {fault}." for code, fault in FAULTS.items()},
    "new": "Row {row}: {name} is new.",
    "same": "Row {row}: {name} is on the list.",
    "changed": "Row {row}: {name}: {changes}.",
    "address-again": "Row {row} has the e-mail address {email} of row {of_row}: it is left out.",
    "number-again": "Row {row} has the roll number {roll_number} of row {of_row}: it is left out.",
    "number-again-but": "Row {row} has the roll number {roll_number} and another {columns} than "
    "row {of_row}: it is left out.",
    "number-but-zeros": "Row {row} has the roll number {roll_number}, but for leading zeros that "
    "of row {of_row}: it is left out.",
    "listed-but-zeros": "Row {row}: roll number {roll_number} differs from {listed} on the list "
    "only by leading zeros; write it as the list does.",
    "listed-address": "Row {row}: the e-mail address {email} belongs to {owner} ({listed}) on the "
    "list.",
}
READ_AS = " The roll number “{cell}” was read as {roll_number}."
NOTES = {
    "not-utf-8": "The file is not in UTF-8; it was read as Windows-1252. Check names with accents.",
    "hidden-sheet": "The hidden sheet “{what}” was left out.",
    "merged": "Merged cells ({what}) count in their first cell alone; the others are empty.",
    "hidden-rows": "Hidden rows are read like the others.",
}


def title(column: str) -> str:
    """How sentences call a column."""
    return COLUMNS[column].title


def fault(code: str, given: Mapping[str, str]) -> str:
    """What is wrong with a line, as part of a sentence."""
    return FAULTS[code].format_map(_named(given))


def verdict(code: str, given: Mapping[str, str]) -> str:
    """The whole sentence about a row, "Row 7: …"."""
    return VERDICTS[code].format_map(_named(given))


def changes(found: Iterable[tuple[str, str, str]]) -> str:
    """What a row changes: (column, old, new)."""
    return "; ".join(f"{title(name)} “{new}” instead of “{old}”" for name, old, new in found)


def note(about: Note) -> str:
    """A sentence about how the file was read."""
    return NOTES[about.code].format(what=about.what)


def _named(given: Mapping[str, str]) -> dict[str, str]:
    """The filling with columns by their titles: one as `column`, several as `columns`."""
    filling = dict(given)
    if column := given.get("column"):
        filling["column"] = title(column)
    if columns := given.get("columns"):
        filling["columns"] = " and ".join(map(title, columns.split()))
    return filling
