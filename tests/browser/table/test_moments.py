"""Browser tests of animations that explain moves."""

import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import FloatRect, Page, expect

from tests.browser.conftest import SCREENSHOT_FOLDER, Windows
from tests.browser.senses.test_layout import COUNT_FLIGHTS
from tests.browser.tables import (
    act_for_seat,
    deal,
    finish_animations,
    locate_card,
    open_seat,
    open_seat_with_interceptor,
)

pytestmark = [pytest.mark.browser, pytest.mark.motion]

# Records the class and text of each element that is added over the table.
RECORD_MOMENTS = """() => {
  window.moments = [];
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes) window.moments.push(`${node.className}: ${node.textContent}`);
  }).observe(document.getElementById('flights'), {childList: true});
}"""
# Makes animations take six seconds, so that a test can observe them.
SLOW_ANIMATIONS = """() => {
  const { animate } = Element.prototype;
  Element.prototype.animate = function (frames, timing) {
    return animate.call(this, frames, { ...timing, duration: 6000 });
  };
}"""
FINISH_ANIMATIONS = """() => document.getAnimations().forEach(each => {
  each.pause();
  each.currentTime = each.effect.getComputedTiming().endTime - 1;
})"""
DUEL_HANDS = ["R+2 R1 R2", "G+2 G3 G4", "SH Y3 Y4"]


def record_animations(page: Page) -> None:
    page.evaluate(RECORD_MOMENTS)


def get_middle(box: FloatRect) -> float:
    """Return the vertical middle of a box, in pixels."""
    return box["y"] + box["height"] / 2


def list_animations(page: Page, kind: str) -> list[str]:
    seen: list[str] = page.evaluate("window.moments")
    return [text.partition(": ")[2] for text in seen if text.startswith(kind)]


def save_frames(page: Page, name: str, count: int = 5) -> None:
    """Save screenshots in quick succession for visual review, if LASTCARD_SHOTS=1."""
    if not os.environ.get("LASTCARD_SHOTS"):
        return
    for number in range(count):
        page.screenshot(path=Path(SCREENSHOT_FOLDER) / "moments" / f"{name}-{number}.png")
        page.wait_for_timeout(60)


def test_growing_penalty_and_shield_are_animated(open_page: Windows) -> None:
    match = deal(DUEL_HANDS, ruleset="ocho")
    page = open_seat(open_page, match)
    finish_animations(page)
    record_animations(page)
    act_for_seat(match, 0, play="R+2")
    save_frames(page, "penalty")
    expect(page.locator(".owed")).to_have_text("+2 for Ben")
    page.wait_for_timeout(1200)
    size = "element => parseFloat(getComputedStyle(element).fontSize)"
    small = page.locator(".owed").evaluate(size)
    act_for_seat(match, 1, play="G+2")
    expect(page.locator(".owed")).to_have_text("+4 for Chitra")
    assert page.locator(".owed").evaluate(size) > small
    page.wait_for_timeout(1500)
    act_for_seat(match, 2, play="SH", color="B")
    save_frames(page, "shield")
    page.wait_for_timeout(1500)
    assert list_animations(page, "sum") == ["+2", "+4", "+4"]
    assert "Shield!" in list_animations(page, "bubble")
    expect(page.locator(".sum, .burst, .ghost")).to_have_count(0)


def test_ocho_call_and_uno_catch_are_animated(open_page: Windows) -> None:
    match = deal(
        ["8S KH", "2S 3D", "4C 5C"], top="9S", ruleset="ocho-cards", options={"uno_penalty": 2}
    )
    page, other = open_seat(open_page, match), open_seat(open_page, match, 1)
    finish_animations(page)
    for window in (page, other):
        record_animations(window)
    page.get_by_role("button", name="Play 8 of spades and say Ocho").click()
    save_frames(page, "ocho")
    expect(other.locator(".ticker")).to_contain_text("Ocho!")
    assert list_animations(other, "bubble")[:1] == ["Ocho!"]
    catch = other.get_by_role("button", name="Catch Asha")
    expect(catch).to_be_visible()
    catch.click()
    save_frames(page, "caught")
    page.wait_for_function("() => window.moments.some((text) => text.endsWith('Caught!'))")


def test_u32_words_appear_without_movement_under_reduced_motion(open_page: Windows) -> None:
    match = deal(DUEL_HANDS, ruleset="ocho")
    page = open_seat(open_page, match, reduced_motion="reduce")
    record_animations(page)
    page.evaluate(COUNT_FLIGHTS)
    act_for_seat(match, 0, play="R+2")
    act_for_seat(match, 1, play="G+2")
    act_for_seat(match, 2, play="SH", color="B")
    page.wait_for_function("() => window.moments.length > 0")
    page.wait_for_timeout(500)
    assert list_animations(page, "bubble") == ["Shield!"]
    assert list_animations(page, "sum") == []
    assert page.evaluate("window.flown") == 0
    duration = "getComputedStyle(document.querySelector('.direction-ring')).transitionDuration"
    assert page.evaluate(duration) == "0s"


def test_u32_animations_do_not_block_taps(open_page: Windows) -> None:
    match = deal(["R+2 R1 R2 R3", "Y1 Y2 Y3 Y4"], options={"penalty_ends_turn": True})
    page = open_seat(open_page, match)
    locate_card(page, "Red Draw Two").click()
    expect(page.locator(".owed")).to_have_text("+2 for Ben")
    act_for_seat(match, 1, draw=True)
    locate_card(page, "Red 1").click(timeout=1500)
    expect(page.locator(".card-button")).to_have_count(2)
    assert page.locator("#flights").evaluate("e => getComputedStyle(e).pointerEvents") == "none"


def test_catching_up_after_a_break_shows_the_current_table_immediately(open_page: Windows) -> None:
    match = deal(DUEL_HANDS, ruleset="ocho")
    page, line = open_seat_with_interceptor(open_page, match)
    line.to_server = line.to_page = lambda message: None
    act_for_seat(match, 0, play="R+2")
    act_for_seat(match, 1, play="G+2")
    record_animations(page)
    page.evaluate(COUNT_FLIGHTS)
    line.to_server = line.to_page = lambda message: message
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator(".owed")).to_have_text("+4 for Chitra")
    page.wait_for_timeout(400)
    assert (list_animations(page, ""), page.evaluate("window.flown")) == ([], 0)
    act_for_seat(match, 2, play="SH", color="B")
    page.wait_for_function("() => window.moments.length > 0")


def test_playing_one_of_two_identical_cards_keeps_the_other_visible(
    open_page: Windows,
) -> None:
    match = deal(["R7 R7 G1", "R3 B4 B6"])
    page = open_seat(open_page, match)
    locate_card(page, "Red 7").first.click()
    expect(page.locator("#hand .slot")).to_have_count(2)
    expect(page.locator(".slot.away, .ghost")).to_have_count(0)
    act_for_seat(match, 1, play="R3")
    expect(page.locator(".discard")).to_have_attribute("aria-label", re.compile("Red 3"))
    expect(page.locator(".slot.away, .ghost")).to_have_count(0)


def test_played_card_lands_on_the_pile_after_a_layout_change(open_page: Windows) -> None:
    match = deal(["R7 R8 G1 B2 Y3", "R3 B4 B6 B7 B8"])
    page = open_seat(open_page, match)
    finish_animations(page)
    page.evaluate(SLOW_ANIMATIONS)
    locate_card(page, "Red 7").click()
    expect(page.locator("#hand .slot")).to_have_count(4)
    ghost, top = page.locator(".ghost"), page.locator(".discarded.away")
    expect(ghost).to_have_count(1)
    expect(top).to_have_count(1)
    page.evaluate(FINISH_ANIMATIONS)
    flown, lies = ghost.bounding_box(), top.bounding_box()
    assert flown is not None
    assert lies is not None
    assert abs(get_middle(flown) - get_middle(lies)) < 3
    page.evaluate("document.getAnimations().forEach(each => each.finish())")
    expect(page.locator(".ghost, .away")).to_have_count(0)
