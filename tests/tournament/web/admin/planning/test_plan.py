"""Tests of the planner, which shows forecasts from the worker."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from tests.tournament.helpers import first_stage, make_organized_event, start_drafted_round
from tests.tournament.organizing import page, press_button
from tournament.models import Event, Forecast, User
from tournament.seating.services import seat_round

pytestmark = pytest.mark.django_db
DAY_FIELDS = {
    "day-players": "12",
    "day-minutes": "120",
    "day-pause": "5",
    "day-action": "5",
    "day-between": "12",
}
REQUEST_FIELDS = DAY_FIELDS | {"one-format": "own", "two-format": ""}


@pytest.fixture(autouse=True)
def simulate_few_events(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournament.pure.simulation.questions.EVENTS", 8)
    monkeypatch.setattr("tournament.pure.simulation.hands.HANDS_PER_SIZE", 20)
    monkeypatch.setattr("tournament.pure.simulation.matches.POOL_SIZE", 20)


@pytest.fixture
def organizer(client: Client) -> User:
    organizer = make_organized_event(8, hand_limit=2)[1]
    client.force_login(organizer)
    return organizer


@pytest.fixture
def event(organizer: User) -> Event:
    return Event.objects.get()


def request_plan(client: Client, event: Event, **fields: Any) -> str:
    return press_button(client, page("plan", event), "ask", **(REQUEST_FIELDS | fields))


def test_form_is_prefilled_from_the_event(client: Client, event: Event) -> None:
    message = client.get(page("plan", event)).content.decode()
    assert 'name="day-players" value="8"' in message
    assert "Estimate the rest of the day" not in message


def test_forecast_is_shown_with_figures_and_bars(client: Client, event: Event) -> None:
    message = request_plan(client, event)
    assert "8 events are being simulated." in message
    assert '<th scope="row">This event</th>' in message
    assert message.count('class="median"') == 1
    assert 'name="day-minutes" value="120"' in message


def test_two_formats_are_compared_side_by_side(client: Client, event: Event) -> None:
    message = request_plan(client, event, **{"two-format": "rounds", "two-round_minutes": "9"})
    assert '<th scope="row">Rounds for points</th>' in message
    assert message.count('class="median"') == 2
    courses = event.forecasts.get().question["courses"]
    assert [course["round_minutes"] for course in courses] == [30, 9]


def test_every_format_can_be_forecast(client: Client, event: Event) -> None:
    for key in ("challenge", "partners", "lowest", "one-table"):
        request_plan(client, event, **{"one-format": key, "day-players": "8"})
        assert event.forecasts.get().answer is not None


def test_non_numeric_input_is_reported_at_its_field(client: Client, event: Event) -> None:
    message = request_plan(client, event, **{"day-players": "one", "two-format": "nothing"})
    assert "Players: Enter a whole number." in message
    assert not Forecast.objects.exists()


def test_unplayable_plan_is_explained(client: Client, event: Event) -> None:
    message = request_plan(client, event, **{"one-format": "partners", "day-players": "30"})
    assert "“Everyone partners everyone” needs 4 to 24 different players; there are 30." in message


def test_page_shows_forecast_progress_until_it_is_cancelled(client: Client, event: Event) -> None:
    waiting = Forecast.objects.create(
        event=event, kind="plan", ticket="t", question={}, total=2000, done=700,
        asked_at=timezone.now(),
    )  # fmt: skip
    part = client.get(page("plan", event) + "?part").content.decode()
    assert '<progress value="700" max="2000">' in part
    assert "Cancelled." in press_button(client, page("plan", event), "cancel")
    assert not Forecast.objects.filter(pk=waiting.pk).exists()
    message = press_button(client, page("plan", event), "cancel")
    assert "There is nothing left to cancel." in message


def test_remaining_time_is_estimated_from_the_tables_on_the_day(
    client: Client, event: Event, organizer: User
) -> None:
    address = page("plan", event)
    assert "No round is being played" in press_button(client, address, "rest")
    start_drafted_round(seat_round(first_stage(event), organizer), organizer, paper=False)
    assert "Estimate the rest of the day" in client.get(address).content.decode()
    message = press_button(client, address, "rest")
    assert "The rest of the day is being simulated" in message
    question = event.forecasts.get().question
    assert (question["begun"], [seats for seats, _begun in question["stand"]]) == (1, [4, 4])
