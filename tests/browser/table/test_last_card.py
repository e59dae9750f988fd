"""Browser tests of a hand's last card, which is shown large before the score sheet opens.

At the end of a match, the score sheet starts with the winner's avatar.
"""

from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from games.models import Match
from tests.browser.conftest import DESKTOP, PHONE, TakeScreenshot, Windows
from tests.browser.senses.test_layout import COUNT_FLIGHTS, MEASURE_SCROLL
from tests.browser.table.test_moments import save_frames
from tests.browser.tables import act_for_seat, deal, finish_animations, open_seat

pytestmark = [pytest.mark.browser, pytest.mark.motion]

SMALL_PHONE: ViewportSize = {"width": 320, "height": 568}
MEASURE_WIDTH = "element => element.getBoundingClientRect().width"
READ_OPACITY = "element => Number(getComputedStyle(element).opacity)"
LARGE_CARD = ".last-face .card"
IS_END_STYLE_LOADED = "() => document.querySelector('link[data-end]')?.sheet"


def open_nearly_finished_table(
    open_page: Windows, target: int = 500, seat: int | None = 0, **options: Any
) -> tuple[Page, Match]:
    """Open a table at which seat 0 is to act with its last card."""
    match = deal(["R1 R2", "R3 G9", "R4 B9"], options={"target": target})
    act_for_seat(match, 0, play="R1", uno=True)
    act_for_seat(match, 1, play="R3", uno=True)
    act_for_seat(match, 2, play="R4", uno=True)
    page = open_seat(open_page, match, seat=seat, **options)
    page.wait_for_function(IS_END_STYLE_LOADED)
    finish_animations(page)
    return page, match


def test_last_card_is_shown_large_before_the_score_sheet(open_page: Windows) -> None:
    page, match = open_nearly_finished_table(open_page)
    pile = page.locator(".discard").evaluate(MEASURE_WIDTH)
    act_for_seat(match, 0, play="R2")
    expect(page.locator(LARGE_CARD)).to_be_visible()
    expect(page.get_by_role("heading", name="You win the hand!")).to_be_attached()
    assert page.locator(".sheet").evaluate(READ_OPACITY) < 0.2
    page.wait_for_function(
        f"pile => ({MEASURE_WIDTH})(document.querySelector('{LARGE_CARD}')) > 1.5 * pile", arg=pile
    )
    expect(page.locator(".last-card")).to_have_count(0)
    page.wait_for_function(f"() => ({READ_OPACITY})(document.querySelector('.sheet')) === 1")


def test_tap_opens_the_score_sheet_without_pressing_its_buttons(open_page: Windows) -> None:
    page, match = open_nearly_finished_table(open_page)
    act_for_seat(match, 0, play="R2")
    expect(page.locator(LARGE_CARD)).to_be_visible()
    box = page.locator(".sheet-ready").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator(".last-card")).to_have_count(0)
    expect(page.locator(".sheet-ready")).to_have_text("I’m ready")


def test_last_card_is_shown_large_without_motion(open_page: Windows) -> None:
    page, match = open_nearly_finished_table(open_page, reduced_motion="reduce")
    pile = page.locator(".discard").evaluate(MEASURE_WIDTH)
    page.evaluate(COUNT_FLIGHTS)
    act_for_seat(match, 0, play="R2")
    expect(page.locator(LARGE_CARD)).to_be_visible()
    assert page.locator(LARGE_CARD).evaluate(MEASURE_WIDTH) > 1.5 * pile
    assert page.evaluate("window.flown") == 0
    expect(page.locator(".last-card")).to_have_count(0)


@pytest.mark.parametrize("size", [SMALL_PHONE, PHONE, DESKTOP], ids=lambda size: size["width"])
@pytest.mark.parametrize("seat", [0, 1, None], ids=["winner", "other", "viewer"])
def test_winner_screen_is_complete_at_every_size(
    open_page: Windows, shot: TakeScreenshot, size: ViewportSize, seat: int | None
) -> None:
    page, match = open_nearly_finished_table(open_page, target=10, seat=seat, size=size)
    act_for_seat(match, 0, play="R2")
    save_frames(page, f"last-card-{size['width']}-{seat}")
    words = "You win the match!" if seat == 0 else "Asha wins the match!"
    expect(page.get_by_role("heading", name=words)).to_be_visible()
    expect(page.locator(".last-card")).to_have_count(0)
    finish_animations(page)
    head = page.locator(".sheet-head")
    expect(head.locator(".winner-face")).to_have_text("A")
    expect(head.get_by_role("heading")).to_be_in_viewport(ratio=1)
    expect(head.locator(".winner-face")).to_be_in_viewport(ratio=1)
    assert page.evaluate(MEASURE_SCROLL)[0] == 0
    shot(page, f"winner-{seat}", full_page=False)


def test_finished_table_shows_the_winner_from_the_first_frame(
    open_page: Windows,
) -> None:
    page, match = open_nearly_finished_table(open_page, target=10)
    act_for_seat(match, 0, play="R2")
    page.reload()
    expect(page.locator("link[data-end]")).to_have_count(1)
    expect(page.locator(".winner-face")).to_be_visible()
    expect(page.locator(".last-card")).to_have_count(0)
