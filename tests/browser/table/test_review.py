"""Was it luck? Found out beside the site while the page waits, and led to from table and replay."""

import re

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from games.models import Review
from tests.browser.conftest import PHONE, Shot, Windows
from tests.games.reviewing import MOVES, answered, hand, played

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_answer_takes_the_place_of_the_progress_by_itself(open_page: Windows) -> None:
    match = played()
    asked = Review.objects.create(match=match, total=30, done=12, asked_at=timezone.now())
    page = open_page(path=f"{match.get_absolute_url()}luck/")
    expect(page.get_by_text("12 of 30 moves")).to_be_visible()
    asked.delete()
    answered(match, hand(*MOVES))
    expect(page.get_by_role("heading", name="The whole match")).to_be_visible()
    expect(page.locator(".curves polyline")).to_have_count(2)
    expect(page.get_by_text("12 of 30 moves")).to_have_count(0)


def test_a_decision_leads_to_its_step_and_the_replay_back_to_the_hand(open_page: Windows) -> None:
    match = played()
    answered(match, hand(*MOVES))
    page = open_page(path=f"{match.get_absolute_url()}luck/")
    page.get_by_role("link", name="Look at it").nth(1).click()
    expect(page.locator("#place")).to_have_text("1 of 3")
    expect(page.locator("#better")).to_have_text("Better: Red 2, +10 points of a hundred (± 2).")
    expect(page.locator("#luck")).to_contain_text("Chance to win: ")
    expect(page.locator(".seat[data-chance]")).to_have_count(2)
    page.get_by_role("link", name="Was it luck?").click()
    expect(page).to_have_url(
        f"{page.url.partition('/m/')[0]}{match.get_absolute_url()}luck/#hand-1"
    )


def test_without_scripts_the_chances_stand_below_each_step_in_the_same_words(
    open_page: Windows, shot: Shot
) -> None:
    match = played()
    answered(match, hand(*MOVES))
    address = f"{match.get_absolute_url()}hands/1/"
    page = open_page(path=address, java_script_enabled=False)
    below = page.locator("#log li").nth(1).locator(".step-luck")
    expect(below).to_have_text(
        re.compile(r"^Better: Red 2, \+10 points of a hundred \(± 2\)\. Chance to win: ")
    )
    expect(below).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    shot(page, "replay-words-luck")
    expect(open_page(path=address).locator(".step-luck").first).to_be_hidden()
