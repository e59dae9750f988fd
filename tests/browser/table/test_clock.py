"""Browser tests of the table's clocks and of absent players."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from games import services
from games.clocks.lag import MAX_GRACE
from games.models import Match
from games.seats import SeatNumber
from tests.browser.conftest import DESKTOP, TakeScreenshot, Windows
from tests.browser.tables import deal, finish_animations, open_seat, open_seat_with_interceptor
from tests.typed import sure

pytestmark = pytest.mark.browser

MINE, THEIRS, OTHERS = "R7 G4 B2", "Y1 G1 B1", "Y3 Y4 G9"


def locate_seat(page: Page, number: int) -> Locator:
    return page.locator(f".seat[data-seat='{number}']")


def backdate_sign_of_life(match: Match, number: int, seconds: float) -> None:
    """Set the time of the seat's last sign of life to `seconds` seconds ago."""
    when = timezone.now() - timedelta(seconds=seconds)
    match.seats.filter(number=number).update(seen_at=when)


def test_u41_others_see_how_long_a_player_has_been_and_may_be_absent(
    open_page: Windows, shot: TakeScreenshot
) -> None:
    match = deal([MINE, THEIRS, OTHERS], turn_seconds=60, absence_seconds=50)
    backdate_sign_of_life(match, 1, 12)
    page = open_seat(open_page, match)
    expect(locate_seat(page, 1)).to_contain_text(re.compile(r"away 1\d s"))
    expect(locate_seat(page, 1)).to_contain_text("50 s left")
    page.get_by_role("button", name="Red 7,").click()
    expect(page.locator("#prompt")).to_have_text(re.compile(r"^Ben is away \(4\d s left\)\.$"))
    shot(page, "clock-away")
    wide = open_seat(open_page, match, None, size=DESKTOP)
    expect(locate_seat(wide, 1)).to_contain_text(re.compile(r"4\d s left"))
    shot(wide, "clock-away")


def test_u42_table_acts_for_an_absent_player_until_they_return(open_page: Windows) -> None:
    match = deal([MINE, THEIRS], turn_seconds=60, absence_seconds=1, draw="G8 B8 Y8")
    backdate_sign_of_life(match, 1, 60)
    page = open_seat(open_page, match)
    page.get_by_role("button", name="Red 7,").click()
    log = page.locator("#log-panel")
    expect(log).to_contain_text("Ben is away. Ben draws 1 card.")
    expect(page.locator("#table")).to_have_attribute("data-my-turn", "")
    ben = open_seat(open_page, match, 1)
    expect(locate_seat(page, 1)).not_to_have_attribute("data-gone", "")
    page.get_by_role("button", name="Draw", exact=True).click()
    expect(ben.locator("#table")).to_have_attribute("data-my-turn", "")
    expect(ben.locator(".me .seat-line")).to_have_text(re.compile(r"^[56]\d s left$"))
    ben.get_by_role("button", name="Draw", exact=True).click()
    expect(log.locator("li").last).to_have_text("Ben draws 1 card.")


def test_u42_table_without_players_is_paused(open_page: Windows) -> None:
    match = deal([MINE, THEIRS], turn_seconds=60, absence_seconds=1)
    for number in (0, 1):
        backdate_sign_of_life(match, number, 60)
    services.tick(timezone.now() + timedelta(seconds=2))
    watching = open_seat(open_page, match, None)
    banner = watching.locator("#banner")
    words = "No one is here. The table is paused until someone comes back."
    expect(banner).to_have_text(words)
    mine = open_seat(open_page, match)
    expect(mine.locator("#table")).to_have_attribute("data-usable", "")
    expect(mine.locator(".me .seat-line")).to_have_text(re.compile(r"^[56]\d s left$"))
    expect(banner).to_be_hidden()


def test_u43_bank_runs_after_the_turn_time_and_then_the_table_acts(
    open_page: Windows, shot: TakeScreenshot
) -> None:
    match = deal([MINE, THEIRS], turn_seconds=1, bank_seconds=300)
    page, others = open_seat(open_page, match), open_seat(open_page, match, 1, size=DESKTOP)
    expect(page.locator(".me")).to_have_attribute("data-bank", "")
    for bank in (page.locator(".me .bank"), locate_seat(others, 0).locator(".seat-wait")):
        expect(bank).to_have_text(re.compile(r"^4:5\d left$"))
    expect(page.locator(".me .seat-line")).to_have_text("bank")
    shot(page, "clock-bank")
    shot(others, "clock-bank")
    until = sure(Match.objects.get(pk=match.pk).turn_until)
    services.tick(until - timedelta(seconds=1))
    assert not match.hands.get().actions.exists()
    services.tick(until + timedelta(seconds=MAX_GRACE))
    expect(page.locator("#log-panel")).to_contain_text("You ran out of time. You draw 1 card.")


def test_u45_extra_time_from_the_organizer_counts_immediately(
    open_page: Windows, shot: TakeScreenshot
) -> None:
    match = deal([MINE, THEIRS], turn_seconds=60, bank_seconds=30)
    page = open_seat(open_page, match)
    expect(page.locator(".me .bank")).to_have_text("bank 30 s")
    shot(page, "clock-turn")
    services.give_time(match, SeatNumber(0), 120)
    expect(page.locator(".me .seat-line")).to_have_text(re.compile(r"^(2:5\d|3:00) left$"))
    expect(page.locator("#log-panel")).to_contain_text(
        "An organizer gave Asha 120 s extra per turn."
    )


def test_u47_warnings_are_spoken_once_at_ten_and_five_seconds(open_page: Windows) -> None:
    match = deal([MINE, THEIRS], turn_seconds=60, bank_seconds=30)
    left = {"ms": 10_400}

    def expire_clock(message: dict[str, Any]) -> dict[str, Any]:
        if clock := message.get("view", {}).get("clock"):
            clock |= {"left_ms": 0, "bank_ms": left["ms"], "in_bank": True}
        return message

    page, line = open_seat_with_interceptor(open_page, match)
    line.to_page = expire_clock
    spoken = page.locator("#polite p")
    services.give_time(match, SeatNumber(1), 10)
    expect(spoken.filter(has_text="10 seconds left.")).to_have_count(1)
    left["ms"] = 5_400
    services.give_time(match, SeatNumber(1), 10)
    expect(spoken.filter(has_text="5 seconds left.")).to_have_count(1)
    expect(page.locator(".me .bank")).to_have_text("4 s left")
    expect(spoken.filter(has_text="seconds left")).to_have_text(
        [re.compile("10 seconds left"), re.compile("5 seconds left")]
    )


@pytest.mark.parametrize("language", ["en", "bn", "hi"])
@pytest.mark.parametrize(("turn_seconds", "bank_seconds"), [(95, 0), (1, 90)], ids=["turn", "bank"])
def test_points_next_to_a_clock_are_fully_visible_to_viewers_on_a_phone(
    open_page: Windows, shot: TakeScreenshot, language: str, turn_seconds: int, bank_seconds: int
) -> None:
    match = deal(
        [MINE, THEIRS, OTHERS, "B3 B4 B5"],
        before=[[388] * 4],
        turn_seconds=turn_seconds,
        bank_seconds=bank_seconds,
    )
    match.seats.update(seen_at=timezone.now() + timedelta(minutes=1))
    page = open_seat(open_page, match, None, locale=language)
    if bank_seconds:
        expect(page.locator(".seat[data-bank]")).to_be_visible()
    line = page.locator(".seat[data-turn] .seat-line")
    expect(line).to_contain_text("· 388")
    finish_animations(page)
    inner = "e => [e.scrollWidth - e.clientWidth, e.offsetWidth - e.parentElement.offsetWidth]"
    shot(page, f"clock-points-{language}-{turn_seconds}", full_page=False)
    beyond = line.evaluate(inner)
    assert max(beyond) <= 0, (line.text_content(), beyond)
