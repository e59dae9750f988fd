"""Browser tests of the table with zoom, notches, long names and slow networks."""

import time
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser import tables
from tests.browser.conftest import DESKTOP, PHONE, Windows
from tests.browser.senses.test_layout import (
    MEASURE_SCROLL,
    MEASURE_TARGETS,
    SMALL_PHONE,
    iter_sizes,
    make_table,
    open_table_with_many_cards,
)
from tests.browser.tables import (
    deal,
    finish_animations,
    locate_card,
    open_seat,
    open_seat_with_interceptor,
)
from tests.typed import sure

pytestmark = pytest.mark.browser

LANDSCAPE_PHONE: ViewportSize = {"width": 740, "height": 360}
NAMES = ["Wanjiru Kamau", "Chitrangada Sen", "Harikrishnan Iyer", "Ben Okafor", "Alexandrina Weiss"]
NAMES += ["Li Wei", "Priyanka Nair", "Oluwaseun Adeyemi", "Ana", "Jai Singh"]

# Names at seats whose first word does not fit its box or wraps onto two lines.
LIST_CUT_NAMES = """() => [...document.querySelectorAll('.seat .seat-name')].filter((name) => {
  const words = document.createRange();
  const text = name.firstChild;
  words.setStart(text, 0);
  words.setEnd(text, text.length < 2 ? text.length : (text.data + ' ').indexOf(' '));
  const [box, given] = [name.getBoundingClientRect(), words.getBoundingClientRect()];
  const broken = new Set([...words.getClientRects()].map(({top}) => Math.round(top))).size > 1;
  return broken || given.right > box.right + 1 || given.bottom > box.bottom + 2;
}).map((name) => name.textContent)"""


@pytest.mark.parametrize("seats", [2, 4, 6, 10])
def test_player_names_are_shown_in_full(
    open_page: Windows, monkeypatch: pytest.MonkeyPatch, seats: int
) -> None:
    monkeypatch.setattr(tables, "PEOPLE", NAMES)
    match = deal(["R1 G4 W B5 R2 R7 Y9", *[""] * (seats - 1)])
    page = open_seat(open_page, match)
    for size in iter_sizes(page, (PHONE, DESKTOP)):
        assert page.evaluate(LIST_CUT_NAMES) == [], size
        assert page.evaluate(MEASURE_SCROLL)[0] == 0, size


def test_u6_card_inserted_under_a_finger_is_not_played(open_page: Windows) -> None:
    match = deal(["R7 G4 B5", "Y1 G1 B1"])
    page, line = open_seat_with_interceptor(open_page, match)
    box = sure(locate_card(page, "Red 7").bounding_box())

    def add_early_card(message: dict[str, Any]) -> dict[str, Any]:
        if message["type"] == "view":
            early = {"id": "early", "card": "R0", "playable": True, "why": ""}
            message["view"]["cards"].insert(0, early)
        return message

    page.mouse.move(box["x"] + 9, box["y"] + 9)
    page.mouse.down()
    line.to_page = add_early_card
    # makes the page request a new view
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_timeout(250)  # shorter than a long press, which shows a help text
    page.mouse.up()
    expect(page.locator("#prompt")).not_to_contain_text("Your turn")
    assert line.list_actions() == [{"play": "R7"}]


def test_u9_everything_is_reachable_at_400_percent_zoom(open_page: Windows) -> None:
    page = open_seat(open_page, make_table(4), size={"width": 320, "height": 256})
    finish_animations(page)
    assert page.evaluate(MEASURE_SCROLL)[0] == 0
    for each in page.locator(".card-button, .action:visible, .bar-button:visible").all():
        each.scroll_into_view_if_needed()
        box = each.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 24
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 320
    page.get_by_role("button", name="Draw", exact=True).click()
    expect(page.locator(".card-button")).to_have_count(9)


def test_u10_buttons_stay_clear_of_notch_and_system_bars(open_page: Windows) -> None:
    page = open_seat(open_page, make_table(4))
    insets = {"top": 30, "bottom": 34, "left": 12, "right": 12}
    names = {**insets, **{f"{side}Max": value for side, value in insets.items()}}
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setSafeAreaInsetsOverride", {"insets": names})
    for size in iter_sizes(page):
        for target in page.evaluate(MEASURE_TARGETS, ".action"):
            assert target["bottom"] <= size["height"] - insets["bottom"], (size, target)
            assert target["right"] <= size["width"] - insets["right"], (size, target)
        assert page.evaluate(MEASURE_SCROLL) == [0, 0], size


def measure_load_seconds(page: Page, path: str) -> float:
    """Return the seconds until the table is usable on a connection of 1 Mbit/s."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    slow = {"offline": False, "latency": 60, "downloadThroughput": 125_000}
    session.send("Network.emulateNetworkConditions", {**slow, "uploadThroughput": 60_000})
    start = time.monotonic()
    page.goto(path)
    expect(page.locator("#table[data-usable]")).to_be_attached()
    return time.monotonic() - start


@pytest.mark.timed
def test_u11_table_is_usable_within_3_seconds_at_1_mbit(open_page: Windows) -> None:
    match = make_table(4)
    user = match.seats.get(number=0).user
    # The best of three tries counts, because the test machine may be busy.
    times = []
    for _ in range(3):
        page: Page = open_page(user, path="about:blank")
        times.append(measure_load_seconds(page, match.get_absolute_url()))
        if times[-1] < 3:
            break
    assert min(times) < 3, times


def test_u1_u8_hand_of_25_cards_needs_no_scrolling_in_either_orientation(
    open_page: Windows,
) -> None:
    page = open_table_with_many_cards(open_page, 25, 4)
    overflow = "(hand => hand.scrollHeight - hand.clientHeight)(document.querySelector('.hand'))"
    for size in iter_sizes(page, (SMALL_PHONE, LANDSCAPE_PHONE)):
        assert page.evaluate(overflow) == 0, size
        for target in page.evaluate(MEASURE_TARGETS, ".card-button"):
            assert target["open"], (size, target)
            assert min(target["width"], target["height"]) >= 24, (size, target)
