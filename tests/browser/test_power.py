"""Nobody alone, nobody unseen, in a real browser: what it looks like, and who is told at once."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.conftest import DESKTOP, PHONE, Shot, Windows
from tests.factories import make_organizer, make_user
from tests.tournament.helpers import first_stage, organized, played_first_round
from tests.tournament.staging import first_table, match_of, organizer_of, player_at, running_round
from tournament.models import Event, User
from tournament.services.people import choose_rule, name_commentator
from tournament.services.results import enter_result
from tournament.services.seatings import seat_round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SIZES = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
WIDER = "document.documentElement.scrollWidth > innerWidth"


def busy_event() -> tuple[Event, User, User]:
    """An event with a correction and the switch waiting, a draw thrown away, a commentator."""
    event, organizer = organized(8, title="Chemistry department’s spring tournament")
    name_commentator(event, organizer, make_user("Meera Iyer", is_staff=True), "For the stream.")
    seat_round(first_stage(event), organizer)
    stage = played_first_round(event, organizer)
    seat_round(stage, organizer)
    second = make_organizer(event, name="Second Organizer")
    table = stage.rounds.get(number=1).tables.all()[0]
    enter_result(table, organizer, [0, 100, 200, 400], "Two rows of the sheet were swapped.")
    choose_rule(event, organizer, "off", "We are two, and one is always on the way.")
    return event, organizer, second


@SIZES
def test_the_page_of_people_fits_and_its_buttons_answer(
    open_page: Windows, shot: Shot, size: ViewportSize
) -> None:
    event, _organizer, second = busy_event()
    page: Page = open_page(second, size, reverse("admin:event-people", args=[event.pk]))
    waits = page.locator("#waits")
    expect(waits.locator("ul.rows > li")).to_have_count(2)
    assert not page.evaluate(WIDER)
    shot(page, "people")
    waits.get_by_role("button", name="Confirm").first.click()
    expect(page.get_by_text("Confirmed, and done.")).to_be_visible()
    waits.locator("summary", has_text="Refuse").click()
    waits.get_by_label("Reason").fill("No.")
    waits.get_by_role("button", name="Refuse").click()
    expect(page.get_by_text("Refused: nothing has been changed.")).to_be_visible()
    assert not page.evaluate(WIDER)


@SIZES
def test_pages_that_tell_of_what_waits_fit(
    open_page: Windows, shot: Shot, size: ViewportSize
) -> None:
    event, _organizer, second = busy_event()
    page: Page = open_page(second, size, reverse("admin:event-desk", args=[event.pk]))
    expect(page.get_by_role("link", name="2 steps wait for a second person")).to_be_visible()
    assert not page.evaluate(WIDER)
    shot(page, "desk-waits")
    played = first_stage(event).rounds.get(number=2)
    for name, rest in (("round", str(played.pk)), ("export", "registrations.csv")):
        page.goto(reverse(f"admin:event-{name}", args=[event.pk, rest]))
        assert not page.evaluate(WIDER)
        shot(page, f"{name}-waits")


@SIZES
def test_the_public_history_fits_and_is_linked(
    open_page: Windows, shot: Shot, size: ViewportSize
) -> None:
    event, _organizer, _second = busy_event()
    Event.objects.filter(pk=event.pk).update(state=Event.State.FINISHED)
    page: Page = open_page(None, size, reverse("event", args=[event.slug]))
    page.locator("summary", has_text="Lots that nobody chooses").click()
    expect(page.locator(".lots-list").get_by_text("Committed to:").first).to_be_visible()
    assert not page.evaluate(WIDER)
    shot(page, "event-lots")
    page.get_by_role("link", name="History", exact=True).click()
    expect(page.locator(".history li").last).to_contain_text("The event was published.")
    expect(page.locator(".history")).to_contain_text("draw 1 was thrown away.")
    assert not page.evaluate(WIDER)
    shot(page, "history")


@SIZES
def test_players_are_told_at_once_that_commentators_may_watch(
    open_page: Windows, shot: Shot, size: ViewportSize
) -> None:
    table = first_table(running_round(players=4))
    event, match = table.round.stage.event, match_of(table)
    page: Page = open_page(player_at(table), size, match.get_absolute_url())
    expect(page.locator("#table[data-live]")).to_be_attached()
    expect(page.locator("#banner")).to_be_hidden()
    user = make_user("Meera Iyer", is_staff=True)
    name_commentator(event, organizer_of(event), user, "For the stream.")
    told = "Commentators may watch with open cards, 30 seconds later."
    expect(page.locator("#banner")).to_have_text(told)
    assert not page.evaluate(WIDER)
    shot(page, "table-watched", full_page=False)
    event.commentary.update(since=timezone.now() + timedelta(seconds=1))
    watching: Page = open_page(user, size, f"{match.get_absolute_url()}commentary/")
    expect(watching.locator("#banner")).to_be_visible()
    expect(watching.locator(".open-row")).to_have_count(0)
