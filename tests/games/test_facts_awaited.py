"""Tests of the list of absent players for whom a table is waiting."""

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from games import facts, services
from games.facts import AwaitedPlayer
from games.models import Match, Seat
from tests.games.helpers import act, begin, make_match
from tests.typed import sure
from tournament.models import User

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def list_awaited_players(now: datetime | None = None) -> list[AwaitedPlayer]:
    return facts.list_awaited_players(User.objects.values("pk"), now or timezone.now())


def list_turns(now: datetime | None = None) -> list[tuple[int, str]]:
    """Return the seat and the identifier of each awaited turn."""
    seats = {seat.user_id: int(seat.number) for seat in Seat.objects.all()}
    turns = [each for each in list_awaited_players(now) if each.call != facts.BEGINS]
    return [(seats[each.user], each.call) for each in turns]


def begin_match_of_two(**fields: object) -> Match:
    """Begin a match of two players that started so long ago that only turns are awaited."""
    match = begin(["R1 R2 RS", "R3 R4 G5"], "R7", "R9 G2 G3 G4", **fields)
    Match.objects.update(started_at=timezone.now() - timedelta(minutes=6))
    return match


def test_absent_player_is_awaited_until_their_turn_ends() -> None:
    match = begin_match_of_two(turn_seconds=30)
    [awaited] = list_awaited_players()
    match.refresh_from_db()
    assert awaited.user == match.seats.get(number=0).user_id
    assert awaited.until == match.turn_until
    assert list_awaited_players(sure(match.turn_until) + timedelta(seconds=1)) == []


def test_identifier_of_a_turn_stays_the_same_during_the_turn() -> None:
    match = begin_match_of_two()
    first = list_turns()
    act(match, 0, {"draw": True})
    assert list_turns() == first
    act(match, 0, {"pass": True})
    second = list_turns()
    act(match, 1, {"play": "R3"})
    third = list_turns()
    assert [seat for [(seat, _name)] in (first, second, third)] == [0, 1, 0]
    assert len({*first, *second, *third}) == 3


def test_uno_call_does_not_start_a_new_turn() -> None:
    match = begin(["R1 R2", "R3 R4", "R6 R8"], "R7", "G1 G2 G3 G4")
    act(match, 0, {"play": "R1"})
    before = list_turns()
    act(match, 0, {"call": True})
    assert list_turns() == before


def test_player_with_an_open_or_just_closed_page_is_not_awaited() -> None:
    match = begin_match_of_two()
    seat = match.seats.filter(number=0)
    seat.update(here="process", seen_at=timezone.now() - timedelta(minutes=1))
    assert list_turns() == []
    seat.update(here="", seen_at=timezone.now())
    assert list_turns() == []
    assert [number for number, _name in list_turns(timezone.now() + timedelta(seconds=10))] == [0]


def test_only_the_given_users_are_awaited() -> None:
    match = begin_match_of_two()
    other = sure(match.seats.get(number=1).user_id)
    now = timezone.now()
    assert facts.list_awaited_players(User.objects.filter(pk=other).values("pk"), now) == []


def test_player_is_not_awaited_once_the_absence_limit_is_used_up() -> None:
    match = begin_match_of_two(turn_seconds=30, absence_seconds=10)
    match.refresh_from_db()
    [awaited] = list_awaited_players()
    assert awaited.until < sure(match.turn_until) - timedelta(seconds=15)
    began = sure(match.turn_until) - timedelta(seconds=30)
    assert list_awaited_players(began + timedelta(seconds=10.1)) == []


def test_no_player_is_awaited_at_a_paused_or_practice_table() -> None:
    match = begin_match_of_two()
    services.pause_match(match)
    assert list_awaited_players() == []
    services.resume_match(match)
    assert len(list_turns()) == 1
    Match.objects.update(practice=True)
    assert list_awaited_players() == []


def test_player_is_awaited_for_five_minutes_after_the_start() -> None:
    match = make_match(people=3, turn_seconds=3000)
    assert list_awaited_players() == []
    services.start_match(match)
    begins = [each for each in list_awaited_players() if each.call == facts.BEGINS]
    assert len(begins) + len(list_turns()) == 3
    match.refresh_from_db()
    assert {each.until for each in begins} == {sure(match.started_at) + facts.BEGINNING}
    match.seats.update(seen_at=sure(match.started_at) + timedelta(seconds=1))
    later = sure(match.started_at) + timedelta(seconds=60)
    assert [each.call for each in list_awaited_players(later) if each.call == facts.BEGINS] == []
    match.seats.update(seen_at=sure(match.started_at) - timedelta(minutes=3))
    assert len([each for each in list_awaited_players(later) if each.call == facts.BEGINS]) == len(
        begins
    )
    assert [
        e for e in list_awaited_players(later + facts.BEGINNING) if e.call == facts.BEGINS
    ] == []
