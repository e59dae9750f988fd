"""The fixtures themselves: a page of the running site in Chromium, with its style."""

import pytest

from tests.browser.conftest import Shot, Windows

pytestmark = pytest.mark.browser


def test_sign_in_page_is_served_with_its_style(open_page: Windows, shot: Shot) -> None:
    page = open_page(path="/accounts/login/")
    shot(page, "login")
    assert page.locator("form").count() >= 1
