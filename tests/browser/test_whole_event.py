"""Test of a whole event in Chromium, including typical mishaps.

The test begins by uploading the eligibility list, and ends by importing the event into another
site.
"""

import re
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from games import services as games
from games.models import Match
from tests.browser.conftest import DESKTOP, PHONE, TakeScreenshot, Windows
from tests.browser.organizer import Organizer
from tests.browser.other_machine import OtherMachine, import_event_file, sign_in
from tests.browser.players import PlayerCrowd, play_by_taps, register_for_event, sign_up
from tests.browser.students import (
    BROKEN,
    NAMES,
    STRANGER,
    get_refusal_of_ineligible_student,
    make_email,
    make_roll_number,
    make_students_csv,
    send_registration,
)
from tests.factories import make_user
from tests.live import LiveSite
from tournament.attendance.services import check_in_by_code
from tournament.models import Event, Registration, Round, Table, TableSeat, User
from tournament.stages import winners
from tournament.standings.queries import leaderboard

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.sql]

PASSWORD = "queue-lantern-42"
MAX_PRESSES = 70
LATE_NAMES = NAMES[-3:]
WALK_IN = "Zoya"
# The first player's points at the table with physical cards.
WRITTEN_POINTS = 40


def test_whole_event_runs_from_registration_to_the_final(
    open_page: Windows,
    live_site: LiveSite,
    collected_static: Path,
    tmp_path: Path,
    shot: TakeScreenshot,
    capfd: pytest.CaptureFixture[str],
) -> None:
    organizer = Organizer(open_page(make_organizer_account(), size=DESKTOP, path="/admin/"))
    event = prepare_event(organizer, shot)
    people = register_all(open_page, event, shot)
    organizer.approve_all_registrations()
    organizer.expect_text("47 approved.")
    board = open_page(size=DESKTOP, path=f"/e/{event.slug}/leaderboard/")
    front = open_page(path=f"/e/{event.slug}/")
    check_in_last_round_players(organizer, event)
    first = seat_first_round(organizer, event)
    start_round_by_mistake(organizer)
    add_two_latecomers(organizer, first)
    organizer.start_round()
    handle_power_failure(organizer, first)
    play_first_round_in_browsers(organizer, event, live_site, people, board, shot)
    advance_eight_players(organizer, event)
    correct_misread_sheet(organizer, event, first, shot)
    play_second_round_and_final(organizer, event)
    announce_and_lock(organizer, event, front, shot)
    file = organizer.download_event("To keep.", tmp_path)
    repeat_on_second_device(open_page, event, file, collected_static)
    with capfd.disabled():
        sys.stderr.write(f"\npresses for the day of 47 students: {organizer.presses}\n")
    assert organizer.presses <= MAX_PRESSES


def make_organizer_account() -> User:
    return make_user("Odile", is_staff=True, is_superuser=True, email="odile@college.example")


def prepare_event(organizer: Organizer, shot: TakeScreenshot) -> Event:
    """Create an event, upload its eligibility list and publish it."""
    event = organizer.create_event(title="First Cup", ruleset="ocho", requires_approval="yes")
    conditions = "department = Chemical Engineering and programme = UG"
    organizer.change_settings(
        conditions=conditions, hand_limit="1", **{"stages-0-rounds_planned": "1"}
    )
    organizer.upload_list("students.csv", make_students_csv())
    shot(organizer.page, "import-preview")
    assert organizer.read_preview_counts() == {
        "New": "48",
        "Changed": "0",
        "Unchanged": "0",
        "Duplicate": "1",
        "Invalid": "1",
        "On the list but not in this file": "0",
    }
    assert event.students.count() == 0
    organizer.page.get_by_label("Leave out 2 invalid or duplicate rows").check()
    organizer.press("Apply 48 rows")
    organizer.expect_text("List saved: 48 new, 0 changed.")
    organizer.decide_ties_by_lot()
    organizer.open_tab("Desk")
    organizer.press("Publish event")
    organizer.expect_text("The event is published. Everyone can see it now.")
    return event


def register_all(open_page: Windows, event: Event, shot: TakeScreenshot) -> tuple[Page, Page]:
    """Register 47 students, two of them in browsers, and check that two others are refused."""
    asha, ben = (register_by_phone(open_page, event, number) for number in (1, 2))
    shot(asha, "registered")
    for number, name in enumerate(NAMES[2:], 3):
        assert send_registration(event, number, name).status_code == 302
    assert get_refusal_of_ineligible_student(event, *STRANGER) == (
        "This event is for students whose department is Chemical Engineering; on the "
        "eligibility list, yours is “Physics”."
    )
    assert get_refusal_of_ineligible_student(event, *BROKEN) == (
        "Your roll number and email address don’t match an entry on this event’s "
        "eligibility list. Check the number for typos, sign in with your college "
        "address, or ask the organizers."
    )
    assert event.registrations.count() == 47
    return asha, ben


def register_by_phone(open_page: Windows, event: Event, number: int) -> Page:
    page, name = open_page(size=PHONE), NAMES[number - 1]
    sign_up(page, name, make_email(name), PASSWORD)
    register_for_event(page, event, make_roll_number(number).lower())
    expect(
        page.get_by_text("The organizers haven’t approved your registration yet.")
    ).to_be_visible()
    return page


def check_in_last_round_players(organizer: Organizer, event: Event) -> None:
    """Check in all players except three latecomers, and add a walk-in."""
    organizer.open_check_in()
    for name in NAMES[2:-3]:
        check_in_by_code(event.registrations.get(name=name))
    organizer.check_in_together(NAMES[:2])
    organizer.add_walk_in(WALK_IN, "PHY-009", "An exchange student; the dean agrees.")


def seat_first_round(organizer: Organizer, event: Event) -> Round:
    """Seat 45 players, with Asha and Ben together and one table with physical cards."""
    played = organizer.draw_round()
    assert TableSeat.objects.filter(table__round=played).count() == 45
    seat_together(organizer, played)
    organizer.switch_to_cards(get_paper_table(played).number)
    organizer.publish_round()
    return played


def seat_together(organizer: Organizer, round_: Round) -> None:
    asha, ben = (get_seat(round_, name) for name in NAMES[:2])
    if asha.table != ben.table:
        neighbour = asha.table.seats.exclude(pk=asha.pk).order_by("number")[0]
        organizer.swap_players(ben.registration_id or 0, neighbour.registration_id or 0)
    assert get_seat(round_, "Asha").table == get_seat(round_, "Ben").table


def get_seat(round_: Round, name: str) -> TableSeat:
    return TableSeat.objects.get(table__round=round_, registration__name=name)


def get_paper_table(round_: Round) -> Table:
    """Return the table with physical cards, or the one that will get them."""
    marked = round_.tables.filter(paper=True).first()
    free = round_.tables.exclude(seats__registration__name__in=NAMES[:2])
    return marked or free.order_by("number")[0]


def start_round_by_mistake(organizer: Organizer) -> None:
    organizer.start_round()
    organizer.undo_start("Two have just come in.")


def add_two_latecomers(organizer: Organizer, first: Round) -> None:
    for name in LATE_NAMES[:2]:
        organizer.check_in(name)
    organizer.open_round("Round 1")
    organizer.correct_seats("Two came late.")
    assert TableSeat.objects.filter(table__round=first).count() == 47


def handle_power_failure(organizer: Organizer, first: Round) -> None:
    """Pause all tables, make rulings on four players, and resume all tables."""
    organizer.stop_all_tables("The lights are out")
    organizer.check_in(LATE_NAMES[2])
    table = first.tables.exclude(pk=get_paper_table(first).pk).exclude(
        seats__registration__name__in=NAMES[:2]
    )
    one, two, three = table.order_by("number")[:3]
    organizer.make_ruling(one.number, get_name_at(one, 0), "Mark as gone", "Is ill.")
    organizer.make_ruling(two.number, get_name_at(two, 0), "Mark as gone", "Missed the bus.")
    organizer.make_ruling(
        two.number, get_name_at(two, 1), "Disqualify", "Showed cards to a neighbour."
    )
    gone = get_name_at(three, 0)
    what = "Seat a substitute"
    organizer.make_ruling(three.number, gone, what, "Has an exam.", substitute=LATE_NAMES[2])
    organizer.resume_all_tables()


def get_name_at(table: Table, number: int) -> str:
    return str(table.seats.order_by("number")[number])


def play_first_round_in_browsers(
    organizer: Organizer,
    event: Event,
    site: LiveSite,
    people: tuple[Page, Page],
    board: Page,
    shot: TakeScreenshot,
) -> None:
    """Play the first round, and check that the leaderboard updates without a reload."""
    played = Round.objects.get(stage__event=event)
    board.evaluate("window.sameDocument = true")
    before = read_points(board)
    play_asha_and_ben(event, site, people, shot)
    play_round_with_bots(played)
    table = get_paper_table(played)
    organizer.open_table(table.number)
    organizer.enter_points([WRITTEN_POINTS, *[0] * (table.seats.count() - 1)])
    organizer.press("Save points")
    organizer.expect_text("The points have been saved and now count.")
    expect(board.get_by_text("provisional")).to_be_hidden(timeout=10_000)
    after = read_points(board)
    assert before != after
    assert sum(after) == sum(row.points for row in leaderboard(event).rows)
    assert board.evaluate("window.sameDocument"), "the leaderboard was loaded anew"
    shot(board, "leaderboard-after-round")
    organizer.close_round()


def read_points(board: Page) -> list[int]:
    """Return the points shown on a leaderboard page."""
    cells = board.locator("td.points").all_text_contents()
    return [int(text) for text in cells]


def play_asha_and_ben(
    event: Event, site: LiveSite, people: tuple[Page, Page], shot: TakeScreenshot
) -> None:
    users = [User.objects.get(email=make_email(name)) for name in NAMES[:2]]
    matches = Match.objects.filter(seats__user__in=users).exclude(phase=Match.Phase.OVER).distinct()
    match = matches.get()
    crowd = PlayerCrowd(site, [match], without=users)
    for page in people:
        open_own_table(page, event)
    assert play_by_taps(people, is_over=lambda: not matches.exists()) > 2
    shot(people[0], "table-over", full_page=False)
    crowd.wait_until_finished()


def open_own_table(page: Page, event: Event) -> None:
    page.goto(f"/e/{event.slug}/my-table/")
    page.get_by_role("link", name="Go to my table").click()
    expect(page.locator("#table[data-live]")).to_be_attached()


def play_round_with_bots(round_: Round) -> None:
    """Let bots finish every match of the round."""
    matches = Match.objects.filter(event_table__round=round_)
    for match in matches.exclude(phase=Match.Phase.OVER):
        games.play_out(match)
    assert {match.ended for match in matches.all()} <= {"hand-limit", "target"}


def advance_eight_players(organizer: Organizer, event: Event) -> None:
    organizer.open_tab("Who advances")
    organizer.page.locator("#id_qualify_rule").select_option("number")
    organizer.page.locator("#id_qualify_value").fill("8")
    organizer.page.locator("#id_cut_ties").select_option("lots")
    organizer.press("Show who would advance")
    organizer.press(re.compile("^Advance these 8 players$"))
    organizer.expect_text("8 players advance.")
    check_that_best_eight_advanced(event)


def check_that_best_eight_advanced(event: Event) -> None:
    through = set(event.stages.get(number=2).qualifiers.values_list("registration_id", flat=True))
    playing = Registration.State.APPROVED
    rows = [r for r in leaderboard(event).rows if r.registration.state == playing]
    last = rows[7].rank  # lots decide between players with this rank
    assert len(through) == 8
    assert through >= {row.registration.pk for row in rows if row.rank < last}
    assert through <= {row.registration.pk for row in rows if row.rank <= last}


def correct_misread_sheet(
    organizer: Organizer, event: Event, first: Round, shot: TakeScreenshot
) -> None:
    """Correct a misread score sheet after the cut, and let eight players advance again."""
    table = get_paper_table(first)
    # the same number of points as the leader, so that the player advances
    meant = leaderboard(event).rows[0].points
    organizer.open_round("Round 1")
    panel = organizer.page.locator(f"#table-{table.number}")
    panel.get_by_role("link", name="Points and corrections").click()
    organizer.enter_points([*[0] * (table.seats.count() - 1), meant])
    organizer.fill_in_reason("The sheet was read from the wrong side.", "#points")
    organizer.press("Show the consequences")
    shot(organizer.page, "correction-effect")
    organizer.press("Save points")
    organizer.expect_text("The points have been saved and now count.")
    organizer.open_tab("Who advances")
    expect(organizer.page.locator(".outdated-cut")).to_be_visible()
    shot(organizer.page, "outdated-cut")
    organizer.fill_in_reason("A sheet was read wrongly.", ".outdated-cut")
    organizer.press("Reopen", exact=True)
    organizer.press("Show who would advance")
    organizer.press("Advance these 8 players and draw their seats")
    organizer.expect_text(re.compile("have been drawn"))
    check_that_best_eight_advanced(event)
    last = table.seats.order_by("-number")[0].registration
    assert event.stages.get(number=2).qualifiers.filter(registration=last).exists()


def play_second_round_and_final(organizer: Organizer, event: Event) -> None:
    """Play the second round at two tables, and the final with the top two of each."""
    for tables in (2, 1):
        played = organizer.get_shown_round()
        assert [table.seats.count() for table in played.tables.all()] == [4] * tables
        organizer.publish_round()
        organizer.start_round()
        play_round_with_bots(played)
        organizer.close_round(and_draws=tables == 2)
    assert played.is_final


def announce_and_lock(
    organizer: Organizer, event: Event, front: Page, shot: TakeScreenshot
) -> None:
    """Announce the winner, check that the open pages show it, and lock the results."""
    organizer.open_tab("Desk")
    organizer.press("Announce winner")
    organizer.expect_text(re.compile(" won. Everyone can see it now.$"))
    event.refresh_from_db()
    winner = winners.winner(event)
    assert winner is not None
    final = Match.objects.get(event_table__round__is_final=True)
    points = {
        seat.name: total for seat, total in zip(final.seats.all(), sum_points(final), strict=True)
    }
    assert points[winner.registration.name] == max(points.values()) == winner.points
    expect(front.locator(".winner")).to_contain_text(winner.name)
    shot(front, "winner")
    organizer.open_tab("Afterwards")
    organizer.page.locator("#lock input[name=sure]").check()
    organizer.press("Lock results")
    organizer.expect_text("The results have been locked since")


def sum_points(match: Match) -> list[int]:
    """Return each seat's points in the finished hands, in seat order."""
    hands = [hand.points for hand in match.hands.all() if hand.points and not hand.void]
    return [sum(column) for column in zip(*hands, strict=True)]


def repeat_on_second_device(open_page: Windows, event: Event, file: Path, static: Path) -> None:
    """Import the event on a new site, and check that both sites show the same."""
    pages = [f"/e/{event.slug}/{path}" for path in ("leaderboard/", "leaderboard/?stage=1")]
    pages += [f"/e/{event.slug}/bracket/", f"/e/{event.slug}/results/"]
    visitor = open_page(size=DESKTOP)
    here = [read_page(visitor, open_page.site.url + path) for path in pages]
    with OtherMachine(static) as site:
        page = open_page(size=DESKTOP)
        sign_in(page, site)
        import_event_file(page, site, file)
        expect(
            page.get_by_text("has been imported, including everything done on the other server.")
        ).to_be_visible()
        assert [read_page(visitor, site.url + path) for path in pages] == here


def read_page(page: Page, address: str) -> str:
    answer = page.goto(address)
    assert answer is not None
    assert answer.status == 200, address
    return page.locator("main").inner_text()
