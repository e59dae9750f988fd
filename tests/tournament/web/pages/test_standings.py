"""Tests of the embedded leaderboard and its embed code."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournament.helpers import finish_paper_round, first_stage, start_drafted_round
from tests.tournament.organizing import page
from tournament.models import Event, User
from tournament.seating.services import seat_round

pytestmark = [pytest.mark.django_db, pytest.mark.event(players=4, title="Chem Fest </textarea>")]


def get_embed_address(event: Event) -> str:
    return reverse("event-embed", args=[event.slug])


def test_embedded_page_has_only_the_leaderboard_rows(event: Event, organizer: User) -> None:
    finish_paper_round(
        start_drafted_round(seat_round(first_stage(event), organizer), organizer), organizer
    )
    shown = Client().get(get_embed_address(event)).text
    assert 'data-points="400"' in shown
    assert f'data-live="{event.slug}"' in shown
    assert ("site-header" in shown, "site-footer" in shown) == (False, False)


def test_other_sites_may_frame_only_the_embedded_standings(event: Event) -> None:
    framed, other = (
        Client().get(get_embed_address(event)),
        Client().get(reverse("event", args=[event.slug])),
    )
    assert "frame-ancestors *" in framed["Content-Security-Policy"]
    assert "X-Frame-Options" not in framed
    assert "frame-ancestors 'none'" in other["Content-Security-Policy"]
    assert other["X-Frame-Options"] == "DENY"


def test_draft_event_cannot_be_framed(event: Event, organizer: User) -> None:
    Event.objects.filter(pk=event.pk).update(state="draft")
    browser = Client()
    browser.force_login(organizer)
    assert browser.get(get_embed_address(event)).status_code == 404


def test_desk_shows_the_embed_code_as_text(event: Event, organizer: User) -> None:
    browser = Client()
    browser.force_login(organizer)
    shown = browser.get(page("desk", event)).text
    address = f"http://testserver{get_embed_address(event)}"
    assert f"&lt;iframe id=&quot;lastcard-{event.slug}&quot; src=&quot;{address}&quot;" in shown
    assert "Chem Fest &amp;lt;/textarea&amp;gt;" in shown
