"""Nobody misses a turn: one question, and a match that is on calls its player to the table."""

import pytest
from playwright.sync_api import expect

from games import services
from tests.browser.conftest import Windows
from tests.browser.tables import deal, sit

pytestmark = pytest.mark.browser

HELD = ["R7 G4 B5", "Y1 G1 B1"]


def test_u55_who_sits_down_is_asked_once_whether_to_be_called(open_page: Windows) -> None:
    page = sit(open_page, deal(HELD), ask=True)
    question = page.get_by_role("region", name="Your turn")
    expect(question).to_contain_text("Call you when it is your turn")
    question.get_by_role("button", name="Yes").click()
    expect(question).to_be_hidden()
    page.reload()
    expect(page.locator("#table[data-live]")).to_be_attached()
    expect(question).to_be_hidden()
    kept = page.evaluate("JSON.parse(localStorage.getItem('lastcard-table'))")
    assert (kept["asked"], kept["sound"], kept["vibration"]) == (True, True, True)


def test_u63_where_nobody_types_a_match_that_is_on_takes_its_player_there(
    open_page: Windows,
) -> None:
    match = services.start_match(deal(HELD, start=False))
    page = open_page(match.seats.get(number=0).user, path="/")
    expect(page.get_by_text("Your match is on: Round 1, table 3.")).to_be_visible()
    page.wait_for_url(f"**{match.get_absolute_url()}", timeout=12_000)
    page.goto("/")
    expect(page.get_by_role("link", name="Go to the table")).to_be_visible()
    expect(page.get_by_text("You go there in")).to_have_count(0)
