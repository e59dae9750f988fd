"""Tests that players eliminated from a Challenge UNO match are shown as out, not as missing."""

import pytest
from django.test import Client

from tests.factories import UNREACHABLE_TARGET
from tests.tournament.organizing import page
from tests.tournament.staging import first_table, match_of, organizer_of, play, running_round
from tests.typed import sure
from tournament.desk.control import control_room
from tournament.models import Event, Table

pytestmark = pytest.mark.django_db


@pytest.fixture
def table() -> Table:
    """Create a table at which seat 1 reached the target in the first hand and is eliminated.

    No player is connected.
    """
    played = running_round(4, options={"scoring": "elimination"} | UNREACHABLE_TARGET)
    table = play(first_table(played), 1)
    match_of(table).hands.filter(number=1).update(points=[0, 10_000, 10, 20])
    return table


def get_event(table: Table) -> Event:
    return table.round.stage.event


def test_eliminated_player_is_not_reported_missing(table: Table) -> None:
    seats = sure(control_room(get_event(table))).tables[0].seats
    assert [seat.out for seat in seats] == [False, True, False, False]
    assert [seat.present for seat in seats] == [False, None, False, False]


def test_control_room_marks_eliminated_players(table: Table) -> None:
    client = Client()
    client.force_login(organizer_of(get_event(table)))
    shown = client.get(page("control", get_event(table))).text
    assert (shown.count(">out</small>"), shown.count(">not here yet</small>")) == (1, 3)
