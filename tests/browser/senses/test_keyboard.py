"""Browser tests of playing by keyboard."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Windows
from tests.browser.senses.test_text import make_short_match
from tests.browser.tables import deal, locate_card, open_seat

pytestmark = pytest.mark.browser

OWN_HAND = "R7 G4 W B5 R2"
OTHER_HAND = "Y1 G1 B1 R1 Y9"

# The focused element: its classes, id and text, whether it is visible, and whether its card is
# playable.
READ_FOCUSED = """() => {
  const e = document.activeElement;
  return {classes: [...e.classList], id: e.id, seen: e !== document.body && e.checkVisibility(),
          playable: e.closest('.slot')?.dataset.playable === 'true', text: e.textContent};
}"""


def read_focused_element(page: Page) -> Any:
    return page.evaluate(READ_FOCUSED)


def tab_to(page: Page, css: str) -> None:
    for _ in range(60):
        if css in read_focused_element(page)["classes"]:
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {css}")


def take_turn(page: Page) -> None:
    """Play the first playable card, draw or pass, using only Tab, arrow keys and Enter."""
    if page.locator(".picker").count():
        assert "pick" in read_focused_element(page)["classes"]
    elif page.locator(".slot[data-playable]").count():
        tab_to(page, "card-button")
        page.keyboard.press("Home")
        for _ in range(page.locator(".slot").count()):
            if read_focused_element(page)["playable"]:
                break
            page.keyboard.press("ArrowRight")
        if page.locator(".slot[data-playable] .with-uno").first.is_visible():
            page.keyboard.press("Tab")
    else:
        tab_to(page, "action-draw" if page.locator(".action-draw").is_enabled() else "action-pass")
    page.keyboard.press("Enter")


def test_u25_whole_match_can_be_played_by_keyboard(open_page: Windows) -> None:
    match = make_short_match()
    page = open_seat(open_page, match)
    turns = 0
    for _ in range(400):
        if page.locator(".sheet").count() and page.title().startswith("Match over"):
            break
        if page.locator("#table[data-usable][data-my-turn]").count():
            before = page.locator("#prompt").inner_text()
            take_turn(page)
            turns += 1
            assert before
        page.wait_for_timeout(150)
    expect(page).to_have_title("Match over – Lastcard")
    match.refresh_from_db()
    assert (match.phase, turns >= 2) == ("over", True)


def test_u25_draw_uno_catch_and_help_have_keys(open_page: Windows) -> None:
    match = deal(["R7 G4", "Y1 G1"])
    page, other = open_seat(open_page, match), open_seat(open_page, match, 1)
    locate_card(page, "Red 7").focus()
    page.keyboard.press("Enter")
    expect(other.locator(".action-catch")).to_be_visible()
    other.keyboard.press("c")
    expect(page.locator(".card-button")).to_have_count(3)
    expect(other.locator(".action-catch")).to_have_count(0)
    other.keyboard.press("d")
    expect(other.locator(".card-button")).to_have_count(3)
    page.keyboard.press("m")
    expect(page.get_by_role("dialog", name="Menu")).to_be_visible()
    expect(page.get_by_role("dialog", name="Menu")).to_contain_text("move through your cards")


def test_u30_focus_stays_on_a_visible_card_after_each_action(open_page: Windows) -> None:
    page = open_seat(
        open_page, deal([OWN_HAND, OTHER_HAND, OTHER_HAND.replace("9", "8")], draw="R9")
    )
    locate_card(page, "Wild").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(locate_card(page, "Wild")).to_be_focused()
    page.locator(".action-draw").focus()
    page.keyboard.press("Enter")
    expect(locate_card(page, "Red 9")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".ticker")).to_have_text("You play Red 9.")
    assert read_focused_element(page)["seen"]
    assert "card-button" in read_focused_element(page)["classes"]


def test_u30_next_card_has_focus_after_a_wild_colour_choice(open_page: Windows) -> None:
    page = open_seat(open_page, deal([OWN_HAND, OTHER_HAND]))
    locate_card(page, "Wild").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator(".card-button")).to_have_count(4)
    assert "card-button" in read_focused_element(page)["classes"]
