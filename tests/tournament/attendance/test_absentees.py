"""Tests of the sentences about playing without the missing players."""

import pytest
from django.utils import timezone

from tests.factories import make_players
from tests.tournament.helpers import first_stage, make_organized_event
from tests.typed import sure
from tournament.attendance.absentees import find_absentees, find_unseated
from tournament.models import Event, Registration, Stage, User
from tournament.seating.services import publish_round, seat_round

pytestmark = [pytest.mark.django_db, pytest.mark.sql]
WAITLIST = Registration.State.WAITLIST


def make_checked_in_event(players: int, checked_in: int, **fields: object) -> tuple[Event, User]:
    """Create an event in which `checked_in` of the players have checked in."""
    event, organizer = make_organized_event(players, check_in=True, **fields)
    check_in_first_players(event, checked_in)
    return event, organizer


def check_in_first_players(event: Event, count: int) -> None:
    first = event.registrations.order_by("queue_number").values_list("pk")[:count]
    event.registrations.filter(pk__in=list(first.values_list("pk", flat=True))).update(
        checked_in_at=timezone.now()
    )


def fill_waitlist(event: Event, count: int) -> None:
    for registration in make_players(event, count):
        Registration.objects.filter(pk=registration.pk).update(state=WAITLIST)


@pytest.mark.parametrize(
    ("here", "expected"),
    [
        (9, ["With 9 players checked in, there would be 1 table of 5 and 1 table of 4."]),
        (8, ["With 8 players checked in, there would be 2 tables of 4."]),
        (5, ["With 5 players checked in, there would be 1 table of 5."]),
        (2, ["With 2 players checked in, there would be 1 table of 2."]),
        (1, ["A table needs at least 2 players; there are 1."]),
    ],
)
def test_tables_for_checked_in_players_are_previewed_before_the_draw(
    here: int, expected: list[str]
) -> None:
    event, _organizer = make_checked_in_event(10, here)
    found = find_absentees(event)
    assert (found.leaving, len(found.players)) == (expected, 10 - here)
    assert (found.round, found.seated) == (None, 0)


def test_sit_outs_are_counted_when_tables_cannot_seat_all_players() -> None:
    event, _organizer = make_checked_in_event(10, 9, options={"partners": True})
    assert find_absentees(event).leaving == [
        "With 9 players checked in, there would be 2 tables of 4.",
        "1 player would sit out.",
    ]


def test_bracket_absentees_must_be_withdrawn_to_free_their_seats() -> None:
    event, _organizer = make_checked_in_event(8, 7)
    event.stages.update(format=Stage.Format.BRACKET)
    assert find_absentees(event).leaving == [
        "Seats in a bracket are earned. If a player has left, withdraw that player so "
        "that the next one can step in."
    ]


def test_no_draw_is_previewed_after_all_stages_are_closed() -> None:
    event, _organizer = make_checked_in_event(8, 7)
    event.stages.update(state=Stage.State.CLOSED)
    assert find_absentees(event).leaving == []


def test_no_player_is_missing_without_check_in() -> None:
    event, _organizer = make_organized_event(8)
    assert find_absentees(event).players == []


@pytest.mark.parametrize(
    ("waiting", "state", "expected"),
    [
        (0, Event.State.OPEN, "The waitlist is empty, so no one would move up."),
        (1, Event.State.OPEN, "1 player would move up from the waitlist."),
        (5, Event.State.OPEN, "2 players would move up from the waitlist."),
        (0, Event.State.RUNNING, "The waitlist is empty, so no one would move up."),
        (
            1,
            Event.State.RUNNING,
            "1 player is waiting for a spot; approve anyone who can still come.",
        ),
        (
            5,
            Event.State.RUNNING,
            "5 players are waiting for a spot; approve anyone who can still come.",
        ),
    ],
)
def test_absentee_page_explains_who_gets_the_free_spots(
    waiting: int, state: str, expected: str
) -> None:
    event, _organizer = make_checked_in_event(8, 6)
    fill_waitlist(event, waiting)
    Event.objects.filter(pk=event.pk).update(state=state)
    event.refresh_from_db()
    assert find_absentees(event).withdrawing == expected


def test_drawn_round_counts_only_seated_absentees() -> None:
    event, organizer = make_checked_in_event(8, 8)
    played = publish_round(seat_round(first_stage(event), organizer), organizer)
    make_players(event, 1)  # arrives too late for a seat, and has not checked in
    event.registrations.filter(queue_number__in=(7, 8)).update(checked_in_at=None)
    found = find_absentees(event)
    assert (found.round, found.seated, len(found.players)) == (played, 2, 3)
    assert found.leaving  # the proposed repair of the tables


def test_drawn_round_is_unaffected_by_unseated_absentees() -> None:
    event, organizer = make_checked_in_event(13, 12)
    seat_round(first_stage(event), organizer)
    found = find_absentees(event)
    assert (found.round, found.seated, len(found.players)) == (None, 0, 1)
    assert found.leaving == ["With 12 players checked in, there would be 3 tables of 4."]


def test_late_arrival_has_no_seat_after_the_draw() -> None:
    event, organizer = make_organized_event(8)
    assert find_unseated(event) is None
    played = seat_round(first_stage(event), organizer)
    assert find_unseated(event) is None
    make_players(event, 2)
    found = sure(find_unseated(event))
    assert (found.round, found.count) == (played, 2)
    event.registrations.filter(queue_number=9).update(state=WAITLIST)
    assert sure(find_unseated(event)).count == 1
