"""Tests of the rotating hall screens."""

import re
from copy import deepcopy

import pytest
from django.test import Client

from tests.tournament.helpers import (
    first_stage,
    make_organized_event,
    make_second_stage,
    start_drafted_round,
)
from tests.tournament.organizing import page
from tests.tournament.staging import running_round
from tournament.models import Event
from tournament.seating.services import seat_round

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def shared_event(shared_rows: None) -> Event:
    """Provide an event with a running round that has a time limit."""
    return running_round(4, round_minutes=30).stage.event


@pytest.fixture
def event(shared_event: Event) -> Event:
    return deepcopy(shared_event)


def get_hall_screen(event: Event, query: str = "") -> str:
    return Client().get(f"/e/{event.slug}/hall/{query}").text


def parse_next_screen(text: str) -> tuple[str, str]:
    """Return the next screen's query and the seconds until it appears."""
    (found,) = re.findall(r'data-next="([^"]*)" data-seconds="(\d+)"', text)
    return found[0].replace("&amp;", "&"), found[1]


def list_screen_titles(event: Event, query: str, count: int) -> list[str]:
    """Return the titles of `count` screens, starting at `query`."""
    titles = []
    for _ in range(count):
        text = get_hall_screen(event, query)
        titles.append(re.findall(r"<title>\s*(.*?) ·", text)[0])
        query = parse_next_screen(text)[0]
    return titles


def test_available_screens_rotate_and_start_over(event: Event) -> None:
    screens = ["Tables", "Tables", "Live tables", "Leaderboard", "Clock"]
    assert list_screen_titles(event, "", 6) == [*screens, "Tables"]
    assert parse_next_screen(get_hall_screen(event))[1] == "20"


def test_url_selects_screens_order_and_duration(event: Event) -> None:
    assert list_screen_titles(event, "?pages=clock,leaderboard&seconds=45", 3) == [
        "Clock",
        "Leaderboard",
        "Clock",
    ]
    text = get_hall_screen(event, "?pages=clock,leaderboard&seconds=45")
    assert parse_next_screen(text) == ("?pages=clock,leaderboard&seconds=45&at=1", "45")


@pytest.mark.parametrize(("seconds_given", "seconds"), [("1", "5"), ("9999", "600"), ("x", "20")])
def test_screen_duration_is_limited(event: Event, seconds_given: str, seconds: str) -> None:
    assert parse_next_screen(get_hall_screen(event, f"?seconds={seconds_given}"))[1] == seconds


def test_unknown_and_empty_screens_are_skipped(event: Event) -> None:
    assert list_screen_titles(event, "?pages=cats,bracket,clock&at=7", 2) == ["Clock", "Clock"]


def test_leaderboard_is_shown_before_the_first_round(event: Event) -> None:
    fresh, _organizer = make_organized_event(4)
    assert list_screen_titles(fresh, "?pages=clock", 2) == ["Leaderboard", "Leaderboard"]


def test_requested_screen_joins_the_rotation_once_it_has_content() -> None:
    event, organizer = make_organized_event(4)
    for query in ("", "?pages=leaderboard,clock"):
        beside = parse_next_screen(get_hall_screen(event, query))[0]
        assert list_screen_titles(event, beside, 2) == ["Leaderboard", "Leaderboard"]
    start_drafted_round(seat_round(first_stage(event), organizer), organizer)
    assert list_screen_titles(event, beside, 2) == ["Leaderboard", "Clock"]


def test_bracket_joins_the_rotation() -> None:
    event, organizer = make_organized_event(8)
    make_second_stage(event, organizer, 4)
    assert "Second round" in list_screen_titles(event, "?pages=bracket", 1)[0]


def test_clock_shows_remaining_time_and_finished_tables(event: Event) -> None:
    text = get_hall_screen(event, "?pages=clock")
    assert 'role="timer"' in text
    assert "0 of 1 tables have finished." in text


def test_event_page_links_to_the_hall_screens(event: Event) -> None:
    text = Client().get(f"/e/{event.slug}/").text
    assert f'href="/e/{event.slug}/hall/"' in text


def test_live_tables_have_a_hall_screen(event: Event) -> None:
    Event.objects.filter(pk=event.pk).update(state=Event.State.RUNNING)
    link = f'href="/e/{event.slug}/hall/?pages=live"'
    assert link in get_hall_screen(event, "?pages=leaderboard")


def test_paper_round_without_a_clock_is_shown() -> None:
    event, organizer = make_organized_event(4, round_minutes=None)
    start_drafted_round(seat_round(first_stage(event), organizer), organizer)
    assert 'role="timer"' not in get_hall_screen(event, "?pages=clock")


def test_selected_screens_rotate(event: Event) -> None:
    found = parse_next_screen(get_hall_screen(event, "?pages=seating&pages=clock&seconds=45"))
    assert found == ("?pages=seating,clock&seconds=45&at=1", "45")


def test_desk_offers_a_choice_of_screens_and_duration(event: Event) -> None:
    client = Client()
    client.force_login(event.organizers.get())
    text = client.get(page("desk", event)).text
    assert f'action="/e/{event.slug}/hall/"' in text
    ticks = re.findall(r'name="pages" value="(\w+)" checked', text)
    assert ticks == ["winner", "seating", "names", "live", "leaderboard", "clock"]
    assert 'name="seconds" min="5" max="600" value="20"' in text
