"""Browser tests of keyboard focus and announcements while the table changes."""

from datetime import timedelta
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games import services
from tests.browser.conftest import Windows
from tests.browser.senses.test_keyboard import read_focused_element
from tests.browser.tables import (
    act_for_seat,
    deal,
    locate_card,
    open_menu,
    open_seat,
    open_seat_with_interceptor,
)

pytestmark = pytest.mark.browser

HANDS = ["R7 G4 W B5 R2", "Y1 G1 B1 R1 Y9"]
# Hands in which the next play leaves one card.
SHORT_HANDS = ["W R2", "Y1 G1"]
FORBID_STORAGE = """Object.defineProperty(window, 'localStorage', {
  get() { throw new DOMException('Access is denied for this document.', 'SecurityError'); }
})"""


def open_score_sheet(open_page: Windows, **options: Any) -> Page:
    """Open a table after its first hand, with the score sheet open."""
    match = deal(["R7", "Y1"], options={"uno_penalty": 0}, between_seconds=600)
    page = open_seat(open_page, match, **options)
    act_for_seat(match, 0, play="R7")
    expect(page.get_by_role("heading", name="You win the hand!")).to_be_attached()
    return page


def test_uno_said_during_the_colour_choice_is_sent_with_the_wild(open_page: Windows) -> None:
    page, line = open_seat_with_interceptor(open_page, deal(SHORT_HANDS))
    locate_card(page, "Wild").click()
    expect(page.get_by_role("group", name="Wild: choose a colour")).to_be_visible()
    page.get_by_role("button", name="Play Wild and say UNO").click()
    expect(page.get_by_role("group", name="Wild and UNO: choose a colour")).to_be_visible()
    page.get_by_role("button", name="red", exact=True).click()
    expect(page.locator("#hand .slot")).to_have_count(1)
    assert line.list_actions() == [{"play": "W", "uno": True, "color": "R"}]


def test_u19_catch_leaves_the_colour_choice_open(open_page: Windows) -> None:
    match = deal(["W R2", "R3 Y1"], draw="B9")
    act_for_seat(match, 0, draw=True)
    act_for_seat(match, 1, play="R3")
    page = open_seat(open_page, match)
    question = page.get_by_role("group", name="Wild: choose a colour")
    locate_card(page, "Wild").click()
    expect(question).to_be_visible()
    page.get_by_role("button", name="Catch Ben").click()
    expect(page.locator('[data-seat="1"] .count')).to_have_text("3")
    expect(question).to_be_visible()


def test_u30_sorting_keeps_focus_on_the_same_card(open_page: Windows) -> None:
    page = open_seat(open_page, deal(HANDS))
    locate_card(page, "Blue 5").focus()
    for _ in range(6):
        page.keyboard.press("s")
        assert page.evaluate("document.activeElement.ariaLabel").startswith("Blue 5,")


def test_u30_open_score_sheet_keeps_focus_off_the_covered_table(open_page: Windows) -> None:
    page = open_score_sheet(open_page, size={"width": 360, "height": 640})
    page.get_by_role("button", name="Hide the score sheet").press("Enter")
    assert read_focused_element(page)["classes"] == ["sheet-open"]
    page.get_by_role("button", name="Score sheet").press("Enter")
    assert read_focused_element(page)["classes"] == ["sheet"]
    met = set()
    for _ in range(20):
        page.keyboard.press("Tab")
        met |= set(read_focused_element(page)["classes"])
    assert met.isdisjoint({"draw-pile", "ticker", "sort"})


def test_score_sheet_covers_nothing_in_text_mode(open_page: Windows) -> None:
    page = open_score_sheet(open_page)
    open_menu(page)
    page.get_by_label("Text mode").check()
    assert read_focused_element(page)["id"] == "command"
    expect(page.locator(".sheet")).to_be_hidden()
    expect(page.locator(".text-sheet")).to_contain_text("You win the hand!")


def test_log_opens_at_the_latest_entry(open_page: Windows) -> None:
    match = deal(HANDS)
    page = open_seat(open_page, match, size={"width": 360, "height": 480})
    for _ in range(10):
        match.refresh_from_db()
        assert match.due is not None
        services.tick(match.due + timedelta(seconds=3))
    expect(page.locator(".log-lines > li").nth(10)).to_be_attached()
    page.locator(".ticker").click()
    lines = page.locator(".log-lines")
    assert lines.evaluate("e => e.scrollHeight > e.clientHeight")
    assert lines.evaluate("e => e.scrollHeight - e.scrollTop - e.clientHeight") < 2


def test_repeated_keydown_events_count_as_one_press(open_page: Windows) -> None:
    page, line = open_seat_with_interceptor(open_page, deal(HANDS))
    locate_card(page, "Wild").focus()
    for _ in range(4):
        page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    expect(page.get_by_role("group", name="Wild: choose a colour")).to_be_visible()
    for _ in range(3):
        page.keyboard.down("d")
    page.keyboard.up("d")
    assert [action for action in line.list_actions() if "play" in action] == []
    assert line.list_actions() in ([], [{"draw": True}])


def test_escape_in_the_menu_closes_only_the_menu(open_page: Windows) -> None:
    page = open_seat(open_page, deal(HANDS))
    locate_card(page, "Wild").click()
    question = page.get_by_role("group", name="Wild: choose a colour")
    open_menu(page)
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_be_hidden()
    expect(question).to_be_visible()
    page.keyboard.press("Escape")
    expect(question).to_have_count(0)


def test_u28_announcements_are_spoken_while_the_menu_is_open(open_page: Windows) -> None:
    match = deal(HANDS)
    page = open_seat(open_page, match, 1)
    open_menu(page)
    act_for_seat(match, 0, play="R7")
    heard = page.locator("dialog").get_by_role("alert")
    expect(heard).to_contain_text("Asha plays Red 7. Your turn")
    page.keyboard.press("Escape")
    expect(page.locator("#table #polite")).to_have_count(1)
    expect(page.locator("dialog #assertive")).to_have_count(0)


def test_browser_shortcuts_keep_working(open_page: Windows) -> None:
    page = open_seat(open_page, deal(HANDS))
    locate_card(page, "Red 7").focus()
    page.evaluate(
        "document.addEventListener('keydown', e => { window.taken = e.defaultPrevented })"
    )
    page.keyboard.press("Shift+ArrowRight")
    assert page.evaluate("window.taken") is True
    page.evaluate("window.history.replaceState = window.history.back = () => {}")
    page.locator(":focus").dispatch_event(
        "keydown", {"key": "ArrowLeft", "altKey": True, "bubbles": True, "cancelable": True}
    )
    assert page.evaluate("window.taken") is False


def test_table_loads_when_the_browser_blocks_storage(open_page: Windows) -> None:
    match = deal(HANDS)
    page = open_page(path="/rules/")
    page.add_init_script(FORBID_STORAGE)
    page.goto(match.get_absolute_url())
    expect(page.locator("#table[data-live]")).to_be_attached()
    expect(page.locator(".discard")).to_be_visible()


def test_u39_window_without_control_reconnects_without_taking_control(
    open_page: Windows,
) -> None:
    match = deal(HANDS)
    forgotten, played_in = open_seat(open_page, match), open_seat(open_page, match)
    expect(forgotten.locator("#banner")).to_contain_text("another window")
    forgotten.context.set_offline(True)
    expect(forgotten.locator("#line")).to_contain_text("You’re offline.")
    forgotten.context.set_offline(False)
    expect(forgotten.locator("#banner")).to_contain_text("another window")
    expect(played_in.locator("#banner")).to_be_hidden()
    locate_card(played_in, "Red 7").click()
    expect(played_in.locator("#hand .slot")).to_have_count(4)


# The contrast between the focus ring and its background.
MEASURE_FOCUS_RING = """() => {
  const light = (color) => {
    const [r, g, b] = color.match(/[\\d.]+/g).slice(0, 3).map((each) => each / 255)
      .map((each) => (each <= 0.03928 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const focused = document.activeElement;
  let under = focused.parentElement;
  const surface = () => getComputedStyle(under).backgroundColor;
  while (/^(transparent|rgba\\(.* 0\\))$/.test(surface())) under = under.parentElement;
  const [a, b] = [getComputedStyle(focused).outlineColor, surface()].map(light);
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_focused_element_has_a_visible_ring(open_page: Windows, scheme: str) -> None:
    page = open_score_sheet(open_page, ask=True, color_scheme=scheme)
    for name in ("I’m ready", "Yes"):
        expect(page.get_by_role("button", name=name)).to_be_visible()
        page.get_by_role("button", name=name).focus()
        page.keyboard.press("Shift+Tab")
        page.keyboard.press("Tab")
        expect(page.get_by_role("button", name=name)).to_be_focused()
        assert page.evaluate(MEASURE_FOCUS_RING) >= 3, name


# How far the focus ring extends beyond the window.
RING_OUTSIDE = """() => {
  const {left, top, right} = document.activeElement.getBoundingClientRect();
  const {outlineOffset, outlineWidth} = getComputedStyle(document.activeElement);
  const ring = parseFloat(outlineOffset) + parseFloat(outlineWidth);
  return Math.max(ring - left, ring - top, right + ring - innerWidth);
}"""


def test_focus_ring_of_the_bar_is_within_the_window(open_page: Windows) -> None:
    page = open_seat(open_page, deal(["R7 G4 B5", "Y1 G1 B1"]))
    page.keyboard.press("Tab")
    page.locator("#menu-button").focus()
    assert page.evaluate(RING_OUTSIDE) <= 0
