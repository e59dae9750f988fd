"""Browser tests of the live boards on the home page, an event's page and the hall screens."""

from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from games import store
from games.facts import turn_seat
from games.models import Match
from games.seats import player_at
from tests.browser.conftest import DESKTOP, PHONE, TakeScreenshot, Windows
from tests.browser.pages.test_look import find_size_problems, find_violations, set_color_scheme
from tests.browser.tables import act_for_seat, finish_animations
from tests.tournament.staging import first_table, match_of, play, running_round
from tests.typed import sure
from tournament.models import Round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TIMEOUT_MS = 30_000
PROJECTOR: ViewportSize = {"width": 1920, "height": 1080}
BOARD_SELECTOR = ".live-board"
HALL_PATH = "/e/cards/hall/?pages=live"
TRANSFERRED_BYTES = """() => performance.getEntriesByType("resource")
  .filter(({ name }) => /boards[.\\w]*\\.(css|js)|\\/boards\\//.test(name))
  .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)"""


def begin_live_round(players: int = 8, **fields: Any) -> Round:
    return running_round(players, slug="cards", title="Cards", viewers="live", **fields)


def play_next_action(match: Match) -> Match:
    """Carry out an available action of the player to act."""
    match.refresh_from_db()
    seat = sure(turn_seat(match))
    hand, position = store.load(match.pk).in_play
    [action, *_others] = position.view(sure(player_at(hand.players, seat)))["actions"]
    act_for_seat(match, seat, **action)
    match.refresh_from_db()
    return match


def read_card_counts(match: Match) -> list[str]:
    hand, position = store.load(match.pk).in_play
    seats = range(len(hand.players))
    return [str(position.counts[sure(player_at(hand.players, seat))]) for seat in seats]  # type: ignore[arg-type]


def wait_for_card_counts(page: Page, match: Match) -> None:
    """Wait until the match's board shows the current numbers of cards and the player to act."""
    board = page.locator(f"#live-{match.public_id}")
    shown = board.locator(".live-count [aria-hidden]")
    expect(shown).to_have_text(read_card_counts(match), timeout=TIMEOUT_MS)
    turn = match.seats.get(number=sure(turn_seat(match)))
    expect(board.locator(".turn bdi")).to_have_text(turn.said, timeout=TIMEOUT_MS)


@pytest.mark.parametrize(
    ("path", "size"), [("/", PHONE), ("/e/cards/", DESKTOP), (HALL_PATH, PROJECTOR)]
)
def test_boards_follow_each_move(
    open_page: Windows, shot: TakeScreenshot, path: str, size: ViewportSize
) -> None:
    played = begin_live_round()
    match = match_of(first_table(played))
    page = open_page(size=size, path=path)
    expect(page.locator(BOARD_SELECTOR)).to_have_count(2)
    page.evaluate("window.sameDocument = true")
    for _ in range(2):
        play_next_action(match)
        wait_for_card_counts(page, match)
    assert page.evaluate("window.sameDocument")
    assert page.evaluate("document.getAnimations().length") == 0
    page.locator(BOARD_SELECTOR).first.get_by_role("link").focus()
    play_next_action(match)
    wait_for_card_counts(page, match)
    assert page.evaluate("document.activeElement.href").endswith(match.get_absolute_url())


def test_boards_appear_and_disappear_with_the_tables(open_page: Windows) -> None:
    played = begin_live_round(4, hand_limit=1)
    page = open_page(path="/")
    expect(page.locator(BOARD_SELECTOR)).to_have_count(1)
    play(first_table(played))
    expect(page.locator("#boards")).to_be_empty(timeout=TIMEOUT_MS)


def test_home_page_loads_no_boards_without_visible_tables(open_page: Windows) -> None:
    running_round(4, slug="cards", viewers="hand")
    page = open_page(path="/")
    finish_animations(page)
    assert page.evaluate(TRANSFERRED_BYTES) == 0


@pytest.mark.parametrize("players", [6, 24])
def test_boards_fit_and_axe_finds_nothing(
    open_page: Windows, shot: TakeScreenshot, players: int
) -> None:
    played = begin_live_round(players, table_size=10 if players == 6 else 4)
    names = ["Dr Venkatanarasimharajuvaripeta Krishnamurthy", "Jo", "রবি চট্টোপাধ্যায়"]
    for table in played.tables.all():
        match = match_of(table)
        for seat, name in zip(match.seats.order_by("number"), names, strict=False):
            seat.name = name
            seat.save()
        store.forget(match.pk)
        for _ in range(14):
            play_next_action(match_of(table))
    for path, sizes in (
        ("/", (PHONE, DESKTOP)),
        ("/e/cards/", (PHONE, DESKTOP)),
        (HALL_PATH, (PROJECTOR,)),
    ):
        page = open_page(path=path, size=sizes[0])
        for size in sizes:
            page.set_viewport_size(size)
            expect(page.locator(BOARD_SELECTOR).first).to_be_visible()
            finish_animations(page)
            shot(page, f"boards-{players}-{path.strip('/').replace('/', '-')[:12]}")
            assert (path, find_size_problems(page, size)) == (path, [])
            assert (path, find_violations(page)) == (path, [])
        if path == "/":
            set_color_scheme(page, "dark")
            assert find_violations(page) == []
            assert 0 < page.evaluate(TRANSFERRED_BYTES) < 15_000
