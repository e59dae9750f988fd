"""A practice match in real Chromium: from the practice page to a finished hand."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.factories import make_user

pytestmark = pytest.mark.browser


def start(open_page: Any, ruleset: str, seats: int = 2, **options: Any) -> Page:
    """A practice table that has just been begun, seen by its only person."""
    page: Page = open_page(make_user("Asha"), path="/practice/", **options)
    page.locator(f'.seat-choice input[value="{seats}"]').check(force=True)
    page.get_by_role("button", name=re.compile("^Play")).and_(
        page.locator(f'[value="{ruleset}"]')
    ).click()
    page.wait_for_url("**/m/*/")
    return page


def test_two_taps_from_the_practice_page_to_cards_in_hand(open_page: Any, shot: Any) -> None:
    page: Page = open_page(make_user("Asha"), path="/practice/")
    shot(page, "practice")
    page.locator('button[value="ocho"]').click()
    expect(page.locator(".card-button")).to_have_count(8)
    expect(page.locator(".seat")).to_have_count(3)
    page.wait_for_timeout(1500)
    shot(page, "practice-table", full_page=False)
