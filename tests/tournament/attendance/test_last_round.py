"""Tests of switching check-in on during an event: players of the last round can be checked in."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import LoggedAction, Seat
from tests.tournament.helpers import (
    finish_paper_round,
    first_stage,
    get_refusal_code,
    make_organized_event,
    start_drafted_round,
)
from tests.tournament.staging import first_table, organizer_of, play, running_round
from tests.typed import sure
from tournament.attendance.last_round import find_last_round
from tournament.attendance.services import check_in, check_in_last_round_players, set_check_in
from tournament.models import Event, Registration, Round, TableSeat
from tournament.seating.services import seat_round

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture
def closed_round() -> Round:
    """Create a closed Round 1 of eight players, played with physical cards."""
    event, organizer = make_organized_event(8)
    return finish_paper_round(
        start_drafted_round(seat_round(first_stage(event), organizer), organizer), organizer
    )


def switch_on_check_in(event: Event, *, has_started: bool, **fields: object) -> int:
    """Switch check-in on, and return the number of players checked in automatically."""
    fields = {"check_in": True} | fields
    for name, value in fields.items():
        setattr(event, name, value)
    return set_check_in(event, organizer_of(event), fields, has_started=has_started)


def get_event(round_: Round) -> Event:
    return Event.objects.get(pk=round_.stage.event_id)


def test_switching_on_check_in_checks_in_the_players_of_the_last_round(
    closed_round: Round,
) -> None:
    event = get_event(closed_round)
    assert switch_on_check_in(event, has_started=True) == 8
    assert event.registrations.filter(checked_in_at=None).count() == 0
    assert find_last_round(event) is None
    assert seat_round(closed_round.stage, organizer_of(event)).tables.count() == 2


def test_players_of_the_last_round_can_be_checked_in_later(closed_round: Round) -> None:
    event = get_event(closed_round)
    assert switch_on_check_in(event, has_started=False) == 0
    assert len(sure(find_last_round(event)).people) == 8
    assert check_in_last_round_players(event, organizer_of(event)) == 8
    assert get_refusal_code(check_in_last_round_players, event, organizer_of(event)) == "nobody"


def test_players_check_in_again_if_check_in_opens_later(closed_round: Round) -> None:
    event = get_event(closed_round)
    later = timezone.now() + timedelta(hours=3)
    assert switch_on_check_in(event, has_started=True, check_in_opens=later) == 0


def test_checked_in_absent_and_forfeited_players_are_not_counted(closed_round: Round) -> None:
    event = get_event(closed_round)
    switch_on_check_in(event, has_started=False)
    one, two, three, *others = event.registrations.order_by("pk")
    check_in([one], organizer_of(event))
    Registration.objects.filter(pk=two.pk).update(absent_at=timezone.now())
    TableSeat.objects.filter(registration=three).update(forfeited=True)
    found = sorted(each.pk for each in sure(find_last_round(event)).people)
    assert found == [each.pk for each in others]


def test_substitute_counts_as_present_but_the_seat_owner_does_not(closed_round: Round) -> None:
    event = get_event(closed_round)
    owner, other, *_rest = event.registrations.order_by("pk")
    TableSeat.objects.filter(registration=other).delete()
    TableSeat.objects.filter(registration=owner).update(substitute=other)
    found = {each.pk for each in sure(find_last_round(event)).people}
    assert (owner.pk in found, other.pk in found) == (False, True)


def test_inactive_online_player_does_not_count_as_present() -> None:
    played = running_round(4, hand_limit=1)
    event = get_event(played)
    assert find_last_round(event) is None
    play(first_table(played))
    assert len(sure(find_last_round(event)).people) == 4
    LoggedAction.objects.update(auto=LoggedAction.AutomaticAction.AWAY)
    assert find_last_round(event) is None
    Seat.objects.filter(number=2).update(seen_at=timezone.now())
    [one] = sure(find_last_round(event)).people
    assert one == TableSeat.objects.get(number=2).registration


def test_last_round_is_recent_for_eight_hours(closed_round: Round) -> None:
    found = sure(find_last_round(get_event(closed_round)))
    assert found.is_recent
    found.round.closed_at = timezone.now() - timedelta(hours=9)
    assert not found.is_recent


def test_event_has_no_last_round_before_its_first_round() -> None:
    event, _organizer = make_organized_event(4)
    assert find_last_round(event) is None
