"""Tests of the number of buttons that organizers press on a whole day."""

import re
import sys
from dataclasses import dataclass
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from tests.factories import make_organizer, make_user
from tests.tournament.helpers import (
    finish_paper_round,
    make_organized_event,
    make_second_stage,
    start_drafted_round,
)
from tests.tournament.organizing import page
from tournament.advancing.services import draw_bracket
from tournament.attendance.services import check_in_by_code
from tournament.models import Event, Proposal, Round, User
from tournament.registration.services import register
from tournament.results.services import enter_result

pytestmark = pytest.mark.django_db

MAX_PRESSES = 60
STUDENT_COUNT = 120
# The limit for a day without corrections.
MAX_PRESSES_OF_QUIET_DAY = 26
FEW_STUDENTS = 26
FINISHED_FINALS = Round.objects.filter(is_final=True, state=Round.State.CLOSED)


class PressCounter:
    """Counter of the buttons that organizers press and the fields that they fill in or tick.

    Forms are submitted with the hidden fields that the pages contain.
    """

    def __init__(self) -> None:
        self.count = 0
        self.buttons = 0

    def submit_form(self, client: Client, address: str, fields: dict[str, Any], chosen: int) -> str:
        """Submit a form with `chosen` fields filled in, and return the resulting page."""
        self.count += 1 + chosen
        self.buttons += 1
        answer = client.post(address, fields, follow=True)
        shown = str(answer.content.decode())
        assert answer.status_code == 200
        wrong = re.search(r'class="(message )?error[^>]*>[^<]*|errornote[^>]*>[^<]*', shown)
        assert not wrong, (address, wrong[0])
        return shown

    def press(self, client: Client, address: str, action: str, **more: Any) -> str:
        """Press the button with this action in the form on the page."""
        shown = client.get(address).content.decode()
        form = next(f for f in re.findall(r"<form.*?</form>", shown, re.S) if f'"{action}"' in f)
        hidden = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form))
        return self.submit_form(client, address, hidden | {"action": action, **more}, len(more))


@dataclass
class EventDay:
    """An event, its two organizers and their browsers."""

    event: Event
    first: User
    one: Client
    two: Client
    presses: PressCounter

    def press(self, name: str, action: str, *rest: int, **more: Any) -> str:
        return self.presses.press(self.one, page(name, self.event, *rest), action, **more)


def enter_results(round_: Round, organizer: User) -> None:
    """Enter a result without ties for every table. The results differ between tables."""
    for table in round_.tables.all():
        others = [150 - 40 * n - table.number for n in range(table.seats.count() - 1)]
        enter_result(table, organizer, [400 + table.number, *others], "Counted.")


def run_round(day: EventDay) -> Round:
    """Run one round with as few button presses as possible.

    The results are entered without the pages, because they usually come from the tables.
    """
    event = day.event
    played = Round.objects.filter(stage__event=event).latest("ordinal")
    day.press("round", "publish", played.pk)
    played.tables.update(paper=True)  # so that no match has to be played
    day.press("round", "start", played.pk)
    enter_results(played, day.first)
    shown = day.one.get(page("control", event)).content.decode()
    day.press("control", "close-draw" if '"close-draw"' in shown else "close")
    return played


def create_event(presses: PressCounter, students: int = STUDENT_COUNT) -> EventDay:
    """Create an event with an uploaded list, required approval and two organizers."""
    first, second = make_organizer(), make_organizer()
    first.user_permissions.add(Permission.objects.get(codename="add_event"))
    one, two = Client(), Client()
    one.force_login(first)
    two.force_login(second)
    add = reverse("admin:tournament_event_add")
    what = {"title": "Day", "way": "turnout", "ruleset": "uno-400"}
    presses.submit_form(one, f"{add}?step=format", what, chosen=3)
    people = {"eligibility_required": "on", "requires_approval": "on", "check_in": "on"}
    presses.submit_form(one, f"{add}?step=people", people, chosen=2)
    presses.submit_form(one, f"{add}?step=when", {"place": "Hall A"}, chosen=1)
    rows = [
        f"R{number:03},Student {number},s{number}@college.example" for number in range(students)
    ]
    file = SimpleUploadedFile("list.csv", "\n".join(["Roll No.,Name,Email", *rows]).encode())
    presses.submit_form(one, f"{add}?step=sum", {"list": file}, chosen=1)
    day = EventDay(Event.objects.get(), first, one, two, presses)
    day.press("import", "apply", day.event.imports.get().pk)
    day.press("people", "role", user=second.pk, role="owner", reason="We are two.")
    return day


def check_in_students(day: EventDay, students: int = STUDENT_COUNT) -> None:
    """Register the students, approve them, and check them in as if with their own phones."""
    event = day.event
    day.press("desk", "publish")
    event.refresh_from_db()
    people = [
        register(
            event, make_user(f"Student {n}", email=f"s{n}@college.example"), roll_number=f"R{n:03}"
        )
        for n in range(students)
    ]
    assert len(people) == students
    day.press("desk", "approve-pending")
    assert event.registrations.filter(state="approved").count() == students
    for person in event.registrations.all():
        check_in_by_code(person)


def correct_points(day: EventDay, round_: Round) -> None:
    """Swap the points of two players at a table.

    One organizer requests the correction and the other confirms it.
    """
    table = round_.tables.order_by("number")[0]
    stood = table.results.latest("pk").points
    changed = [stood[1], stood[0], *stood[2:]]
    address = page("table", day.event, table.pk)
    fields = {"points": changed, "reason": "Swapped."}
    day.presses.submit_form(day.one, address, {"action": "preview", **fields}, chosen=3)
    day.presses.submit_form(day.one, address, {"action": "enter", **fields}, chosen=0)
    assert Proposal.objects.filter(event=day.event, state="waiting").count() == 1
    day.presses.press(day.two, page("waiting", day.event), "confirm")
    latest = table.results.latest("pk")
    assert (latest.points, latest.state) == (changed, "confirmed")


@pytest.mark.slow
@pytest.mark.patient
def test_full_day_with_120_students_takes_at_most_60_clicks(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Count the clicks of a full day, starting with “New event”.

    The day includes an eligibility list, approvals, check-in, a second organizer and two
    corrections.
    """
    presses = PressCounter()
    day = create_event(presses)
    check_in_students(day)
    day.press("rounds", "draw")
    rounds = [run_round(day) for _round in range(3)]
    correct_points(day, rounds[0])
    correct_points(day, rounds[2])
    day.press("qualify", "confirm-draw", sure="yes")
    while not FINISHED_FINALS.exists():
        run_round(day)
    day.press("desk", "announce")
    day.event.refresh_from_db()
    assert day.event.state == "finished"
    with capsys.disabled():
        sys.stdout.write(f"\npresses for {STUDENT_COUNT} students: {presses.count}\n")
    assert presses.count <= MAX_PRESSES


@pytest.mark.slow
@pytest.mark.patient
def test_simple_day_with_26_students_takes_at_most_26_clicks() -> None:
    """Count the clicks from “New event” to the winner, with check-in and a second organizer."""
    presses = PressCounter()
    day = create_event(presses, FEW_STUDENTS)
    check_in_students(day, FEW_STUDENTS)
    day.press("desk", "draw")
    for _round in range(3):
        run_round(day)
    day.press("qualify", "confirm-draw")
    while not FINISHED_FINALS.exists():
        run_round(day)
    day.press("desk", "announce")
    day.event.refresh_from_db()
    assert day.event.state == "finished"
    assert presses.buttons <= MAX_PRESSES_OF_QUIET_DAY


def test_round_stays_closed_if_the_next_one_cannot_be_drawn(
    client: Client, organizer: User
) -> None:
    event, organizer = make_organized_event(8)
    client.force_login(organizer)
    semi = start_drafted_round(
        draw_bracket(make_second_stage(event, organizer, 8), organizer), organizer
    )
    event.stages.filter(number=2).update(cut_ties="hand")
    for table in semi.tables.all():
        enter_result(table, organizer, [0, 200, 0, 0], "Counted.", override=True)
    fields = {"action": "close-draw", "round": semi.pk}
    shown = client.post(page("control", event), fields, follow=True).content.decode()
    semi.refresh_from_db()
    assert semi.state == "closed"
    assert "A tie-break hand must be played for the last spot" in shown


def test_no_draw_is_offered_after_the_final(client: Client, organizer: User) -> None:
    event, organizer = make_organized_event(8)
    client.force_login(organizer)
    final = start_drafted_round(
        draw_bracket(make_second_stage(event, organizer, 4), organizer), organizer
    )
    enter_results(final, organizer)
    shown = client.get(page("control", event)).content.decode()
    assert '"close-draw"' not in shown
    finish_paper_round(final, organizer)
