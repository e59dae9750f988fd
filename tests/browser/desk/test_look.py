"""Accessibility tests of the desk's pages, on a phone and on a desktop."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from tests.browser.conftest import DESKTOP, PHONE, Windows
from tests.browser.doubts import make_bracket_in_play, make_event_with_close_cut
from tests.browser.pages.test_look import find_violations, set_color_scheme
from tests.tournament.helpers import make_organized_event, play_first_round
from tests.tournament.staging import first_table, organizer_of, play, running_round
from tournament.models import Event, Round
from tournament.web.admin.events.events import PAGES

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

# These are the check-in screen, a download, and a page that exists only after a round is closed.
SKIPPED_PAGES = {"door", "whole", "qualify"}


def list_paths(event: Event, round_: Round) -> list[str]:
    """Return the paths of the desk's pages for this event and round."""
    plain = [name for name, below, _page in PAGES if "<" not in below and name not in SKIPPED_PAGES]
    ids = {"round": round_.pk, "table": first_table(round_).pk}
    return [
        *(reverse(f"admin:event-{name}", args=[event.pk]) for name in plain),
        *(reverse(f"admin:event-{name}", args=[event.pk, pk]) for name, pk in ids.items()),
        reverse("admin:tournament_event_change", args=[event.pk]),
    ]


def find_page_violations(page: Page, path: str) -> list[str]:
    """Return axe's violations on a phone in the dark theme and on a desktop in the light theme."""
    page.set_viewport_size(PHONE)
    page.goto(path)
    set_color_scheme(page, "dark")
    expect(page.locator("main")).to_be_visible()
    on_a_phone = find_violations(page)
    page.set_viewport_size(DESKTOP)
    set_color_scheme(page, "light")
    return [*on_a_phone, *find_violations(page)]


def test_u31_axe_finds_nothing_on_the_desk(open_page: Windows) -> None:
    open_page.expect("Applying inline style")  # logged for Django's calendar
    played = running_round(8, slug="cards", hand_limit=2)
    play(first_table(played))
    event = played.stage.event
    page = open_page(organizer_of(event), path="/healthz")
    found = {path: find_page_violations(page, path) for path in list_paths(event, played)}
    assert {path: result for path, result in found.items() if result} == {}


def test_u31_axe_finds_nothing_on_desk_pages_with_chances_of_advancing(
    open_page: Windows, few_deals: None
) -> None:
    event, cup = make_event_with_close_cut(), make_bracket_in_play()
    past, organizer = make_organized_event(8, slug="past")
    play_first_round(past, organizer)
    for name, shown in (("standings", event), ("bracket", cup), ("qualify", past)):
        path = reverse(f"admin:event-{name}", args=[shown.pk])
        page = open_page(shown.organizers.get(), path="/healthz")
        assert (path, find_page_violations(page, path)) == (path, [])
        expect(page.locator("main tr, main .chance").first).to_be_visible()
