"""Positions of a file's columns, guessed from its headings or chosen by the organizer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from games.rules.text import _
from tournament.pure.lists.columns import COLUMNS
from tournament.pure.lists.headings import NAME_PARTS, count_known, fold_heading, known_heading
from tournament.pure.lists.sheets import (
    FileCode,
    FileNote,
    ListLine,
    ListSheet,
    RefusedFileError,
)
from tournament.pure.texts import printable
from tournament.pure.words import join_words

REQUIRED = [name for name, column in COLUMNS.items() if column.required]
# Not translated, because headings are recognized in this form whatever the reader's language.
EXAMPLE = "Roll No., Name, Email, Department, Course, Year"
# Lines with text above the list: a letterhead, a title, the date.
MOST_ABOVE = 30

# The places of the file's columns, from 0, by the column of the list; a name may have several.
Places = Mapping[str, tuple[int, ...]]


@dataclass
class Layout:
    """The sheet that holds the list, its headings and their meanings, and the rows below.

    `at` is empty while the meanings are unknown. `problem` says why.
    """

    sheet: ListSheet
    headings: list[str]
    at: Places
    body: list[ListLine] = field(default_factory=list)
    notes: list[FileNote] = field(default_factory=list)
    problem: RefusedFileError | None = None

    @property
    def width(self) -> int:
        return len(self.headings)

    @property
    def heading_of(self) -> dict[str, str]:
        """The file's own headings, by column of the list."""
        return {
            name: " + ".join(self.headings[at].strip() for at in places)
            for name, places in self.at.items()
        }


def find_layout(sheets: Sequence[ListSheet], chosen: Mapping[str, str]) -> Layout:
    """Find the list in a file.

    `chosen`: an organizer's choices about headings, as returned by `remember`.
    Raises RefusedFileError if nothing looks like a list.
    """
    found = [each for sheet in sheets if (each := _find_header(sheet, chosen))]
    if len(found) > 1:
        titles = join_words([f"“{each.sheet.title}”" for each in found])
        text = _("Several sheets look like lists: {titles}. Keep only one of them.")
        raise RefusedFileError(FileCode.SHEETS, text.format(titles=titles))
    return found[0] if found else _take_widest(sheets)


def _find_header(sheet: ListSheet, chosen: Mapping[str, str]) -> Layout | None:
    """Find the first line with the required columns, below at most thirty lines of text."""
    for position, line in _list_first(sheet):
        meanings = _find_meanings(line.cells, chosen)
        has_name = "name" in meanings or {"first", "last"} <= set(meanings) or "first" in meanings
        if "roll_number" in meanings and has_name:
            return _lay_out(sheet, position, meanings)
    return None


def _list_first(sheet: ListSheet) -> list[tuple[int, ListLine]]:
    """Return the first lines that are not blank, with their positions."""
    start = enumerate(sheet.lines[:1000])
    return [(at, line) for at, line in start if any(map(str.strip, line.cells))][: MOST_ABOVE + 1]


def _find_meanings(cells: Sequence[str], chosen: Mapping[str, str]) -> list[str]:
    folded = _number_headings(cells)
    return [
        chosen[key] if key in chosen else known_heading(cell) or ""
        for key, cell in zip(folded, cells, strict=True)
    ]


def _number_headings(cells: Sequence[str]) -> list[str]:
    """Return the headings in the form in which they are remembered; repeated ones get a number."""
    seen: Counter[str] = Counter()
    found = []
    for cell in cells:
        key = fold_heading(cell[:100])
        seen[key] += 1
        found.append(key if seen[key] == 1 else f"{key} {seen[key]}")
    return found


def remember(headings: Sequence[str], meanings: Sequence[str]) -> dict[str, str]:
    """Return a choice of columns in the form that is stored for the event's next list."""
    return dict(zip(_number_headings(headings), meanings, strict=True))


def _lay_out(sheet: ListSheet, position: int, meanings: Sequence[str]) -> Layout:
    line = sheet.lines[position]
    layout = Layout(sheet, line.cells, {}, notes=list(sheet.notes))
    layout.problem = _find_doubt(line, meanings)
    if layout.problem is None:
        layout.at = _place(meanings)
    rest = [each for each in sheet.lines[position + 1 :] if any(map(str.strip, each.cells))]
    repeated = [each for each in rest if _repeats(layout, meanings, each)]
    if repeated:
        numbers = ", ".join(str(each.number) for each in repeated[:10])
        layout.notes.append(FileNote("repeated-headings", numbers))
    again = {each.number for each in repeated}
    layout.body = [each for each in rest if each.number not in again]
    return layout


def _place(meanings: Sequence[str]) -> dict[str, tuple[int, ...]]:
    places: dict[str, tuple[int, ...]] = {}
    for name in (*COLUMNS, *NAME_PARTS):
        if found := tuple(at for at, meaning in enumerate(meanings) if meaning == name):
            places[name] = found
    parts = tuple(at for part in NAME_PARTS for at in places.pop(part, ()))
    if parts and "name" not in places:
        places["name"] = parts
    order = [*COLUMNS]
    return dict(sorted(places.items(), key=lambda item: order.index(item[0])))


def _find_doubt(line: ListLine, meanings: Sequence[str]) -> RefusedFileError | None:
    for name, times in Counter(meanings).items():
        if name in COLUMNS and times > 1:
            same = [printable(c) for c, n in zip(line.cells, meanings, strict=True) if n == name]
            text = _("{headings} could each be the {column} column. Rename or delete all but one.")
            headings = join_words([f"“{heading}”" for heading in same])
            told = text.format(headings=headings, column=_(COLUMNS[name].title))
            return RefusedFileError(FileCode.COLUMNS_TWICE, told)
    return None


def _repeats(layout: Layout, meanings: Sequence[str], line: ListLine) -> bool:
    """Return whether a row repeats the headings, as at the top of a printed page."""
    compared = 0
    for cell, heading, meaning in zip(line.cells, layout.headings, meanings, strict=False):
        if meaning and cell.strip():
            # Most rows differ in their first cell.
            if cell.strip() != heading.strip() and known_heading(cell) != meaning:
                return False
            compared += 1
    return compared >= 2


def _take_widest(sheets: Sequence[ListSheet]) -> Layout:
    """Return the line that is most likely to have the headings, for the organizer to assign."""
    first = next((line.cells for s in sheets for line in s.lines if any(line.cells)), [])
    seen = ", ".join(f"“{printable(c)}”" for c in first[:8] if c.strip()) or _("nothing")
    text = _(
        "The first line must name the columns, including one for the roll number and "
        "one for the name, for example: {example}. Found: {seen}."
    )
    problem = RefusedFileError(FileCode.NO_COLUMNS, text.format(example=EXAMPLE, seen=seen))
    candidates = [(sheet, at, line) for sheet in sheets for at, line in _list_first(sheet)]
    if not candidates:
        raise problem
    sheet, at, line = max(
        candidates, key=lambda each: (count_known(each[2].cells), _count_filled(each[2].cells))
    )
    if _count_filled(line.cells) < 2:
        raise problem
    layout = _lay_out(sheet, at, [known_heading(cell) or "" for cell in line.cells])
    layout.at, layout.problem = {}, problem
    return layout


def _count_filled(cells: Sequence[str]) -> int:
    return sum(bool(cell.strip()) for cell in cells)


def choose_places(layout: Layout, meanings: Sequence[str]) -> None:
    """Apply an organizer's choice of the file's columns; two name columns are joined.

    Raises RefusedFileError if a required column is missing or chosen twice.
    """
    places = _place(meanings)
    if missing := [name for name in REQUIRED if name not in places]:
        text = _("Choose the column that has the {column}.")
        told = text.format(column=_(COLUMNS[missing[0]].title))
        raise RefusedFileError(FileCode.NO_COLUMNS, told)
    for name, found in places.items():
        if name != "name" and len(found) > 1:
            text = _("Choose one column for the {column}.")
            told = text.format(column=_(COLUMNS[name].title))
            raise RefusedFileError(FileCode.COLUMNS_TWICE, told)
    layout.at, layout.problem = places, None
