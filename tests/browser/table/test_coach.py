"""Browser tests of the coach, which explains a newcomer's first practice table."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import TakeScreenshot, Windows
from tests.browser.senses.test_layout import MEASURE_SCROLL, MEASURE_TARGETS
from tests.browser.tables import deal, finish_animations, locate_card, open_seat

pytestmark = pytest.mark.browser

OWN_HAND = "R7 G4 W B5 R2 R+2 Y9"
SECOND_HAND = "Y1 G1 B1 G2 Y9 G6 G7"
THIRD_HAND = "Y3 G3 B3 G2 Y8 G6 G7"
SIZES = [(360, 740), (360, 640), (740, 360), (1280, 800)]


def locate_coach(page: Page) -> Locator:
    return page.get_by_role("region", name="How to play")


def open_first_table(open_page: Windows, **options: Any) -> Page:
    match = deal([OWN_HAND, SECOND_HAND, THIRD_HAND], practice=True, bots=[1, 2])
    return open_seat(open_page, match, **options)


def locate_title(page: Page) -> Locator:
    return locate_coach(page).locator(".coach-title")


def test_u52_first_table_explains_the_cards_in_play(open_page: Windows) -> None:
    page = open_first_table(open_page)
    expect(locate_title(page)).to_have_text("Matching cards")
    expect(locate_coach(page)).to_contain_text(
        "You can play Red 7, Wild, Blue 5, Red 2 and Red Draw"
    )
    expect(page.get_by_role("log", name="Announcements")).to_contain_text(
        "Matching cards. You can play"
    )
    titles = []
    for _ in range(6):
        titles.append(locate_title(page).inner_text())
        locate_coach(page).get_by_role("button", name="Next").or_(
            locate_coach(page).get_by_role("button", name="Done")
        ).click()
    expect(locate_coach(page)).to_be_hidden()
    assert sorted(titles) == [
        "Drawing", "Matching cards", "Penalties", "Saying UNO", "Special cards", "Winning",
    ]  # fmt: skip


def test_u52_player_action_advances_the_tutorial(open_page: Windows) -> None:
    page = open_first_table(open_page)
    expect(locate_title(page)).to_have_text("Matching cards")
    locate_card(page, "Red 7").click()
    expect(locate_title(page)).not_to_have_text("Matching cards")


def test_u52_tutorial_runs_once_and_can_be_restarted_from_the_menu(open_page: Windows) -> None:
    page = open_first_table(open_page)
    locate_coach(page).get_by_role("button", name="Skip").click()
    expect(locate_coach(page)).to_be_hidden()
    page.reload()
    expect(page.locator("#table[data-live]")).to_be_attached()
    expect(locate_coach(page)).to_be_hidden()
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Show me how to play").click()
    expect(locate_coach(page).get_by_role("button", name="Next")).to_be_focused()


def test_tournament_table_has_no_tutorial(open_page: Windows) -> None:
    page = open_seat(open_page, deal([OWN_HAND, SECOND_HAND]))
    expect(locate_coach(page)).to_be_hidden()
    page.get_by_role("button", name="Menu").click()
    expect(page.get_by_role("button", name="Show me how to play")).to_have_count(0)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_tutorial_covers_nothing_and_does_not_block_play(
    open_page: Windows, shot: TakeScreenshot, size: tuple[int, int]
) -> None:
    page = open_first_table(open_page, size={"width": size[0], "height": size[1]})
    expect(locate_coach(page)).to_be_visible()
    finish_animations(page)
    pile = page.locator(".discard").bounding_box()
    assert size[:2] != (360, 740) or (pile and pile["width"] >= 70)
    shot(page, f"coach-{size[1]}", full_page=False)
    assert page.evaluate(MEASURE_SCROLL)[0] == 0
    targets = page.evaluate(
        MEASURE_TARGETS, ".card-button, .action, .bar-button, .sort, .draw-pile"
    )
    for target in targets:
        assert target["open"], target
        assert min(target["width"], target["height"]) >= 24, target
    locate_card(page, "Red 7").click()
    expect(page.locator(".card-button")).to_have_count(6)
