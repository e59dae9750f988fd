"""Tests of the printed pages of a round: their lines and page breaks."""

import pytest

from tests.tournament.helpers import first_stage, make_organized_event
from tests.typed import sure
from tournament.models import Round, Table
from tournament.seating.printing import LINES, Codes, NameLine, PaperSheet, TableBox, lay_out_pages
from tournament.seating.services import seat_round

pytestmark = pytest.mark.django_db


def get_table_address(table: Table) -> str:
    return f"/{table.number}"


CODES = Codes(get_table_address, lambda address: f"picture of {address}")


def make_drafted_round(players: int = 8, **fields: object) -> Round:
    event, organizer = make_organized_event(players, **fields)
    return seat_round(first_stage(event), organizer)


def list_page_kinds(pages: list[PaperSheet]) -> list[str]:
    return [page.kind for page in pages]


def list_printed_lines(pages: list[PaperSheet]) -> list[NameLine | TableBox]:
    return [line for page in pages for column in page.columns for line in column]


def test_printout_has_names_tables_and_a_score_sheet_for_each_table() -> None:
    assert list_page_kinds(lay_out_pages(make_drafted_round(), CODES)) == [
        "names",
        "tables",
        "sheets",
        "sheets",
    ]


def test_each_part_can_be_printed_separately() -> None:
    played = make_drafted_round()
    played.tables.filter(number=2).update(paper=True)
    assert list_page_kinds(lay_out_pages(played, CODES, "names")) == ["names"]
    assert list_page_kinds(lay_out_pages(played, CODES, "tables")) == ["tables"]
    assert [sure(page.sheet).number for page in lay_out_pages(played, CODES, "sheets")] == [1, 2]
    assert [sure(page.sheet).number for page in lay_out_pages(played, CODES, "paper")] == [2]
    assert [sure(page.sheet).number for page in lay_out_pages(played, CODES, table=2)] == [2]
    assert lay_out_pages(played, CODES, table=9) == []


def test_each_table_sign_lists_its_players() -> None:
    played = make_drafted_round()
    found = lay_out_pages(played, CODES, "signs")
    assert list_page_kinds(found) == ["signs", "signs"]
    seats = [str(seat) for seat in played.tables.get(number=2).seats.all()]
    assert (sure(found[1].sign).number, sure(found[1].sign).names) == (2, seats)


def test_names_are_in_alphabetical_order_with_table_and_seat() -> None:
    played = make_drafted_round()
    seat = played.tables.get(number=2).seats.get(number=1)
    who = sure(seat.registration)
    who.name = "aaron"
    who.save()
    found = list_printed_lines(lay_out_pages(played, CODES, "names"))
    assert found[0] == NameLine("aaron", 2, 2)
    assert len(found) == 8


def test_substitute_is_printed_at_their_seat() -> None:
    played = make_drafted_round(9)
    seat = played.tables.order_by("number")[0].seats.get(number=0)
    substitute = played.stage.event.registrations.latest("pk")
    seat.substitute = substitute
    seat.save()
    box = list_printed_lines(lay_out_pages(played, CODES, "tables"))[0]
    assert isinstance(box, TableBox)
    assert box.names[0] == substitute.name


def test_bot_is_listed_at_its_table_and_not_among_the_names() -> None:
    played = make_drafted_round(7, fill_with_bots=True)
    assert len(list_printed_lines(lay_out_pages(played, CODES, "names"))) == 7
    boxes = [
        box
        for box in list_printed_lines(lay_out_pages(played, CODES, "tables"))
        if isinstance(box, TableBox)
    ]
    assert [name for box in boxes for name in box.names if name == "Bot 4"] == ["Bot 4"]


def test_full_column_continues_in_the_next_column_or_page() -> None:
    played = make_drafted_round(2 * LINES + 4)
    found = lay_out_pages(played, CODES, "names")
    assert [[len(column) for column in page.columns] for page in found] == [[LINES, LINES], [4]]
    tables = lay_out_pages(played, CODES, "tables")
    assert [[len(column) for column in page.columns] for page in tables] == [[6, 6], [6, 3]]


def test_score_sheet_has_a_row_for_each_hand_and_its_entry_code() -> None:
    sheet = sure(lay_out_pages(make_drafted_round(hand_limit=3), CODES, "sheets")[1].sheet)
    assert sheet.hands == range(1, 4)
    assert (sheet.entry, sheet.picture) == ("/2", "picture of /2")
    assert len(sure(lay_out_pages(make_drafted_round(), CODES, "sheets")[0].sheet).hands) == 18
