"""Tests of the page that freezes and reveals the leaderboard."""

import pytest
from django.test import Client

from tests.tournament.helpers import start_drafted_round
from tests.tournament.organizing import page, press_button
from tests.tournament.staging import play
from tournament.models import Event, Round, User

pytestmark = pytest.mark.django_db


@pytest.fixture
def leaderboard_address(event: Event, organizer: User, drafted_round: Round) -> str:
    """Provide the address of the public leaderboard after one round has been played."""
    for table in start_drafted_round(drafted_round, organizer, paper=False).tables.all():
        play(table)
    return f"/e/{event.slug}/leaderboard/"


def test_leaderboard_is_frozen_and_revealed_on_one_page(
    client: Client, event: Event, leaderboard_address: str
) -> None:
    address = page("reveal", event)
    assert address in client.get(page("standings", event)).text
    said = press_button(client, address, "freeze")
    expected = "The public leaderboard is frozen. This page and the desk show the actual standings."
    assert expected in said
    assert "until the places are revealed." in Client().get(leaderboard_address).text
    assert "are now public." in press_button(client, address, "next")
    assert "still hidden." in Client().get(leaderboard_address).text
    assert "These places have already been revealed." in press_button(
        client, address, "down-to", place="8"
    )
    assert "Enter the place as a whole number." in press_button(
        client, address, "down-to", place="x"
    )
    said = press_button(client, address, "down-to", place="1")
    assert "All places have been revealed. The leaderboard is live again." in said
    assert "still hidden." not in Client().get(leaderboard_address).text


def test_all_places_can_be_revealed_together(
    client: Client, event: Event, leaderboard_address: str
) -> None:
    press_button(client, page("reveal", event), "freeze")
    assert "All places have been revealed" in press_button(client, page("reveal", event), "all")
    assert "The leaderboard isn’t frozen." in press_button(client, page("reveal", event), "next")
