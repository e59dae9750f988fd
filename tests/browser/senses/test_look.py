"""Browser tests that the important parts of the table stay visible."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from games import services
from games.models import Match
from tests.browser.conftest import DESKTOP, PHONE, TakeScreenshot, Windows
from tests.browser.senses.test_layout import MEASURE_SCROLL, MEASURE_TARGETS, make_table
from tests.browser.tables import (
    PEOPLE,
    act_for_seat,
    deal,
    finish_animations,
    locate_card,
    open_seat,
    open_seat_with_interceptor,
)
from tests.factories import make_user
from tests.games.helpers import create_match
from tests.typed import sure

pytestmark = pytest.mark.browser

LONG_NAMES = ["Asha Raghunathan", "Chitralekha Venkataraman", "Esha Mukherjee"]
LONG_NAMES += ["Venkatanarasimharajuvaripeta Krishnamacharyulu", "Jai"]
SMALL_PHONE: ViewportSize = {"width": 360, "height": 640}
LANDSCAPE_PHONE: ViewportSize = {"width": 740, "height": 360}


def open_x_rayed_table(open_page: Windows, seats: int) -> Page:
    """Open a table at which Asha's X-Ray has revealed a card of each other player."""
    others = [f"{color}{n} {color}{n + 1}" for color in "RYG" for n in (1, 3, 6)]
    match = deal(["XR B1", *others[: seats - 1]], ruleset="ocho", top="R5")
    for seat in match.seats.all():
        seat.name = LONG_NAMES[seat.number % 5] if seat.number < 5 else seat.name
        seat.save()
    act_for_seat(match, 0, play="XR", color="G")
    page = open_seat(open_page, match)
    expect(page.locator(".seen .card")).to_have_count(seats - 1)
    return page


# The seat of each revealed card that covers something, and the part of a seat or pile that it
# covers.
LIST_COVERED_PARTS = """() => {
  const box = (element) => element.getBoundingClientRect();
  const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
  const bad = [];
  for (const seen of document.querySelectorAll('.seen .card'))
    for (const part of document.querySelectorAll('.seat .ring, .seat .seat-name, .seat .seat-line, .piles > *, .color-now'))
      if (!apart(box(seen), box(part))) bad.push([seen.closest('.seat').dataset.seat, part.className]);
  return bad;
}"""  # noqa: E501


# The font size of each name at a seat.
MEASURE_NAME_LETTERS = """() => [...document.querySelectorAll(".seat .seat-name")].map((name) =>
  parseFloat(getComputedStyle(name).fontSize))"""


@pytest.mark.parametrize("seats", [2, 5, 10])
def test_cards_revealed_by_an_x_ray_cover_nothing(open_page: Windows, seats: int) -> None:
    page = open_x_rayed_table(open_page, seats)
    for size in (PHONE, SMALL_PHONE, LANDSCAPE_PHONE, DESKTOP):
        page.set_viewport_size(size)
        finish_animations(page)
        assert page.evaluate(LIST_COVERED_PARTS) == [], size
        assert min(page.evaluate(MEASURE_NAME_LETTERS)) >= 8, size
        assert page.evaluate(MEASURE_SCROLL) == [0, 0], size


def add_penalty(message: dict[str, Any]) -> dict[str, Any]:
    if message["type"] == "view":
        message["view"]["penalty"] = {"seat": message["view"]["you"], "cards": 16}
    return message


@pytest.mark.parametrize("seats", [2, 6, 7, 10])
def test_penalty_notice_is_never_cut_off(open_page: Windows, seats: int) -> None:
    page, line = open_seat_with_interceptor(open_page, make_table(seats))
    line.to_page = add_penalty
    page.reload()
    expect(page.locator(".owed")).to_have_text("+16 for you")
    inner = "e => [e.scrollWidth - e.clientWidth, e.getClientRects().length]"
    for size in (PHONE, SMALL_PHONE, LANDSCAPE_PHONE, DESKTOP):
        page.set_viewport_size(size)
        finish_animations(page)
        for span in page.locator(".owed b").all():
            assert span.evaluate(inner) == [0, 1], size
        assert sure(page.locator(".owed").bounding_box())["height"] < 48, size


def test_phone_shows_ten_score_sheet_rows_with_the_winner_first(open_page: Windows) -> None:
    held = [f"Y{n}" for n in range(1, 9)]
    match = deal(["R7", *held, "B3"], bots=range(1, 10))
    page = open_seat(open_page, match)
    locate_card(page, "Red 7").click()
    sheet = page.locator(".sheet")
    expect(sheet).to_be_visible()
    expect(sheet.locator("tbody tr").first).to_contain_text("★")
    expect(page.locator(".last-card")).to_have_count(0)
    finish_animations(page)
    rows = page.evaluate(MEASURE_TARGETS, ".sheet tbody tr")
    assert [row["open"] for row in rows] == [True] * 10
    assert max(row["bottom"] for row in rows) < PHONE["height"]
    head = sheet.locator(".sheet-head")
    expect(head.locator(".sheet-next")).to_have_text(re.compile(r"Next hand in \d+ s"))


def test_ticker_shows_all_effects_of_an_action(open_page: Windows) -> None:
    match = deal(["RR R1 R2", "Y1 Y2 Y3", "G1 G2 G3"])
    page = open_seat(open_page, match)
    locate_card(page, "Red Reverse").click()
    expect(page.locator(".ticker")).to_have_text("You play Red Reverse: the direction changes.")
    lines = page.locator(".log-lines li")
    expect(lines.last).to_have_attribute("data-more", "true")


def test_no_turn_is_marked_when_a_match_ends_during_a_hand(open_page: Windows) -> None:
    match = deal(["R1 R2", "Y1 Y2"])
    page = open_seat(open_page, match)
    expect(page.locator("#me[data-turn]")).to_be_visible()
    services.abandon_match(match, "Fire alarm.")
    expect(page.locator(".sheet")).to_be_visible()
    expect(page.locator("[data-turn]")).to_have_count(0)
    expect(page.locator("#table[data-my-turn]")).to_have_count(0)


def test_playing_again_stays_in_the_same_window(open_page: Windows) -> None:
    match = deal(["R7", "Y1"], hand_limit=1, practice=True, bots=[1])
    page = open_seat(open_page, match)
    page.get_by_role("button", name="Skip").click()
    locate_card(page, "Red 7").click()
    page.get_by_role("button", name="Play again").click()
    expect(page).not_to_have_url(re.compile(match.public_id))
    expect(page.locator("#table[data-live]")).to_be_attached()
    assert len(page.context.pages) == 1


def test_u52_house_rules_are_two_taps_away(open_page: Windows) -> None:
    page = open_seat(open_page, deal(["R7 R1", "Y1 Y2"], options={"target": 250}))
    page.get_by_role("button", name="Menu").click()
    menu = page.get_by_role("dialog")
    expect(menu.locator(".house-rules")).to_contain_text("The target is 250 points.")
    expect(menu.locator(".house-rules li").first).to_be_in_viewport()
    expect(menu.get_by_role("link", name="All the rules")).to_have_attribute(
        "href", re.compile(r"/rules/uno-400/$")
    )
    menu.get_by_text("What the special cards do").click()
    expect(menu.locator(".special-cards")).to_contain_text(
        "Skip: The next player loses their turn."
    )
    assert menu.locator(".special-cards .card").count() == 5


def test_playing_cards_are_sorted_by_suit(open_page: Windows) -> None:
    page = open_seat(open_page, deal(["7H 5S", "9C 3D"], ruleset="ocho-cards", top="5H"))
    expect(page.locator(".sort")).to_have_text("⇅by suit")
    expect(page.locator("#prompt")).to_have_text(
        "Your turn: play hearts, a 5, a face card or a joker."
    )


def test_seat_text_and_background_change_together(
    open_page: Windows,
) -> None:
    page = open_seat(open_page, deal(["R7 G4", "Y3 B9", ""], options={"uno_penalty": 0}))
    seat = page.locator(".seat").first
    ground = "e => [getComputedStyle(e).backgroundColor, getComputedStyle(e).color]"
    quiet = seat.evaluate(ground)
    seat.evaluate("e => e.setAttribute('data-turn', 'true')")
    turn = seat.evaluate(ground)
    page.wait_for_timeout(300)
    assert seat.evaluate(ground) == turn != quiet


def play_ten_hands(names: list[str]) -> Match:
    seats = [services.SeatSpec(name=name, user=make_user(name)) for name in names]
    match = create_match(
        ruleset="uno-400", options={"hand_size": 1, "target": 5000}, seats=seats, hand_limit=9
    )
    services.play_out(services.start_match(match))
    return match


# Cells of the table of hands with content that is wider than the cell.
LIST_CUT_CELLS = """() => [...document.querySelectorAll(".hands :is(th, td)")].filter((cell) => {
  const range = document.createRange();
  range.selectNodeContents(cell);
  return range.getBoundingClientRect().width > cell.getBoundingClientRect().width;
}).map((cell) => cell.textContent)"""


def test_result_and_replay_fit_the_window_on_a_phone(
    open_page: Windows, shot: TakeScreenshot
) -> None:
    match = play_ten_hands([*LONG_NAMES, *PEOPLE[5:]])
    page: Page = open_page(None, path=f"{match.get_absolute_url()}result/")
    shot(page, "result-ten")
    assert page.evaluate(MEASURE_SCROLL)[0] == 0
    table = page.locator(".hands")
    # A row has the hand's number, the points of all ten players, and a link to the replay.
    for cell in table.locator("tr").nth(1).locator(":scope > *").all():
        box = sure(cell.bounding_box())
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE["width"]
    for frame in page.locator(".scroll-x").all():
        assert frame.evaluate("e => e.scrollWidth - e.clientWidth") == 0
    assert page.evaluate(LIST_CUT_CELLS) == []
    expect(table.get_by_role("columnheader")).to_have_count(11)
    page.goto(f"{match.get_absolute_url()}hands/5/")
    expect(page.get_by_role("link", name="Next hand")).to_be_in_viewport(ratio=1)
    for target in page.evaluate(MEASURE_TARGETS, ".bar a, .replay-bar :is(button, input, select)"):
        assert target["open"], target
        assert target["right"] <= PHONE["width"], target
    page.get_by_role("link", name="Next hand").click()
    expect(page.get_by_role("heading", name="Hand 6")).to_be_visible()
