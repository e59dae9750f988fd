"""Browser tests of the check-in page: search while typing, and scanning by camera."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.browser.conftest import Windows
from tests.tournament.helpers import make_organized_event
from tournament.attendance.door import player_code

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# Simulates a camera, and a detector that finds this address in its picture.
FAKE_CODE_READER = """
navigator.mediaDevices.getUserMedia = async () => new MediaStream();
HTMLMediaElement.prototype.play = async () => {};
window.BarcodeDetector = class { async detect() { return [{ rawValue: "%s" }]; } };
"""


def test_typing_a_few_letters_and_enter_finds_the_player(open_page: Windows) -> None:
    event, organizer = make_organized_event(8, check_in=True)
    player = event.registrations.order_by("pk")[3]
    page = open_page(organizer, path=reverse("admin:event-check-in", args=[event.pk]))
    rows = page.locator("[data-row]:visible")
    expect(rows).to_have_count(8)
    search = page.get_by_role("searchbox", name="Name or roll number")
    search.fill("nobody at all")
    expect(page.get_by_text("No players match your search.")).to_be_visible()
    search.fill(player.roll_number.lower())
    expect(rows).to_have_count(1)
    search.press("Enter")
    expect(page.get_by_role("button", name=f"Check in {player.name}")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text(f"{player.name} is checked in.")).to_be_visible()


def test_scanning_a_code_opens_the_player(open_page: Windows) -> None:
    event, organizer = make_organized_event(2, check_in=True)
    player = event.registrations.order_by("pk")[1]
    path = reverse("admin:event-check-in", args=[event.pk])
    page = open_page(organizer, path=path)
    expect(page.get_by_role("button", name="Scan with camera")).to_be_hidden()
    address = page.url.split("?")[0] + f"?code={player_code(player)}"
    page.add_init_script(FAKE_CODE_READER % address)
    page.reload()
    page.get_by_role("button", name="Scan with camera").click()
    expect(page.get_by_role("button", name="Check in", exact=True).first).to_be_visible()
    expect(page).to_have_url(address)
    expect(page.locator(".call-text")).to_contain_text(player.name)
