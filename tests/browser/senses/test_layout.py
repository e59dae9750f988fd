"""Browser tests of the table's layout: everything fits, and every target can be tapped."""

from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from playwright.sync_api import FloatRect, Page, ViewportSize, expect

from games import services
from games.models import Match
from games.seats import SeatNumber
from games.services import SeatSpec
from tests.browser.conftest import Windows
from tests.browser.tables import (
    PEOPLE,
    deal,
    finish_animations,
    locate_card,
    open_seat,
    open_seat_with_interceptor,
)
from tests.factories import make_user
from tests.games.helpers import create_match
from tests.typed import sure

pytestmark = [pytest.mark.browser, pytest.mark.motion]

SMALL_PHONE: ViewportSize = {"width": 360, "height": 640}
SIZES: list[ViewportSize] = [
    SMALL_PHONE,
    {"width": 360, "height": 740},
    {"width": 740, "height": 360},
]
SIZES += [{"width": 1280, "height": 800}, {"width": 320, "height": 568}]

# The name and box of each visible element, and whether its middle is uncovered (`open`).
MEASURE_TARGETS = """selector => [...document.querySelectorAll(selector)]
.filter(e => e.offsetParent).map(e => {
  const box = e.getBoundingClientRect();
  const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  return {name: e.getAttribute('aria-label') || e.textContent, width: box.width, height: box.height,
          open: e.contains(hit), bottom: box.bottom, right: box.right};
})"""
MEASURE_SCROLL = """(page => [page.scrollWidth - innerWidth, page.scrollHeight - innerHeight])(
  document.documentElement)"""
COUNT_FLIGHTS = """() => {
  window.flown = 0;
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...all) {
    window.flown += 1;
    return animate.apply(this, all);
  };
}"""


def make_table(seats: int, **fields: Any) -> Match:
    specs = [SeatSpec(name=PEOPLE[0], user=make_user(PEOPLE[0]))]
    specs += [SeatSpec(name=f"{name} Krishnamurthy", bot="plain") for name in PEOPLE[1:seats]]
    match = create_match(
        ruleset="ocho", options={}, seats=specs, title="Round 1, table 3", turn_seconds=60,
        bot_seconds=600, **fields
    )  # fmt: skip
    match.hands.update(dealer=seats - 1)
    return services.start_match(match)


def iter_sizes(page: Page, sizes: Iterable[ViewportSize] = SIZES) -> Iterator[ViewportSize]:
    """Resize the page to each size, finish its animations, and yield the size."""
    for size in sizes:
        page.set_viewport_size(size)
        finish_animations(page)
        yield size


def open_table_with_many_cards(open_page: Windows, count: int, seats: int) -> Page:
    """Open a table whose views are changed to contain `count` cards."""
    page, line = open_seat_with_interceptor(open_page, make_table(seats), size=SMALL_PHONE)
    deck = [color + face for color in "RYGB" for face in "012345679SR"] * 2

    def add_cards(message: dict[str, Any]) -> dict[str, Any]:
        if message["type"] == "view":
            cards = message["view"]["cards"]
            for i, name in enumerate(deck[: count - len(cards)]):
                cards.append({"id": f"x{i}", "card": name, "playable": i % 3 == 0, "why": "No."})
        return message

    line.to_page = add_cards
    page.reload()
    expect(page.locator(".card-button")).to_have_count(count)
    finish_animations(page)
    return page


@pytest.mark.parametrize("seats", [2, 6, 10])
def test_u1_u2_u8_nothing_scrolls_sideways_and_every_target_can_be_tapped(
    open_page: Windows, seats: int
) -> None:
    page = open_seat(open_page, make_table(seats))
    for size in iter_sizes(page):
        assert page.evaluate(MEASURE_SCROLL)[0] == 0, size
        for target in page.evaluate(
            MEASURE_TARGETS, ".card-button, .action, .bar-button, .sort, .draw-pile"
        ):
            assert target["open"], (size, target)
            assert min(target["width"], target["height"]) >= 24, (size, target)
        for target in page.evaluate(MEASURE_TARGETS, ".action"):
            assert min(target["width"], target["height"]) >= 44, (size, target)
    assert page.locator(".seat").count() == seats - 1


@pytest.mark.parametrize("seats", [4, 10])
def test_u1_all_25_cards_are_visible_on_a_small_phone(open_page: Windows, seats: int) -> None:
    page = open_table_with_many_cards(open_page, 25, seats)
    assert page.evaluate(MEASURE_SCROLL) == [0, 0]
    cards = page.evaluate(MEASURE_TARGETS, ".card-button")
    assert [target for target in cards if not target["open"]] == []
    assert min(target["width"] for target in cards) >= 32
    assert (
        page.evaluate("(h => h.scrollHeight - h.clientHeight)(document.querySelector('.hand'))")
        == 0
    )


def test_u3_hand_of_60_cards_scrolls_and_nothing_around_it_moves(open_page: Windows) -> None:
    page = open_table_with_many_cards(open_page, 60, 10)
    page.locator(".card-button").last.scroll_into_view_if_needed()
    assert page.evaluate(MEASURE_SCROLL) == [0, 0]
    for target in page.evaluate(MEASURE_TARGETS, ".action, .draw-pile, .discard, .color-now"):
        assert target["open"], target
        assert target["bottom"] <= SMALL_PHONE["height"]


def test_seats_do_not_cover_each_other_or_the_piles(open_page: Windows) -> None:
    page = open_table_with_many_cards(open_page, 25, 10)
    # The longest name of a colour, because the real colour is random.
    page.evaluate("document.querySelector('.color-now span:last-child').textContent = 'Yellow'")
    for size in iter_sizes(page):
        boxes = [sure(each.bounding_box()) for each in page.locator(".seat, .piles, .facts").all()]
        for i, one in enumerate(boxes):
            for other in boxes[i + 1 :]:
                assert do_not_overlap(one, other), (size, one, other)


def do_not_overlap(one: FloatRect, other: FloatRect) -> bool:
    beside = one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
    above = one["y"] + one["height"] <= other["y"] or other["y"] + other["height"] <= one["y"]
    return bool(beside or above)


def test_u2_bar_buttons_and_colours_are_44_pixels_high(open_page: Windows) -> None:
    page = open_seat(open_page, deal(["W G4 B5", "Y1 G1 B1"]), size=SMALL_PHONE)
    locate_card(page, "Wild").click()
    for target in page.evaluate(MEASURE_TARGETS, ".pick, .pick-cancel, .bar-button"):
        assert target["open"], target
        assert min(target["width"], target["height"]) >= 44, target


def test_tap_slightly_off_the_ocho_button_still_says_ocho(open_page: Windows) -> None:
    page = open_seat(
        open_page, deal(["8S KH", "2S 3D"], top="9S", ruleset="ocho-cards"), size=SMALL_PHONE
    )
    button = page.get_by_role("button", name="Play 8 of spades and say Ocho")
    expect(button).to_be_visible()
    finish_animations(page)
    box = sure(button.bounding_box())
    middle = box["x"] + box["width"] / 2
    for y in (box["y"] - 8, box["y"] + box["height"] + 1):
        hit = "([x, y]) => document.elementFromPoint(x, y).className"
        assert page.evaluate(hit, [middle, y]) == "with-ocho"


def test_u6_card_under_a_finger_does_not_move(open_page: Windows) -> None:
    match = deal(["R7 G4 B5", "Y1 G1 B1"], draw="R9")
    page, line = open_seat_with_interceptor(open_page, match)
    other = locate_card(page, "Blue 5")
    before = sure(other.bounding_box())
    page.mouse.move(before["x"] + 8, before["y"] + 8)
    page.mouse.down()
    services.act(match.pk, SeatNumber(0), {"draw": True}, version=1, client_id="elsewhere")
    page.wait_for_timeout(600)
    assert other.bounding_box() == before
    page.mouse.up()
    expect(page.locator(".card-button")).to_have_count(4)
    assert line.list_actions() == []


def test_u9_table_stays_usable_with_text_at_double_size(open_page: Windows) -> None:
    page = open_seat(open_page, make_table(4), size={"width": 360, "height": 740})
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    finish_animations(page)
    assert page.evaluate(MEASURE_SCROLL)[0] == 0
    for target in page.evaluate(MEASURE_TARGETS, ".card-button, .action"):
        assert min(target["width"], target["height"]) >= 24, target
    wide, high = page.locator(".bar-title b").evaluate(MEASURE_OVERFLOW)
    assert (wide, high < 10) == (0, True)  # less than a line of text


# How far an element's content exceeds the element's width and height.
MEASURE_OVERFLOW = (
    "e => [e.scrollWidth - e.clientWidth, Math.max(0, e.scrollHeight - e.clientHeight)]"
)
# Parts that overlap the next part, on a score sheet with a long proof.
LIST_OVERLAPS = """() => {
  const proof = document.querySelector(".sheet-proof");
  proof.dataset.state = "without";
  proof.textContent = "Shuffle: 3 hands without your browser’s contribution. ".repeat(3);
  const parts = [...document.querySelectorAll(".sheet > :not(.cheer, .sheet-rays)")];
  const shown = parts.filter((each) => each.offsetHeight && getComputedStyle(each).position !== "absolute");
  const below = (one, other) => one.getBoundingClientRect().bottom <= other.getBoundingClientRect().top + 1;
  return shown.slice(1).filter((each, n) => !below(shown[n], each)).map((each) => each.className);
}"""  # noqa: E501


@pytest.mark.parametrize("scale", ["100%", "200%"])
def test_nothing_on_the_score_sheet_overlaps_or_is_cut_off(open_page: Windows, scale: str) -> None:
    page = open_seat(open_page, services.play_out(make_table(6)), size=SMALL_PHONE)
    page.evaluate("scale => { document.documentElement.style.fontSize = scale }", scale)
    expect(page.locator(".sheet .scores").first).to_be_visible()
    finish_animations(page)
    assert page.evaluate(LIST_OVERLAPS) == []
    assert page.locator(".sheet").evaluate(MEASURE_OVERFLOW)[0] == 0


# How far the table can scroll, and how far its buttons are below the window after scrolling.
LIST_HIDDEN_PARTS = """() => {
  const table = document.querySelector('.table');
  const over = table.scrollHeight - table.clientHeight;
  table.scrollTop = over;
  const {bottom} = document.querySelector('.actions').getBoundingClientRect();
  return [over, Math.max(0, Math.round(bottom - innerHeight))];
}"""
SHOW_LONG_MESSAGE = """desk => {
  desk.hidden = false;
  desk.textContent = 'Go to table 12 now, please. '.repeat(6);
}"""


def test_u9_draw_button_is_reachable_under_any_banner(open_page: Windows) -> None:
    """Show a long message from the desk with text at double size."""
    page = open_seat(open_page, make_table(4), size={"width": 360, "height": 740})
    for height in (740, 640, 568):
        page.set_viewport_size({"width": 360, "height": height})
        finish_animations(page)
        assert page.evaluate(LIST_HIDDEN_PARTS) == [0, 0]
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    page.locator("#desk").evaluate(SHOW_LONG_MESSAGE)
    finish_animations(page)
    over, below = page.evaluate(LIST_HIDDEN_PARTS)
    assert over > 0
    assert below == 0


def test_u32_no_card_flies_with_reduced_motion(open_page: Windows) -> None:
    page = open_seat(open_page, deal(["R7 G4 B5", "Y1 G1 B1"]), reduced_motion="reduce")
    page.evaluate(COUNT_FLIGHTS)
    locate_card(page, "Red 7").click()
    expect(page.locator(".ticker")).to_have_text("You play Red 7.")
    assert page.evaluate("window.flown") == 0


def test_u11_whole_page_is_under_150_kilobytes(open_page: Windows) -> None:
    page: Page = open_page(path="about:blank")
    sizes: list[int] = []
    page.on("requestfinished", lambda request: sizes.append(request.sizes()["responseBodySize"]))
    page.goto(make_table(10).get_absolute_url())
    expect(page.locator("#table[data-live]")).to_be_attached()
    assert 20_000 < sum(sizes) < 150_000
