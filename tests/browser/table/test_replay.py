"""Browser tests of a hand's replay."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, ViewportSize, expect

from games import services
from tests.browser.conftest import DESKTOP, PHONE, TakeScreenshot, Windows
from tests.browser.tables import deal

pytestmark = pytest.mark.browser


def open_replay(open_page: Windows, query: str = "", **options: Any) -> Page:
    """Open the replay of a hand of Asha and Ben as a visitor."""
    match = deal(["R7 G4 W B5", "Y3 B9 R1 R2"], hand_limit=1, options={"uno_penalty": 0})
    services.play_out(match)
    page: Page = open_page(None, path=f"{match.get_absolute_url()}hands/1/{query}", **options)
    expect(page.locator("#place")).to_contain_text(" of ")
    return page


def list_marked_cards(page: Page) -> list[str]:
    return sorted(
        str(each.get_attribute("aria-label")) for each in page.locator("[data-could]").all()
    )


@pytest.mark.parametrize("size", [(360, 740), (1280, 800)], ids=["phone", "desk"])
def test_playable_cards_are_marked_at_each_step(
    open_page: Windows, shot: TakeScreenshot, size: tuple[int, int]
) -> None:
    page = open_replay(open_page, size=dict(zip(("width", "height"), size, strict=True)))
    assert list_marked_cards(page) == []
    page.get_by_role("checkbox", name="What could I have played here?").check()
    assert list_marked_cards(page) == [
        f"{card}, playable at this point" for card in ("Blue 5", "Red 7", "Wild")
    ]
    expect(page.locator("#could-text")).to_have_text(
        "Asha could have played Red 7, Wild or Blue 5 at this point."
    )
    assert page.url.endswith("?step=0&could=1")
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0
    shot(page, "replay-could", full_page=False)
    page.reload()
    assert len(list_marked_cards(page)) == 3
    page.keyboard.press("w")
    assert list_marked_cards(page) == []


def test_finished_player_has_no_cards_and_no_uno_mark(open_page: Windows) -> None:
    page = open_replay(open_page)
    page.keyboard.press("End")
    out = page.locator(".seat > .vh", has_text=", 0 cards,")
    expect(out).to_have_count(1)
    expect(out).not_to_contain_text("UNO")
    expect(page.locator(".seat-line", has_text="UNO")).to_have_count(0)


def test_replay_without_scripts_lists_all_steps_and_marks_the_linked_one(
    open_page: Windows,
) -> None:
    match = deal(["R7 G4 W B5", "Y3 B9 R1 R2"], hand_limit=1, options={"uno_penalty": 0})
    services.play_out(match)
    address = f"{match.get_absolute_url()}hands/1/?step=3"
    page = open_page(None, path=address, java_script_enabled=False)
    for size in (PHONE, DESKTOP):
        page.set_viewport_size(size)
        expect(page.get_by_text("Without JavaScript, you can read the hand here")).to_be_visible()
        expect(page.locator("#log [aria-current]")).to_have_attribute("data-step", "3")
        log = page.locator("#log")
        assert log.evaluate("e => e.scrollHeight - e.clientHeight") == 0, size


def test_replay_plays_automatically_at_the_chosen_speed(open_page: Windows) -> None:
    page = open_replay(open_page)
    last = page.locator("#place").inner_text().rpartition(" ")[2]
    page.keyboard.press("End")
    for _ in range(12):  # back from the end, because the hand may be long
        page.keyboard.press("ArrowLeft")
    expect(page.locator("#place")).to_have_text(f"{max(0, int(last) - 12)} of {last}")
    page.get_by_role("combobox", name="Speed").select_option("4×")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(page.locator("#place")).to_have_text(f"{last} of {last}", timeout=60_000)
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_space_bar_plays_and_pauses(open_page: Windows) -> None:
    page = open_replay(open_page)
    page.locator("h1").click()
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    before = page.locator("#place").inner_text()
    page.wait_for_timeout(2200)
    assert page.locator("#place").inner_text() == before
    page.keyboard.press("End")
    page.keyboard.press("Home")
    expect(page.locator("#place")).to_contain_text("0 of ")


def test_replay_continues_when_the_browser_blocks_url_updates(open_page: Windows) -> None:
    page = open_replay(open_page)
    # Safari throws this error after a hundred calls within half a minute.
    page.evaluate("""() => {
      const { replaceState } = history;
      history.replaceState = () => { throw new DOMException('Too many', 'SecurityError'); };
      window.allowAgain = () => { history.replaceState = replaceState; };
    }""")
    page.get_by_role("combobox", name="Speed").select_option("4×")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("#place")).to_have_text(re.compile(r"^([3-9]|\d\d+) of"))
    page.evaluate("window.allowAgain()")
    expect(page).to_have_url(re.compile(r"step=([3-9]|\d\d+)$"))


def test_u26_replay_letter_key_can_be_turned_off(open_page: Windows) -> None:
    page = open_replay(open_page)
    page.evaluate("""localStorage.setItem('lastcard-table', '{"shortcuts": false}')""")
    page.keyboard.press("w")
    assert list_marked_cards(page) == []


def test_s22_replay_steps_are_listed_in_words_without_javascript(open_page: Windows) -> None:
    match = deal(["R7 G4 W B5", "Y3 B9 R1 R2"], hand_limit=1, options={"uno_penalty": 0})
    services.play_out(match)
    address = f"{match.get_absolute_url()}hands/1/"
    page = open_page(None, path=address, java_script_enabled=False)
    expect(page.get_by_text("Without JavaScript, you can read the hand here")).to_be_visible()
    # The only button is in the form that requests a review.
    expect(page.get_by_role("button")).to_have_text(["Find out"])
    expect(page.get_by_role("slider")).to_have_count(0)
    expect(page.locator("#log li").first).to_be_visible()


MEASURE_BOXES = """(selector) => [...document.querySelectorAll(selector)].map((e) => {
  const { left, top, right, bottom } = e.getBoundingClientRect();
  return [e.className, ...[left, top, right, bottom].map(Math.round)];
})"""
SEATS_SELECTOR = ".stage > .seats"
FIXED_PARTS = ".seat, .replay-cards, .draw-pile, .discard, .replay-told, .replay-bar"


def list_seats_by_side(page: Page) -> dict[str, list[str]]:
    """Return the seats on each side of the table in reading order."""
    return {
        str(side.get_attribute("class")): [
            str(seat.get_attribute("data-seat")) for seat in side.locator(".seat").all()
        ]
        for side in page.locator(SEATS_SELECTOR).all()
    }


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desk"])
@pytest.mark.parametrize("seats", [2, 4, 8, 10])
def test_replay_matches_the_live_table_layout_with_open_hands(
    open_page: Windows, size: ViewportSize, seats: int
) -> None:
    match = deal(["R7 G4 Y3 B9 R1 R2 G8", *[""] * (seats - 1)], hand_limit=1)
    live = open_page(None, size=size, path=match.get_absolute_url())
    expect(live.locator(".seat")).to_have_count(seats)
    around = list_seats_by_side(live)
    services.play_out(match)
    page = open_page(None, size=size, path=f"{match.get_absolute_url()}hands/1/")
    expect(page.locator(".seat")).to_have_count(seats)
    assert list_seats_by_side(page) == around
    places = page.evaluate(MEASURE_BOXES, FIXED_PARTS)
    assert [box for box in places if box[1] < 0 or box[3] > size["width"]] == []
    bar = page.evaluate(MEASURE_BOXES, ".replay-bar")[0]
    assert [box for box in places[:-1] if box[4] > bar[2]] == []
    page.evaluate(RECORD_SHIFTS)
    for _ in range(6):
        page.keyboard.press("ArrowRight")
        assert page.evaluate(MEASURE_BOXES, FIXED_PARTS) == places
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0
    assert page.evaluate("window.shifts") < 0.02


def test_acting_player_sits_below_with_the_played_card_marked(
    open_page: Windows,
) -> None:
    match = deal(["R7 G4", "Y3 B9", "R1 R2"], hand_limit=1, options={"uno_penalty": 0})
    services.play_out(match)
    user = match.seats.get(number=1).user
    page = open_page(user, path=f"{match.get_absolute_url()}hands/1/?step=1")
    expect(page.locator(".seats-bottom .seat")).to_have_attribute("data-seat", "1")
    expect(page.locator(".discard[data-fresh]")).to_have_count(1)
    expect(page.locator(".seat[data-acted]")).to_have_attribute("data-seat", "0")
    expect(page.locator(".seat[data-dealer]")).to_have_attribute("data-seat", "2")


NARROW_PHONE: ViewportSize = {"width": 320, "height": 568}
LIST_CUT_TEXTS = """() => [...document.querySelectorAll(".told p:not(:empty)")].filter((p) => {
  const room = document.querySelector(".replay-told").getBoundingClientRect();
  const { top, bottom, left, right } = p.getBoundingClientRect();
  const above = document.querySelector(".replay-bar").getBoundingClientRect().top;
  return top < room.top || bottom > Math.min(room.bottom, above) || left < 0 || right > innerWidth;
}).map((p) => p.textContent)"""


@pytest.mark.parametrize("language", ["en", "bn", "hi"])
@pytest.mark.parametrize("size", [NARROW_PHONE, PHONE], ids=["narrow", "phone"])
def test_step_description_fits_a_box_of_fixed_size(
    open_page: Windows, size: ViewportSize, language: str
) -> None:
    wild = ["W W+4 R7 G4 Y3 B9 R1 R2 G8 Y9 B1 B2", "", "", ""]
    match = deal(wild, hand_limit=1, options={"uno_penalty": 0})
    services.play_out(match)
    path = f"{match.get_absolute_url()}hands/1/?could=1"
    page = open_page(size=size, path=path, locale=language)
    expect(page.locator("#could-text")).not_to_be_empty()
    room = page.evaluate(MEASURE_BOXES, ".replay-told")
    for _ in range(12):
        assert page.evaluate(LIST_CUT_TEXTS) == []
        assert page.evaluate(MEASURE_BOXES, ".replay-told") == room
        page.keyboard.press("ArrowRight")


def test_cards_drawn_for_the_deal_are_shown_in_a_table(open_page: Windows) -> None:
    match = deal(["R7 G4", *[""] * 9], hand_limit=1, options={"uno_penalty": 0})
    services.play_out(match)
    hand = match.hands.get()
    hand.opening["dealer_drawn"] = [dict.fromkeys(map(str, range(10)), "B9"), {"0": "W", "9": "B2"}]
    hand.save()
    page = open_page(path=f"{match.get_absolute_url()}hands/1/")
    table = page.get_by_role("table", name="Cards drawn to choose the dealer")
    expect(table.get_by_role("row")).to_have_count(11)
    expect(table.get_by_role("columnheader")).to_have_text(["Player", "Draw 1", "Draw 2"])
    row = table.get_by_role("row").nth(10)
    expect(row.get_by_role("rowheader")).to_have_text("Jai dealer")
    expect(row.get_by_role("img")).to_have_count(2)
    expect(row.get_by_role("img", name="Blue 2")).to_be_visible()
    expect(page.locator("#text")).to_have_text(re.compile(r"^Jai deals hand 1\. "))
    log = page.locator("#log")
    assert log.evaluate("e => e.scrollWidth - e.clientWidth") == 0


WAIT_FOR_PAINT = """() => new Promise((done) => {
  new PerformanceObserver(() => done()).observe({ type: 'paint', buffered: true });
})"""
RECORD_SHIFTS = """() => {
  window.shifts = 0;
  new PerformanceObserver((list) => {
    for (const each of list.getEntries()) window.shifts += each.value;
  }).observe({ type: 'layout-shift', buffered: true });
}"""


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desk"])
def test_s22_late_script_shifts_nothing_on_the_page(open_page: Windows, size: ViewportSize) -> None:
    match = deal(["R7 G4 W B5", "Y3 B9 R1 R2"], hand_limit=1, options={"uno_penalty": 0})
    services.play_out(match)
    page = open_page(path="/healthz", size=size)
    held: list[Route] = []
    page.route("**/replay/main*.js", lambda route: held.append(route))
    page.goto(f"{match.get_absolute_url()}hands/1/", wait_until="commit")
    page.evaluate(WAIT_FOR_PAINT)
    page.evaluate(RECORD_SHIFTS)
    held[0].continue_()
    expect(page.locator("#place")).to_contain_text(" of ")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)))")
    assert page.evaluate("window.shifts") < 0.02
