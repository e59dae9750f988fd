"""Browser tests of turn alerts, and of pages that take a player to a match that has started."""

import pytest
from playwright.sync_api import Page, expect

from games import services
from tests.browser.conftest import Windows
from tests.browser.tables import deal, locate_card, open_seat

pytestmark = pytest.mark.browser

HANDS = ["R7 G4 B5", "Y1 G1 B1"]


def read_stored_settings(page: Page) -> list[bool | str]:
    return list(
        page.evaluate("""() => {
          const {asked, sound, vibration} = JSON.parse(localStorage.getItem('lastcard-table'));
          return [asked, sound, vibration];
        }""")
    )


def test_u55_turn_alert_question_is_asked_once_before_the_first_deal(open_page: Windows) -> None:
    match = deal(HANDS, start=False)
    page = open_seat(open_page, match, ask=True)
    question = page.get_by_role("region", name="Your turn")
    expect(question).to_contain_text("when it’s your turn?")
    question.get_by_role("button", name="Yes").click()
    expect(question).to_be_hidden()
    page.reload()
    expect(page.locator("#table[data-live]")).to_be_attached()
    expect(question).to_be_hidden()
    assert read_stored_settings(page) == [True, "quiet", True]


def test_u55_turn_alert_question_waits_for_the_score_sheet(open_page: Windows) -> None:
    match = deal(["R7", "Y1"])
    page = open_seat(open_page, match, ask=True)
    question = page.get_by_role("region", name="Your turn")
    expect(question).to_be_hidden()
    locate_card(page, "Red 7").click()
    expect(page.locator(".sheet").get_by_role("region", name="Your turn")).to_be_visible()
    question.get_by_role("button", name="No").click()
    expect(question).to_be_hidden()


def test_u55_bell_button_turns_alerts_on_and_off(open_page: Windows) -> None:
    page = open_seat(open_page, deal(HANDS))
    bell = page.get_by_role("button", name="Alert me when it’s my turn")
    expect(bell).to_have_attribute("aria-pressed", "false")
    bell.click()
    expect(bell).to_have_attribute("aria-pressed", "true")
    assert read_stored_settings(page) == [True, "quiet", True]
    bell.click()
    assert read_stored_settings(page) == [True, "off", False]
    practice = open_seat(open_page, deal(HANDS, practice=True, bots=[1]))
    expect(practice.locator("#bell")).to_have_count(0)


def test_u63_idle_page_opens_a_match_that_has_started(
    open_page: Windows,
) -> None:
    match = services.start_match(deal(HANDS, start=False))
    page = open_page(match.seats.get(number=0).user, path="/")
    expect(page.get_by_text("Your match is under way: Round 1, table 3.")).to_be_visible()
    page.wait_for_url(f"**{match.get_absolute_url()}", timeout=12_000)
    page.goto("/")
    expect(page.get_by_role("link", name="Go to the table")).to_be_visible()
    expect(page.get_by_text("You’ll be taken there in")).to_have_count(0)


def test_rules_opened_from_the_table_do_not_take_over_its_control(open_page: Windows) -> None:
    match = deal(HANDS)
    page = open_seat(open_page, match)
    page.get_by_role("button", name="Menu").click()
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Rules", exact=True).click()
    rules = opened.value
    line = rules.locator("#own-match > p")
    expect(line).to_be_hidden()
    rules.wait_for_timeout(7000)
    assert "/rules/" in rules.url
    expect(line).to_be_hidden()
    expect(page.locator("#banner")).to_be_empty()
    page.keyboard.press("Escape")
    locate_card(page, "Red 7").click()
    expect(locate_card(page, "Red 7")).to_have_count(0)
    # After closing the table, the player is offered a link, but not redirected.
    page.close()
    expect(line).to_be_visible()
    rules.goto("/")
    rules.wait_for_timeout(7000)
    assert rules.url.endswith("/")


def test_other_devices_are_not_redirected_to_a_table_that_is_already_open(
    open_page: Windows,
) -> None:
    match = deal(HANDS)
    page = open_seat(open_page, match)
    other = open_page(match.seats.get(number=0).user, path="/")
    expect(other.get_by_role("link", name="Go to the table")).to_be_visible()
    other.wait_for_timeout(7000)
    assert other.url.endswith("/")
    expect(page.locator("#banner")).to_be_empty()
