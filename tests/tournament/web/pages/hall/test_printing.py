"""Tests of printed public pages, which show the time and a QR code of their URL."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournament.helpers import make_organized_event, make_second_stage, start_drafted_round
from tests.tournament.staging import first_table, play, running_round
from tournament.advancing.services import draw_bracket
from tournament.models import Event
from tournament.site.qr import data_uri

pytestmark = pytest.mark.django_db

PAGES = ["event-leaderboard", "event-tables", "event-bracket", "event-results"]


def read_page(client: Client, name: str, event: Event, query: str = "") -> str:
    return client.get(reverse(name, args=[event.slug]) + query).content.decode()


def make_qr_code(name: str, event: Event, query: str = "") -> str:
    return data_uri("http://testserver" + reverse(name, args=[event.slug]) + query)


@pytest.mark.parametrize("query", ["", "?view=print"])
def test_printed_standings_show_the_time_and_a_code_for_the_live_page(
    client: Client, query: str
) -> None:
    played = running_round(hand_limit=1)
    play(first_table(played))
    event = played.stage.event
    page = read_page(client, "event-leaderboard", event, query)
    assert "As of <span data-zone=" in page
    assert make_qr_code("event-leaderboard", event) in page
    assert "data-print" in page
    assert "<thead>" in page


def test_printed_stage_standings_link_to_that_stage(client: Client) -> None:
    event = running_round().stage.event
    page = read_page(client, "event-leaderboard", event, "?stage=1&view=print")
    assert make_qr_code("event-leaderboard", event, "?stage=1") in page


@pytest.mark.parametrize("name", PAGES)
def test_each_printed_page_has_one_heading(client: Client, name: str) -> None:
    event, organizer = make_organized_event(8)
    start_drafted_round(draw_bracket(make_second_stage(event, organizer, 8), organizer), organizer)
    page = read_page(client, name, event)
    assert page.count('class="printed"') == 1
    assert make_qr_code(name, event) in page
