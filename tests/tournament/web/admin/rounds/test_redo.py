"""Tests of the form with which organizers have a hand dealt again."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournament.helpers import first_stage, make_organized_event, start_drafted_round
from tests.tournament.staging import match_of
from tournament.models import AuditEntry, Event, Round, Table, User
from tournament.rounds.services import pause
from tournament.seating.services import seat_round

pytestmark = [pytest.mark.django_db, pytest.mark.event(players=4)]

REASON_FIELD = {"reason": "A card was shown."}


@pytest.fixture
def table(drafted_round: Round, organizer: User) -> Table:
    """Provide a table of a round in progress."""
    return start_drafted_round(drafted_round, organizer, paper=False).tables.get()


def get_table_address(table: Table, event: Event | None = None) -> str:
    event = event or table.round.stage.event
    return reverse("admin:event-table", args=[event.pk, table.pk])


def read_table_page(client: Client, table: Table) -> str:
    return str(client.get(get_table_address(table)).content.decode())


def redo_hand(client: Client, table: Table, **fields: Any) -> str:
    response = client.post(get_table_address(table), {"action": "redo"} | fields, follow=True)
    return str(response.content.decode())


def test_hand_is_redealt_with_a_reason(client: Client, table: Table) -> None:
    button = '<button class="button danger" name="action" value="redo">Redeal hand 1</button>'
    assert button in read_table_page(client, table)
    shown = redo_hand(client, table, hand=1, **REASON_FIELD)
    assert (
        "Hand 1 is void, but its record will be kept. Hand 2 is being dealt in its place." in shown
    )
    assert "No hand is in progress." in shown
    assert [hand.void for hand in match_of(table).hands.order_by("number")] == [True, False]
    assert AuditEntry.objects.get(action="redo-hand").reason == "A card was shown."


def test_missing_input_is_requested(client: Client, table: Table) -> None:
    assert "Say why the hand is being redealt. The players will see the reason." in redo_hand(
        client, table, hand=1
    )
    assert "Reload this page to see which hand is in progress." in redo_hand(
        client, table, hand="", **REASON_FIELD
    )
    assert match_of(table).hands.count() == 1


def test_repeated_redeal_is_explained(client: Client, table: Table) -> None:
    redo_hand(client, table, hand=1, **REASON_FIELD)
    shown = redo_hand(client, table, hand=1, **REASON_FIELD)
    assert "No hand is in progress, so there’s nothing to deal again." in shown
    assert match_of(table).hands.count() == 2


def test_redeal_at_a_paused_table_says_when_cards_are_dealt(client: Client, table: Table) -> None:
    paused = "The table stays paused. The new cards will be dealt once it resumes."
    assert paused not in read_table_page(client, table)
    pause(table.round, table.round.stage.event.organizers.get(), table)
    assert paused in read_table_page(client, table)


def test_hand_of_another_event_cannot_be_redealt(client: Client, table: Table) -> None:
    elsewhere, organizer = make_organized_event(4)
    drafted = seat_round(first_stage(elsewhere), organizer)
    theirs = start_drafted_round(drafted, organizer, paper=False).tables.get()
    fields = {"action": "redo", "hand": 1} | REASON_FIELD
    for event in (table.round.stage.event, theirs.round.stage.event):
        assert client.post(get_table_address(theirs, event), fields).status_code == 404
    assert match_of(theirs).hands.count() == 1


def test_table_without_a_hand_in_progress_offers_no_redeal(
    client: Client, drafted_round: Round, organizer: User
) -> None:
    table = start_drafted_round(drafted_round, organizer).tables.get()
    assert "Redeal the hand" not in read_table_page(client, table)
