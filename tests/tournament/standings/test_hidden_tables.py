"""Tests of hidden places at a finished table."""

import json
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.clocks import presence
from games.sockets.encoded_views import EncodedViews, Reader
from games.tables.spectator_delay import match_for_seat
from tests.games.helpers import seat_number
from tests.tournament.helpers import make_organized_event
from tests.tournament.staging import match_of
from tests.tournament.standings.test_hidden_places import (
    finish_event_step_by_step,
    get_event,
    play_knockout,
)
from tests.typed import sure
from tournament.models import Registration, Table, User
from tournament.standings.freezing import thaw

pytestmark = pytest.mark.django_db


@pytest.fixture
def final() -> Table:
    event, organizer = make_organized_event(8, hand_limit=1)
    play_knockout(event, organizer)
    return Table.objects.get(round__is_final=True)


def read_socket_sheet(table: Table, seat: int | None) -> Any:
    """Return the score sheet that the table's socket sends to this seat, or to a viewer."""
    match, number = match_of(table), seat_number(seat)
    shown = match_for_seat(match, number)
    people = presence.load_people([match.pk])[match.pk]
    text, _edition = EncodedViews().view_message(shown, people, Reader(number, True, -1))
    return json.loads(text)["view"]["sheet"]


def read_page_sheet(table: Table, user: User | None) -> Any:
    """Return the score sheet on the table's page."""
    client = Client()
    if user:
        client.force_login(user)
    text = client.get(reverse("games:table", args=[match_of(table).public_id])).text
    found = re.search(r'(?s)<script id="view"[^>]*>(.*?)</script>', text)
    return json.loads(sure(found)[1])["sheet"]


def list_seated_players(table: Table) -> list[Registration]:
    return [sure(seat.registration) for seat in table.seats.order_by("number")]


def test_players_see_points_but_neither_places_nor_winners(final: Table) -> None:
    people = list_seated_players(final)
    for _moment in finish_event_step_by_step(final, get_event(final).organizers.get()):
        sheets = [read_socket_sheet(final, seat) for seat in range(4)]
        sheets += [read_page_sheet(final, each.user) for each in people]
        for sheet in sheets:
            assert (sheet["winner"], sheet["winner_name"], sheet["winners"]) == (None, None, [])
            assert {(row["place"], row["before"]) for row in sheet["rows"]} == {(None, None)}
            assert sorted(row["total"] for row in sheet["rows"]) != [0, 0, 0, 0]
        assert [read_socket_sheet(final, None), read_page_sheet(final, None)] == [None, None]


def test_reveal_shows_the_places_at_the_table(final: Table) -> None:
    organizer = get_event(final).organizers.get()
    *_moments, _last = finish_event_step_by_step(final, organizer)
    thaw(get_event(final), organizer)
    for sheet in (read_socket_sheet(final, 0), read_socket_sheet(final, None)):
        assert len(sheet["winners"]) == 1
        assert sheet["winner"] in sheet["winners"]


def test_players_cannot_review_a_hidden_match(final: Table) -> None:
    client = Client()
    client.force_login(sure(list_seated_players(final)[0].user))
    address = reverse("games:review", args=[match_of(final).public_id])
    assert client.get(address).status_code == 404
    organizer = get_event(final).organizers.get()
    *_moments, _last = finish_event_step_by_step(final, organizer)
    thaw(get_event(final), organizer)
    assert client.get(address).status_code == 200
