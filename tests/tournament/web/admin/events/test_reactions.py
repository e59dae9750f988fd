"""Tests of reactions at a table, which organizers can review and turn off."""

import pytest
from django.test import Client
from django.urls import reverse

from games import services
from games.seats import SeatNumber
from tests.tournament.helpers import start_drafted_round
from tests.tournament.staging import match_of
from tournament.models import Event, Round, Table, User

pytestmark = [pytest.mark.django_db, pytest.mark.event(players=4)]


def read_table_page(client: Client, event: Event, table: Table) -> str:
    response = client.get(reverse("admin:event-table", args=[event.pk, table.pk]))
    return " ".join(response.content.decode().split())


def test_u59_table_page_lists_the_reactions_of_each_player(
    client: Client, event: Event, drafted_round: Round, organizer: User
) -> None:
    table = start_drafted_round(drafted_round, organizer, paper=False).tables.get()
    assert 'id="reactions"' not in read_table_page(client, event, table)
    match = match_of(table)
    services.react(match.pk, SeatNumber(1), "clap")
    shown = read_table_page(client, event, table)
    assert "Reactions from players" in shown
    assert f"<bdi>{match.seats.get(number=1)}</bdi>: clap" in shown


def test_table_that_has_not_started_has_no_reactions(
    client: Client, event: Event, drafted_round: Round
) -> None:
    assert 'id="reactions"' not in read_table_page(client, event, drafted_round.tables.get())


def test_u59_settings_can_turn_reactions_off(client: Client, event: Event) -> None:
    settings = client.get(reverse("admin:tournament_event_change", args=[event.pk]))
    assert 'name="reactions"' in settings.content.decode()
