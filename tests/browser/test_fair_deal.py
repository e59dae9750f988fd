"""Browser tests of fair deals. Pages contribute shares automatically and detect omitted ones."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import Page, ViewportSize, expect

from games import services
from games.json_values.deals import Deals
from games.models import Hand, Match
from games.play import dealing
from games.protocol.deals import DealFacts
from games.rules.fair.deal import NO_NONE, ShareList, share_commitment
from games.seats import SeatNumber
from games.services import SeatSpec
from games.store import Snapshot
from games.tables import deal as deal_query
from tests.browser.conftest import DESKTOP, PHONE, TakeScreenshot, Windows
from tests.browser.senses.test_layout import MEASURE_SCROLL, MEASURE_TARGETS
from tests.browser.tables import PLAY_ONE_TURN, finish_animations, open_seat
from tests.factories import make_user
from tests.games.helpers import create_match
from tests.services import wait_for

pytestmark = pytest.mark.browser

LANDSCAPE_PHONE: ViewportSize = {"width": 740, "height": 360}
OMITTED_CONTRIBUTION = (
    "Hand 1: your contribution was left out of the shuffle although the server had accepted it."
)
TWO_LISTS = "Hand 1: the server has shown two different lists of participants in the shuffle."


def make_unstarted_match(**fields: Any) -> Match:
    """Create a match that has not started, by default between Asha and Ben."""
    defaults: dict[str, Any] = {
        "title": "Round 1, table 3",
        "turn_seconds": 60,
        "hand_limit": 1,
        "seats": [SeatSpec(name=name, user=make_user(name)) for name in ("Asha", "Ben")],
    }
    return create_match(ruleset="ocho", options={"hand_size": 3}, **(defaults | fields))


def get_hand(match: Match) -> Hand:
    return match.hands.get(number=1)


def wait_for_commitments(match: Match, *seats: int) -> None:
    """Wait until these seats have committed."""
    wanted = set(seats)
    wait_for(lambda: wanted <= get_hand(match).deals.current.commitments.keys(), "the commitments")


def wait_for_deal(match: Match) -> Deals:
    wait_for(lambda: get_hand(match).dealt_at is not None, "the deal")
    return get_hand(match).deals


def open_two_dealt_windows(open_page: Windows, match: Match, **options: Any) -> tuple[Page, Page]:
    """Open both players' windows, and deal with both shares."""
    pages = open_seat(open_page, match, 0, **options), open_seat(open_page, match, 1)
    wait_for_commitments(match, 0, 1)
    services.start_match(match)
    assert wait_for_deal(match).current.shares.keys() == {0, 1}
    expect(pages[0].locator(".card-button")).to_have_count(3)
    return pages


def play_to_end(match: Match, *pages: Page) -> None:
    for _ in range(600):
        match.refresh_from_db()
        if match.phase == Match.Phase.OVER:
            return
        for page in pages:
            page.evaluate(PLAY_ONE_TURN)
        pages[0].wait_for_timeout(30)
    raise AssertionError("the hand does not end")


def test_script_and_page_recompute_a_hand_with_both_shares(
    open_page: Windows, tmp_path: Path, shot: TakeScreenshot
) -> None:
    match = make_unstarted_match()
    pages = open_two_dealt_windows(open_page, match)
    play_to_end(match, *pages)
    record = tmp_path / "1.json"
    record.write_text(pages[0].request.get(f"/m/{match.public_id}/hands/1.json").text())
    script = str(settings.BASE_DIR / "docs" / "verify_deal.py")
    message = subprocess.run(
        [sys.executable, script, str(record)], capture_output=True, text=True, check=True
    ).stdout
    assert f"ok, with the shares of seats 0, 1: match {match.public_id}, hand 1," in message
    page = pages[0]
    finish_animations(page)
    shot(page, "fair-sheet")
    page.goto(f"/m/{match.public_id}/hands/1/")
    shot(page, "fair-replay")
    page.get_by_role("link", name="How the cards were shuffled").click()
    expect(page).to_have_url(re.compile(r"/fair/$"))
    page.goto(f"/m/{match.public_id}/fair/")
    expect(page.get_by_role("status")).to_have_text("1 hand checked: it’s correct.")
    expect(page.locator(".fair-hand")).to_have_attribute("data-state", "fits")
    expect(page.locator(".fair-own")).to_contain_text("as this browser stored it")
    shot(page, "fair-fits")
    page.locator(".fair-bytes summary").click()
    shot(page, "fair-fits-parts")
    share = json.loads(record.read_text())["fair"]["shares"]["0"]
    expect(page.locator("[data-own]")).to_have_text(share)


def test_each_hand_of_a_match_has_a_share_and_a_check_mark(open_page: Windows) -> None:
    seats = [
        SeatSpec(name="Asha", user=make_user("Asha")),
        SeatSpec(name="Ben", bot="plain"),
    ]
    match = make_unstarted_match(seats=seats, hand_limit=3, between_seconds=2, bot_seconds=0.02)
    page = open_seat(open_page, match)
    wait_for_commitments(match, 0)
    services.start_match(match)
    play_to_end(match, page)
    for hand in match.hands.all():
        assert hand.deals.current.shares.keys() == {0}
        assert not hand.deals.void
    expect(page.locator("#alarm")).to_be_hidden()
    page.goto(f"/m/{match.public_id}/fair/")
    expect(page.get_by_role("status")).to_have_text("3 hands checked: all are correct.")
    expect(page.locator(".fair-own")).to_have_count(3)


def test_honest_deal_shows_no_banner_and_no_alarm(open_page: Windows) -> None:
    match = make_unstarted_match()
    page, _ = open_two_dealt_windows(open_page, match)
    finish_animations(page)
    assert page.evaluate("document.querySelector('.banners').getBoundingClientRect().height") == 0
    expect(page.locator("#alarm")).to_be_hidden()


def test_menu_links_to_the_verification_page(open_page: Windows, shot: TakeScreenshot) -> None:
    match = make_unstarted_match()
    page = open_seat(open_page, match)
    page.get_by_role("button", name="Menu").click()
    link = page.get_by_role("link", name="How the cards were shuffled")
    link.scroll_into_view_if_needed()
    shot(page, "fair-menu")
    expect(link).to_have_attribute("href", f"/m/{match.public_id}/fair/")
    expect(page.locator("dialog")).not_to_contain_text("doesn’t store data for the site")


def test_text_mode_contributes_a_share_like_any_window(open_page: Windows) -> None:
    match = make_unstarted_match()
    user = match.seats.get(number=0).user
    page: Page = open_page(user, path=f"{match.get_absolute_url()}?text=1")
    expect(page.locator("#command")).to_be_visible()
    open_seat(open_page, match, 1)
    wait_for_commitments(match, 0, 1)
    services.start_match(match)
    assert wait_for_deal(match).current.shares.keys() == {0, 1}


FORBID_STORAGE = """Object.defineProperty(window, "localStorage", {
  get() { throw new DOMException("denied", "SecurityError"); },
})"""


def test_browser_without_storage_contributes_and_names_its_limits(
    open_page: Windows,
) -> None:
    match = make_unstarted_match()
    page: Page = open_page(match.seats.get(number=0).user, path="about:blank")
    page.add_init_script(FORBID_STORAGE)
    page.goto(match.get_absolute_url())
    expect(page.locator("#table[data-live]")).to_be_attached()
    open_seat(open_page, match, 1)
    wait_for_commitments(match, 0, 1)
    services.start_match(match)
    assert wait_for_deal(match).current.shares.keys() == {0, 1}
    page.get_by_role("button", name="Menu").click()
    expect(page.locator("dialog")).to_contain_text("This browser doesn’t store data for the site")


def test_second_window_of_a_browser_reuses_its_share(open_page: Windows) -> None:
    match = make_unstarted_match()
    first = open_seat(open_page, match)
    wait_for_commitments(match, 0)
    second = first.context.new_page()
    first.close()
    second.goto(match.get_absolute_url())
    expect(second.locator("#table[data-live]")).to_be_attached()
    open_seat(open_page, match, 1)
    wait_for_commitments(match, 0, 1)
    services.start_match(match)
    assert wait_for_deal(match).current.shares.keys() == {0, 1}
    expect(second.locator("#alarm")).to_be_hidden()


def test_window_on_another_device_asks_once_about_the_other_share(
    open_page: Windows, shot: TakeScreenshot
) -> None:
    match = make_unstarted_match()
    open_seat(open_page, match)
    wait_for_commitments(match, 0)
    other = open_seat(open_page, match)
    alarm = other.locator("#alarm")
    expect(alarm).to_contain_text("in your name that this browser didn’t send.")
    shot(other, "fair-elsewhere")
    alarm.get_by_role("button", name="That was my other device").click()
    expect(alarm).to_be_hidden()
    other.reload()
    expect(other.locator("#table[data-live]")).to_be_attached()
    expect(alarm).to_be_hidden()


# Hostile servers


def leave_out_share(monkeypatch: pytest.MonkeyPatch, left_out: int) -> None:
    """Make the server leave a seat's commitment out of its lists."""
    honest = dealing._build_list_entry

    def omit_entry(snapshot: Snapshot, deals: Deals, seat: SeatNumber) -> str:
        return NO_NONE if seat == left_out else honest(snapshot, deals, seat)

    monkeypatch.setattr(dealing, "_build_list_entry", omit_entry)


def open_table_without_share(
    open_page: Windows, monkeypatch: pytest.MonkeyPatch, **options: Any
) -> Page:
    """Open Asha's window, and deal without her share."""
    match = make_unstarted_match()
    page, _ = open_seat(open_page, match, 0, **options), open_seat(open_page, match, 1)
    wait_for_commitments(match, 0, 1)
    leave_out_share(monkeypatch, 0)
    services.start_match(match)
    assert wait_for_deal(match).current.shares.keys() == {1}
    return page


def test_omitted_share_is_reported_and_play_continues(
    open_page: Windows, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    page = open_table_without_share(open_page, monkeypatch)
    alarm = page.get_by_role("alert").and_(page.locator("#alarm"))
    expect(alarm).to_contain_text(OMITTED_CONTRIBUTION)
    with page.expect_download() as waiting:
        alarm.get_by_role("button", name="Download the evidence").click()
    waiting.value.save_as(tmp_path / "evidence.json")
    evidence = json.loads((tmp_path / "evidence.json").read_text())
    [kept] = evidence["deals"]
    assert [complaint["code"] for complaint in kept["complaints"]] == ["left-out"]
    draw = get_hand(Match.objects.get()).deals.current.opened.list.draw
    assert share_commitment(draw, 0, bytes.fromhex(kept["share"])) == kept["mine"]
    page.reload()
    expect(alarm).to_contain_text(OMITTED_CONTRIBUTION)
    expect(page.locator(".card-button")).to_have_count(3)


def test_omitted_share_also_fails_on_the_verification_page(
    open_page: Windows, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = open_table_without_share(open_page, monkeypatch)
    match = Match.objects.get()
    services.abandon_match(match, "power")
    expect(page.locator(".sheet")).to_be_visible()
    page.goto(f"/m/{match.public_id}/fair/")
    expect(page.get_by_role("status")).to_have_text("1 hand doesn’t check out.")
    expect(page.locator(".fair-wrong")).to_contain_text(
        "your contribution is missing although the server had accepted it"
    )


def get_deal_with_reversed_list(snapshot: Snapshot, seat: SeatNumber | None) -> DealFacts | None:
    """Return a seat's view of the deal, with the list of shares reversed."""
    facts = deal_query.deal_facts(snapshot, seat)
    assert facts
    assert facts["list"]
    facts["list"]["seats"].reverse()
    facts["digest"] = ShareList.from_json(facts["list"]).digest().hex()
    return facts


def test_second_share_list_for_the_same_deal_is_reported(
    open_page: Windows, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = make_unstarted_match()
    page = open_seat(open_page, match)
    wait_for_commitments(match, 0)
    services.commit_share(match.pk, services.ShareTarget(SeatNumber(1), 1, 1), "11" * 32)
    monkeypatch.setattr(dealing, "OPEN_FOR", dealing.OPEN_FOR * 10)
    services.start_match(match)
    wait_for(lambda: 0 in get_hand(match).deals.current.shares, "Asha's share")
    monkeypatch.setattr("games.tables.view.deal_facts", get_deal_with_reversed_list)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator("#alarm")).to_contain_text(TWO_LISTS)


@pytest.mark.parametrize("size", [PHONE, DESKTOP, LANDSCAPE_PHONE], ids=["phone", "desk", "across"])
@pytest.mark.parametrize("look", ["light", "dark"])
def test_alarm_and_verification_page_fit_their_windows(
    open_page: Windows,
    monkeypatch: pytest.MonkeyPatch,
    shot: TakeScreenshot,
    size: ViewportSize,
    look: Any,
) -> None:
    page = open_table_without_share(open_page, monkeypatch, size=size, color_scheme=look)
    expect(page.locator("#alarm")).to_be_visible()
    finish_animations(page)
    shot(page, f"fair-alarm-{look}")
    assert page.evaluate(MEASURE_SCROLL) == [0, 0]
    assert all(each["open"] for each in page.evaluate(MEASURE_TARGETS, ".card-button, .action"))
    page.get_by_role("link", name="Play in text mode").press("Enter")
    expect(page.locator("#alarm")).to_contain_text(OMITTED_CONTRIBUTION)
    finish_animations(page)
    shot(page, f"fair-alarm-words-{look}")
    match = Match.objects.get()
    monkeypatch.undo()
    services.abandon_match(match, "power")
    page.goto(f"/m/{match.public_id}/fair/")
    expect(page.locator(".fair-wrong")).to_be_visible()
    shot(page, f"fair-wrong-{look}")
    assert page.evaluate(MEASURE_SCROLL)[0] == 0
