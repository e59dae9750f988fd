"""Browser tests of the site's general behaviour: styles, sign-out and header."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import TakeScreenshot, Windows
from tests.factories import make_user
from tests.tournament.staging import first_table, player_at, running_round

pytestmark = pytest.mark.browser


def test_sign_in_page_is_served_with_its_style(open_page: Windows, shot: TakeScreenshot) -> None:
    page = open_page(path="/accounts/login/")
    shot(page, "login")
    assert page.locator("form").count() >= 1


def test_back_button_shows_nothing_after_sign_out(open_page: Windows) -> None:
    page = open_page(make_user("Asha"), path="/accounts/profile/")
    page.locator("main").get_by_role("button", name="Sign out", exact=True).click()
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    assert "Asha" not in page.content()


def test_first_tab_press_skips_the_navigation(open_page: Windows) -> None:
    page = open_page()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip-link"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


def test_header_of_a_player_has_one_row_on_the_smallest_phone(
    open_page: Windows, transactional_db: None
) -> None:
    user = player_at(first_table(running_round(4)))
    page = open_page(user, path="/rules/", size={"width": 320, "height": 568})
    expect(page.get_by_role("link", name="My table")).to_be_visible()
    height = page.locator(".site-header-row").evaluate("e => e.offsetHeight")
    assert height < 64
