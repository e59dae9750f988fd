"""Browser test of saving a picture of a finished match."""

import struct
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from games import services
from games.models import Match
from tests.browser import tables
from tests.browser.conftest import Windows
from tests.browser.tables import deal, open_seat

pytestmark = pytest.mark.browser

LONG_NAMES = ["মেঘনা চট্টোপাধ্যায়", "Venkatanarasimharajuvaripeta Subrahmanyam", "वेंकटरमणन मीनाक्षी"]


def finish_match() -> Match:
    match = deal(["R1 G4", "Y1 G1", "B1 B2"], bots=[1, 2], hand_limit=2)
    services.play_out(match)
    match.refresh_from_db()
    return match


def save_picture(page: Page, button: str) -> tuple[int, int]:
    """Click the button, and return the width and height of the saved picture."""
    with page.expect_download() as saved:
        page.locator(button).click()
    assert saved.value.suggested_filename == "lastcard.png"
    content = Path(saved.value.path()).read_bytes()
    assert content.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", content[16:24])
    return width, height


def test_picture_is_saved_from_the_sheet_and_the_result(
    open_page: Windows, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "PEOPLE", LONG_NAMES)
    match = finish_match()
    page = open_seat(open_page, match)
    urls = list[str]()
    page.on("request", lambda request: urls.append(request.url))
    expect(page.locator(".sheet")).to_be_visible()
    assert not [url for url in urls if "/picture/" in url]
    assert save_picture(page, ".sheet-save") == (1080, 1350)
    page.goto(f"{match.get_absolute_url()}result/")
    assert save_picture(page, "#save-picture") == (1080, 1350)
    expect(page.locator("#save-picture")).to_have_text("Save picture")
