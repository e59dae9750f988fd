"""Browser tests of the practice page and of finished matches."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from games import services
from games.models import Match
from games.rules.ruleset.rulesets import RULE_SETS
from games.services import SeatSpec
from tests.browser.conftest import TakeScreenshot, Windows
from tests.browser.tables import deal, locate_card, open_seat, play_out
from tests.factories import make_user
from tests.games.helpers import create_match

pytestmark = pytest.mark.browser


def test_u52_two_taps_lead_from_the_practice_page_to_a_dealt_hand(
    open_page: Windows, shot: TakeScreenshot
) -> None:
    page: Page = open_page(make_user("Asha"), path="/practice/")
    shot(page, "practice")
    page.locator('button[value="ocho"]').click()
    expect(page.locator(".card-button")).to_have_count(8)
    expect(page.locator(".seat")).to_have_count(3)


def test_bot_strength_can_be_chosen_and_defaults_to_plain(open_page: Windows) -> None:
    page: Page = open_page(make_user("Asha"), path="/practice/")
    expect(page.get_by_role("radio", name="Medium")).to_be_checked()
    page.get_by_role("radio", name="Strong").check(force=True)
    page.locator('button[value="ocho"]').click()
    expect(page.locator(".seat")).to_have_count(3)
    assert {seat.bot for seat in Match.objects.get().seats.all()} == {"", "strong"}


def test_number_of_players_can_be_chosen(open_page: Windows) -> None:
    page: Page = open_page(make_user("Asha"), path="/practice/")
    page.get_by_role("radio", name="10").check(force=True)
    page.locator('button[value="uno-400"]').click()
    expect(page.locator(".seat")).to_have_count(9)


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_u4_match_of_every_rule_set_can_be_played_by_taps(open_page: Windows, ruleset: str) -> None:
    user = make_user("Asha")
    match = create_match(
        ruleset=ruleset,
        options={},
        seats=[SeatSpec(name="Asha", user=user), SeatSpec(name="Ben", bot="plain")],
        bot_seconds=0.02,
        between_seconds=0,
        hand_limit=1,
    )
    services.start_match(match)
    page = open_seat(open_page, match)
    play_out(page)
    expect(page.get_by_role("heading", name=re.compile("the match|is over"))).to_be_visible()
    expect(page).to_have_title("Match over – Lastcard")


def play_finished_match(open_page: Windows) -> tuple[Match, Page]:
    """Play a match of one hand, which Asha wins with her only card."""
    match = deal(["R7", "Y1", "B9"], hand_limit=1)
    page = open_seat(open_page, match)
    locate_card(page, "Red 7").click()
    expect(page.locator(".sheet")).to_be_visible()
    return match, page


def test_score_sheet_shows_points_and_remaining_cards_between_hands(open_page: Windows) -> None:
    page = open_seat(open_page, deal(["R7", "Y1", "B9"]))
    locate_card(page, "Red 7").click()
    sheet = page.get_by_role("region", name="You win the hand!")
    expect(sheet).to_be_visible()
    rows = [row.locator("th, .number").all_inner_texts() for row in sheet.locator("tbody tr").all()]
    assert rows == [
        ["★ Asha\nA", "+10", "10\n390 to go"],
        ["Ben\nB", "0", "0\n400 to go"],
        ["Chitra\nC", "0", "0\n400 to go"],
    ]
    assert sheet.locator(".cards-left .vh").all_text_contents() == ["none", "Yellow 1", "Blue 9"]
    expect(sheet.locator(".sheet-next")).to_have_text(re.compile(r"Next hand in \d+ s"))
    sheet.get_by_role("button", name="Hide the score sheet").click()
    expect(sheet).to_be_hidden()
    page.get_by_role("button", name="Score sheet", exact=True).click()
    expect(sheet).to_be_visible()


def test_score_sheet_closes_when_the_next_hand_is_dealt(open_page: Windows) -> None:
    page = open_seat(open_page, deal(["R7", "Y1"], between_seconds=2))
    locate_card(page, "Red 7").click()
    expect(page.locator(".sheet")).to_be_visible()
    expect(page.locator(".sheet")).to_be_hidden(timeout=8000)
    expect(page.locator(".card-button")).to_have_count(1)


def test_finished_match_shows_the_winner_and_links_to_result_and_replay(
    open_page: Windows, shot: TakeScreenshot
) -> None:
    match, page = play_finished_match(open_page)
    sheet = page.get_by_role("region", name="You win the match!")
    links = {
        link.inner_text(): link.get_attribute("href") for link in sheet.locator("a:visible").all()
    }
    table = match.get_absolute_url()
    assert links == {
        "Replay this hand": f"{table}hands/1/",
        "Result page": f"{table}result/",
        "Was it luck?": f"{table}luck/",
        "The shuffle": f"{table}fair/",
        "Save this hand as a file": f"{table}hands/1.json",
    }
    sheet.get_by_text("Hand by hand").click()
    expect(sheet.locator(".all-hands tbody tr")).to_have_text("11000")
    shot(page, "match-over", full_page=False)


def test_result_page_shows_every_hand(open_page: Windows, shot: TakeScreenshot) -> None:
    match, _ = play_finished_match(open_page)
    page: Page = open_page(None, path=f"{match.get_absolute_url()}result/")
    expect(page.locator(".match-end h2")).to_have_text(re.compile("Asha wins with 10 points"))
    rows = page.locator(".hands tbody tr")
    assert rows.locator("td.number").all_inner_texts() == ["10", "0", "0"]
    shot(page, "result")
    page.get_by_role("link", name="Replay").click()
    expect(page.get_by_role("heading", name="Hand 1")).to_be_visible()


def test_replay_can_be_navigated_by_buttons_keys_links_and_url(open_page: Windows) -> None:
    match = deal(["R7 Y1", "Y3 B9"], hand_limit=1, options={"uno_penalty": 0})
    page = open_seat(open_page, match)
    services.play_out(match)
    replay: Page = open_page(None, path=f"{match.get_absolute_url()}hands/1/?step=1")
    place = replay.locator("#place")
    last = int((place.inner_text()).rpartition(" ")[2])
    expect(place).to_have_text(f"1 of {last}")
    replay.keyboard.press("ArrowLeft")
    expect(place).to_have_text(f"0 of {last}")
    held = replay.locator('[data-seat="1"] .replay-cards span')
    names = sorted(str(each.get_attribute("aria-label")) for each in held.all())
    assert names == ["Blue 9", "Yellow 3"]
    replay.get_by_role("button", name="Last step").click()
    expect(place).to_have_text(f"{last} of {last}")
    assert replay.url.endswith(f"?step={last}")
    replay.reload()
    expect(place).to_have_text(f"{last} of {last}")
    replay.locator("#log a").first.click()
    expect(place).to_have_text(f"0 of {last}")
    expect(replay.locator("#log a").first).to_have_attribute("aria-current", "step")
    page.close()


def test_finished_match_offers_its_record_for_download(open_page: Windows) -> None:
    match, page = play_finished_match(open_page)
    with page.expect_download() as download:
        page.evaluate(
            "href => { const a = Object.assign(document.createElement('a'), {href}); a.click() }",
            f"{match.get_absolute_url()}hands/1.json",
        )
    record = json.loads(download.value.path().read_text())
    assert (record["format"], record["seats"]) == ("hand-record/1", 3)
