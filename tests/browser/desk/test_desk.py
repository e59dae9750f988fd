"""Browser tests of the desk's scripts and styles."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from tests.browser.conftest import DESKTOP, PHONE, Windows
from tests.tournament.helpers import first_stage, make_organized_event, play_first_round
from tournament.seating.services import publish_round, seat_round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

IS_WIDER_THAN_WINDOW = "document.documentElement.scrollWidth > innerWidth"


def get_bottom_edge(page: Page, selector: str) -> float:
    box = page.locator(selector).bounding_box()
    assert box is not None
    return box["y"] + box["height"]


def test_number_field_of_the_cut_changes_its_label_or_disappears_with_the_rule(
    open_page: Windows,
) -> None:
    event, organizer = make_organized_event(8)
    play_first_round(event, organizer)
    page = open_page(organizer, path=reverse("admin:event-qualify", args=[event.pk]))
    expect(page.get_by_label("Players per table")).to_have_value("2")
    page.locator("#id_qualify_rule").select_option("share")
    expect(page.get_by_label("Percentage of the players who took part")).to_be_visible()
    page.locator("#id_qualify_rule").select_option("thresholds")
    expect(page.locator("#id_qualify_value")).to_be_hidden()


def test_field_error_is_shown_below_its_field(open_page: Windows) -> None:
    event, organizer = make_organized_event(0)
    page = open_page(organizer, DESKTOP, reverse("admin:tournament_event_change", args=[event.pk]))
    page.locator("#id_conditions").fill("chemists only")
    page.locator("[name=_save]").click()
    below = page.locator(".field-conditions .errorlist")
    expect(below).to_contain_text("is not a condition")
    box = below.bounding_box()
    assert box is not None
    assert box["y"] >= get_bottom_edge(page, "#id_conditions")


def test_whole_log_can_be_read_on_a_phone(open_page: Windows) -> None:
    event, organizer = make_organized_event(8)
    publish_round(seat_round(first_stage(event), organizer), organizer)
    page = open_page(organizer, PHONE, reverse("admin:event-log", args=[event.pk]))
    what = page.locator(".log .what", has_text="Published the seats for Round 1.")
    expect(what).to_be_in_viewport()
    assert not page.evaluate(IS_WIDER_THAN_WINDOW)


COUNT_SUBMITS = """button => {
  const sent = [];
  window.addEventListener("submit", event => {
    sent.push(!event.defaultPrevented);
    event.preventDefault();
  });
  button.click();
  button.click();
  return sent;
}"""


def test_second_click_on_a_button_sends_nothing(open_page: Windows) -> None:
    event, organizer = make_organized_event(8)
    played = publish_round(seat_round(first_stage(event), organizer), organizer)
    page = open_page(organizer, path=reverse("admin:event-round", args=[event.pk, played.pk]))
    assert page.get_by_role("button", name="Start round 1").evaluate(COUNT_SUBMITS) == [True, False]
