"""Browser tests that the table's parts have enough room, also offline and with the coach."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from games import services
from games.models import Match
from games.services import SeatSpec
from tests.browser import tables
from tests.browser.conftest import PHONE, Windows
from tests.browser.senses.test_stillness import (
    LANDSCAPE_PHONE,
    LIST_COVERED_TEXTS,
    MEASURE_SIDEWAYS_SCROLL,
    MOST_ON_LOADING,
    SMALLEST,
    TABLET,
    WIDE,
    list_largest_shifts,
    open_measured_table,
    sum_layout_shifts,
)
from tests.browser.tables import deal, finish_animations
from tests.factories import make_user
from tests.games.helpers import create_match
from tests.tournament.staging import first_table, match_of, running_round
from tests.typed import sure
from tournament.models import RefereeCall

pytestmark = [pytest.mark.browser, pytest.mark.motion]

FULL_HD: ViewportSize = {"width": 1920, "height": 1080}
TALL_LANDSCAPE_PHONE: ViewportSize = {"width": 844, "height": 390}
SIZES = (SMALLEST, PHONE, LANDSCAPE_PHONE, TALL_LANDSCAPE_PHONE, TABLET, WIDE, FULL_HD)
LOW_SIZES: list[ViewportSize] = [
    {"width": 568, "height": 320},
    {"width": 640, "height": 360},
    {"width": 360, "height": 560},
    {"width": 360, "height": 640},
]
HANDS = ["R7 G4 B5", "Y1 G1 B1"]
SHORT_HANDS = ["R7 R4", "Y1 G1", "Y3 G3"]
# The number of visible buttons in the bar, the height of the bar, and the width of its title.
MEASURE_BAR = """() => [
  [...document.querySelectorAll('.bar > .bar-button')].filter((each) => each.checkVisibility({
    visibilityProperty: true})).length,
  document.querySelector('.bar').getBoundingClientRect().height,
  document.querySelector('.bar-title b').getBoundingClientRect().width,
]"""
# For each "+ UNO!" button, whether it is inside the hand and its edges can be tapped.
ARE_UNO_BUTTONS_TAPPABLE = """() => {
  const hand = document.getElementById('hand').getBoundingClientRect();
  return [...document.querySelectorAll('.with-uno')].filter((each) => each.offsetParent).map((each) => {
    const {left, top, right, bottom} = each.getBoundingClientRect();
    const hit = [[left + 6, top + 4], [right - 6, bottom - 4]]
      .every(([x, y]) => document.elementFromPoint(x, y) === each);
    return hit && left >= hand.left && right <= hand.right && top >= hand.top && bottom <= hand.bottom;
  });
}"""  # noqa: E501
# Layout shift that the changing text of the connection notice may cause.
SIGN_TOLERANCE = 0.005
COUNT_PLACES = "() => window.places.length"


def start_event_table() -> Match:
    return match_of(first_table(running_round(4)))


def start_practice_table() -> Match:
    return deal([*HANDS, "Y3 G3 B3"], practice=True, bots=[1, 2], bot_seconds=600)


@pytest.mark.parametrize("language", ["en", "bn", "hi"])
@pytest.mark.parametrize("width", [320, 360, 390])
def test_bar_of_an_event_table_has_three_buttons_on_a_phone(
    open_page: Windows, language: str, width: int
) -> None:
    size: ViewportSize = {"width": width, "height": 740}
    page = open_measured_table(open_page, start_event_table(), size=size, locale=language)
    expect(page.locator("#call:not([data-off])")).to_be_attached()
    for letters in ("100%", "115%"):
        page.evaluate("size => { document.documentElement.style.fontSize = size }", letters)
        buttons, height, title = page.evaluate(MEASURE_BAR)
        assert buttons == 3
        assert height < 52
        assert title > 60


def test_menu_on_a_phone_contains_the_buttons_missing_from_the_bar(open_page: Windows) -> None:
    page = open_measured_table(open_page, start_event_table(), size=PHONE)
    expect(page.locator("#call:not([data-off])")).to_be_attached()
    menu = page.get_by_role("dialog", name="Menu")
    page.get_by_role("button", name="Menu").click()
    expect(menu.get_by_role("link", name="Rules", exact=True)).to_be_visible()
    menu.get_by_role("button", name="Log", exact=True).click()
    expect(page.locator(".log-lines")).to_be_visible()
    page.get_by_role("button", name="Menu").click()
    menu.get_by_role("button", name="Call a referee").click()
    expect(page.locator("#desk")).to_contain_text("You’ve called a referee.")
    assert RefereeCall.objects.count() == 1


@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size["width"]))
@pytest.mark.parametrize("make", [start_event_table, start_practice_table])
def test_nothing_moves_while_loading_or_offline(
    open_page: Windows, make: Callable[[], Match], size: ViewportSize
) -> None:
    open_page.expect("ERR_INTERNET_DISCONNECTED")
    page = open_measured_table(open_page, make(), size=size)
    if make is start_event_table:
        expect(page.locator("#call:not([data-off])")).to_be_attached()
    page.wait_for_timeout(300)
    assert sum_layout_shifts(page) < MOST_ON_LOADING, list_largest_shifts(page)
    check_stillness_offline(page)


def test_nothing_moves_for_a_viewer_while_offline(open_page: Windows) -> None:
    open_page.expect("ERR_INTERNET_DISCONNECTED")
    match = deal(HANDS, viewers="delayed", viewer_delay_seconds=60)
    match.seats.filter(number=0).update(user=None)
    page = open_measured_table(open_page, match, size=PHONE)
    check_stillness_offline(page)


# Whether the notice's text is cut off, and whether its dot covers the title.
CUT_OFF = "e => e.scrollHeight - e.clientHeight > 8 || e.scrollWidth > e.clientWidth + 2"
OVER_TITLE = """() => {
  const range = document.createRange();
  range.selectNodeContents(document.querySelector('.bar-title b'));
  const dot = document.getElementById('line').getBoundingClientRect();
  return dot.width > 0 && dot.left < range.getBoundingClientRect().right;
}"""


@pytest.mark.parametrize("language", ["en", "bn", "hi"])
def test_lost_connection_notice_is_fully_visible_on_a_phone(
    open_page: Windows, language: str
) -> None:
    open_page.expect("ERR_INTERNET_DISCONNECTED")
    match = deal(["R7 R4 B5", "Y1 G1 B1"])
    page = open_measured_table(open_page, match, size=PHONE, locale=language)
    page.context.set_offline(True)
    sign = page.locator("#line")
    expect(sign).to_have_attribute("data-brief", "")
    assert not page.evaluate(OVER_TITLE)
    expect(sign).not_to_have_attribute("data-brief", "")
    words = sign.locator("> span")
    for size in (SMALLEST, PHONE):
        page.set_viewport_size(size)
        assert not words.evaluate(CUT_OFF), (size, sign.inner_text())
    page.context.set_offline(False)
    expect(sign).to_be_hidden()


def check_stillness_offline(page: Page) -> None:
    """Disconnect for longer than a retry takes, and check that the layout does not shift."""
    before, places = sum_layout_shifts(page), page.evaluate(COUNT_PLACES)
    page.context.set_offline(True)
    sign = page.locator("#line")
    expect(sign).to_contain_text("You’re offline.")
    expect(sign).to_have_attribute("data-brief", "")
    expect(sign).not_to_have_attribute("data-brief", "")
    expect(sign.get_by_role("button", name="Try now")).to_be_visible()
    page.wait_for_timeout(1500)
    expect(sign).to_contain_text("You’re offline.")
    assert page.evaluate(MEASURE_SIDEWAYS_SCROLL) == 0
    assert page.evaluate(LIST_COVERED_TEXTS) == []
    page.context.set_offline(False)
    expect(sign).to_be_hidden()
    assert page.evaluate(COUNT_PLACES) == places, page.evaluate("window.places")
    assert sum_layout_shifts(page) - before < SIGN_TOLERANCE, list_largest_shifts(page)


@pytest.mark.parametrize("practice", [True, False], ids=["coach", "alone"])
def test_uno_button_is_fully_visible_in_every_window(open_page: Windows, practice: bool) -> None:
    match = deal(SHORT_HANDS, practice=practice, bots=[1, 2] if practice else [])
    page = open_measured_table(open_page, match, size=PHONE)
    if practice:
        expect(page.locator("#coach")).to_be_visible()
    for size in (*SIZES, *LOW_SIZES):
        page.set_viewport_size(size)
        finish_animations(page)
        assert page.evaluate(ARE_UNO_BUTTONS_TAPPABLE) == [True, True], size


def test_uno_button_is_fully_visible_at_a_table_of_ten_and_in_large_text(
    open_page: Windows,
) -> None:
    match = deal(["R7 R4", "Y1 G1", *[f"Y{n} G{n}" for n in range(2, 10)]])
    page = open_measured_table(open_page, match, size=PHONE)
    for letters in ("100%", "200%"):
        page.evaluate("size => { document.documentElement.style.fontSize = size }", letters)
        for size in (SMALLEST, *LOW_SIZES):
            page.set_viewport_size(size)
            finish_animations(page)
            page.evaluate("() => document.getElementById('hand').scrollIntoView()")
            assert page.evaluate(ARE_UNO_BUTTONS_TAPPABLE) == [True, True], (size, letters)


def test_uno_button_is_fully_visible_after_playing_down_to_two_cards(open_page: Windows) -> None:
    # Ben draws a card that he cannot play.
    hands = ["R7 R4 R2", "Y1 G1 B1"]
    match = deal(hands, draw="Y9", practice=True, bots=[1], bot_seconds=0.05)
    page = open_measured_table(open_page, match, size=WIDE)
    page.locator(".slot[data-playable] .card-button").first.click()
    page.locator(".with-uno").first.wait_for()
    expect(page.locator("#table[data-my-turn][data-usable]")).to_be_attached()
    finish_animations(page)
    assert page.evaluate(ARE_UNO_BUTTONS_TAPPABLE) == [True, True]
    assert sure(page.locator("#hand").bounding_box())["height"] > 0


NAMES = [
    *("Asha", "Ben Okonkwo", "Chitralekha Bandyopadhyay", "রবি ঠাকুরদাস চট্টোপাধ্যায়"),
    *("Farid Rahman Chowdhury al-Hassan of Dhaka", "Mei-Ling", "रखसाना बेगम", "Hari Krishnamurthy"),
    *("Ira", "Jai"),
]
LANDSCAPE: ViewportSize = {"width": 1024, "height": 768}
WIDEST: ViewportSize = {"width": 3440, "height": 1440}
# Texts of seats that a card covers, and seats that overlap each other.
LIST_OVERLAPS = """() => {
  const boxes = (selector, boxOf) => [...document.querySelectorAll(selector)].filter((each) => each.checkVisibility())
    .map((each) => [each.textContent || each.className, boxOf(each)]).filter(([, box]) => box.width);
  const box = (each) => each.getBoundingClientRect();
  const written = (each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    const {left, right, top, bottom, width} = range.getBoundingClientRect(), own = box(each);
    return {left, right: Math.min(right, own.right), top, bottom: Math.min(bottom, own.bottom), width};
  };
  const meet = ([, a], [, b]) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
  const words = boxes('.seat :is(.seat-name, .seat-line, .seat-wait)', written);
  const cards = boxes(':is(.seat .back, .seat .count, .discard, .draw-pile)', box);
  const chips = boxes('.seat', box);
  const crossed = words.filter((word) => cards.some((card) => meet(word, card))).map(([text]) => text);
  return crossed.concat(chips.filter((one, i) => chips.slice(i + 1).some((other) => meet(one, other)))
    .map(([name]) => `chip ${name}`));
}"""  # noqa: E501
# The width of a pile, the width of a card in the hand, and the font size of a name.
MEASURE_PARTS = """() => [
  document.querySelector('.discard').offsetWidth, document.querySelector('#hand .card').clientWidth,
  parseFloat(getComputedStyle(document.querySelector('.seat-name')).fontSize),
]"""


def make_table_with_names(seats: int) -> Match:
    specs = [SeatSpec(name=NAMES[0], user=make_user(NAMES[0]))]
    specs += [SeatSpec(name=name, bot="plain") for name in NAMES[1:seats]]
    return services.start_match(
        create_match(
            ruleset="uno-500", options={}, seats=specs, turn_seconds=600, bot_seconds=600
        )
    )  # fmt: skip


@pytest.mark.parametrize("seats", [2, 4, 6, 10])
def test_no_name_overlaps_a_card(open_page: Windows, seats: int) -> None:
    page = open_measured_table(open_page, make_table_with_names(seats), size=WIDE)
    for size in (TABLET, LANDSCAPE, WIDE, FULL_HD, WIDEST):
        page.set_viewport_size(size)
        finish_animations(page)
        assert page.evaluate(LIST_OVERLAPS) == [], size
        assert page.evaluate(MEASURE_SIDEWAYS_SCROLL) == 0


# Names that are broken across lines.
BROKEN = """() => [...document.querySelectorAll('.seat-name')].filter((name) => {
  const range = document.createRange();
  range.selectNodeContents(name);
  return new Set([...range.getClientRects()].map(({top}) => Math.round(top))).size > 1;
}).map((name) => name.textContent)"""


def test_name_of_seven_letters_is_never_broken_in_two(
    open_page: Windows, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "PEOPLE", ["Asha", "Ada", "Babbage", "Curie"])
    match = deal(["R7 G4", "Y1 G1", "B1 B2", "Y5 Y6"], practice=True, bots=[1, 2, 3])
    page = open_measured_table(open_page, match, size=SMALLEST)
    for size, letters in ((SMALLEST, "100%"), (PHONE, "100%"), (PHONE, "200%")):
        page.set_viewport_size(size)
        page.evaluate("size => { document.documentElement.style.fontSize = size }", letters)
        finish_animations(page)
        assert page.evaluate(BROKEN) == [], (size, letters)


def test_cards_and_letters_grow_with_a_large_window(open_page: Windows) -> None:
    page = open_measured_table(open_page, make_table_with_names(3), size=WIDE)
    least = {1280: (84, 104, 16), 1920: (150, 168, 20), 3440: (200, 220, 26)}
    for size in (WIDE, FULL_HD, WIDEST):
        page.set_viewport_size(size)
        finish_animations(page)
        found = page.evaluate(MEASURE_PARTS)
        wanted = least[size["width"]]
        assert all(one >= other for one, other in zip(found, wanted, strict=True)), (size, found)
