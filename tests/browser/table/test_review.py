"""Browser tests of the review "Was it luck?" and of the chances in the replay."""

import re

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from games.models import Review
from tests.browser.conftest import PHONE, TakeScreenshot, Windows
from tests.games.reviewing import (
    MOVES,
    make_reviewed_hand,
    play_short_match,
    store_completed_review,
)
from tests.typed import sure

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_result_replaces_the_progress_automatically(open_page: Windows) -> None:
    match = play_short_match()
    review = Review.objects.create(match=match, total=30, done=12, asked_at=timezone.now())
    page = open_page(path=f"{match.get_absolute_url()}luck/")
    expect(page.get_by_text("12 of 30 moves")).to_be_visible()
    review.delete()
    store_completed_review(match, make_reviewed_hand(*MOVES))
    expect(page.get_by_role("heading", name="The whole match")).to_be_visible()
    expect(page.locator(".curves polyline")).to_have_count(2)
    expect(page.get_by_text("12 of 30 moves")).to_have_count(0)


def test_decision_links_to_its_step_and_the_replay_links_back(open_page: Windows) -> None:
    match = play_short_match()
    store_completed_review(match, make_reviewed_hand(*MOVES))
    page = open_page(path=f"{match.get_absolute_url()}luck/")
    page.get_by_role("link", name="See it").nth(1).click()
    expect(page.locator("#place")).to_have_text("2 of 3")
    expect(page.locator("#better")).to_have_text("Better: draw (+7 percentage points, ±2).")
    expect(page.locator("#chance-step")).to_have_attribute(
        "aria-valuetext", re.compile(r"^2 of 3\. Chances of winning: .* 80% and .* 20%\.$")
    )
    expect(page.locator(".seat[data-chance]")).to_have_count(2)
    page.get_by_role("link", name="Was it luck?").click()
    expect(page).to_have_url(
        f"{page.url.partition('/m/')[0]}{match.get_absolute_url()}luck/#hand-1"
    )


def test_curve_is_navigated_by_keys_and_taps_and_marks_show_better_moves(
    open_page: Windows,
) -> None:
    match = play_short_match()
    store_completed_review(match, make_reviewed_hand(*MOVES))
    page = open_page(path=f"{match.get_absolute_url()}hands/1/")
    expect(page.locator("[data-chance-of]")).to_have_text(["62%", "40%"])
    slider = page.get_by_role("slider", name="Position on the chance-to-win chart")
    slider.press("ArrowRight")
    expect(page.locator("#place")).to_have_text("1 of 3")
    expect(page.locator("#here")).to_have_attribute("x1", re.compile(r"^33\.3"))
    slider.click(position={"x": sure(slider.bounding_box())["width"] - 9, "y": 20})
    expect(page.locator("#place")).to_have_text("3 of 3")
    expect(page.locator("[data-chance-of]")).to_have_text(["100%", "0%"])
    marks = page.locator(".chances-marks a")
    expect(marks).to_have_count(2)
    better = "Better: draw (+7 percentage points, ±2)."
    name = match.seats.get(number=1).said
    expect(marks.nth(1)).to_have_accessible_name(f"Step 2, {name}. {better}")
    marks.nth(1).locator(".sign").click()
    expect(page.locator("#place")).to_have_text("2 of 3")
    expect(page.locator("#better")).to_have_text(better)
    expect(page.locator("#log li").nth(2).locator(".step-better")).to_have_text(better)


def test_replay_without_a_review_offers_to_request_one(
    open_page: Windows,
) -> None:
    match = play_short_match()
    page = open_page(path=f"{match.get_absolute_url()}hands/1/")
    expect(page.locator(".chances-field")).to_have_count(0)
    page.get_by_role("button", name="Find out").click()
    expect(page).to_have_url(re.compile(f"{match.get_absolute_url()}luck/$"))


def test_chances_are_listed_below_each_step_without_scripts(
    open_page: Windows, shot: TakeScreenshot
) -> None:
    match = play_short_match()
    store_completed_review(match, make_reviewed_hand(*MOVES))
    address = f"{match.get_absolute_url()}hands/1/"
    page = open_page(path=address, java_script_enabled=False)
    found = page.locator("#log li").nth(1).locator("p")
    better = re.compile(r"^Better: Red 2 \(\+10 percentage points, ±2\)\.$")
    expect(found).to_have_text([better, re.compile(r"^Chances of winning: ")])
    expect(found.nth(0)).to_be_visible()
    expect(found.nth(1)).to_be_visible()
    expect(page.locator(".chances polyline")).to_have_count(2)
    expect(page.get_by_role("slider")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    shot(page, "replay-words-luck")
    expect(open_page(path=address).locator(".step-luck").first).to_be_hidden()
