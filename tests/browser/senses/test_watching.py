"""Browser tests of watching the tables of an event."""

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from games import services
from tests.browser.conftest import DESKTOP, PHONE, Windows
from tests.browser.senses.test_layout import MEASURE_SCROLL, MEASURE_TARGETS, iter_sizes
from tests.browser.senses.test_stillness import LIST_COVERED_TEXTS
from tests.tournament.staging import first_table, match_of, running_round

pytestmark = pytest.mark.browser
SMALLEST: ViewportSize = {"width": 320, "height": 568}


@pytest.mark.parametrize("size", [SMALLEST, PHONE, DESKTOP], ids=["small", "phone", "desk"])
def test_watch_link_leads_to_the_most_advanced_table_and_on_to_the_next(
    open_page: Windows, transactional_db: None, size: ViewportSize
) -> None:
    played = running_round(8, hand_limit=2)
    first, second = (match_of(each) for each in played.tables.order_by("number"))
    services.play_out(second, hands=1)
    page: Page = open_page(None, path=f"/e/{played.stage.event.slug}/", size=size)
    page.get_by_role("link", name="Watch a table").first.click()
    expect(page).to_have_url(f"{open_page.site.url}{second.get_absolute_url()}")
    page.get_by_role("link", name="Next table").click()
    expect(page).to_have_url(f"{open_page.site.url}{first.get_absolute_url()}")
    page.get_by_role("link", name="Previous table").click()
    expect(page).to_have_url(f"{open_page.site.url}{second.get_absolute_url()}")


@pytest.mark.parametrize("seats", [4, 10])
def test_viewer_sees_large_uncovered_piles(
    open_page: Windows, transactional_db: None, seats: int
) -> None:
    match = match_of(first_table(running_round(seats, table_size=seats)))
    page: Page = open_page(None, path=match.get_absolute_url())
    expect(page.locator("#table[data-live]")).to_be_attached()
    open_for_taps = ".draw-pile, .discard, .beside a, .color-now:not(:empty)"
    for size in iter_sizes(page, (SMALLEST, PHONE, DESKTOP)):
        assert page.evaluate(MEASURE_SCROLL) == [0, 0], size
        assert page.evaluate(LIST_COVERED_TEXTS) == [], size
        for target in page.evaluate(MEASURE_TARGETS, open_for_taps):
            assert target["open"], (size, target)
