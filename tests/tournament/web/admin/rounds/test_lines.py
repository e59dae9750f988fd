"""Tests of players' connection times on the table's page."""

import pytest
from django.test import Client
from django.urls import reverse

from games import services
from tests.tournament.helpers import start_drafted_round
from tests.tournament.staging import match_of
from tournament.models import Event, Round, Table, User

pytestmark = [pytest.mark.django_db, pytest.mark.event(players=4)]


def read_table_page(client: Client, event: Event, table: Table) -> str:
    response = client.get(reverse("admin:event-table", args=[event.pk, table.pk]))
    return str(response.content.decode())


def test_table_page_shows_connection_times_per_seat(
    client: Client, event: Event, drafted_round: Round, organizer: User
) -> None:
    table = start_drafted_round(drafted_round, organizer, paper=False).tables.get()
    seat = match_of(table).seats.get(number=0)
    services.store_round_trips({seat.pk: (0.9, 0.031)})
    shown = read_table_page(client, event, table)
    assert "Players’ connection times" in shown.replace("&#x27;", "'")
    assert "900 · 31" in shown
    assert shown.count("No times were measured.") == 3


def test_table_without_a_match_shows_no_connection_times(
    client: Client, event: Event, drafted_round: Round
) -> None:
    assert 'id="lines"' not in read_table_page(client, event, drafted_round.tables.get())
