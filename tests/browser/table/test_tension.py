"""Browser tests of tense moments, such as a forgotten UNO or stacked penalties."""

import os
import re
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from games import services
from tests.browser.conftest import SCREENSHOT_FOLDER, Windows
from tests.browser.tables import act_for_seat, deal, finish_animations, open_seat
from tests.factories import make_user
from tests.typed import sure

pytestmark = [pytest.mark.browser, pytest.mark.motion]

PHONE: ViewportSize = {"width": 360, "height": 740}
DESK: ViewportSize = {"width": 1280, "height": 800}
SMALLEST: ViewportSize = {"width": 320, "height": 568}
TABLET: ViewportSize = {"width": 768, "height": 1024}
READ_RING = 'element => Number(element.style.getPropertyValue("--window"))'


def save_screenshot(page: Page, name: str) -> None:
    """Save a screenshot if LASTCARD_SHOTS=1."""
    if os.environ.get("LASTCARD_SHOTS"):
        page.screenshot(path=Path(SCREENSHOT_FOLDER) / "tension" / f"{name}.png")


@pytest.mark.parametrize("size", [SMALLEST, PHONE, TABLET, DESK])
def test_forgotten_uno_is_caught_by_tapping_the_player(
    open_page: Windows, size: ViewportSize
) -> None:
    match = deal(["R1 R2", "G3 G4", "B1 B2", "B4 B6"], turn_seconds=20)
    forgetful, other = (
        open_seat(open_page, match, size=size),
        open_seat(open_page, match, 2, size=size),
    )
    finish_animations(other)
    face = forgetful.locator("#me .face")
    place = sure(face.bounding_box())["x"]
    act_for_seat(match, 0, play="R1")
    prompt = forgetful.locator("#prompt")
    expect(prompt).to_have_text("Say UNO!")
    assert abs(sure(face.bounding_box())["x"] - place) < 1
    expect(prompt).to_have_attribute("data-kind", "uno")
    chip = other.locator('.seat[data-seat="0"]')
    expect(chip.locator(".seat-line")).to_have_text("Catch!")
    assert chip.locator(".seat-line").evaluate("e => e.scrollWidth <= e.clientWidth")
    finish_animations(other)
    expect(other.locator("#table[data-tense]")).to_be_attached()
    forgetful.wait_for_timeout(1500)
    save_screenshot(forgetful, f"say-{size['width']}")
    save_screenshot(other, f"catch-{size['width']}")
    for ring in (forgetful.locator("#me"), chip):
        assert 10 < ring.evaluate(READ_RING) < 97
    chip.click()
    expect(forgetful.locator("#me .count")).to_have_text("3")
    expect(prompt).not_to_have_attribute("data-kind", re.compile(".*"))


def test_tap_on_the_prompt_says_uno(open_page: Windows) -> None:
    match = deal(["R1 R2", "G3 G4"], turn_seconds=20)
    page = open_seat(open_page, match, size=PHONE)
    act_for_seat(match, 0, play="R1")
    expect(page.locator("#prompt")).to_have_text("Say UNO!")
    expect(page.locator("link[href*=tension]")).to_be_attached()
    page.locator("#prompt").click()
    expect(page.locator("#me .seat-line")).to_contain_text("UNO!")


@pytest.mark.parametrize("size", [SMALLEST, PHONE, DESK])
def test_player_is_prompted_for_a_forgotten_uno_on_their_turn(
    open_page: Windows, size: ViewportSize
) -> None:
    match = deal(["4H 5H", "6H 7H"], top="10H", ruleset="ocho-cards", turn_seconds=20)
    page = open_seat(open_page, match, size=size)
    act_for_seat(match, 0, play="4H")
    act_for_seat(match, 1, play="6H", uno=True)
    prompt = page.locator("#me[data-turn] #prompt")
    expect(prompt).to_have_text("Say UNO first!")
    finish_animations(page)
    page.wait_for_timeout(1500)
    save_screenshot(page, f"own-turn-{size['width']}")
    assert 10 < page.locator("#me").evaluate(READ_RING) < 97
    prompt.click()
    expect(prompt).to_have_text(re.compile(r"Your turn: play .*"))


def test_challenge_is_offered_with_both_outcomes(open_page: Windows) -> None:
    match = deal(["W+4 R2 R3 G1", "G3 G4 G6", "B1 B2 B3"])
    page = open_seat(open_page, match, 1, size=PHONE)
    act_for_seat(match, 0, play="W+4", color="G")
    prompt = page.locator("#prompt")
    expect(prompt).to_have_text(
        "Draw 4, or challenge: 4 for Asha if it was a bluff, 6 for you if not."
    )
    finish_animations(page)
    save_screenshot(page, "challenge-360")
    whole = "e => e.firstElementChild.scrollHeight <= e.firstElementChild.clientHeight + 1"
    assert prompt.evaluate(whole)


# Records what is animated: the class of an element, or "piles".
RECORD_ANIMATIONS = """() => {
  window.seen = [];
  const { animate } = Element.prototype;
  Element.prototype.animate = function (frames, timing) {
    window.seen.push(this.closest(".piles") ? "piles" : this.className);
    return animate.call(this, frames, timing);
  };
}"""
LIST_ANIMATIONS = (
    "() => [...new Set(window.seen)].filter(name => ['piles', 'crossing'].includes(name)).sort()"
)


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_stacked_penalties_animate_only_without_reduced_motion(
    open_page: Windows, motion: Literal["no-preference", "reduce"]
) -> None:
    match = deal(["R+2 R1", "G+2 G3"], ruleset="ocho")
    page = open_seat(open_page, match, size=DESK)
    page.emulate_media(reduced_motion=motion)
    page.reload()
    expect(page.locator("link[href*=tension]")).to_be_attached()
    page.evaluate(RECORD_ANIMATIONS)
    act_for_seat(match, 0, play="R+2")
    expect(page.locator(".owed")).to_have_text("+2 for Ben")
    page.wait_for_timeout(300)
    moves = motion == "no-preference"
    assert page.evaluate(LIST_ANIMATIONS) == (["piles"] if moves else [])
    assert page.locator("#table[data-tense]").count() == int(moves)


RECORD_FANS = """() => {
  window.fans = [];
  const { animate } = Element.prototype;
  Element.prototype.animate = function (frames, timing) {
    const flight = animate.call(this, frames, timing);
    if (this.className === "crossing") {
      flight.pause();
      flight.currentTime = timing.delay + timing.duration * 0.55;
      window.fans.push(this.getBoundingClientRect());
    }
    return flight;
  };
}"""


@pytest.mark.parametrize("size", [PHONE, DESK])
def test_swapped_hands_of_any_size_stay_on_the_screen(
    open_page: Windows, size: ViewportSize
) -> None:
    hands = ["BLANK R2 R3", "G3 G4 B5 B6 B7", "B1 B2 B3", "Y1 Y2 Y3"]
    match = deal(hands, ruleset="uno-500", options={"blanks": 1, "blank_rule": "swap"})
    page = open_seat(open_page, match, size=size)
    finish_animations(page)
    page.evaluate(RECORD_FANS)
    act_for_seat(match, 0, play="BLANK", color="R", **{"with": 1})
    expect(page.locator(".crossing")).to_have_count(10)
    save_screenshot(page, f"swap-{size['width']}")
    edges = page.evaluate("() => window.fans.map(({ left, right }) => [left, right]).flat()")
    assert [edge for edge in edges if not -20 < edge < size["width"] + 20] == []


@pytest.mark.parametrize("size", [PHONE, DESK])
def test_practice_offers_sound_in_the_bar(open_page: Windows, size: ViewportSize) -> None:
    match = services.start_practice(make_user("Asha"), "uno-500", 4)
    page = open_seat(open_page, match, size=size)
    button = page.get_by_role("button", name="Sound", exact=True)
    expect(button).to_have_attribute("aria-pressed", "false")
    finish_animations(page)
    save_screenshot(page, f"offer-{size['width']}")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    assert '"sound":"full"' in page.evaluate("localStorage.getItem('lastcard-table')")
    assert button.evaluate("e => e.getBoundingClientRect().width") >= 44
