"""Tests that the pages of a finished event use the past tense."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournament.helpers import (
    finish_paper_round,
    make_organized_event,
    make_second_stage,
    start_drafted_round,
)
from tests.tournament.organizing import page
from tests.tournament.place_readers import extract_words
from tests.typed import sure
from tournament.advancing.services import announce_winner, draw_bracket
from tournament.events.closing.locking import lock_results
from tournament.models import Event, Table

pytestmark = pytest.mark.django_db

PUBLIC_PAGES = ["event", "event-register", "my-table", "event-leaderboard", "event-bracket"]
PUBLIC_PAGES += ["event-tables", "event-results", "event-people", "event-history", "event-closing"]
PUBLIC_PAGES += ["event-here", "event-hall", "event-rules"]
DESK_PAGES = ["desk", "check-in", "door", "rounds", "control", "standings", "bracket", "qualify"]
DESK_PAGES += ["closing", "reveal", "exports"]
FUTURE_TEXT = re.compile(
    r"to be announced|not here yet|Decide about|Show door code|Check-in (?:is|opens)|hasn’t started"
    r"|next step|will announce|Announce the winner|Registration open|how it goes on|upcoming"
    r"|Show the consequences|will appear here|Wait here|Add a walk-in|without drawing lots",
    re.IGNORECASE,
)


@pytest.fixture
def finished_event() -> Event:
    """Provide an event whose winner has been announced.

    It has no start time, and one player never checked in.
    """
    event, organizer = make_organized_event(8, check_in=True)
    Event.objects.filter(pk=event.pk).update(check_in=False)
    stage = make_second_stage(Event.objects.get(pk=event.pk), organizer, 4)
    Event.objects.filter(pk=event.pk).update(check_in=True)
    drawn = draw_bracket(stage, organizer, without=())
    finish_paper_round(start_drafted_round(drawn, organizer), organizer)
    announce_winner(Event.objects.get(pk=event.pk), organizer)
    return Event.objects.get(pk=event.pk)


def find_future_phrases(client: Client, addresses: list[str]) -> dict[str, list[str]]:
    """Return the phrases about the future on these pages, grouped by address."""
    texts = {address: extract_words(client.get(address).text) for address in addresses}
    return {
        address: found for address, text in texts.items() if (found := FUTURE_TEXT.findall(text))
    }


def test_public_pages_of_a_finished_event_use_the_past_tense(finished_event: Event) -> None:
    client = Client()
    client.force_login(sure(sure(finished_event.registrations.first()).user))
    addresses = [reverse(name, args=[finished_event.slug]) for name in PUBLIC_PAGES]
    numbers = finished_event.registrations.values_list("queue_number", flat=True)
    addresses += [reverse("event-player", args=[finished_event.slug, number]) for number in numbers]
    addresses += [reverse("home"), reverse("my-events")]
    assert find_future_phrases(client, addresses) == {}


def test_desk_pages_of_a_finished_event_use_the_past_tense(finished_event: Event) -> None:
    client = Client()
    client.force_login(finished_event.organizers.get())
    assert find_future_phrases(client, [page(name, finished_event) for name in DESK_PAGES]) == {}


def test_locked_event_offers_no_point_changes(finished_event: Event) -> None:
    client = Client()
    client.force_login(finished_event.organizers.get())
    table = sure(Table.objects.filter(round__stage__event=finished_event).first())
    address = page("table", finished_event, table.pk)
    assert "Show the consequences" in client.get(address).text
    lock_results(finished_event, finished_event.organizers.get(), sure=True)
    assert "Show the consequences" not in client.get(address).text
