"""Tests of the winner's announcement on hall screens."""

import re

import pytest
from django.test import Client

from tests.tournament.hall.test_winner_screen import list_seated_names, make_decided_event, reload
from tests.tournament.web.pages.hall.test_screens import (
    get_hall_screen,
    list_screen_titles,
    parse_next_screen,
)
from tests.typed import sure
from tournament.advancing.services import reopen_event
from tournament.hall.winner_screen import DISPLAY_TIME, find_winner_publication
from tournament.models import Event

pytestmark = pytest.mark.django_db

BOARD, TABLES = "leaderboard/?view=hall", "tables/?view=hall&by=name"


def read_screen(event: Event, path: str) -> str:
    return Client().get(f"/e/{event.slug}/{path}").text


def get_title(text: str) -> str:
    return str(re.findall(r"<title>\s*(.*?) ·", text)[0])


def make_dismissed_query(event: Event) -> str:
    return f"past={int(sure(find_winner_publication(event)).timestamp())}"


@pytest.mark.parametrize("path", ["hall/", "hall/?pages=clock,winner&at=1", BOARD, TABLES])
def test_announcement_replaces_every_hall_screen(path: str) -> None:
    event, _organizer = make_decided_event([400, 300, 200, 100])
    one, two, three, four = list_seated_names(event)
    text = read_screen(event, path)
    assert get_title(text) == "The winner"
    assert re.findall(r'<span class="person">.*?<bdi>(.*?)</bdi>', text) == [one, two, three]
    assert four not in text
    assert "/players/" not in text


@pytest.mark.parametrize("path", ["hall/?pages=clock,winner&seconds=45&at=1", BOARD, TABLES])
def test_screen_returns_to_its_previous_page_after_the_announcement(path: str) -> None:
    event, _organizer = make_decided_event([400, 300])
    query, seconds = parse_next_screen(read_screen(event, path))
    assert query == "?" + path.partition("?")[2] + "&" + make_dismissed_query(event)
    assert 0 < int(seconds) <= DISPLAY_TIME.total_seconds()


def test_links_on_the_winner_screen_skip_the_winner() -> None:
    event, _organizer = make_decided_event([400, 300])
    links = re.findall(
        r'class="button quiet" href="([^"]*view=hall[^"]*|[^"]*/hall/[^"]*)"',
        read_screen(event, BOARD),
    )
    assert all(make_dismissed_query(event) in link for link in links)
    pages = [Client().get(link.replace("&amp;", "&")).text for link in links]
    assert [get_title(text) for text in pages[:3]] == ["Leaderboard", "Tables", "Tables"]
    assert make_dismissed_query(event) in parse_next_screen(pages[3])[0]
    # The links on the next pages skip the announcement too.
    assert pages[0].count(make_dismissed_query(event)) == len(links)


def test_winner_joins_the_screen_rotation_afterwards() -> None:
    event, _organizer = make_decided_event([400, 300])
    screens = ["The winner", "Leaderboard", "First round (everyone plays)", "The winner"]
    assert list_screen_titles(event, f"?{make_dismissed_query(event)}", 4) == screens
    assert list_screen_titles(
        event, f"?pages=leaderboard,winner&{make_dismissed_query(event)}", 3
    ) == [
        "Leaderboard",
        "The winner",
        "Leaderboard",
    ]


def test_hall_screens_drop_the_clock_and_final_seats_after_the_end() -> None:
    event, organizer = make_decided_event([400, 300])
    chosen = f"?pages=clock,names,leaderboard&{make_dismissed_query(event)}"
    assert list_screen_titles(event, chosen, 2) == ["Leaderboard", "Leaderboard"]
    reopen_event(event, organizer, "Not yet.")
    assert list_screen_titles(event, "?pages=clock,seating,leaderboard", 2) == ["Leaderboard"] * 2


def test_chosen_screens_without_the_winner_are_kept() -> None:
    event, _organizer = make_decided_event([400, 300])
    assert list_screen_titles(event, "?pages=leaderboard", 2) == ["Leaderboard", "Leaderboard"]


def test_undone_announcement_is_removed_from_the_screens() -> None:
    event, organizer = make_decided_event([400, 300])
    reopen_event(event, organizer, "Too early.")
    assert "The winner" not in list_screen_titles(reload(event), "", 6)
    assert get_title(get_hall_screen(event, "?pages=winner")) == "Leaderboard"


def test_tied_winners_share_one_step() -> None:
    event, _organizer = make_decided_event([400, 400, 100])
    one, two, _three = list_seated_names(event)
    text = get_hall_screen(event)
    heading = re.findall(r'<h2 class="moment-names[^"]*" id="won">(.*?)</h2>', text, re.S)[0]
    names = [f"<bdi>{name}</bdi>" for name in sorted([one, two])]
    assert sorted(re.findall(r"<bdi>.*?</bdi>", heading)) == names
    assert heading.strip().endswith(" win")
    assert text.count('class="crown"') == 2


def test_announcement_does_not_replace_public_pages() -> None:
    event, _organizer = make_decided_event([400, 300])
    assert get_title(read_screen(event, "leaderboard/")) == "Leaderboard"
    assert get_title(read_screen(event, "tables/")) == "Tables"
