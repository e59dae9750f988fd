"""Tests of switching a table between the site and physical cards."""

import pytest
from django.test import Client
from django.urls import reverse

from games import queries
from games import services as games
from tests.factories import UNREACHABLE_TARGET
from tests.tournament.helpers import first_stage, start_drafted_round
from tests.tournament.organizing import page, press_button
from tests.tournament.staging import match_of
from tournament.models import Event, Table, User
from tournament.seating.services import seat_round

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(event: Event, organizer: User) -> Table:
    """Provide the first table after the first of its three hands."""
    rules = {"hand_limit": 3, "options": UNREACHABLE_TARGET}
    Event.objects.filter(pk=event.pk).update(second_person="off", **rules)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer, paper=False)
    found = played.tables.order_by("number")[0]
    games.play_out(match_of(found), hands=1)
    return Table.objects.get(pk=found.pk)


def get_table_address(table: Table) -> str:
    return page("table", table.round.stage.event, table.pk)


def test_table_switches_to_physical_cards_and_back_with_its_points(
    client: Client, table: Table
) -> None:
    before = queries.score(match_of(table)).totals
    message = client.get(get_table_address(table)).content.decode()
    assert "Finished hands will count:" in message
    text = press_button(client, get_table_address(table), "paper", paper="yes", reason="No power.")
    assert "physical cards." in text
    assert f"The table continued from these points, by seat: {', '.join(map(str, before))}." in text
    assert "Hands played with physical cards" in text
    more = [had + 20 * (seat == 1) for seat, had in enumerate(before)]
    data = {"paper": "", "points": more, "hands": 1, "reason": "It is back."}
    text = press_button(client, get_table_address(table), "paper", **data)
    assert "has switched to playing on the site." in text
    again = Table.objects.get(pk=table.pk)
    assert queries.score(match_of(again)).totals == more
    assert "Previous match" in text


def test_score_sheet_starts_with_the_finished_hands(client: Client, table: Table) -> None:
    press_button(client, get_table_address(table), "paper", paper="yes", reason="No power.")
    start = Table.objects.get(pk=table.pk).start
    sheet = client.get(page("print", table.round.stage.event), {"table": table.number})
    row = "".join(f"<td>{points}</td>" for points in start)
    assert f'<th scope="row">Start</th>{row}' in sheet.content.decode()
    assert '<th scope="row">2</th>' in sheet.content.decode()
    assert '<th scope="row">1</th>' not in sheet.content.decode()


def test_earlier_match_page_says_that_its_points_carry_over(client: Client, table: Table) -> None:
    first = match_of(table)
    press_button(client, get_table_address(table), "paper", paper="yes", reason="No power.")
    result = reverse("games:result", args=[first.public_id])
    text = client.get(result).content.decode()
    assert "This match continues elsewhere with these points. Reason: No power." in text
    assert "This match doesn’t count." not in text
    press_button(client, get_table_address(table), "paper", paper="", reason="It is back.")
    second = match_of(Table.objects.get(pk=table.pk))
    text = client.get(reverse("games:result", args=[second.public_id])).content.decode()
    assert f'<a href="{result}">Carried over</a>' in text


def test_non_numeric_points_are_refused(client: Client, table: Table) -> None:
    press_button(client, get_table_address(table), "paper", paper="yes", reason="No power.")
    data = {"paper": "", "points": ["1", "a"], "hands": 1, "reason": "It is back."}
    assert "as whole numbers." in press_button(client, get_table_address(table), "paper", **data)
    assert Table.objects.get(pk=table.pk).paper


def test_switching_to_paper_with_two_organizers_needs_no_confirmation(
    client: Client, event: Event, table: Table
) -> None:
    Event.objects.update(second_person="far")
    from_two = press_button(
        client, get_table_address(table), "paper", paper="yes", reason="No power."
    )
    assert "physical cards." in from_two
    assert event.proposals.count() == 0
