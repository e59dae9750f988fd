"""The winner's moment takes the screens of the hall, and has its turn among them afterwards."""

import re

import pytest
from django.test import Client

from tests.tournament.hall.test_winner_screen import again, list_seated_names, make_decided_event
from tests.tournament.web.pages.hall.test_screens import (
    get_hall_screen,
    parse_next_screen,
    round_trip,
)
from tests.typed import sure
from tournament.advancing.services import reopen_event
from tournament.hall.winner_screen import STANDS, winner_known_since
from tournament.models import Event

pytestmark = pytest.mark.django_db

BOARD, TABLES = "leaderboard/?view=hall", "tables/?view=hall&by=name"


def screen(event: Event, path: str) -> str:
    return Client().get(f"/e/{event.slug}/{path}").text


def title(text: str) -> str:
    return str(re.findall(r"<title>\s*(.*?) ·", text)[0])


def make_past_query(event: Event) -> str:
    return f"past={int(sure(winner_known_since(event)).timestamp())}"


@pytest.mark.parametrize("path", ["hall/", "hall/?pages=clock,winner&at=1", BOARD, TABLES])
def test_whatever_a_screen_shows_the_moment_takes_it(path: str) -> None:
    event, _organizer = make_decided_event([400, 300, 200, 100])
    one, two, three, four = list_seated_names(event)
    text = screen(event, path)
    assert title(text) == "The winner"
    assert re.findall(r'<span class="person">.*?<bdi>(.*?)</bdi>', text) == [one, two, three]
    assert four not in text
    assert "/players/" not in text


@pytest.mark.parametrize("path", ["hall/?pages=clock,winner&seconds=45&at=1", BOARD, TABLES])
def test_afterwards_the_screen_goes_on_where_it_was(path: str) -> None:
    event, _organizer = make_decided_event([400, 300])
    query, seconds = parse_next_screen(screen(event, path))
    assert query == "?" + path.partition("?")[2] + "&" + make_past_query(event)
    assert 0 < int(seconds) <= STANDS.total_seconds()


def test_whoever_looks_after_the_screen_switches_it_on_before() -> None:
    event, _organizer = make_decided_event([400, 300])
    links = re.findall(
        r'class="button quiet" href="([^"]*view=hall[^"]*|[^"]*/hall/[^"]*)"', screen(event, BOARD)
    )
    assert all(make_past_query(event) in link for link in links)
    pages = [Client().get(link.replace("&amp;", "&")).text for link in links]
    assert [title(text) for text in pages[:3]] == ["Leaderboard", "Tables", "Tables"]
    assert make_past_query(event) in parse_next_screen(pages[3])[0]
    # From there on too.
    assert pages[0].count(make_past_query(event)) == len(links)


def test_it_has_its_turn_among_the_screens_afterwards() -> None:
    event, _organizer = make_decided_event([400, 300])
    screens = ["The winner", "Leaderboard", "First round (everyone plays)", "The winner"]
    assert round_trip(event, f"?{make_past_query(event)}", 4) == screens
    assert round_trip(event, f"?pages=leaderboard,winner&{make_past_query(event)}", 3) == [
        "Leaderboard",
        "The winner",
        "Leaderboard",
    ]


def test_after_the_end_no_screen_shows_the_clock_and_seats_of_the_final() -> None:
    event, organizer = make_decided_event([400, 300])
    chosen = f"?pages=clock,names,leaderboard&{make_past_query(event)}"
    assert round_trip(event, chosen, 2) == ["Leaderboard", "Leaderboard"]
    reopen_event(event, organizer, "Not yet.")
    assert round_trip(event, "?pages=clock,seating,leaderboard", 2) == ["Leaderboard"] * 2


def test_a_choice_of_screens_without_it_is_kept() -> None:
    event, _organizer = make_decided_event([400, 300])
    assert round_trip(event, "?pages=leaderboard", 2) == ["Leaderboard", "Leaderboard"]


def test_taken_back_it_is_nowhere() -> None:
    event, organizer = make_decided_event([400, 300])
    reopen_event(event, organizer, "Too early.")
    assert "The winner" not in round_trip(again(event), "", 6)
    assert title(get_hall_screen(event, "?pages=winner")) == "Leaderboard"


def test_two_who_are_level_win_on_one_step() -> None:
    event, _organizer = make_decided_event([400, 400, 100])
    one, two, _three = list_seated_names(event)
    text = get_hall_screen(event)
    heading = re.findall(r'<h2 class="moment-names[^"]*" id="won">(.*?)</h2>', text, re.S)[0]
    names = [f"<bdi>{name}</bdi>" for name in sorted([one, two])]
    assert sorted(re.findall(r"<bdi>.*?</bdi>", heading)) == names
    assert heading.strip().endswith(" win")
    assert text.count('class="crown"') == 2


def test_public_pages_keep_showing_what_they_show() -> None:
    event, _organizer = make_decided_event([400, 300])
    assert title(screen(event, "leaderboard/")) == "Leaderboard"
    assert title(screen(event, "tables/")) == "Tables"
