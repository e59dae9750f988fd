"""Meanings of a file's columns, guessed from the headings or chosen by the organizer."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from games.rules.text import _
from tournament.pure.lists.columns import COLUMNS
from tournament.pure.lists.files import split_joined_rows
from tournament.pure.lists.headings import (
    NAME_PARTS,
    count_known_headings,
    fold_heading,
    join_headings,
    parse_heading,
)
from tournament.pure.lists.sheets import (
    MOST_ABOVE,
    FileCode,
    FileNote,
    ListLine,
    ListSheet,
    RefusedFileError,
)
from tournament.pure.texts import shorten_cell
from tournament.pure.words import join_words

REQUIRED = [name for name, column in COLUMNS.items() if column.required]
# Not translated, because these headings are recognized in every language.
EXAMPLE = "Roll No., Name, Email, Department, Course, Year"

# The positions, from 0, of the file's columns for each column of the list. A name can be split
# into several columns.
Positions = Mapping[str, tuple[int, ...]]


@dataclass
class Layout:
    """The layout of a list.

    * `sheet`: the sheet with the list.
    * `headings`: the headings as written in the file.
    * `positions`: the positions of the file's columns, or {} if their meanings are unclear.
    * `body`: the rows below the headings.
    * `notes`: notes about how the file was read.
    * `problem`: the reason why the meanings are unclear, or None.
    """

    sheet: ListSheet
    headings: list[str]
    positions: Positions
    body: list[ListLine] = field(default_factory=list)
    notes: list[FileNote] = field(default_factory=list)
    problem: RefusedFileError | None = None

    @property
    def width(self) -> int:
        return len(self.headings)

    @property
    def headings_by_column(self) -> dict[str, str]:
        """The heading in the file for each column of the list."""
        return {
            name: " + ".join(self.headings[position].strip() for position in positions)
            for name, positions in self.positions.items()
        }


def find_layout(sheets: Sequence[ListSheet], chosen: Mapping[str, str]) -> Layout:
    """Find the list in a file.

    `chosen` contains earlier choices of an organizer, as returned by `choices_by_heading`. Raises
    RefusedFileError if several sheets look like lists, or if no line could contain headings.
    """
    layouts = [layout for sheet in sheets if (layout := _find_layout_in_sheet(sheet, chosen))]
    if len(layouts) > 1:
        titles = join_words([f"“{layout.sheet.title}”" for layout in layouts])
        text = _("Several sheets look like lists: {titles}. Keep only one of them.")
        raise RefusedFileError(FileCode.SHEETS, text.format(titles=titles))
    if layouts:
        return layouts[0]
    joined = [sheet for sheet in map(split_joined_rows, sheets) if sheet]
    return find_layout(joined, chosen) if joined else _guess_layout(sheets)


def _find_layout_in_sheet(sheet: ListSheet, chosen: Mapping[str, str]) -> Layout | None:
    """Find the first headings with the required columns, among the first lines of a sheet."""
    for position, line in _list_first_lines(sheet):
        for headings, end in (
            (_join_second_line(sheet, position), position + 2),
            (line, position + 1),
        ):
            meanings = _find_meanings(headings.cells, chosen) if headings else []
            if headings and "roll_number" in meanings and {"name", "first"} & set(meanings):
                return _make_layout(sheet, headings, end, meanings)
    return None


def _join_second_line(sheet: ListSheet, position: int) -> ListLine | None:
    """Join headings that are written in two lines. Return None if the next line has no headings.

    A heading in the upper line also applies to the blank cells after it, as in a merged cell.
    """
    above, *below = sheet.lines[position : position + 2]
    if not below or not _continues_headings(below[0].cells):
        return None
    group, joined = "", []
    for upper, lower in zip_longest(above.cells, below[0].cells, fillvalue=""):
        group = upper.strip() or group
        joined.append(join_headings(group, lower.strip()) if lower.strip() else upper)
    return ListLine(below[0].number, joined)


def _continues_headings(cells: Sequence[str]) -> bool:
    """Return whether a line has only headings, or only remarks about the headings above it."""
    texts = [cell.strip() for cell in cells if cell.strip()]
    if any(re.search(r"[\d@]", text) for text in texts):
        return False
    meanings = {parse_heading(text) for text in texts} - {None}
    is_complete = "roll_number" in meanings and bool({"name", "first"} & meanings)
    are_remarks = bool(texts) and all(re.fullmatch(r"[(\[].*[)\]]", text) for text in texts)
    # A single word in the row of a student may look like a heading, such as the name Mail.
    return are_remarks or (len(meanings) > (len(texts) > 2) and not is_complete)


def _list_first_lines(sheet: ListSheet) -> list[tuple[int, ListLine]]:
    """Return the positions and contents of the first lines that are not blank."""
    start = enumerate(sheet.lines[:1000])
    return [(position, line) for position, line in start if any(map(str.strip, line.cells))][
        : MOST_ABOVE + 1
    ]


def _find_meanings(cells: Sequence[str], chosen: Mapping[str, str]) -> list[str]:
    folded = _number_headings(cells)
    return [
        chosen[key] if key in chosen else parse_heading(cell) or ""
        for key, cell in zip(folded, cells, strict=True)
    ]


def _number_headings(cells: Sequence[str]) -> list[str]:
    """Fold the headings, and number repeated headings. Choices are stored in this form."""
    seen: Counter[str] = Counter()
    numbered = []
    for cell in cells:
        key = fold_heading(cell[:100])
        seen[key] += 1
        numbered.append(key if seen[key] == 1 else f"{key} {seen[key]}")
    return numbered


def choices_by_heading(headings: Sequence[str], meanings: Sequence[str]) -> dict[str, str]:
    """Return the choice of columns in the form that is stored for the event's next list."""
    return dict(zip(_number_headings(headings), meanings, strict=True))


def _make_layout(sheet: ListSheet, line: ListLine, end: int, meanings: Sequence[str]) -> Layout:
    """Make the layout of a sheet with these headings. `end` is the position of the first row."""
    layout = Layout(sheet, line.cells, {}, notes=list(sheet.notes))
    layout.problem = _find_repeated_meaning(line, meanings)
    if layout.problem is None:
        layout.positions = _map_positions(meanings)
    later_lines = [each for each in sheet.lines[end:] if any(map(str.strip, each.cells))]
    repeated = [each for each in later_lines if _repeats_headings(layout, meanings, each)]
    if repeated:
        numbers = ", ".join(str(each.number) for each in repeated[:10])
        layout.notes.append(FileNote("repeated-headings", numbers))
    repeated_numbers = {each.number for each in repeated}
    layout.body = [each for each in later_lines if each.number not in repeated_numbers]
    return layout


def _map_positions(meanings: Sequence[str]) -> dict[str, tuple[int, ...]]:
    by_name: dict[str, tuple[int, ...]] = {}
    for name in (*COLUMNS, *NAME_PARTS):
        if positions := tuple(
            position for position, meaning in enumerate(meanings) if meaning == name
        ):
            by_name[name] = positions
    parts = tuple(position for part in NAME_PARTS for position in by_name.pop(part, ()))
    if parts and "name" not in by_name:
        by_name["name"] = parts
    order = [*COLUMNS]
    return dict(sorted(by_name.items(), key=lambda item: order.index(item[0])))


def _find_repeated_meaning(line: ListLine, meanings: Sequence[str]) -> RefusedFileError | None:
    for name, times in Counter(meanings).items():
        if name in COLUMNS and times > 1:
            headings_with_meaning = [
                shorten_cell(cell)
                for cell, meaning in zip(line.cells, meanings, strict=True)
                if meaning == name
            ]
            text = _("{headings} could each be the {column} column. Rename or delete all but one.")
            headings = join_words([f"“{heading}”" for heading in headings_with_meaning])
            sentence = text.format(headings=headings, column=_(COLUMNS[name].title))
            return RefusedFileError(FileCode.COLUMNS_TWICE, sentence)
    return None


def _repeats_headings(layout: Layout, meanings: Sequence[str], line: ListLine) -> bool:
    """Return whether a row repeats the headings, as at the top of each page of a printout."""
    compared = 0
    for cell, heading, meaning in zip(line.cells, layout.headings, meanings, strict=False):
        if meaning and cell.strip():
            # Comparing is faster than parsing, and most rows differ in their first cell.
            if cell.strip() != heading.strip() and parse_heading(cell) != meaning:
                return False
            compared += 1
    return compared >= 2


def _guess_layout(sheets: Sequence[ListSheet]) -> Layout:
    """Return a layout with the line that most likely has the headings.

    The organizer can then choose the meanings of its columns.
    """
    first = next((line.cells for sheet in sheets for line in sheet.lines if any(line.cells)), [])
    first_cells = ", ".join(f"“{shorten_cell(cell)}”" for cell in first[:8] if cell.strip()) or _(
        "nothing"
    )
    text = _(
        "The first line must name the columns, including one for the roll number and "
        "one for the name, for example: {example}. Found: {seen}."
    )
    problem = RefusedFileError(FileCode.NO_COLUMNS, text.format(example=EXAMPLE, seen=first_cells))
    candidates = [
        (sheet, position, line) for sheet in sheets for position, line in _list_first_lines(sheet)
    ]
    if not candidates:
        raise problem
    sheet, position, line = max(
        candidates,
        key=lambda each: (count_known_headings(each[2].cells), _count_filled_cells(each[2].cells)),
    )
    if _count_filled_cells(line.cells) < 2:
        raise problem
    meanings = [parse_heading(cell) or "" for cell in line.cells]
    layout = _make_layout(sheet, line, position + 1, meanings)
    layout.positions, layout.problem = {}, problem
    return layout


def _count_filled_cells(cells: Sequence[str]) -> int:
    return sum(bool(cell.strip()) for cell in cells)


def apply_column_choice(layout: Layout, meanings: Sequence[str]) -> None:
    """Apply an organizer's choice of columns. Several name columns are joined.

    Raises RefusedFileError if a required column is missing or any other column is chosen twice.
    """
    chosen = _map_positions(meanings)
    if missing := [name for name in REQUIRED if name not in chosen]:
        text = _("Choose the column that has the {column}.")
        sentence = text.format(column=_(COLUMNS[missing[0]].title))
        raise RefusedFileError(FileCode.NO_COLUMNS, sentence)
    for name, positions in chosen.items():
        if name != "name" and len(positions) > 1:
            text = _("Choose one column for the {column}.")
            sentence = text.format(column=_(COLUMNS[name].title))
            raise RefusedFileError(FileCode.COLUMNS_TWICE, sentence)
    layout.positions, layout.problem = chosen, None
