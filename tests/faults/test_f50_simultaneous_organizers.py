"""F50: two organizers, or an organizer and a student, acting at the same moment."""

from functools import partial

import pytest

from tests.factories import (
    make_event,
    make_organizer,
    make_registrations,
)
from tests.faults.cases import TryCounter
from tests.faults.stale import RulesPage, SettingsPage, map_errors
from tests.games.threads import run_in_threads
from tests.tournament.helpers import first_stage, make_organized_event, run_concurrently
from tests.tournament.web.admin.events.test_events import list_log_texts
from tournament.models import Round
from tournament.registration.services import approve, withdraw
from tournament.seating.services import publish_round, seat_round

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sql]


def test_withdrawal_during_approval_has_one_outcome() -> None:
    event = make_event(requires_approval=True)
    organizer = make_organizer(event)
    (registration,) = make_registrations(event, 1)
    calls = [lambda: approve(registration, organizer), lambda: withdraw(registration, organizer)]
    codes = run_concurrently(lambda _user, number: calls[number](), 2)
    registration.refresh_from_db()
    # The approval succeeds only if it comes before the withdrawal.
    assert (registration.state, sorted(codes)) in (
        ("withdrawn", ["", ""]),
        ("withdrawn", ["", "state"]),
    )


def test_simultaneous_draws_create_one_round() -> None:
    event, organizer = make_organized_event(8)
    stage = first_stage(event)
    run_concurrently(lambda _user, _number: seat_round(stage, organizer), 4)
    played = Round.objects.get()
    assert [table.seats.count() for table in played.tables.all()] == [4, 4]


def test_simultaneous_publishing_happens_once() -> None:
    event, organizer = make_organized_event(8)
    played = seat_round(first_stage(event), organizer)
    codes = run_concurrently(lambda _user, _number: publish_round(played, organizer), 4)
    assert sorted(codes) == ["", "state", "state", "state"]


def test_second_of_two_conflicting_settings_saves_reports_the_first(tries: TryCounter) -> None:
    for _ in tries(3, 100):
        event, _organizer = make_organized_event(0, place="Hall 1")
        one, two = SettingsPage(event), SettingsPage(event)
        answers = run_in_threads(
            partial(one.save, place="Hall 2"), partial(two.save, place="Hall 3")
        )
        assert sorted(map(len, map(map_errors, answers))) == [0, 1]
        event.refresh_from_db()
        assert event.place == ("Hall 2" if map_errors(answers[0]) == {} else "Hall 3")
        assert list_log_texts(event) == ["Changed: venue."]


def test_second_of_two_conflicting_rules_saves_reports_the_first(tries: TryCounter) -> None:
    for _ in tries(3, 100):
        event, _organizer = make_organized_event(0)
        one, two = RulesPage(event), RulesPage(event)
        answers = run_in_threads(partial(one.save, target="250"), partial(two.save, target="300"))
        assert sorted(map(len, answers)) == [0, 1]
        event.refresh_from_db()
        assert event.options == {"target": 250 if answers[0] == {} else 300}


def test_simultaneous_saves_of_different_settings_both_succeed(tries: TryCounter) -> None:
    for _ in tries(3, 100):
        event, _organizer = make_organized_event(0, place="Hall 1", capacity=40)
        one, two = SettingsPage(event), SettingsPage(event)
        answers = run_in_threads(
            partial(one.save, place="Hall 2"), partial(two.save, capacity="60")
        )
        assert list(map(map_errors, answers)) == [{}, {}]
        event.refresh_from_db()
        assert (event.place, event.capacity) == ("Hall 2", 60)
