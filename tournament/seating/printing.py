"""Printouts of a round: seats by name and by table, and score sheets.

The content is divided into pages here, so that every page has a header and a number.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from tournament.models import Round, Table
from tournament.pure.alphabet import name_sort_key
from tournament.seating.queries import prefetch_sitters

Item = TypeVar("Item")
# Lines per column, and columns per page, on A4 portrait.
LINES, COLUMNS = 40, 2
# Lines for a table's heading and the gap below the table.
HEAD_LINES = 2
# Maximum number of rows on a score sheet.
MAX_SHEET_ROWS = 18

# The parts of a printout. They can be printed together or separately.
PARTS = ("names", "tables", "sheets", "paper", "signs")


@dataclass(frozen=True)
class NameLine:
    """A player's table and seat. `seat` counts from 1."""

    name: str
    table: int
    seat: int


@dataclass(frozen=True)
class TableBox:
    """A table with the names of its players, by seat."""

    number: int
    paper: bool
    names: list[str]


@dataclass(frozen=True)
class ScoreSheet:
    """A table's score sheet, with a column for each name and a row for each hand.

    * `start`: the points carried over from the site, by seat.
    * `hands`: the numbers of the hands. They continue from the site.
    * `entry`: the URL of the form for the points.
    * `picture`: a QR code of `entry`.
    """

    number: int
    names: list[str]
    start: list[int]
    hands: range
    entry: str
    picture: str


@dataclass(frozen=True)
class TableSign:
    """A sign for a table: its number and its players, by seat."""

    number: int
    names: list[str]


@dataclass(frozen=True)
class PaperSheet:
    """A printed page: columns of lines or boxes, a score sheet, or a sign.

    `kind` is one of PARTS, except "paper".
    """

    kind: str
    columns: Sequence[Sequence[NameLine | TableBox]] = ()
    sheet: ScoreSheet | None = None
    sign: TableSign | None = None


@dataclass(frozen=True)
class Codes:
    """Functions that return the URL of a table's entry form, and its QR code."""

    address: Callable[[Table], str]
    picture: Callable[[str], str]


def lay_out_pages(
    round_: Round, codes: Codes, part: str = "", table: int | None = None
) -> list[PaperSheet]:
    """Return the round's pages in printing order: the standard parts, or only `part`.

    The part "paper" contains the score sheets of tables with physical cards. With `table`, only the
    score sheet of the table with this number is returned.
    """
    seated = round_.tables.prefetch_related(prefetch_sitters())
    tables = [each for each in seated if table is None or each.number == table]
    if table is not None:
        return _make_score_sheets(tables, codes)
    makers: dict[str, Callable[[], list[PaperSheet]]] = {
        "names": lambda: _lay_out_by_name(tables),
        "tables": lambda: _lay_out_by_table(tables),
        "sheets": lambda: _make_score_sheets(tables, codes),
        "paper": lambda: _make_score_sheets([each for each in tables if each.paper], codes),
        "signs": lambda: [
            PaperSheet("signs", sign=TableSign(t.number, _list_sitter_names(t))) for t in tables
        ],
    }
    if part in makers:
        return makers[part]()
    return [page for name in PARTS[:3] for page in makers[name]()]


def _lay_out_by_name(tables: Sequence[Table]) -> list[PaperSheet]:
    lines = sorted(
        (
            NameLine(seat.sitter.name, table.number, seat.number + 1)
            for table in tables
            for seat in table.seats.all()
            if seat.sitter
        ),
        key=lambda line: name_sort_key(line.name),
    )
    return [
        PaperSheet("names", columns) for columns in _lay_out_items([(line, 1) for line in lines])
    ]


def _lay_out_by_table(tables: Sequence[Table]) -> list[PaperSheet]:
    boxes = [TableBox(table.number, table.paper, _list_sitter_names(table)) for table in tables]
    with_heights = [(box, len(box.names) + HEAD_LINES) for box in boxes]
    return [PaperSheet("tables", columns) for columns in _lay_out_items(with_heights)]


def _lay_out_items(items: Iterable[tuple[Item, int]]) -> list[list[list[Item]]]:
    """Distribute items over the columns of pages, by their heights.

    An item that is higher than a column has a column to itself.
    """
    columns: list[list[Item]] = []
    used = LINES
    for item, height in items:
        if used + height > LINES:
            columns.append([])
            used = 0
        columns[-1].append(item)
        used += height
    return [columns[first : first + COLUMNS] for first in range(0, len(columns), COLUMNS)]


def _make_score_sheets(tables: Sequence[Table], codes: Codes) -> list[PaperSheet]:
    return [PaperSheet("sheets", sheet=_make_score_sheet(table, codes)) for table in tables]


def _make_score_sheet(table: Table, codes: Codes) -> ScoreSheet:
    entry = codes.address(table)
    first = len(table.carried) + 1
    limit = (table.round.stage.event.hand_limit or MAX_SHEET_ROWS + first - 1) + 1
    return ScoreSheet(
        number=table.number,
        names=_list_sitter_names(table),
        start=table.start,
        hands=range(first, min(limit, MAX_SHEET_ROWS + first)),
        entry=entry,
        picture=codes.picture(entry),
    )


def _list_sitter_names(table: Table) -> list[str]:
    return [seat.sitter.name if seat.sitter else str(seat) for seat in table.seats.all()]
