"""Tests of a participant's status in an event, and of presence before a round starts."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.factories import make_event, make_players
from tests.tournament.helpers import first_stage, make_organized_event, start_drafted_round
from tournament.attendance.services import SEEN_SECONDS, record_seen
from tournament.models import Event, Registration
from tournament.people.presence import (
    OPEN_SECONDS,
    Gathering,
    MissingPlayers,
    count_attendees,
    filter_attendees,
    find_gathering,
    find_playing_keys,
    is_present,
    make_attendee,
)
from tournament.seating.services import publish_round, seat_round

pytestmark = pytest.mark.sql

NOW = timezone.now()
State = Registration.State


def make_registration(
    name: str = "Asha", state: str = State.APPROVED, **fields: object
) -> Registration:
    return Registration(pk=1, name=name, state=state, **fields)


@pytest.mark.parametrize(
    ("registration", "playing", "text"),
    [
        (make_registration(state=State.PENDING), set(), "waiting for approval"),
        (make_registration(state=State.WAITLIST, checked_in_at=NOW), set(), "on the waitlist"),
        (make_registration(), set(), "has a spot"),
        (make_registration(checked_in_at=NOW), set(), "checked in"),
        (make_registration(checked_in_at=NOW), {1}, "playing now"),
        (make_registration(checked_in_at=NOW, absent_at=NOW), set(), "absent"),
        (make_registration(state=State.WITHDRAWN, checked_in_at=NOW), set(), "withdrawn"),
        (make_registration(state=State.REFUSED), set(), "rejected"),
    ],
)
def test_label_states_the_status_of_a_participant(
    registration: Registration, playing: set[int], text: str
) -> None:
    assert make_attendee(registration, playing).text == text


def test_presence_is_counted_only_for_players_with_a_spot() -> None:
    rows = [
        make_attendee(each, set())
        for each in (
            make_registration(checked_in_at=NOW),
            make_registration(),
            make_registration(absent_at=NOW),
            make_registration(state=State.WAITLIST, checked_in_at=NOW),
        )
    ]
    counts = count_attendees(rows)
    assert (counts.placed, counts.here, counts.missing, counts.absent) == (3, 1, 1, 1)
    assert counts.waiting == 1


def test_attendees_are_found_by_name_or_roll_number() -> None:
    rows = [
        make_attendee(make_registration("Asha", roll_number="CHE-7"), set()),
        make_attendee(make_registration("Ben"), set()),
    ]
    names = [
        [row.registration.name for row in filter_attendees(rows, asked, "")]
        for asked in ("ash", "7")
    ]
    assert names == [["Asha"], ["Asha"]]


@pytest.mark.parametrize(
    ("registration", "there"),
    [
        (None, True),
        (make_registration(), False),
        (make_registration(checked_in_at=NOW), True),
        (make_registration(seen_at=NOW), True),
        (make_registration(seen_at=NOW - timedelta(seconds=OPEN_SECONDS)), False),
        (make_registration(seen_at=NOW, absent_at=NOW), False),
    ],
)
def test_player_is_present_after_check_in_or_with_the_site_open(
    registration: Registration | None, there: bool
) -> None:
    assert is_present(registration, NOW) is there


@pytest.mark.django_db
def test_last_seen_time_is_stored_only_after_an_interval() -> None:
    event = make_event()
    player, other = make_players(event, 2)
    assert record_seen(event.pk, player.user_id)
    player.refresh_from_db()
    first = player.seen_at
    record_seen(event.pk, player.user_id)
    player.refresh_from_db()
    assert first is not None
    assert player.seen_at == first
    Registration.objects.update(seen_at=first - timedelta(seconds=SEEN_SECONDS + 1))
    record_seen(event.pk, player.user_id)
    player.refresh_from_db()
    other.refresh_from_db()
    assert player.seen_at is not None
    assert player.seen_at > first
    assert other.seen_at == first - timedelta(seconds=SEEN_SECONDS + 1)
    assert not record_seen(make_event().pk, player.user_id)


@pytest.mark.django_db
def test_arrivals_are_counted_for_a_published_round() -> None:
    event, organizer = make_organized_event(4)
    drawn = seat_round(first_stage(event), organizer)
    assert find_gathering(drawn) is None
    publish_round(drawn, organizer)
    drawn.refresh_from_db()
    names = [str(seat) for seat in drawn.tables.get().seats.order_by("number")]
    assert find_gathering(drawn) == Gathering(0, 4, [MissingPlayers(1, names)])
    Registration.objects.update(seen_at=timezone.now())
    assert find_gathering(drawn) == Gathering(4, 4, [])


@pytest.mark.django_db
def test_player_seated_in_a_running_round_is_playing() -> None:
    event, organizer = make_organized_event(4)
    assert find_playing_keys(event) == set()
    start_drafted_round(seat_round(first_stage(event), organizer), organizer)
    assert find_playing_keys(event) == set(event.registrations.values_list("pk", flat=True))


@pytest.mark.django_db
@pytest.mark.parametrize("state", [Event.State.DRAFT, Event.State.FINISHED])
def test_inactive_event_has_no_check_in(state: str) -> None:
    assert make_event(check_in=True, state=state).check_in_state == "off"
