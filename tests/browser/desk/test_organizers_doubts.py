"""Browser tests of the desk's warnings about points, waitlists and invitations."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.conftest import DESKTOP, PHONE, TakeScreenshot, Windows
from tests.factories import make_registrations, make_user
from tests.tournament.helpers import first_stage, make_organized_event, start_drafted_round
from tournament.models import Event, User
from tournament.registration.eligibility.uploads import upload_list
from tournament.seating.services import seat_round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SIZES = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
IS_WIDER_THAN_WINDOW = "document.documentElement.scrollWidth > innerWidth"
LIST_FILE = b"Roll No.,Name,Email,Department\nPHY-2,Tara Nair,tara@college.example,Physics\n"


def make_event_in_play() -> tuple[Event, User]:
    """Create an event with matches of two hands, two free spots and two waitlisted players."""
    event, organizer = make_organized_event(
        8, hand_limit=2, title="Chemistry department’s tournament"
    )
    Event.objects.filter(pk=event.pk).update(capacity=8)
    make_registrations(event, 2)
    start_drafted_round(seat_round(first_stage(event), organizer), organizer)
    Event.objects.filter(pk=event.pk).update(capacity=10)
    return event, organizer


def check_width_and_save_screenshot(page: Page, shot: TakeScreenshot, name: str) -> None:
    assert not page.evaluate(IS_WIDER_THAN_WINDOW)
    shot(page, name)


@SIZES
def test_impossible_points_require_confirmation(
    open_page: Windows, shot: TakeScreenshot, size: ViewportSize
) -> None:
    event, organizer = make_event_in_play()
    table = first_stage(event).rounds.get().tables.all()[0]
    page = open_page(organizer, size, reverse("admin:event-table", args=[event.pk, table.pk]))
    open_page.expect("422")
    for field in page.locator("form.points input[name=points]").all():
        field.fill("300")
    page.get_by_role("button", name="Save points").click()
    expect(page.get_by_role("alert")).to_contain_text("these totals would take 4 hands")
    check_width_and_save_screenshot(page, shot, "points-doubted")
    page.get_by_label("Count these points anyway, for the reason I gave").check()
    page.locator("form.points input[name=reason]").fill("All four agreed.")
    page.get_by_role("button", name="Save points").click()
    expect(page.get_by_text("The points have been saved and now count.")).to_be_visible()
    check_width_and_save_screenshot(page, shot, "points-overridden")


@SIZES
def test_skipping_the_waitlist_requires_a_reason(
    open_page: Windows, shot: TakeScreenshot, size: ViewportSize
) -> None:
    event, organizer = make_event_in_play()
    page = open_page(organizer, size, reverse("admin:event-desk", args=[event.pk]))
    expect(page.get_by_text("2 spots are free.")).to_be_visible()
    check_width_and_save_screenshot(page, shot, "desk-asks")
    page.get_by_role("link", name="View registrations").click()
    page.locator("input[name=_selected_action]").last.check()
    page.get_by_role("button", name="Approve", exact=True).click()
    expect(page.get_by_text("Say why")).to_be_visible()
    check_width_and_save_screenshot(page, shot, "approve-reason")
    page.get_by_label("Reason (kept in the activity log)").fill("Is here.")
    page.get_by_role("button", name="Approve").click()
    expect(page.get_by_text("1 approved.")).to_be_visible()


@SIZES
def test_invitation_is_sent_and_accepted(
    open_page: Windows, shot: TakeScreenshot, size: ViewportSize
) -> None:
    event, organizer = make_organized_event(0, title="Chemistry department’s tournament")
    meera = make_user("Meera Iyer", email="meera@college.example")
    page = open_page(organizer, size, reverse("admin:event-people", args=[event.pk]))
    page.locator("summary", has_text="Invite someone by email").click()
    check_width_and_save_screenshot(page, shot, "people-invite")
    page.get_by_label("Email address").fill(meera.email)
    page.locator("#staff details[open]").get_by_label("Reason").fill("The second hall.")
    page.get_by_role("button", name="Invite").click()
    expect(
        page.get_by_text("Invited. An email is on its way to meera@college.example.")
    ).to_be_visible()
    check_width_and_save_screenshot(page, shot, "people-invited")
    theirs = open_page(meera, size, reverse("invitations"))
    check_width_and_save_screenshot(theirs, shot, "invitations")
    theirs.get_by_role("button", name="Accept").click()
    welcome = "Welcome to the desk of Chemistry department’s tournament."
    expect(theirs.get_by_text(welcome)).to_be_visible()


@SIZES
def test_list_import_reports_students_who_cannot_register(
    open_page: Windows, shot: TakeScreenshot, size: ViewportSize
) -> None:
    event, organizer = make_organized_event(0, eligibility_required=True)
    conditions = [{"field": "department", "value": "Chemical Engineering"}]
    Event.objects.filter(pk=event.pk).update(conditions=conditions)
    upload = upload_list(event, organizer, "list.csv", LIST_FILE)
    page = open_page(organizer, size, reverse("admin:event-import", args=[event.pk, upload.pk]))
    expect(page.get_by_text("1 student in this file can’t register because")).to_be_visible()
    check_width_and_save_screenshot(page, shot, "list-conditions")
