"""Tests of messages from the desk."""

import pytest
from django.test import Client

from tests.tournament.helpers import start_drafted_round
from tests.tournament.organizing import page, press_button
from tests.tournament.staging import player_at, running_round
from tournament.models import DeskMessage, Event, Round, Table, User

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(event: Event, organizer: User, drafted_round: Round) -> Table:
    return start_drafted_round(drafted_round, organizer, paper=False).tables.get(number=1)


def send_message(client: Client, event: Event, **fields: object) -> str:
    given = {"whom": "all", "text": "The pizza is here.", "minutes": "10"} | fields
    return press_button(client, page("messages", event), "send", **given)


def test_message_is_sent_listed_read_and_withdrawn(client: Client, event: Event) -> None:
    assert "No messages sent yet." in client.get(page("messages", event)).text
    said = send_message(client, event)
    assert "Sent to: everyone." in said
    public = Client().get(f"/e/{event.slug}/")
    assert "The pizza is here." in public.text
    message = DeskMessage.objects.get()
    said = press_button(client, page("messages", event), "back", message=message.pk)
    assert "The message is no longer shown." in said
    assert "withdrawn" in said
    assert "The pizza is here." not in Client().get(f"/e/{event.slug}/").text


def test_control_room_links_to_messages_with_the_table_preselected(
    client: Client, event: Event, table: Table
) -> None:
    link = f"{page('messages', event)}?table={table.pk}"
    assert link in client.get(page("control", event)).text
    assert f'value="table:{table.pk}" selected' in client.get(link).text
    assert "Sent to: Round 1, table 1." in send_message(client, event, whom=f"table:{table.pk}")
    player = Client()
    player.force_login(player_at(table))
    assert "The pizza is here." in player.get(f"/e/{event.slug}/my-table/").text
    assert "The pizza is here." not in Client().get(f"/e/{event.slug}/tables/").text


def test_staff_message_appears_only_on_desk_pages(client: Client, event: Event) -> None:
    send_message(client, event, whom="staff")
    assert "The pizza is here." in client.get(page("rounds", event)).text
    assert "The pizza is here." not in Client().get(f"/e/{event.slug}/").text


def test_invalid_message_is_explained(client: Client, event: Event, table: Table) -> None:
    assert "Enter the minutes as a whole number." in send_message(client, event, minutes="soon")
    assert "Write a message of at most" in send_message(client, event, text=" ")
    assert "Choose who the message is for." in send_message(client, event, whom="")


def test_tables_and_messages_of_other_events_are_inaccessible(
    client: Client, event: Event, table: Table
) -> None:
    elsewhere = running_round(4).tables.get()
    fields = {"action": "send", "whom": f"table:{elsewhere.pk}", "text": "Hi", "minutes": "5"}
    assert client.post(page("messages", event), fields).status_code == 404
    assert client.post(page("messages", event), {"action": "back", "message": 1}).status_code == 404
