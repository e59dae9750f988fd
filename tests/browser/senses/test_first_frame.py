"""Browser tests that the layout does not shift while a table loads."""

from itertools import product
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from games.models import Match
from tests.browser.conftest import PHONE, Windows
from tests.browser.senses.test_stillness import (
    MOST_ON_LOADING,
    RECORD_SHIFTS,
    SMALLEST,
    TABLET,
    WIDE,
    list_largest_shifts,
    sum_layout_shifts,
)
from tests.browser.tables import deal
from tests.typed import sure

pytestmark = [pytest.mark.browser, pytest.mark.motion]

LANDSCAPE: ViewportSize = {"width": 844, "height": 390}
SIZES = (SMALLEST, PHONE, TABLET, LANDSCAPE, WIDE)
LANGUAGES = ("en", "bn", "hi")
HANDS = ["R7 G4 W B5 R2 R+2 Y9", "Y1 G1 B1 G2 Y9 G6 G7", "Y3 G3 B3 G2 Y8 G6 G7"]
# Makes the page forget which hints and questions it has shown on this device.
FORGET_PREFERENCES = "localStorage.removeItem('lastcard-table')"
# The right edges of the bar and the stage as fractions of the window's width, and the extra width
# of the page.
MEASURE_EXTENT = """() => [document.querySelector('.bar'), document.querySelector('.stage')]
  .map((part) => part.getBoundingClientRect().right / innerWidth)
  .concat(document.documentElement.scrollWidth - innerWidth)"""
OWN_PARTS_SELECTOR = "#me, #hand, #actions, #ask, #coach, #call"


def load_table(page: Page, path: str) -> None:
    page.goto(path)
    expect(page.locator("#table[data-live]")).to_be_attached()
    page.evaluate("() => document.fonts.ready.then(() => true)")
    page.wait_for_timeout(120)


def open_measured_page(open_page: Windows, path: str, language: str, **options: Any) -> Page:
    page: Page = open_page(path="about:blank", ask=True, locale=language, **options)
    page.add_init_script(f"({RECORD_SHIFTS})()")
    page.goto(path)
    return page


def open_guest_table(page: Page) -> str:
    page.goto("/practice/")
    page.locator('button[value="uno-500"]').click()
    page.wait_for_url("**/m/**")
    return page.url


def open_tables(open_page: Windows, match: Match, language: str) -> list[tuple[str, Page, str]]:
    """Open the table as a player, a viewer and a guest. Return each role, page and path."""
    path, user = match.get_absolute_url(), match.seats.get(number=0).user
    player = open_measured_page(open_page, path, language, user=user)
    viewer = open_measured_page(open_page, path, language)
    guest = open_measured_page(open_page, "/practice/", language)
    return [
        ("player", player, path),
        ("viewer", viewer, path),
        ("guest", guest, open_guest_table(guest)),
    ]


def is_in_sample(cell: tuple[int, ...], every: bool) -> bool:
    """Return whether a combination of coordinates is in the sample, a third of all combinations.

    The sample contains every pair of values of two coordinates. If `every` is True, it contains all
    combinations.
    """
    return every or sum(cell) % 3 == 0


@pytest.mark.slow
def test_u54_nothing_shifts_while_a_table_loads(
    open_page: Windows, pytestconfig: pytest.Config
) -> None:
    """Check each role, language and size, on the first visit and a later one."""
    every = pytestconfig.getoption("--long")
    match = deal(HANDS, bots=[1], viewers="delayed", viewer_delay_seconds=60, turn_seconds=600)
    wrong = {}
    for n, language in enumerate(LANGUAGES):
        for m, (role, page, path) in enumerate(open_tables(open_page, match, language)):
            for (k, size), visit in product(enumerate(SIZES), (0, 1)):
                if not is_in_sample((n, m, k, visit), every):
                    continue
                page.set_viewport_size(size)
                if not visit:
                    page.evaluate(FORGET_PREFERENCES)
                load_table(page, path)
                if sum_layout_shifts(page) >= MOST_ON_LOADING:
                    cell = f"{language} {role} {size['width']} {'later' if visit else 'first'}"
                    wrong[cell] = f"{sum_layout_shifts(page):.3f} {list_largest_shifts(page)}"
    assert wrong == {}, "\n".join(f"{cell}: {what}" for cell, what in wrong.items())


def test_viewer_table_is_laid_out_correctly_without_scripts(open_page: Windows) -> None:
    match = deal(HANDS, viewers="live")
    page = open_page(path=match.get_absolute_url(), java_script_enabled=False)
    assert page.locator(OWN_PARTS_SELECTOR).count() == 0
    for size in SIZES:
        page.set_viewport_size(size)
        bar, stage, aside = page.evaluate(MEASURE_EXTENT)
        assert (bar, aside) == (1, 0), size
        assert stage > 0.7, size  # on a wide screen, the log is next to the stage
        found = sure(page.locator(".needs-script").bounding_box())
        assert found["width"] > min(300, size["width"] / 2), size


# The width of the bar's title and the height of the bar.
MEASURE_BAR = """() => {
  document.getElementById('call')?.removeAttribute('data-off');
  const [title, bar] = ['.bar-title b', '.bar'].map((part) =>
    document.querySelector(part).getBoundingClientRect());
  return [title.width, bar.height];
}"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_bar_title_fits_next_to_all_buttons(open_page: Windows, language: str) -> None:
    match = deal(HANDS, bots=[1])
    path, user = match.get_absolute_url(), match.seats.get(number=0).user
    page = open_measured_page(open_page, path, language, user=user)
    for size in (SMALLEST, PHONE):
        page.set_viewport_size(size)
        width, height = page.evaluate(MEASURE_BAR)
        assert width > 60
        assert height < 70
