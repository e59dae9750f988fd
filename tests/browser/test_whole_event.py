"""A whole event in real Chromium: from the list of students to the winner of the second round."""

import re

import pytest
from django.test import Client
from playwright.sync_api import Page, expect

from games.models import Match
from tests.browser.conftest import DESKTOP, PHONE, Shot, Windows
from tests.browser.whole_event import Crowd, Organizer, play_by_taps, registers, signs_up
from tests.factories import make_user
from tests.live import LiveSite
from tests.typed import Response
from tournament import queries
from tournament.models import Event, Registration, Round, TableSeat, User

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PASSWORD = "queue-lantern-42"
FIRST = "Asha Ben Chitra Dev Esha Farid Gita Hari Ira Jai"
MORE = "Kiran Lila Mohan Nita Omar Pia Qadir Rosa Sana"
NAMES = [*FIRST.split(), *MORE.split()]
HEADING = "NAME,Roll No,E-Mail,Programme,Department,Year"


def email(name: str) -> str:
    return f"{name.lower()}@college.example"


def row(number: int, name: str, department: str = "Chemical Engineering") -> str:
    return f"{name},CHE-{number:03},{email(name)},UG,{department},2"


def students_csv() -> bytes:
    """22 students: 19 who may play, one of another department, a duplicate, a broken address."""
    rows = [row(number, name) for number, name in enumerate(NAMES, 1)]
    rows.append(row(20, "Tara", "Physics"))
    rows.append("Uma,che-001,uma@college.example,UG,Chemical Engineering,3")
    rows.append("Veer,CHE-022,veer at college,UG,Chemical Engineering,1")
    return "\n".join([HEADING, *rows]).encode("utf-8-sig")


def test_a_whole_event(open_page: Windows, live_site: LiveSite, shot: Shot) -> None:
    organizer = Organizer(open_page(organizer_account(), size=DESKTOP, path="/admin/"))
    event = prepare(organizer, shot)
    asha, ben = register_sixteen(open_page, event, shot)
    organizer.approves_everybody()
    organizer.told("16 approved.")
    board = open_page(size=DESKTOP, path=f"/e/{event.slug}/leaderboard/")
    front = open_page(path=f"/e/{event.slug}/")
    first_round(organizer, event, live_site, (asha, ben), board, shot)
    eight_go_through(organizer, event)
    second_round(organizer, event, live_site, (asha, ben), shot)
    winner_stands(organizer, event, front, shot)


def organizer_account() -> User:
    return make_user("Odile", is_staff=True, is_superuser=True, email="odile@college.example")


def prepare(organizer: Organizer, shot: Shot) -> Event:
    """An event with its list, published."""
    event = organizer.creates(title="First Cup", ruleset="ocho", requires_approval="yes")
    conditions = "department = Chemical Engineering and programme = UG"
    organizer.sets(conditions=conditions, hand_limit="2", **{"stages-0-rounds_planned": "1"})
    organizer.uploads("students.csv", students_csv())
    shot(organizer.page, "import-preview")
    assert organizer.counts() == {
        "New": "20",
        "Changed": "0",
        "The same": "0",
        "Duplicate": "1",
        "Faulty": "1",
        "On the list, not in this file": "0",
    }
    assert event.students.count() == 0
    organizer.page.get_by_label("Leave out the 2 faulty or duplicate rows").check()
    organizer.press("Apply 20 rows")
    organizer.told("The list is stored: 20 new, 0 changed.")
    organizer.lets_lots_decide_ties()
    organizer.goes("Desk")
    organizer.press("Publish the event")
    organizer.told("The event is published: everybody can see it now.")
    return event


def register_sixteen(open_page: Windows, event: Event, shot: Shot) -> tuple[Page, Page]:
    """Two sign up and register on their phones; the others send the same forms."""
    pages = []
    for number, name in enumerate(NAMES[:2], 1):
        page = open_page(size=PHONE)
        signs_up(page, name, email(name), PASSWORD)
        registers(page, event, f"che-{number:03}")
        expect(
            page.get_by_text("The organizers have yet to approve your registration.")
        ).to_be_visible()
        pages.append(page)
    shot(pages[0], "registered")
    for number, name in enumerate(NAMES[2:16], 3):
        assert sent_registration(event, name, number).status_code == 302
    assert refusal_of(event, "Tara", 20) == (
        "This event is for students whose department is Chemical Engineering; "
        "the list says “Physics” for you."
    )
    assert refusal_of(event, "Veer", 22) == (
        "Your roll number and your e-mail address were not found together on this event's list. "
        "Check the number for typing errors, sign in with your college address, or ask the "
        "organizers."
    )
    assert event.registrations.count() == 16
    return pages[0], pages[1]


def sent_registration(event: Event, name: str, number: int) -> Response:
    client = Client()
    client.force_login(make_user(name, email=email(name)))
    return client.post(f"/e/{event.slug}/register/", {"roll_number": f"CHE-{number:03}"})


def refusal_of(event: Event, name: str, number: int) -> str:
    """What the form says to somebody who may not register."""
    answer = sent_registration(event, name, number)
    assert answer.status_code == 400
    (sentence,) = [
        str(each) for errors in answer.context["form"].errors.values() for each in errors
    ]
    return sentence


def first_round(
    organizer: Organizer,
    event: Event,
    site: LiveSite,
    people: tuple[Page, Page],
    board: Page,
    shot: Shot,
) -> None:
    """Four tables play; Asha and Ben sit at one of them and tap; the leaderboard moves."""
    played = organizer.seats_a_round()
    assert [table.seats.count() for table in played.tables.all()] == [4, 4, 4, 4]
    bring_together(organizer, played)
    organizer.publishes()
    organizer.starts()
    board.evaluate("window.sameDocument = true")
    before = points_on(board)
    play(event, played, site, people, shot)
    expect(board.get_by_text("provisional")).to_be_hidden(timeout=10_000)
    after = points_on(board)
    assert before != after
    assert sum(after) == sum(row.points for row in queries.leaderboard(event).rows)
    assert board.evaluate("window.sameDocument"), "the leaderboard was loaded anew"
    shot(board, "leaderboard-after-round")
    organizer.closes_the_round()


def bring_together(organizer: Organizer, played: Round) -> None:
    """Swap Ben to Asha's table, as an organizer does by hand."""
    asha, ben = (seat_of(played, name) for name in NAMES[:2])
    if asha.table == ben.table:
        return
    neighbour = asha.table.seats.exclude(pk=asha.pk).order_by("number")[0]
    organizer.page.locator("select[name=player]").select_option(str(ben.registration_id))
    organizer.page.locator("select[name=target]").select_option(f"swap:{neighbour.registration_id}")
    organizer.press("Change")
    organizer.told("Ben is moved.")
    assert seat_of(played, "Asha").table == seat_of(played, "Ben").table


def seat_of(played: Round, name: str) -> TableSeat:
    return TableSeat.objects.get(table__round=played, registration__name=name)


def points_on(board: Page) -> list[int]:
    """The points column of a leaderboard page."""
    cells = board.locator("td.points").all_text_contents()
    return [int(text) for text in cells]


def play(
    event: Event, played: Round, site: LiveSite, people: tuple[Page, Page], shot: Shot
) -> None:
    """All tables to their end: whose seat has a window taps, all others play over sockets."""
    matches = Match.objects.filter(event_table__round=played)
    windows = [page for page, name in zip(people, NAMES, strict=False) if sits(page, event, name)]
    users = [User.objects.get(email=email(name)) for name in NAMES[:2]]
    crowd = Crowd(site, matches, without=users)
    if windows:
        going = matches.filter(seats__user__in=users).exclude(phase=Match.Phase.OVER)
        taps = play_by_taps(windows, over=lambda: not going.exists())
        assert taps > 4
        shot(windows[0], f"table-over-{played.pk}", full_page=False)
    crowd.played()
    assert {match.ended for match in matches.all()} <= {"hand-limit", "target"}


def sits(page: Page, event: Event, name: str) -> bool:
    """Bring the person's page to the table where a match waits for them, if there is one."""
    page.goto(f"/e/{event.slug}/my-table/")
    link = page.get_by_role("link", name="Go to my table")
    if not link.is_visible():
        return False
    link.click()
    expect(page.locator("#table[data-live]")).to_be_attached()
    return True


def eight_go_through(organizer: Organizer, event: Event) -> None:
    organizer.goes("Qualify")
    organizer.page.locator("#id_qualify_rule").select_option("number")
    organizer.page.locator("#id_qualify_value").fill("8")
    organizer.page.locator("#id_cut_ties").select_option("lots")
    organizer.press("Show whom this would send through")
    organizer.press(re.compile("^Send these 8 through$"))
    organizer.told("8 players go through.")
    through = set(event.stages.get(number=2).qualifiers.values_list("registration_id", flat=True))
    rows = queries.leaderboard(event).rows
    last = rows[7].rank  # lots decide between those who share it
    assert len(through) == 8
    assert through >= {row.registration.pk for row in rows if row.rank < last}
    assert through <= {row.registration.pk for row in rows if row.rank <= last}


def second_round(
    organizer: Organizer, event: Event, site: LiveSite, people: tuple[Page, Page], shot: Shot
) -> None:
    """Two tables of four, the best two of each in the final; a hand each, to save time."""
    organizer.limits_hands(1)
    for tables in (2, 1):
        played = organizer.seats_a_round()
        assert [table.seats.count() for table in played.tables.all()] == [4] * tables
        organizer.publishes()
        organizer.starts()
        play(event, played, site, people, shot)
        organizer.closes_the_round()
    assert played.is_final


def winner_stands(organizer: Organizer, event: Event, front: Page, shot: Shot) -> None:
    """The announcement reaches everybody who has the event's page open."""
    organizer.goes("Desk")
    organizer.press("Announce the winner")
    organizer.told(re.compile("has won: everybody can see it now.$"))
    event.refresh_from_db()
    winner = queries.winner(event)
    assert winner is not None
    final = Match.objects.get(event_table__round__is_final=True)
    points = {
        seat.name: total for seat, total in zip(final.seats.all(), totals(final), strict=True)
    }
    assert points[winner.registration.name] == max(points.values()) == winner.points
    expect(front.locator(".winner")).to_contain_text(winner.name)
    shot(front, "winner")
    assert Registration.objects.get(pk=winner.registration.pk).event == event


def totals(match: Match) -> list[int]:
    """Points by seat, added up from the finished hands."""
    hands = [hand.points for hand in match.hands.all() if hand.points and not hand.void]
    return [sum(column) for column in zip(*hands, strict=True)]
