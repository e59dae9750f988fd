"""Tests of the page behind the QR code on a score sheet."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import give_role, make_user
from tests.tournament.helpers import first_stage, make_organized_event, start_drafted_round
from tests.tournament.organizing import page
from tests.typed import sure
from tournament.models import Event, Round, Table, User
from tournament.seating.services import seat_round

pytestmark = pytest.mark.django_db


@pytest.fixture
def started_round() -> Round:
    event, organizer = make_organized_event(4)
    return start_drafted_round(seat_round(first_stage(event), organizer), organizer)


@pytest.fixture
def table(started_round: Round) -> Table:
    return started_round.tables.get()


def get_entry_address(table: Table) -> str:
    return reverse("table-points", args=[table.round.stage.event.slug, table.pk])


def sign_in(user: User) -> Client:
    browser = Client()
    browser.force_login(user)
    return browser


def test_staff_are_redirected_to_the_points_form_at_the_desk(table: Table) -> None:
    event, scorer = table.round.stage.event, make_user(is_staff=True)
    give_role(event, scorer, "scorer")
    answer = sign_in(scorer).get(get_entry_address(table))
    assert answer["Location"] == f"{page('table', event, table.pk)}#points"


def test_players_who_may_not_enter_points_are_redirected_to_my_table(table: Table) -> None:
    answer = sign_in(make_user()).get(get_entry_address(table))
    assert answer["Location"] == reverse("my-table", args=[table.round.stage.event.slug])


def test_visitor_is_sent_to_sign_in_first(client: Client, table: Table) -> None:
    assert client.get(get_entry_address(table))["Location"].startswith("/accounts/login/?next=")


def test_draft_event_has_no_score_entry(table: Table) -> None:
    Round.objects.filter(pk=table.round_id).update(state=Round.State.DRAFT)
    assert sign_in(make_user()).get(get_entry_address(table)).status_code == 404


def list_player_clients(table: Table) -> list[Client]:
    """Return a client for each player at the table, in the order of the seats."""
    seats = table.seats.select_related("registration__user").order_by("number")
    return [sign_in(sure(sure(seat.registration).user)) for seat in seats]


@pytest.fixture
def confirming_table(table: Table) -> Table:
    """Make the event require confirmation by one other player, and return the table."""
    Event.objects.update(players_enter="one")
    return table


def press_button(browser: Client, table: Table, action: str, **fields: object) -> str:
    data = {"action": action} | fields
    return browser.post(get_entry_address(table), data, follow=True).content.decode()


def test_player_enters_points_and_another_confirms_with_one_tap(
    confirming_table: Table,
) -> None:
    one, two, *_others = list_player_clients(confirming_table)
    mine = reverse("my-table", args=[confirming_table.round.stage.event.slug])
    assert "Then enter the points here." in one.get(mine).content.decode()
    assert get_entry_address(confirming_table) in one.get(mine).content.decode()
    assert one.get(get_entry_address(confirming_table)).content.decode().count('name="points"') == 4
    text = press_button(one, confirming_table, "report", points=[400, 0, 0, 0])
    assert "Points entered. The others at the table can now check them on their own phones." in text
    assert "Yes, they’re correct" not in text
    assert "Are these points correct?" in two.get(mine).content.decode()
    assert "Yes, they’re correct" in two.get(get_entry_address(confirming_table)).content.decode()
    report = confirming_table.reports.get()
    assert "The table has confirmed its points." in press_button(
        two, confirming_table, "confirm", report=report.pk
    )
    assert confirming_table.results.get().points == [400, 0, 0, 0]


def test_player_can_dispute_points_and_the_desk_sees_it(
    confirming_table: Table, client: Client
) -> None:
    one, two, three, _four = list_player_clients(confirming_table)
    press_button(one, confirming_table, "report", points=[400, 0, 0, 0])
    text = press_button(two, confirming_table, "dispute", report=confirming_table.reports.get().pk)
    assert "The desk knows you disagree" in text
    assert (
        "Yes, they’re correct"
        not in three.get(get_entry_address(confirming_table)).content.decode()
    )
    event = confirming_table.round.stage.event
    client.force_login(event.organizers.get())
    assert "points disputed" in client.get(page("control", event)).content.decode()
    shown = client.get(page("table", event, confirming_table.pk)).content.decode()
    assert "Points entered at the table" in shown
    assert 'name="points" value="400"' in shown


def test_unconfirmed_points_are_shown_in_the_control_room(
    confirming_table: Table, client: Client
) -> None:
    press_button(
        list_player_clients(confirming_table)[0], confirming_table, "report", points=[400, 0, 0, 0]
    )
    event = confirming_table.round.stage.event
    client.force_login(event.organizers.get())
    assert "players’ points unconfirmed" in client.get(page("control", event)).content.decode()


def test_invalid_points_keep_the_form_input(confirming_table: Table) -> None:
    browser = list_player_clients(confirming_table)[0]
    answer = browser.post(
        get_entry_address(confirming_table), {"action": "report", "points": ["a", "0", "7", "0"]}
    )
    assert answer.status_code == 422
    assert 'value="7"' in answer.content.decode()
    assert "Enter a whole number of points for every seat." in answer.content.decode()


@pytest.mark.parametrize("report", ["99999", "", "x", "-1", "9" * 5000])
def test_report_of_another_table_is_not_found(confirming_table: Table, report: str) -> None:
    answer = list_player_clients(confirming_table)[0].post(
        get_entry_address(confirming_table), {"action": "confirm", "report": report}
    )
    assert answer.status_code == 404


def test_second_player_sees_the_points_already_entered(confirming_table: Table) -> None:
    one, two, *_others = list_player_clients(confirming_table)
    press_button(one, confirming_table, "report", points=[400, 0, 0, 0])
    text = press_button(two, confirming_table, "report", points=[0, 400, 0, 0])
    assert "Another player has just entered the points" in text
    assert "Yes, they’re correct" in text
