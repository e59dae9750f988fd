"""Tests of leaving players out of a draw because they have not checked in."""

import pytest
from django.utils import timezone

from tests.tournament.helpers import (
    finish_paper_round,
    first_stage,
    get_refusal_code,
    make_organized_event,
    start_drafted_round,
)
from tournament.advancing.services import draw_bracket
from tournament.models import Event, Registration, Stage, User
from tournament.seating.left_out import find_left_out_players
from tournament.seating.services import seat_round

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def make_checked_in_event(players: int, here: int) -> tuple[Stage, User, list[int]]:
    """Create an event in which `here` of its players have checked in.

    Return its first stage, the organizer and the keys of the players who have not checked in.
    """
    event, organizer = make_organized_event(players, check_in=True)
    keys = list(event.registrations.order_by("pk").values_list("pk", flat=True))
    event.registrations.filter(pk__in=keys[:here]).update(checked_in_at=timezone.now())
    return first_stage(event), organizer, keys[here:]


def count_seated_players(stage: Stage) -> int:
    return Registration.objects.filter(seats__table__round__stage=stage).count()


@pytest.mark.parametrize(
    ("players", "here", "needs_confirmation"), [(20, 18, False), (20, 17, True)]
)
def test_leaving_out_more_than_a_tenth_needs_confirmation(
    players: int, here: int, *, needs_confirmation: bool
) -> None:
    stage, _organizer, _missing = make_checked_in_event(players, here)
    found = find_left_out_players(stage, 1)
    assert (len(found.people), found.here, found.expected_count, found.needs_confirmation) == (
        players - here,
        here,
        players,
        needs_confirmation,
    )


def test_up_to_a_tenth_are_left_out_without_confirmation() -> None:
    stage, organizer, _missing = make_checked_in_event(20, 18)
    seat_round(stage, organizer)
    assert count_seated_players(stage) == 18


def test_many_players_are_left_out_only_after_they_were_listed() -> None:
    stage, organizer, missing = make_checked_in_event(8, 5)
    assert get_refusal_code(seat_round, stage, organizer) == "left-out"
    assert get_refusal_code(seat_round, stage, organizer, without=missing[1:]) == "left-out"
    seat_round(stage, organizer, without=missing)
    assert count_seated_players(stage) == 5


def test_player_who_arrived_after_the_listing_is_seated() -> None:
    stage, organizer, missing = make_checked_in_event(8, 5)
    Registration.objects.filter(pk=missing[0]).update(checked_in_at=timezone.now())
    seat_round(stage, organizer, without=missing)
    assert count_seated_players(stage) == 6


def test_player_marked_absent_needs_no_further_decision() -> None:
    stage, organizer, missing = make_checked_in_event(8, 5)
    Registration.objects.filter(pk__in=missing).update(absent_at=timezone.now())
    assert find_left_out_players(stage, 1).expected_count == 5
    seat_round(stage, organizer)
    assert count_seated_players(stage) == 5


def test_no_players_are_left_out_without_check_in() -> None:
    stage, organizer, _missing = make_checked_in_event(8, 0)
    Event.objects.update(check_in=False)
    stage.event.refresh_from_db()
    assert not find_left_out_players(stage, 1).needs_confirmation
    seat_round(stage, organizer)
    assert count_seated_players(stage) == 8


def test_check_in_matters_only_for_the_first_bracket_round() -> None:
    stage, organizer, missing = make_checked_in_event(8, 6)
    Stage.objects.update(format=Stage.Format.BRACKET)
    stage.refresh_from_db()
    assert get_refusal_code(draw_bracket, stage, organizer) == "left-out"
    finish_paper_round(
        start_drafted_round(draw_bracket(stage, organizer, without=missing), organizer), organizer
    )
    Registration.objects.update(checked_in_at=None)
    assert find_left_out_players(stage, 2).people == []
