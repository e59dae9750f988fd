"""Browser test of choosing an avatar."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import TakeScreenshot, Windows
from tests.factories import make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_avatar_is_chosen_by_keyboard_and_shown_at_the_table(
    open_page: Windows, shot: TakeScreenshot
) -> None:
    page = open_page(make_user("Asha"), path="/accounts/profile/")
    preview = page.locator(".look-preview .face").first
    page.get_by_role("radio", name="Initial").focus()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("radio", name="Cat")).to_be_checked()
    expect(preview).to_contain_class("sign-cat")
    outline = "each => getComputedStyle(each.nextElementSibling).outlineStyle"
    assert page.get_by_role("radio", name="Cat").evaluate(outline) == "solid"
    page.get_by_role("radio", name="Teal").check()
    expect(preview).to_contain_class("tone-2 sign-cat")
    shot(page, "profile-look")
    page.get_by_role("button", name="Save avatar").click()
    expect(page.get_by_role("status")).to_contain_text("Your avatar has been saved.")
    page.goto("/practice/")
    page.locator('button[value="ocho"]').click()
    expect(page.locator(".me .face")).to_have_class("face tone-2 sign-cat")
    drawn = "each => getComputedStyle(each, '::before').backgroundImage"
    assert "img/signs" in page.locator(".me .face").evaluate(drawn)
