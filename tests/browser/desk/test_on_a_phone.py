"""The organizer's phone: what wants somebody is on the screen, and all else is a tap away."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from tests.browser.conftest import DESKTOP, PHONE, Windows
from tests.tournament.helpers import organized
from tests.tournament.staging import organizer_of, running_round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def top(page: Page, selector: str) -> float:
    box = page.locator(selector).first.bounding_box()
    assert box is not None
    return box["y"]


def test_the_control_room_s_first_table_is_in_the_upper_third(open_page: Windows) -> None:
    event = running_round(8).stage.event
    path = reverse("admin:event-control", args=[event.pk])
    page = open_page(organizer_of(event), path=path)
    expect(page.locator(".room tbody tr")).to_have_count(2)
    assert top(page, ".room tbody tr") <= PHONE["height"] / 3
    pause = page.get_by_role("button", name="Pause all")
    expect(pause).to_be_hidden()
    page.get_by_label("Buttons").check()
    expect(pause).to_be_visible()
    page.set_viewport_size(DESKTOP)
    expect(page.get_by_label("Buttons")).to_be_hidden()
    expect(pause).to_be_visible()


def test_at_the_door_a_name_is_one_line(open_page: Windows) -> None:
    event, organizer = organized(8, check_in=True)
    path = reverse("admin:event-check-in", args=[event.pk])
    page = open_page(organizer, path=path)
    first, second = (page.locator(".attendance tbody tr").nth(n).bounding_box() for n in (0, 1))
    assert first is not None
    assert second is not None
    assert second["y"] - first["y"] <= 48
