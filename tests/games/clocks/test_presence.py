"""Tests of presence at the table, and of the record of it in each process."""

from collections.abc import Collection
from datetime import datetime

import pytest

from games.clocks import presence
from games.clocks.presence import (
    GONE_SECONDS,
    Attendance,
    PresenceBook,
    PresentPlayer,
    make_socket_key,
)
from games.models import Match
from games.seats import SeatNumber
from tests.games.helpers import make_match
from tests.games.moving_clock import MovingClock
from tests.games.unsaved import NOON, seconds_after_noon

pytestmark = pytest.mark.sql


def make_present_player(last_seen: datetime | None, here: str = "") -> PresentPlayer:
    return PresentPlayer(1, last_seen, "", here)


@pytest.mark.parametrize(
    ("last_seen", "here", "now", "present", "gone_seconds"),
    [
        (None, "", 0, False, None),
        (NOON, "", 0, True, None),
        (NOON, "", GONE_SECONDS, True, None),
        (NOON, "", GONE_SECONDS + 0.001, False, 9),
        (NOON, "", 10, False, 10),
        (NOON, "", 70.9, False, 70),
        (NOON, "p1", 70.9, True, None),
        (NOON, "", -5, True, None),
    ],
)
def test_player_silent_for_nine_seconds_is_gone(
    last_seen: datetime | None, here: str, now: float, present: bool, gone_seconds: int | None
) -> None:
    someone = make_present_player(last_seen, here)
    assert someone.is_present(seconds_after_noon(now)) is present
    assert someone.silent_seconds(seconds_after_noon(now)) == gone_seconds


def test_socket_key_contains_the_process_and_whether_the_client_polls() -> None:
    for polled in (True, False):
        key = make_socket_key("abcdef", polled=polled)
        assert (key[:6], len(key)) == ("abcdef", 16)
        assert PresentPlayer(1, NOON, key).polled is polled
    assert PresentPlayer(1, NOON, "").polled is False


def test_player_is_gone_nine_seconds_after_the_last_message() -> None:
    assert make_present_player(NOON).gone_at == seconds_after_noon(GONE_SECONDS)
    assert make_present_player(None).gone_at is None


# --- attendance in one process


def make_attendance(*notes: tuple[int, int]) -> Attendance:
    """Return the attendance record after twenty sweeps.

    Each note gives a seat of match 1, and the number of sweeps for which it has been silent.
    """
    found = Attendance()
    found.sweeps = 20
    for seat, silent_sweeps in notes:
        found.record_silence(1, seat, silent_sweeps)
    return found


@pytest.mark.parametrize(
    ("notes", "silent"),
    [
        ([], {}),
        ([(7, 0)], {}),
        ([(7, 4)], {}),
        ([(7, 5)], {7: 1}),
        ([(7, 5), (8, 4)], {7: 1}),
        # For two windows of one seat, the most recently heard one counts.
        ([(7, 9), (7, 1)], {}),
        ([(7, 1), (7, 9)], {}),
        ([(7, 9), (7, 6)], {7: 1}),
    ],
)
def test_seat_is_silent_after_too_many_sweeps_without_a_message(
    notes: list[tuple[int, int]], silent: dict[int, int]
) -> None:
    assert make_attendance(*notes).silent_seats(4) == silent


def test_silence_grows_with_each_sweep_until_the_next_message() -> None:
    attendance = make_attendance((7, 3), (8, 3))
    attendance.sweeps += 2
    assert attendance.silent_seats(4) == {7: 1, 8: 1}
    attendance.record_silence(1, 7, 0)
    assert attendance.silent_seats(4) == {8: 1}
    attendance.forget([8, 99])
    assert attendance.silent_seats(4) == {}


# --- presence in all processes


@pytest.fixture
def match(db: None) -> Match:
    return make_match(people=2, bots=1)


def seat_key(match: Match, number: int) -> int:
    return match.seats.get(number=number).pk


def test_people_are_loaded_only_from_seats_with_a_user(match: Match) -> None:
    first, second = (match.seats.get(number=number) for number in (0, 1))
    assert presence.load_people([match.pk, 99]) == {
        match.pk: {0: make_unseen_player(first.user_id), 1: make_unseen_player(second.user_id)},
        99: {},
    }


def make_unseen_player(user: int | None) -> PresentPlayer:
    assert user is not None
    return PresentPlayer(user, None, "", "")


def test_arriving_socket_makes_the_player_present_and_may_take_control(match: Match) -> None:
    known, key = PresenceBook(), seat_key(match, 0)
    assert known.arrive(match.pk, key, "p1", "p1-s1") == [match.pk]
    found = known.people_of(match.pk)[SeatNumber(0)]
    assert (found.here, found.controller) == ("p1", "p1-s1")
    assert known.arrive(match.pk, key, "p2") == []
    found = known.people_of(match.pk)[SeatNumber(0)]
    assert (found.here, found.controller) == ("p2", "p1-s1")


def test_leaving_player_is_gone_unless_connected_elsewhere(match: Match) -> None:
    known, first, second = PresenceBook(), seat_key(match, 0), seat_key(match, 1)
    known.arrive(match.pk, first, "p1")
    known.arrive(match.pk, second, "p2")
    assert known.leave([first, second], "p1", [match.pk]) == [match.pk]
    people = known.people_of(match.pk)
    assert (people[SeatNumber(0)].here, people[SeatNumber(1)].here) == ("", "p2")
    gone = people[SeatNumber(0)].seen_at
    assert gone is not None
    assert match.seats.get(number=0).seen_at == gone
    assert known.leave([first], "p1", [match.pk]) == []


def test_each_change_of_presence_is_reported_once(match: Match, moving_clocks: MovingClock) -> None:
    known = PresenceBook()
    presence.record_presence([seat_key(match, 0)])
    assert known.refresh([match.pk]) == [match.pk]
    assert known.list_changed([match.pk]) == []
    moving_clocks.advance(GONE_SECONDS + 1)
    assert known.list_changed([match.pk]) == [match.pk]
    assert known.list_changed([match.pk]) == []


def test_stale_read_does_not_overwrite_a_later_arrival(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    known, key, people = PresenceBook(), seat_key(match, 0), presence.load_people

    def load_people_before_an_arrival(matches: Collection[int]) -> dict[int, presence.People]:
        monkeypatch.setattr(presence, "load_people", people)
        read = people(matches)
        known.arrive(match.pk, key, "p1", "p1-s2")
        return read

    monkeypatch.setattr(presence, "load_people", load_people_before_an_arrival)
    known.refresh([match.pk])
    assert known.people_of(match.pk)[SeatNumber(0)].controller == "p1-s2"
    known.arrive(match.pk, key, "p1", "p1-s3")
    assert known.people_of(match.pk)[SeatNumber(0)].controller == "p1-s3"


def test_keep_only_forgets_all_other_matches(match: Match) -> None:
    known = PresenceBook()
    known.arrive(match.pk, seat_key(match, 0), "p1")
    known.keep_only([match.pk])
    assert set(known.people_of(match.pk)) == {0, 1}
    known.keep_only([])
    assert known.people_of(match.pk) == {}
    assert known.refresh([match.pk]) == [match.pk]
