"""Browser tests of oversight: second organizers, the event history and commentators."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.conftest import DESKTOP, PHONE, TakeScreenshot, Windows
from tests.factories import make_organizer, make_user
from tests.tournament.helpers import first_stage, make_organized_event, play_first_round
from tests.tournament.staging import first_table, match_of, organizer_of, player_at, running_round
from tournament.models import Event, User
from tournament.people.staff.organizers import appoint_commentator, choose_confirmation_rule
from tournament.results.services import enter_result
from tournament.seating.services import seat_round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SIZES = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
IS_WIDER_THAN_WINDOW = "document.documentElement.scrollWidth > innerWidth"


def make_event_with_proposals() -> tuple[Event, User, User]:
    """Create an event with two proposals, a discarded seating draw and a commentator."""
    event, organizer = make_organized_event(8, title="Chemistry department’s spring tournament")
    appoint_commentator(event, organizer, make_user("Meera Iyer", is_staff=True), "For the stream.")
    seat_round(first_stage(event), organizer)
    stage = play_first_round(event, organizer)
    seat_round(stage, organizer)
    second = make_organizer(event, name="Second Organizer")
    table = stage.rounds.get(number=1).tables.all()[0]
    enter_result(table, organizer, [0, 100, 200, 400], "Two rows of the sheet were swapped.")
    choose_confirmation_rule(event, organizer, "off", "We are two, and one is always on the way.")
    return event, organizer, second


@SIZES
def test_pending_request_shows_its_effect_and_its_buttons_work(
    open_page: Windows, shot: TakeScreenshot, size: ViewportSize
) -> None:
    event, _organizer, second = make_event_with_proposals()
    page: Page = open_page(second, size, reverse("admin:event-desk", args=[event.pk]))
    page.get_by_role("link", name="Review 2 requests").click()
    expect(page.locator(".step-waits")).to_have_count(2)
    expect(page.get_by_text("would not advance.").first).to_be_visible()
    assert not page.evaluate(IS_WIDER_THAN_WINDOW)
    shot(page, "waiting")
    page.get_by_role("button", name="Confirm").first.click()
    expect(page.get_by_text("Confirmed and done.")).to_be_visible()
    page.locator(".step-waits summary", has_text="Reject").click()
    page.locator(".step-waits").get_by_label("Reason").fill("No.")
    page.locator(".step-waits").get_by_role("button", name="Reject").click()
    expect(page.get_by_text("Rejected. Nothing has been changed.")).to_be_visible()
    assert not page.evaluate(IS_WIDER_THAN_WINDOW)


@SIZES
def test_second_owner_sees_a_request_until_the_first_owner_withdraws_it(
    open_page: Windows, shot: TakeScreenshot, size: ViewportSize
) -> None:
    table = first_table(running_round(players=8))
    event, match = table.round.stage.event, match_of(table)
    organizer, seat = organizer_of(event), table.seats.order_by("number")[0]
    second = make_organizer(event, name="Second Organizer")
    player = seat.registration
    assert player is not None
    address = reverse("admin:event-player", args=[event.pk, player.pk])
    asks: Page = open_page(organizer, size, address)
    asks.get_by_label("Disqualify").check()
    asks.get_by_label("Reason (the player will read it)").fill("Two phones.")
    asks.get_by_role("button", name="Show the consequences").click()
    expect(asks.get_by_text(f"{player.name} will stop playing at")).to_be_visible()
    shot(asks, "disqualify-preview")
    answers: Page = open_page(second, size, reverse("admin:event-control", args=[event.pk]))
    asks.get_by_role("button", name="Disqualify").click()
    expect(asks.get_by_text("Review or withdraw")).to_be_visible()
    match.refresh_from_db()
    assert match.seats.get(number=0).user is None
    answers.reload()
    shot(answers, "control-waits")
    answers.get_by_role("link", name="Review 1 request").click()
    expect(answers.get_by_text(f"Disqualify {player.name}.")).to_be_visible()
    expect(answers.get_by_text("has already forfeited the match")).to_be_visible()
    shot(answers, "waiting-disqualification")
    assert not answers.evaluate(IS_WIDER_THAN_WINDOW)
    asks.get_by_text("Review or withdraw").click()
    asks.get_by_role("button", name="Withdraw request").click()
    expect(asks.get_by_text("again. Everything played in between stays as it is.")).to_be_visible()
    assert match.seats.get(number=0).user == player.user
    answers.get_by_role("button", name="Confirm").click()
    expected = "This request has already been answered: withdrawn by"
    expect(answers.get_by_text(expected)).to_be_visible()
    player.refresh_from_db()
    assert player.state == "approved"


@SIZES
def test_pages_with_pending_requests_fit_the_screen(
    open_page: Windows, shot: TakeScreenshot, size: ViewportSize
) -> None:
    event, _organizer, second = make_event_with_proposals()
    page: Page = open_page(second, size, reverse("admin:event-desk", args=[event.pk]))
    expect(page.get_by_text("2 requests are waiting for a second organizer.")).to_be_visible()
    assert not page.evaluate(IS_WIDER_THAN_WINDOW)
    shot(page, "desk-waits")
    played = first_stage(event).rounds.get(number=2)
    for name, rest in (("round", str(played.pk)), ("export", "registrations.csv")):
        page.goto(reverse(f"admin:event-{name}", args=[event.pk, rest]))
        assert not page.evaluate(IS_WIDER_THAN_WINDOW)
        shot(page, f"{name}-waits")


@SIZES
def test_public_history_fits_and_is_linked(
    open_page: Windows, shot: TakeScreenshot, size: ViewportSize
) -> None:
    event, _organizer, _second = make_event_with_proposals()
    Event.objects.filter(pk=event.pk).update(state=Event.State.FINISHED)
    page: Page = open_page(None, size, reverse("event", args=[event.slug]))
    page.locator("summary", has_text="Verifiable draws").click()
    expect(page.locator(".lots-list").get_by_text("Commitment:").first).to_be_visible()
    assert not page.evaluate(IS_WIDER_THAN_WINDOW)
    shot(page, "event-lots")
    if page.locator(".more-tabs > summary").is_visible():
        page.locator(".more-tabs > summary").click()
    page.get_by_role("link", name="History", exact=True).click()
    expect(page.locator(".history li").last).to_contain_text("The event was published.")
    expect(page.locator(".history")).to_contain_text("draw 1 was discarded.")
    assert not page.evaluate(IS_WIDER_THAN_WINDOW)
    shot(page, "history")


@SIZES
def test_table_immediately_shows_that_commentators_may_watch(
    open_page: Windows, shot: TakeScreenshot, size: ViewportSize
) -> None:
    table = first_table(running_round(players=4))
    event, match = table.round.stage.event, match_of(table)
    page: Page = open_page(player_at(table), size, match.get_absolute_url())
    expect(page.locator("#table[data-live]")).to_be_attached()
    expect(page.locator("#banner")).to_be_hidden()
    user = make_user("Meera Iyer", is_staff=True)
    appoint_commentator(event, organizer_of(event), user, "For the stream.")
    expected = "Commentators can see everyone’s cards with a delay of 30 seconds."
    expect(page.locator("#banner")).to_have_text(expected)
    assert not page.evaluate(IS_WIDER_THAN_WINDOW)
    shot(page, "table-watched", full_page=False)
    event.commentary.update(since=timezone.now() + timedelta(seconds=1))
    watching: Page = open_page(user, size, f"{match.get_absolute_url()}commentary/")
    expect(watching.locator("#banner")).to_be_visible()
    expect(watching.locator(".open-row")).to_have_count(0)
