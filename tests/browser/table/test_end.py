"""Browser test of the score sheet at the end of an event's match."""

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.conftest import DESKTOP, PHONE, TakeScreenshot, Windows
from tests.browser.senses.test_layout import MEASURE_SCROLL
from tests.tournament.staging import first_table, match_of, play, player_at, running_round

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desk"])
def test_u60_end_shows_the_event_rank_and_links_to_my_table(
    open_page: Windows, transactional_db: None, shot: TakeScreenshot, size: ViewportSize
) -> None:
    table = play(first_table(running_round(8)))
    address = match_of(table).get_absolute_url()
    page: Page = open_page(player_at(table), path=address, size=size)
    expect(page.locator(".after-rank")).to_contain_text("of 8")
    expect(page.locator(".sheet-after")).to_contain_text("Wait here for the next round.")
    expect(page.locator("#polite p", has_text="of 8")).to_have_count(1)
    assert page.evaluate(MEASURE_SCROLL)[0] == 0
    page.get_by_role("button", name="Good game!").click()
    expect(page.locator('.reaction[data-shown="good-game"]')).to_be_visible()
    shot(page, "end", full_page=False)
    page.get_by_role("link", name="My next table").click()
    expect(page.get_by_role("heading", name="My table", level=1)).to_be_visible()
