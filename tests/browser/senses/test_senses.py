"""Browser tests of the table's accessibility and of its sounds and vibration."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import DESKTOP, PHONE, TakeScreenshot, Windows
from tests.browser.pages.test_look import find_violations
from tests.browser.tables import (
    deal,
    finish_animations,
    locate_card,
    open_seat,
    open_seat_with_interceptor,
)

pytestmark = pytest.mark.browser

OWN_HAND = "R7 G4 W B5 R2"
OTHER_HAND = "Y1 G1 B1 R1 Y9"

# Counts sounds and records vibrations.
RECORD_SOUNDS = """
window.sounds = 0;
window.buzzes = [];
const Oscillator = window.OscillatorNode;
window.OscillatorNode = class extends Oscillator {
  constructor(...all) { super(...all); window.sounds += 1; }
};
Object.defineProperty(navigator, 'vibrate', {value: (pattern) => window.buzzes.push(pattern)});
"""


# Marks the question about turn alerts as answered, but not the offer of sounds.
DISMISS_TURN_QUESTION = """try {
  const kept = JSON.parse(localStorage.getItem('lastcard-table') ?? '{}');
  localStorage.setItem('lastcard-table', JSON.stringify({asked: true, ...kept}));
} catch { /* a page without a store */ }"""


def toggle_setting(page: Page, name: str) -> None:
    """Toggle a setting in the menu."""
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("checkbox", name=name).click()
    page.get_by_role("button", name="Close").click()


def test_u12_turn_is_shown_by_text_symbol_and_title(open_page: Windows) -> None:
    match = deal([OWN_HAND, OTHER_HAND])
    mine, theirs = open_seat(open_page, match), open_seat(open_page, match, 1)
    expect(mine).to_have_title("Your turn – Lastcard")
    expect(mine.locator("#prompt")).to_contain_text("Your turn:")
    expect(theirs.locator("#prompt")).to_have_text("It’s Asha’s turn.")
    expect(theirs.locator('.seat[data-seat="0"] .seat-line')).to_have_text(re.compile("^▶"))
    expect(theirs.locator('.seat[data-seat="0"] .vh')).to_contain_text("turn")


def test_u21_turn_can_expire_during_the_colour_choice(open_page: Windows) -> None:
    match = deal([OWN_HAND, OTHER_HAND], turn_seconds=5, draw="Y5")
    page, line = open_seat_with_interceptor(open_page, match)
    locate_card(page, "Wild").click()
    expect(page.get_by_role("group", name="Wild")).to_be_visible()
    expect(page.locator(".picker")).to_have_count(0, timeout=20_000)
    expect(page.locator(".log-lines")).to_contain_text("You ran out of time. You draw 1 card.")
    assert line.list_actions() == []
    expect(locate_card(page, "Wild")).to_be_visible()


def test_u21_turn_can_expire_before_the_first_colour_is_chosen(open_page: Windows) -> None:
    match = deal(
        ["R7 R8 G4", "Y1 G1 B1"], top="W", turn_seconds=4, options={"opening_wild": "choose"}
    )
    page = open_seat(open_page, match)
    expect(page.get_by_role("group", name="Choose a colour")).to_be_visible()
    said = page.get_by_role("alert")
    expect(said).to_contain_text("You ran out of time. You choose red.", timeout=20_000)


def test_u22_every_colour_is_shown_with_its_shape(open_page: Windows) -> None:
    page = open_seat(open_page, deal([OWN_HAND, OTHER_HAND]))
    locate_card(page, "Wild").click()
    shapes = [each.get_attribute("class") for each in page.locator(".pick .shape").all()]
    assert shapes == [f"shape shape-{color}" for color in "RYGB"]
    page.get_by_role("button", name="green", exact=True).click()
    expect(page.locator(".color-now .shape-G")).to_be_visible()
    page.locator(".ticker").click()
    expect(page.locator(".log-lines li").last.locator(".shape-G")).to_be_visible()


def find_violations_at_both_sizes(page: Page) -> list[str]:
    """Return axe's violations on a desktop and on a phone."""
    found = []
    for size in (DESKTOP, PHONE):
        page.set_viewport_size(size)
        finish_animations(page)
        found += [f"{size['width']}: {fault}" for fault in find_violations(page)]
    return found


def test_u31_axe_finds_nothing_at_a_table(open_page: Windows) -> None:
    match = deal([OWN_HAND, OTHER_HAND, "Y2 G2 B2 R3 Y8"], practice=False)
    page = open_seat(open_page, match)
    assert find_violations_at_both_sizes(page) == []
    locate_card(page, "Wild").click()
    assert find_violations_at_both_sizes(page) == []
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Menu").click()
    assert find_violations_at_both_sizes(page) == []
    page.get_by_role("checkbox", name="Text mode").check()
    assert find_violations_at_both_sizes(page) == []
    assert find_violations_at_both_sizes(open_seat(open_page, match, None)) == []


def test_u31_axe_finds_nothing_in_the_tutorial_score_sheet_and_replay(
    open_page: Windows,
) -> None:
    match = deal(["R7", "Y1"], hand_limit=1, practice=True, bots=[1])
    page = open_seat(open_page, match)
    assert find_violations_at_both_sizes(page) == []
    locate_card(page, "Red 7").click()
    expect(page.locator(".sheet")).to_be_visible()
    assert find_violations_at_both_sizes(page) == []
    user = match.seats.get(number=0).user
    look = open_page(user, path=f"{match.get_absolute_url()}hands/1/?could=1")
    assert find_violations_at_both_sizes(look) == []


def test_u33_sound_is_off_by_default_and_has_its_own_volume(open_page: Windows) -> None:
    match = deal([OWN_HAND, OTHER_HAND])
    page = open_page(match.seats.get(number=0).user, path="about:blank")
    page.add_init_script(RECORD_SOUNDS)
    page.goto(match.get_absolute_url())
    expect(page.locator("#table[data-live]")).to_be_attached()
    locate_card(page, "Red 7").click()
    expect(page.locator(".ticker")).to_have_text("You play Red 7.")
    assert page.evaluate("window.sounds") == 0
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("radio", name="Full").check()
    page.wait_for_function("() => window.sounds > 0")
    page.get_by_role("button", name="Close").click()
    sampled = page.evaluate("window.sounds")
    other = open_seat(open_page, match, 1)
    locate_card(other, "Red 1").click()
    page.wait_for_function("before => window.sounds > before", arg=sampled)
    expect(page.locator("#prompt")).to_contain_text("Your turn")
    page.get_by_role("button", name="Menu").click()
    expect(page.get_by_role("slider", name="Volume")).to_have_value("0.5")


def test_u33_score_sheet_offers_sound_and_the_choice_applies_to_all_windows(
    open_page: Windows, shot: TakeScreenshot
) -> None:
    match = deal(["R7", "Y1"])
    page = open_page(match.seats.get(number=0).user, path="about:blank", ask=True)
    page.add_init_script(RECORD_SOUNDS + DISMISS_TURN_QUESTION)
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    page.goto(match.get_absolute_url())
    expect(page.locator("#table[data-live]")).to_be_attached()
    offer = page.get_by_role("region", name="Sounds")
    expect(offer).to_be_hidden()
    locate_card(page, "Red 7").click()
    expect(offer).to_be_visible()
    # Opens a second window, which then controls the seat.
    other = page.context.new_page()
    other.goto(match.get_absolute_url())
    expect(other.locator("#table[data-live]")).to_be_attached()
    assert [address for address in loaded if "tunes" in address] == []
    shot(page, "sounds-offered", full_page=False)
    offer.get_by_role("button", name="Quiet").click()
    page.wait_for_function("() => window.sounds > 0")
    assert len([address for address in loaded if "tunes" in address]) == 1
    expect(offer.get_by_role("button", name="Quiet")).to_have_attribute("aria-pressed", "true")
    other.get_by_role("button", name="Menu").click()
    expect(other.get_by_role("radio", name="Quiet")).to_be_checked()


def test_u34_vibration_is_off_by_default(open_page: Windows) -> None:
    match = deal([OWN_HAND, OTHER_HAND])
    pages = []
    for seat in (0, 1):
        page = open_page(match.seats.get(number=seat).user, path="about:blank")
        page.add_init_script(RECORD_SOUNDS)
        page.goto(match.get_absolute_url())
        expect(page.locator("#table[data-live]")).to_be_attached()
        pages.append(page)
    mine, theirs = pages
    toggle_setting(mine, "Vibration")
    locate_card(mine, "Red 7").click()
    mine.wait_for_function("() => window.buzzes.length > 0")
    locate_card(theirs, "Red 1").click()
    mine.wait_for_function("() => window.buzzes.length > 1")
    assert mine.evaluate("window.buzzes") == [14, 80], "the own card lands, then it is one's turn"
    assert theirs.evaluate("window.buzzes") == []


def test_u52_rules_are_one_tap_away(open_page: Windows) -> None:
    page = open_seat(open_page, deal([OWN_HAND, OTHER_HAND]), size=DESKTOP)
    with page.expect_popup() as opened:
        page.get_by_role("link", name="Rules").click()
    expect(opened.value.get_by_role("heading", name="Your turn")).to_be_visible()
