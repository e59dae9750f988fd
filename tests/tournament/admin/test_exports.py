import csv
import io

import pytest
from django.test import Client
from django.urls import reverse

from games import services as games
from tests.factories import make_user
from tests.tournament.helpers import first_stage, organized, played_first_round, started
from tests.tournament.staging import match_of
from tournament.admin.exports import inert
from tournament.models import Event
from tournament.queries.results import table_results
from tournament.services import register
from tournament.services.seatings import seat_round

pytestmark = pytest.mark.django_db


def rows(event: Event, which: str) -> list[list[str]]:
    client = Client()
    client.force_login(event.organizers.get())
    address = reverse("admin:event-export", args=[event.pk, which])
    client.post(address, {"action": "ask", "reason": "Badges."})
    response = client.get(address)
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert response["Content-Disposition"] == f'attachment; filename="{event.slug}-{which}.csv"'
    text = response.content.decode()
    assert text.startswith("\ufeff")
    return list(csv.reader(io.StringIO(text[1:])))


def test_registrations_are_exported_in_the_order_of_arrival() -> None:
    event, _ = organized(2)
    head, first, second = rows(event, "registrations")
    registration = event.registrations.all()[0]
    assert head[:3] == ["No.", "Name", "Roll number"]
    assert first[:5] == [
        "1",
        registration.name,
        registration.roll_number,
        registration.user.email,
        "has a place",
    ]
    assert second[0] == "2"


def test_results_are_exported_seat_by_seat() -> None:
    event, organizer = organized(4)
    assert len(rows(event, "results")) == 1
    played_first_round(event, organizer)
    head, first, *rest = rows(event, "results")
    assert head == [
        *["Stage", "Round", "Table", "Seat", "Name", "Points", "Won", "Source"],
        *["Place at the table", "Points left in the hand"],
    ]
    assert [*first[:4], *first[5:]] == [
        *["First round", "Round 1", "1", "1", "400", "yes", "paper"],
        *["1", ""],
    ]
    assert [row[-2] for row in rest] == ["2", "3", "4"]


def test_what_was_left_in_the_hands_of_a_match_is_exported() -> None:
    event, organizer = organized(4, hand_limit=1)
    played = started(seat_round(first_stage(event), organizer), organizer, paper=False)
    games.play_out(match_of(played.tables.get()))
    _head, *seats = rows(event, "results")
    found = table_results(event)[0]
    assert [row[-1] for row in seats] == [str(left) for left in found.left]
    assert sorted(row[-2] for row in seats) == ["1", "2", "2", "2"]


@pytest.mark.parametrize("start", [*"=+-@＝＋－＠", "\t", "\r", "\n"])
def test_a_cell_that_would_be_a_formula_is_quoted(start: str) -> None:
    assert inert(f"{start}1+1") == f"'{start}1+1"


def test_other_cells_stay_as_they_are() -> None:
    assert [inert(cell) for cell in ("Asha", "3-4", 12, -5, "")] == ["Asha", "3-4", 12, -5, ""]


def test_a_name_that_is_a_formula_does_no_harm() -> None:
    event, _ = organized(0)
    register(event, make_user(), roll_number="=1+1", name="@SUM(A1)")
    assert rows(event, "registrations")[1][1:3] == ["'@SUM(A1)", "'=1+1"]
