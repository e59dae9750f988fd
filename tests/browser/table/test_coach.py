"""Browser tests of a newcomer's first table, which explains itself in unobtrusive steps."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Shot, Windows
from tests.browser.senses.test_layout import SCROLL, TARGETS
from tests.browser.tables import card, deal, settle, sit

pytestmark = pytest.mark.browser

MINE = "R7 G4 W B5 R2 R+2 Y9"
THEIRS = "Y1 G1 B1 G2 Y9 G6 G7"
THIRD = "Y3 G3 B3 G2 Y8 G6 G7"
SIZES = [(360, 740), (360, 640), (740, 360), (1280, 800)]


def coach(page: Page) -> Locator:
    return page.get_by_role("region", name="How to play")


def first_table(open_page: Windows, **options: Any) -> Page:
    match = deal([MINE, THEIRS, THIRD], practice=True, bots=[1, 2])
    return sit(open_page, match, **options)


def title(page: Page) -> Locator:
    return coach(page).locator(".coach-title")


def test_u52_first_table_explains_the_cards_in_play(open_page: Windows) -> None:
    page = first_table(open_page)
    expect(title(page)).to_have_text("Matching cards")
    expect(coach(page)).to_contain_text("You can play Red 7, Wild, Blue 5, Red 2 and Red Draw")
    expect(page.get_by_role("log", name="Announcements")).to_contain_text(
        "Matching cards. You can play"
    )
    titles = []
    for _ in range(6):
        titles.append(title(page).inner_text())
        coach(page).get_by_role("button", name="Next").or_(
            coach(page).get_by_role("button", name="Done")
        ).click()
    expect(coach(page)).to_be_hidden()
    assert sorted(titles) == [
        "Drawing", "Matching cards", "Penalties", "Saying UNO", "Special cards", "Winning",
    ]  # fmt: skip


def test_u52_player_action_advances_the_tutorial(open_page: Windows) -> None:
    page = first_table(open_page)
    expect(title(page)).to_have_text("Matching cards")
    card(page, "Red 7").click()
    expect(title(page)).not_to_have_text("Matching cards")


def test_u52_tutorial_runs_once_and_can_be_restarted_from_the_menu(open_page: Windows) -> None:
    page = first_table(open_page)
    coach(page).get_by_role("button", name="Skip").click()
    expect(coach(page)).to_be_hidden()
    page.reload()
    expect(page.locator("#table[data-live]")).to_be_attached()
    expect(coach(page)).to_be_hidden()
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Show me how to play").click()
    expect(coach(page).get_by_role("button", name="Next")).to_be_focused()


def test_tournament_table_has_no_tutorial(open_page: Windows) -> None:
    page = sit(open_page, deal([MINE, THEIRS]))
    expect(coach(page)).to_be_hidden()
    page.get_by_role("button", name="Menu").click()
    expect(page.get_by_role("button", name="Show me how to play")).to_have_count(0)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_tutorial_covers_nothing_and_does_not_block_play(
    open_page: Windows, shot: Shot, size: tuple[int, int]
) -> None:
    page = first_table(open_page, size={"width": size[0], "height": size[1]})
    expect(coach(page)).to_be_visible()
    settle(page)
    pile = page.locator(".discard").bounding_box()
    assert size[:2] != (360, 740) or (pile and pile["width"] >= 70)
    shot(page, f"coach-{size[1]}", full_page=False)
    assert page.evaluate(SCROLL)[0] == 0
    targets = page.evaluate(TARGETS, ".card-button, .action, .bar-button, .sort, .draw-pile")
    for target in targets:
        assert target["open"], target
        assert min(target["width"], target["height"]) >= 24, target
    card(page, "Red 7").click()
    expect(page.locator(".card-button")).to_have_count(6)
