"""Browser tests of pages that update automatically."""

import re

import pytest
from django.contrib.sessions.models import Session
from django.urls import reverse
from playwright.sync_api import Page, Route, expect

from games import services as games
from tests.browser.conftest import TakeScreenshot, Windows
from tests.factories import make_event, make_registrations
from tests.live import LiveSite
from tests.tournament.staging import (
    first_table,
    match_of,
    organizer_of,
    play,
    player_at,
    published_round,
    running_round,
)
from tournament.hall.queries import tables
from tournament.models import Round
from tournament.registration.services import approve
from tournament.rounds.services import close_round, pause, start_round
from tournament.standings.queries import leaderboard
from tournament.standings.rows import Leaderboard

# Long, because the machine may be busy and reconnecting may take time.
TIMEOUT_MS = 30_000

pytestmark = [pytest.mark.browser, pytest.mark.motion, pytest.mark.django_db(transaction=True)]


# Sets every row to rank 20 before each update, and records the marks of changed ranks. A test on a
# busy machine could miss these, because they disappear quickly.
RECORD_MARKS_FROM_RANK_20 = """() => {
  const board = document.getElementById("leaderboard");
  const everybodyTo20 = () => {
    for (const row of board.querySelectorAll("[data-rank]")) row.dataset.rank = 20;
  };
  window.marks = {};
  new MutationObserver(() => {
    for (const mark of board.querySelectorAll(".move")) {
      window.marks[mark.closest("tr").id] = `${mark.className} ${mark.textContent}`;
    }
    everybodyTo20();
  }).observe(board, { childList: true, subtree: true });
  everybodyTo20();
}"""


def get_board(round_: Round) -> Leaderboard:
    return leaderboard(round_.stage.event)


def read_leaderboard_rows(page: Page) -> list[tuple[str, str]]:
    """Return the id and the displayed points of each leaderboard row."""
    rows = page.locator("tr[data-rank]")
    return [
        (row.get_attribute("id") or "", row.locator(".points").inner_text()) for row in rows.all()
    ]


def list_points_by_row(round_: Round) -> list[tuple[str, str]]:
    rows = get_board(round_).rows
    return [(f"r{row.registration.pk}", str(row.points)) for row in rows]


def play_and_wait_for_points(page: Page, round_: Round, hands: int = 1) -> None:
    """Play hands at the first table, and wait until the page shows the new points."""
    play(first_table(round_), hands=hands)
    for row in get_board(round_).rows:
        points = page.locator(f"#r{row.registration.pk} td.points")
        expect(points).to_have_text(str(row.points), timeout=TIMEOUT_MS)


def test_u50_leaderboard_updates_after_every_hand_and_is_marked_provisional(
    open_page: Windows, shot: TakeScreenshot
) -> None:
    played = running_round(8, slug="cards")
    page = open_page(path="/e/cards/leaderboard/")
    page.evaluate("window.sameDocument = true")
    play_and_wait_for_points(page, played)
    assert read_leaderboard_rows(page) == list_points_by_row(played)
    expect(page.get_by_text("provisional")).to_be_visible()
    play_and_wait_for_points(page, played)
    assert read_leaderboard_rows(page) == list_points_by_row(played)
    shot(page, "leaderboard-live")
    assert page.evaluate("window.sameDocument")


def test_u50_leaderboard_is_final_after_the_last_hand(open_page: Windows) -> None:
    played = running_round(slug="cards", hand_limit=1)
    page = open_page(path="/e/cards/leaderboard/")
    expect(page.get_by_text("provisional")).to_be_visible()
    expect(page.locator(".playing-dot")).to_have_count(4)
    play_and_wait_for_points(page, played)
    expect(page.get_by_text("settled")).to_be_visible()
    expect(page.locator(".playing-dot")).to_have_count(0)
    assert read_leaderboard_rows(page) == list_points_by_row(played)


def test_rising_player_is_briefly_marked(open_page: Windows) -> None:
    played = running_round(8, slug="cards")
    page = open_page(path="/e/cards/leaderboard/")
    expect(page.locator("tr[data-rank]")).to_have_count(8)
    page.evaluate(RECORD_MARKS_FROM_RANK_20)
    play_and_wait_for_points(page, played)
    risen = {row.registration.pk: 20 - row.rank for row in get_board(played).rows}
    assert page.evaluate("window.marks") == {f"r{pk}": f"move up ▲{by}" for pk, by in risen.items()}
    expect(page.locator(".move, tr.up")).to_have_count(0, timeout=TIMEOUT_MS)


def test_players_own_row_stays_marked(open_page: Windows) -> None:
    played = running_round(slug="cards")
    user = player_at(first_table(played))
    mine = f"tr#r{user.registrations.get().pk}.you"
    page = open_page(user, path="/e/cards/leaderboard/")
    expect(page.locator(mine)).to_have_count(1)
    play_and_wait_for_points(page, played)
    expect(page.locator(mine)).to_have_count(1)


def test_live_updates_resume_after_a_server_restart(
    open_page: Windows, live_site: LiveSite
) -> None:
    open_page.expect("WebSocket|ERR_CONNECTION_REFUSED")
    played = running_round(slug="cards")
    page = open_page(path="/e/cards/leaderboard/")
    expect(page.locator("#leaderboard")).not_to_have_class("offline")
    live_site.stop()
    expect(page.locator("#leaderboard")).to_have_class("offline", timeout=TIMEOUT_MS)
    play(first_table(played), hands=1)
    live_site.start()
    play_and_wait_for_points(page, played)
    expect(page.locator("#leaderboard")).not_to_have_class("offline")


def test_hall_screen_keeps_updating_after_its_session_ends(
    open_page: Windows,
) -> None:
    played = running_round(slug="cards")
    page = open_page(organizer_of(played.stage.event), path="/e/cards/leaderboard/")
    expect(page.locator("#leaderboard")).not_to_have_class("offline")
    Session.objects.all().delete()
    expect(page.locator("#leaderboard")).to_have_class("offline", timeout=TIMEOUT_MS)
    play_and_wait_for_points(page, played)
    expect(page.locator("#leaderboard")).not_to_have_class("offline")


def test_failed_update_of_a_page_is_fetched_again(open_page: Windows) -> None:
    open_page.expect("502")
    published = published_round(slug="cards")
    page = open_page(player_at(first_table(published)), path="/e/cards/my-table/")
    answers = iter([502])

    def fail_once(route: Route) -> None:
        status = next(answers, None)
        route.fulfill(status=status, body="Bad gateway") if status else route.fallback()

    page.route("**/my-table/", fail_once)
    start_round(published, organizer_of(published.stage.event))
    link = page.get_by_role("link", name="Go to my table")
    expect(link).to_be_visible(timeout=TIMEOUT_MS)
    assert next(answers, None) is None


def test_control_room_warns_about_outdated_data(open_page: Windows) -> None:
    open_page.expect("503")
    played = running_round(slug="cards")
    event = played.stage.event
    page = open_page(organizer_of(event), path=reverse("admin:event-control", args=[event.pk]))
    page.route("**/control/?part*", lambda route: route.fulfill(status=503, body="Away"))
    expect(page.get_by_text("The tables below were last updated at")).to_be_visible(
        timeout=TIMEOUT_MS
    )
    page.unroute("**/control/?part*")
    expect(page.get_by_text("The tables below were last updated at")).to_be_hidden(
        timeout=TIMEOUT_MS
    )


def test_control_room_update_keeps_the_keyboard_focus(open_page: Windows) -> None:
    played = running_round(slug="cards")
    event = played.stage.event
    page = open_page(organizer_of(event), path=reverse("admin:event-control", args=[event.pk]))
    link = page.get_by_role("link", name="More")
    link.focus()
    pause(played, organizer_of(event))
    expect(page.get_by_role("button", name="Resume", exact=True)).to_be_visible(timeout=TIMEOUT_MS)
    expect(link).to_be_focused()


def test_live_pages_are_complete_without_javascript(open_page: Windows) -> None:
    played = running_round(8, slug="cards")
    play(first_table(played), hands=1)
    page = open_page(path="/e/cards/leaderboard/", java_script_enabled=False)
    assert read_leaderboard_rows(page) == list_points_by_row(played)
    page.goto("/accounts/login/")
    page.get_by_label("Email address").fill("nobody@college.example")
    page.get_by_label("Password").fill("wrong-wrong-wrong")
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_text("Wrong email address or password.")).to_be_visible()


def test_event_page_shows_each_state_of_its_round(open_page: Windows) -> None:
    published = published_round(slug="cards", hand_limit=1)
    event = published.stage.event
    page = open_page(path="/e/cards/")
    rounds = page.locator(".stage-round")
    expect(rounds).to_have_text(re.compile("Round 1 published"))
    expect(page.get_by_text("Registration open", exact=True)).to_be_visible()
    played = start_round(published, organizer_of(event))
    expect(rounds).to_have_text(re.compile("Round 1 in progress"), timeout=TIMEOUT_MS)
    expect(page.get_by_text("Under way", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="Watch a table")).to_be_visible()
    play(first_table(played))
    watch = page.get_by_role("link", name="Watch a table")
    expect(watch).to_have_count(0, timeout=TIMEOUT_MS)
    close_round(played, organizer_of(event))
    expect(rounds).to_have_text(re.compile("Round 1 closed"), timeout=TIMEOUT_MS)


def test_my_table_shows_a_link_once_the_match_starts(
    open_page: Windows, shot: TakeScreenshot
) -> None:
    played = published_round(slug="cards")
    table = first_table(played)
    page = open_page(player_at(table), path="/e/cards/my-table/")
    expect(page.get_by_text("The round hasn’t started yet.")).to_be_visible()
    expect(page.get_by_role("link", name="Go to my table")).to_have_count(0)
    start_round(played, organizer_of(played.stage.event))
    link = page.get_by_role("link", name="Go to my table")
    expect(link).to_be_visible(timeout=TIMEOUT_MS)
    shot(page, "my-table-started")
    table.refresh_from_db()
    assert link.get_attribute("href") == match_of(table).get_absolute_url()


def test_registration_page_shows_the_approval(open_page: Windows) -> None:
    event = make_event(slug="cards", requires_approval=True)
    [registration] = make_registrations(event, 1)
    page = open_page(registration.user, path="/e/cards/register/")
    expect(page.get_by_text("Waiting for approval")).to_be_visible()
    approve(registration, make_registrations(event, 1)[0].user)
    found = page.get_by_text("You have a spot. Your table will appear here")
    expect(found).to_be_visible(timeout=TIMEOUT_MS)


def test_tables_page_updates_after_every_hand(open_page: Windows) -> None:
    played = running_round(slug="cards")
    page = open_page(path="/e/cards/tables/")
    expect(page.locator(".seats .points")).to_have_text(["0"] * 4)
    play(first_table(played), hands=1)
    [shown] = tables(played.stage.event)[0].tables
    points = [str(seat.points) for seat in shown.seats]
    expect(page.locator(".seats .points")).to_have_text(points, timeout=TIMEOUT_MS)


def test_abandoned_match_disappears_from_my_table(open_page: Windows) -> None:
    played = running_round(slug="cards")
    table = first_table(played)
    page = open_page(player_at(table), path="/e/cards/my-table/")
    link = page.get_by_role("link", name="Go to my table")
    expect(link).to_be_visible()
    games.abandon_match(match_of(table), "The hall is closed.")
    page.reload()
    expect(link).to_have_count(0)


def test_u63_home_page_shows_a_started_match_without_a_reload(
    open_page: Windows,
) -> None:
    played = published_round(slug="cards")
    table = first_table(played)
    page = open_page(player_at(table))
    expect(page.get_by_text("Your match in")).to_have_count(0)
    start_round(played, organizer_of(played.stage.event))
    expect(page.get_by_text("Your match in")).to_be_visible(timeout=TIMEOUT_MS)
    page.wait_for_url(f"**{match_of(first_table(played)).get_absolute_url()}", timeout=TIMEOUT_MS)
