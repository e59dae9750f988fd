"""Browser tests of hall screens."""

import re

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.browser.conftest import DESKTOP, TakeScreenshot, Windows
from tests.browser.tables import finish_animations
from tests.services import wait_for
from tests.tournament.staging import first_table, play, running_round

pytestmark = [pytest.mark.browser, pytest.mark.motion, pytest.mark.django_db(transaction=True)]

BOARD_PATH = "/e/cards/leaderboard/?view=hall"
TABLES_PATH = "/e/cards/tables/?view=hall"
NAMES_PATH = f"{TABLES_PATH}&by=name"
PROJECTOR: ViewportSize = {"width": 1920, "height": 1080}
# The font size of names, as a fraction of the screen's height.
NAME_SIZE = """() => parseFloat(getComputedStyle(
  document.querySelector("tbody th, .who, .names bdi")).fontSize) / innerHeight"""


def test_u51_hall_text_is_large_and_fits(open_page: Windows, shot: TakeScreenshot) -> None:
    running_round(40, slug="cards")
    page = open_page(path="/healthz")
    for number, path in enumerate((BOARD_PATH, TABLES_PATH, NAMES_PATH)):
        page.goto(path)
        for size in (DESKTOP, PROJECTOR):
            page.set_viewport_size(size)
            finish_animations(page)
            assert page.evaluate(NAME_SIZE) > 0.028, (path, size)
            assert page.evaluate("document.documentElement.scrollWidth") == size["width"]
            shot(page, f"hall-{number}", full_page=False)


def test_u51_hall_views_of_tables_names_and_standings_are_linked(open_page: Windows) -> None:
    played = running_round(8, slug="cards")
    names = {registration.name for registration in played.stage.event.registrations.all()}
    page = open_page(size=DESKTOP, path="/e/cards/")
    page.get_by_role("link", name="By table").click()
    expect(page.get_by_role("heading", level=3)).to_have_text(["Table 1", "Table 2"])
    assert set(page.locator(".who bdi").all_inner_texts()) == names
    page.get_by_role("link", name="By name").click()
    expect(page.locator(".names li")).to_have_count(8)
    assert page.locator(".names bdi").all_inner_texts() == sorted(names)
    page.get_by_role("link", name="Leaderboard").click()
    expect(page.locator("tr[data-rank]")).to_have_count(8)
    assert page.locator("[aria-current]").inner_text() == "Leaderboard"


def test_u51_hall_view_shows_nothing_private_and_no_game_controls(open_page: Windows) -> None:
    played = running_round(8, slug="cards")
    play(first_table(played), hands=1)
    page = open_page(size=DESKTOP, path="/healthz")
    for path in (BOARD_PATH, TABLES_PATH, NAMES_PATH):
        page.goto(path)
        html = page.content()
        for registration in played.stage.event.registrations.all():
            assert registration.user.email not in html
            assert registration.roll_number not in html
        assert "/m/" not in html


@pytest.mark.parametrize("path", [BOARD_PATH, TABLES_PATH, NAMES_PATH])
def test_u51_hall_view_scrolls_automatically_and_can_be_paused(
    open_page: Windows, path: str
) -> None:
    running_round(40, slug="cards")
    page = open_page(size=DESKTOP, path=path)
    wait_for(lambda: page.evaluate("scrollY") > 20, "the scrolling")
    page.get_by_role("button", name="Pause scrolling").click()
    paused_at = page.evaluate("scrollY")
    go_on = page.get_by_role("button", name="Auto-scroll")
    expect(go_on).to_be_visible()
    page.evaluate(WAIT_FOR_FRAMES)
    assert page.evaluate("scrollY") == paused_at
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Space")
    wait_for(lambda: page.evaluate("scrollY") > paused_at + 5, "the scrolling to go on")


# Waits for 30 frames, enough for a scrolling page to move.
WAIT_FOR_FRAMES = """() => new Promise((done) => {
  let left = 30;
  const next = () => (left-- ? requestAnimationFrame(next) : done());
  next();
})"""


def test_u51_reduced_motion_stops_all_movement(open_page: Windows) -> None:
    running_round(40, slug="cards")
    page = open_page(size=DESKTOP, path=BOARD_PATH, reduced_motion="reduce")
    expect(page.get_by_role("button", name="Auto-scroll")).to_be_visible()


def test_u51_hall_tables_update_after_every_hand(open_page: Windows) -> None:
    played = running_round(slug="cards")
    page = open_page(size=DESKTOP, path=TABLES_PATH)
    expect(page.get_by_text("playing, hand 1")).to_be_visible()
    # The whole text must match, because the winner's points may contain a 0.
    nothing = page.locator(".seats .points").filter(has_text=re.compile(r"^\s*0\s*$"))
    expect(nothing).to_have_count(4)
    play(first_table(played), hands=1)
    expect(nothing).not_to_have_count(4, timeout=30_000)


def test_s24_idle_buttons_hide_and_reappear(open_page: Windows) -> None:
    running_round(slug="cards")
    page = open_page(path=BOARD_PATH, size=DESKTOP)
    controls = page.locator(".hall-controls")
    expect(controls).to_have_css("opacity", "0")
    page.mouse.move(300, 300)
    expect(controls).to_have_css("opacity", "1")


def test_s24_leaderboard_has_two_columns_on_a_wide_screen(open_page: Windows) -> None:
    event = running_round(20, slug="cards").stage.event
    page = open_page(path=BOARD_PATH, size={"width": 1920, "height": 1080})
    rows = page.locator("tr[data-rank]")
    expect(rows).to_have_count(event.registrations.count())
    first, last = rows.first.bounding_box(), rows.last.bounding_box()
    assert first
    assert last
    assert first["x"] + first["width"] <= last["x"]
    assert page.evaluate("document.documentElement.scrollWidth") == 1920
