"""The public pages on paper: of when they are, and a code that leads to how it goes on."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournament.helpers import organized, qualified, started
from tests.tournament.staging import first_table, play, running_round
from tournament.advancing.services import draw_bracket
from tournament.models import Event
from tournament.site.qr import data_uri

pytestmark = pytest.mark.django_db


def html(client: Client, name: str, event: Event, query: str = "?view=print") -> str:
    return client.get(reverse(name, args=[event.slug]) + query).content.decode()


def code(name: str, event: Event) -> str:
    return data_uri("http://testserver" + reverse(name, args=[event.slug]))


def test_printed_standings_have_their_time_and_a_code_of_the_live_page(client: Client) -> None:
    played = running_round(hand_limit=1)
    play(first_table(played))
    event = played.stage.event
    page = html(client, "event-leaderboard", event)
    assert "As of " in page
    assert code("event-leaderboard", event) in page
    assert "data-print" in page
    assert "<thead>" in page


def test_a_printed_bracket_has_them_too(client: Client) -> None:
    event, organizer = organized(8)
    started(draw_bracket(qualified(event, organizer, 8), organizer), organizer)
    assert code("event-bracket", event) in html(client, "event-bracket", event)


@pytest.mark.parametrize("name", ["event-leaderboard", "event-bracket"])
def test_on_the_screen_no_code_is_sent(client: Client, name: str) -> None:
    event, organizer = organized(8)
    started(draw_bracket(qualified(event, organizer, 8), organizer), organizer)
    page = html(client, name, event, "")
    assert "data:image/svg+xml" not in page
    assert "?view=print" in page
