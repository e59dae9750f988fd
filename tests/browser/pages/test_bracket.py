"""Browser tests of the bracket's page and hall screen, with five rounds."""

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.conftest import DESKTOP, Windows
from tests.browser.pages.test_print import make_drawn_bracket

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PROJECTOR: ViewportSize = {"width": 1920, "height": 1080}
HIDDEN_WIDTH = "tree => tree.scrollWidth - tree.clientWidth"
HIDDEN_HEIGHT = "() => document.documentElement.scrollHeight - innerHeight"


def list_highlighted_players(page: Page) -> set[str | None]:
    lit = page.locator(".tree [data-player].lit")
    return {each.get_attribute("data-player") for each in lit.all()}


def test_five_rounds_fit_a_desktop_screen(open_page: Windows) -> None:
    event = make_drawn_bracket(table_size=2)
    page = open_page(size=DESKTOP, path=f"/e/{event.slug}/bracket/")
    assert page.locator(".tree-round").count() == 5
    assert page.locator(".tree").evaluate(HIDDEN_WIDTH) == 0


def test_pointing_at_a_player_highlights_only_that_player(open_page: Windows) -> None:
    event = make_drawn_bracket(table_size=2)
    page = open_page(size=DESKTOP, path=f"/e/{event.slug}/bracket/")
    first, second = page.locator(".tree [data-player]").all()[:2]
    first.hover()
    assert list_highlighted_players(page) == {first.get_attribute("data-player")}
    second.locator("a").focus()
    assert list_highlighted_players(page) == {second.get_attribute("data-player")}
    page.get_by_role("heading", level=1).hover()
    assert list_highlighted_players(page) == set()


def test_five_rounds_fit_a_hall_screen(open_page: Windows) -> None:
    event = make_drawn_bracket(table_size=2)
    page = open_page(size=PROJECTOR, path=f"/e/{event.slug}/hall/?pages=bracket")
    expect(page.locator(".hall.idle")).to_be_attached(timeout=15_000)
    assert page.locator(".tree").evaluate(HIDDEN_WIDTH) == 0
    assert page.evaluate(HIDDEN_HEIGHT) <= 0
