"""Browser tests of guests' practice tables."""

import pytest
from playwright.sync_api import expect

from games.models import LoggedAction, Match
from tests.browser.conftest import TakeScreenshot, Windows

pytestmark = pytest.mark.browser

# A wild would need a second tap, for its colour.
FIRST_PLAYABLE_CARD = '.slot[data-playable] .card-button:not([aria-label^="Wild"])'


def test_u64_stranger_makes_a_first_move_with_two_taps_from_the_home_page(
    open_page: Windows, shot: TakeScreenshot
) -> None:
    page = open_page(path="/", has_touch=True, ask=True)
    shot(page, "home-stranger")
    assert page.context.cookies() == []
    page.get_by_role("button", name="Practice with bots").tap()
    expect(page.locator("#table[data-usable][data-my-turn]")).to_be_attached()
    shot(page, "table-guest")
    fits = page.locator(FIRST_PLAYABLE_CARD)
    first = fits.first if fits.count() else page.locator(".action-draw")
    first.tap()
    expect(page.locator("#table[data-my-turn]")).to_have_count(0)
    match = Match.objects.get()
    guest = match.seats.get(number=0)
    assert (guest.name, guest.user) == ("Guest", None)
    assert LoggedAction.objects.filter(hand__match=match, auto="").count() == 1
    assert [cookie["name"] for cookie in page.context.cookies()] == ["sessionid"]


def test_home_page_links_a_guest_to_the_practice_table(open_page: Windows) -> None:
    page = open_page(path="/practice/")
    page.locator('button[value="ocho"]').click()
    expect(page.locator(".card-button")).to_have_count(8)
    page.goto("/")
    page.get_by_role("link", name="Back to your practice table").click()
    expect(page.locator(".card-button").first).to_be_visible()
    page.goto("/")
    page.get_by_role("link", name="Sign up to keep the table").click()
    expect(page).to_have_url(f"/accounts/signup/?next={Match.objects.get().get_absolute_url()}")
