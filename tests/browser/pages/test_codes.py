"""Browser tests of entering codes from emails."""

import re

import pytest
from django.core import mail
from playwright.sync_api import Page, expect

from tests.browser.conftest import TakeScreenshot, Windows
from tests.factories import make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PUZZLE_WORDS = re.compile("captcha|robot|puzzle|pictures? with|drag the", re.IGNORECASE)


def read_code_from_mail() -> str:
    found = re.search(r"^    (\S+)$", str(mail.outbox[-1].body), re.MULTILINE)
    assert found
    return found[1]


def paste_text(page: Page, text: str) -> None:
    """Paste `text` into the focused field."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    page.keyboard.press("Control+V")


def check_code_field(page: Page) -> None:
    field = page.get_by_label("Code")
    expect(field).to_have_attribute("autocomplete", "one-time-code")
    assert field.get_attribute("type") == "text"
    assert field.get_attribute("maxlength") is None
    assert not PUZZLE_WORDS.search(page.locator("main").inner_text())
    assert page.locator("main img:not([alt='']), main canvas, iframe").count() == 0
    field.focus()


def test_u53_pasted_code_signs_in_and_returns_to_the_page(open_page: Windows) -> None:
    user = make_user("Asha")
    page = open_page(path="/accounts/login/code/?next=/rules/")
    page.get_by_label("Email address").fill(user.email)
    page.get_by_role("button", name="Send me a code").click()
    check_code_field(page)
    # Selecting text in an email often adds spaces.
    paste_text(page, f"  {read_code_from_mail()} \n")
    page.get_by_role("button", name="Confirm").click()
    page.wait_for_url("**/rules/")
    expect(page.get_by_text("You’re signed in as Asha.")).to_be_visible()


def test_u53_new_account_needs_one_code_and_no_puzzle(
    open_page: Windows, shot: TakeScreenshot
) -> None:
    page = open_page(path="/accounts/signup/")
    assert not PUZZLE_WORDS.search(page.locator("main").inner_text())
    page.get_by_label("Name shown at tables").fill("Zoë")
    page.get_by_label("Email address").fill("zoe@college.example")
    page.get_by_label("Password", exact=False).first.fill("blue-kettle-sunday")
    page.get_by_role("button", name="Create account").click()
    check_code_field(page)
    shot(page, "code")
    paste_text(page, read_code_from_mail().lower())
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_text("You’re signed in as Zoë.")).to_be_visible()
