"""Tests that seats cannot be changed, drawn or published from an outdated page."""

import pytest

from tests.factories import make_registrations
from tests.tournament.helpers import (
    first_stage,
    get_refusal_code,
    make_organized_event,
    make_second_stage,
)
from tournament.advancing.services import draw_bracket
from tournament.models import Round
from tournament.seating.changes import change_seats, repair_round
from tournament.seating.queries import compute_version, list_seated
from tournament.seating.services import publish_round, seat_round, unpublish_round

pytestmark = pytest.mark.django_db


def get_seating_version(round_: Round) -> str:
    return compute_version(round_.stage, round_.number)


def test_swap_sent_twice_does_not_swap_back() -> None:
    event, organizer = make_organized_event(8)
    played = seat_round(first_stage(event), organizer)
    seen, ((one, *_), (other, *_)) = get_seating_version(played), list_seated(played)
    who, target = event.registrations.get(pk=one), f"swap:{other}"
    change_seats(played, organizer, who, target, seen=seen)
    assert get_refusal_code(change_seats, played, organizer, who, target, seen=seen) == "changed"
    assert (list_seated(played)[0][0], list_seated(played)[1][0]) == (other, one)
    change_seats(played, organizer, who, target, seen=get_seating_version(played))
    assert (get_seating_version(played), list_seated(played)[0][0]) == (seen, one)


def test_outdated_page_cannot_redraw_a_manually_changed_draft() -> None:
    event, organizer = make_organized_event(8)
    stage = first_stage(event)
    before = compute_version(stage, 1)
    played = seat_round(stage, organizer, seen=before)
    assert get_refusal_code(seat_round, stage, organizer, seen=before) == "changed"
    drawn = get_seating_version(played)
    change_seats(played, organizer, event.registrations.all()[0], "out")
    changed_by_hand = list_seated(played)
    assert get_refusal_code(seat_round, stage, organizer, seen=drawn) == "changed"
    assert list_seated(played) == changed_by_hand
    seat_round(stage, organizer, "By lot after all.", seen=get_seating_version(played))
    assert sum(map(len, list_seated(played))) == 8


def test_outdated_page_cannot_redraw_a_manually_changed_bracket() -> None:
    event, organizer = make_organized_event(12)
    second = make_second_stage(event, organizer, 8)
    before = compute_version(second, 1)
    drawn = draw_bracket(second, organizer, seen=before)
    who = event.registrations.get(pk=list_seated(drawn)[0][0])
    change_seats(drawn, organizer, who, "bye")
    assert get_refusal_code(draw_bracket, second, organizer, seen=before) == "changed"
    assert len(list_seated(drawn)[0]) == 3


def test_outdated_page_cannot_repair_or_publish_a_draft() -> None:
    event, organizer = make_organized_event(7)
    played = seat_round(first_stage(event), organizer)
    seen = get_seating_version(played)
    one, other = list_seated(played)[0][0], list_seated(played)[1][0]
    change_seats(played, organizer, event.registrations.get(pk=one), f"swap:{other}")
    make_registrations(event, 1)
    assert get_refusal_code(repair_round, played, organizer, seen=seen) == "changed"
    assert get_refusal_code(publish_round, played, organizer, seen=seen) == "changed"
    repair_round(played, organizer, seen=get_seating_version(played))
    publish_round(played, organizer, seen=get_seating_version(played))
    assert played.state == Round.State.PUBLISHED


def test_outdated_page_cannot_change_an_unpublished_round() -> None:
    event, organizer = make_organized_event(8)
    played = seat_round(first_stage(event), organizer)
    publish_round(played, organizer)
    seen = get_seating_version(played)
    unpublish_round(played, organizer, "Two more came.")
    who = event.registrations.all()[0]
    assert (
        get_refusal_code(change_seats, played, organizer, who, "out", "Ill.", seen=seen)
        == "changed"
    )
