"""F50: two organizers, or an organizer and a student, at the same moment."""

from functools import partial

import pytest

from tests.factories import (
    make_event,
    make_organizer,
    make_registrations,
)
from tests.faults.cases import Tries
from tests.faults.stale import Rules, Settings, complaints
from tests.games.together import run_in_threads
from tests.tournament.helpers import first_stage, make_organized_event, run_concurrently
from tests.tournament.web.admin.events.test_events import log_of
from tournament.models import Round
from tournament.registration.services import approve, withdraw
from tournament.seating.services import publish_round, seat_round

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sql]


def test_a_withdrawal_during_the_approval_leaves_one_answer() -> None:
    event = make_event(requires_approval=True)
    organizer = make_organizer(event)
    (registration,) = make_registrations(event, 1)
    calls = [lambda: approve(registration, organizer), lambda: withdraw(registration, organizer)]
    codes = run_concurrently(lambda _user, number: calls[number](), 2)
    registration.refresh_from_db()
    # Approved and then withdrawn, or withdrawn and then nothing to approve.
    assert (registration.state, sorted(codes)) in (
        ("withdrawn", ["", ""]),
        ("withdrawn", ["", "state"]),
    )


def test_organizers_who_draw_at_once_make_one_round() -> None:
    event, organizer = make_organized_event(8)
    stage = first_stage(event)
    run_concurrently(lambda _user, _number: seat_round(stage, organizer), 4)
    played = Round.objects.get()
    assert [table.seats.count() for table in played.tables.all()] == [4, 4]


def test_organizers_who_publish_at_once_publish_once() -> None:
    event, organizer = make_organized_event(8)
    played = seat_round(first_stage(event), organizer)
    codes = run_concurrently(lambda _user, _number: publish_round(played, organizer), 4)
    assert sorted(codes) == ["", "state", "state", "state"]


def test_of_two_who_save_the_same_settings_at_once_one_is_told_of_the_other(tries: Tries) -> None:
    for _ in tries(3, 100):
        event, _organizer = make_organized_event(0, place="Hall 1")
        one, two = Settings(event), Settings(event)
        answers = run_in_threads(
            partial(one.save, place="Hall 2"), partial(two.save, place="Hall 3")
        )
        assert sorted(map(len, map(complaints, answers))) == [0, 1]
        event.refresh_from_db()
        assert event.place == ("Hall 2" if complaints(answers[0]) == {} else "Hall 3")
        assert log_of(event) == ["Changed: venue."]


def test_of_two_who_save_the_same_rules_at_once_one_is_told_of_the_other(tries: Tries) -> None:
    for _ in tries(3, 100):
        event, _organizer = make_organized_event(0)
        one, two = Rules(event), Rules(event)
        answers = run_in_threads(partial(one.save, target="250"), partial(two.save, target="300"))
        assert sorted(map(len, answers)) == [0, 1]
        event.refresh_from_db()
        assert event.options == {"target": 250 if answers[0] == {} else 300}


def test_of_two_who_save_different_settings_at_once_both_have_saved(tries: Tries) -> None:
    for _ in tries(3, 100):
        event, _organizer = make_organized_event(0, place="Hall 1", capacity=40)
        one, two = Settings(event), Settings(event)
        answers = run_in_threads(
            partial(one.save, place="Hall 2"), partial(two.save, capacity="60")
        )
        assert list(map(complaints, answers)) == [{}, {}]
        event.refresh_from_db()
        assert (event.place, event.capacity) == ("Hall 2", 60)
