"""Browser tests of changing the seats of a round by mouse and keyboard."""

import pytest
from django.urls import reverse
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import DESKTOP, Windows
from tests.tournament.helpers import first_stage, make_organized_event
from tournament.models import Round
from tournament.seating.queries import list_seated
from tournament.seating.services import publish_round, seat_round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def open_seating_draft(open_page: Windows) -> tuple[Page, Round]:
    event, organizer = make_organized_event(8)
    played = seat_round(first_stage(event), organizer)
    address = reverse("admin:event-round", args=[event.pk, played.pk])
    return open_page(organizer, DESKTOP, address), played


def locate_player(page: Page, registration: int) -> Locator:
    return page.locator(f'[data-player="{registration}"]')


def swap_first_players(page: Page, round_: Round) -> tuple[int, int]:
    """Swap the first players of tables 1 and 2 by keyboard, without saving."""
    (one, *_), (other, *_) = list_seated(round_)
    expect(locate_player(page, one)).to_be_enabled()
    locate_player(page, one).press("Enter")
    locate_player(page, other).press("Enter")
    expect(page.get_by_text("1 unsaved change")).to_be_visible()
    return one, other


def save_changes(page: Page) -> None:
    page.get_by_role("button", name="Save changes").click()
    expect(page.get_by_text("1 change saved.")).to_be_visible()


def test_publishing_offers_to_include_unsaved_changes(
    open_page: Windows,
) -> None:
    page, played = open_seating_draft(open_page)
    one, other = swap_first_players(page, played)
    publish = page.get_by_role("button", name="Publish", exact=True)
    publish.click()
    expect(page.get_by_role("dialog")).to_contain_text("1 seat change hasn’t been saved.")
    page.get_by_role("button", name="Stay on this page").click()
    expect(page.get_by_text("1 unsaved change")).to_be_visible()
    publish.click()
    page.get_by_role("button", name="Save and publish").click()
    expect(
        page.get_by_text("Round 1 has been published. Players can see their seats.")
    ).to_be_visible()
    assert list_seated(played)[0][0] == other
    assert list_seated(played)[1][0] == one


def test_publishing_can_leave_out_unsaved_changes(open_page: Windows) -> None:
    page, played = open_seating_draft(open_page)
    one, _other = swap_first_players(page, played)
    page.get_by_role("button", name="Publish", exact=True).click()
    page.get_by_role("button", name="Publish without saving").click()
    expect(
        page.get_by_text("Round 1 has been published. Players can see their seats.")
    ).to_be_visible()
    assert list_seated(played)[0][0] == one


def test_other_buttons_offer_to_save_changes_first(open_page: Windows) -> None:
    page, played = open_seating_draft(open_page)
    _one, other = swap_first_players(page, played)
    page.get_by_text("Draw again").first.click()
    page.get_by_label("Reason").first.fill("By lot after all.")
    page.get_by_role("button", name="Draw again").click()
    page.get_by_role("button", name="Save first").click()
    expect(page.get_by_text("1 change saved.")).to_be_visible()
    assert list_seated(played)[0][0] == other


def test_changes_to_published_seats_are_saved_first_with_a_reason(
    open_page: Windows,
) -> None:
    page, played = open_seating_draft(open_page)
    publish_round(played, played.stage.event.organizers.get())
    page.reload()
    _one, other = swap_first_players(page, played)
    locate_player(page, other).press("Enter")
    expect(page.get_by_role("button", name="Cancel")).to_be_visible()
    page.get_by_role("button", name="Start round 1").click()
    page.get_by_role("button", name="Save first").click()
    reason = page.locator("#arrange").get_by_label("Reason")
    expect(reason).to_be_focused()
    reason.fill("They asked for it.")
    save_changes(page)
    assert list_seated(played)[0][0] == other


def test_name_dragged_onto_another_is_saved(open_page: Windows) -> None:
    page, played = open_seating_draft(open_page)
    (one, *_), (other, *_) = list_seated(played)
    expect(locate_player(page, one)).to_be_enabled()
    locate_player(page, one).drag_to(locate_player(page, other))
    expect(page.locator("#table-2").locator(".chip").first).to_have_attribute(
        "data-player", str(one)
    )
    expect(page.get_by_text("1 unsaved change")).to_be_visible()
    assert list_seated(played)[0][0] == one
    save_changes(page)
    assert list_seated(played)[0][0] == other


def test_keyboard_moves_a_name_to_a_new_table_and_shows_the_broken_rule(
    open_page: Windows,
) -> None:
    page, played = open_seating_draft(open_page)
    one = list_seated(played)[0][0]
    expect(locate_player(page, one)).to_be_enabled()
    locate_player(page, one).press("Enter")
    expect(locate_player(page, one)).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="New table").press("Enter")
    expect(page.get_by_text("Table 3 has 1 player;")).to_be_visible()
    expect(locate_player(page, one)).to_be_focused()
    page.get_by_role("button", name="Undo last change").press("Enter")
    expect(page.get_by_text("Table 3 has 1 player;")).to_be_hidden()
    locate_player(page, one).press("Enter")
    locate_player(page, one).press("Escape")
    expect(locate_player(page, one)).to_have_attribute("aria-pressed", "false")
    assert len(list_seated(played)) == 2
