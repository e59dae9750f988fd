"""Browser tests of the desk on a phone."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.conftest import DESKTOP, PHONE, TakeScreenshot, Windows
from tests.tournament.helpers import make_organized_event
from tests.tournament.staging import organizer_of, running_round
from tournament.pure.ranking import TIE_BREAKERS

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def get_top_edge(page: Page, selector: str) -> float:
    box = page.locator(selector).first.bounding_box()
    assert box is not None
    return box["y"]


def test_control_room_tables_start_in_the_upper_third_of_the_screen(open_page: Windows) -> None:
    event = running_round(8).stage.event
    path = reverse("admin:event-control", args=[event.pk])
    page = open_page(organizer_of(event), path=path)
    expect(page.locator(".room tbody tr")).to_have_count(2)
    assert get_top_edge(page, ".room tbody tr") <= PHONE["height"] / 3
    pause = page.get_by_role("button", name="Pause all")
    expect(pause).to_be_hidden()
    page.get_by_label("Actions").check()
    expect(pause).to_be_visible()
    page.set_viewport_size(DESKTOP)
    expect(page.get_by_label("Actions")).to_be_hidden()
    expect(pause).to_be_visible()


def test_each_name_takes_one_line_at_check_in(open_page: Windows) -> None:
    event, organizer = make_organized_event(8, check_in=True)
    path = reverse("admin:event-check-in", args=[event.pk])
    page = open_page(organizer, path=path)
    first, second = (page.locator(".attendance tbody tr").nth(n).bounding_box() for n in (0, 1))
    assert first is not None
    assert second is not None
    assert second["y"] - first["y"] <= 48


def list_tie_breaks(page: Page) -> list[str]:
    return page.locator("[data-order] > ol span").all_inner_texts()


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=str)
def test_tie_breaks_can_be_reordered_by_mouse_keyboard_and_touch(
    open_page: Windows, shot: TakeScreenshot, size: ViewportSize
) -> None:
    open_page.expect("Applying inline style")  # caused by Django's own widgets
    event, organizer = make_organized_event(0)
    address = reverse("admin:tournament_event_change", args=[event.pk]) + "?part=standings"
    page = open_page(organizer, size, address)
    first, second, *others = list_tie_breaks(page)
    buttons = page.locator("[data-order] button").all()
    boxes = [box for button in buttons if (box := button.bounding_box())]
    assert min(min(box["width"], box["height"]) for box in boxes) >= 44
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    shot(page, "tie-breakers")
    page.get_by_role("button", name=f"Move down: {first}").click()
    assert list_tie_breaks(page) == [second, first, *others]
    page.get_by_role("button", name=f"Leave out: {second}").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")  # focus is still on the button, which now restores the tie-breaker
    assert list_tie_breaks(page) == [first, *others, second]
    expect(page.locator("[data-order] [role=status]")).to_contain_text(second)
    page.locator("[name=_save]").click()
    expect(page.locator(".messagelist")).to_be_visible()
    page.goto(address)
    assert list_tie_breaks(page) == [first, *others, second]


def test_tie_breaks_are_select_fields_without_scripts(open_page: Windows) -> None:
    event, organizer = make_organized_event(0)
    address = reverse("admin:tournament_event_change", args=[event.pk]) + "?part=standings"
    page = open_page(organizer, path=address, java_script_enabled=False)
    expect(page.locator("[data-order] select")).to_have_count(len(TIE_BREAKERS))
    expect(page.locator("[data-order] select").first).to_be_visible()
