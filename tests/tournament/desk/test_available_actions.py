"""Tests of the actions that the pages of a table and a round offer."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games import services as games
from tests.factories import make_organizer
from tests.tournament.helpers import (
    first_stage,
    make_organized_event,
    make_second_stage,
    start_drafted_round,
)
from tests.typed import sure
from tournament.advancing.services import draw_bracket
from tournament.desk.available_actions import TableActions, find_round_actions, find_table_actions
from tournament.models import Event, Round, User
from tournament.results.queries import find_waiting_entry, result_of
from tournament.results.services import enter_result
from tournament.rounds.services import abandon_table, pause
from tournament.seating.services import publish_round, seat_round

pytestmark = pytest.mark.django_db


def make_drafted_round(**fields: object) -> tuple[Round, Event, User]:
    event, organizer = make_organized_event(4, **fields)
    return seat_round(first_stage(event), organizer), event, organizer


def get_table_actions(round_: Round) -> TableActions:
    table = round_.tables.get()
    return find_table_actions(result_of(table), find_waiting_entry(table.results.all()))


def list_action_names(actions: TableActions) -> set[str]:
    """Return the names of the offered actions."""
    return {name for name, yes in vars(actions).items() if yes is True}


def test_table_before_the_start_offers_extra_time_and_physical_cards() -> None:
    played, _event, _organizer = make_drafted_round()
    assert list_action_names(get_table_actions(played)) == {"reason_needed", "time", "medium"}


def test_running_match_offers_no_result_entry() -> None:
    played, _event, organizer = make_drafted_round()
    start_drafted_round(played, organizer, paper=False)
    on = {"live", "reason_needed", "time", "abandon", "medium"}
    assert list_action_names(get_table_actions(played)) == on
    pause(played, organizer)
    assert (get_table_actions(played).state, list_action_names(get_table_actions(played))) == (
        "paused",
        on,
    )


def test_abandoned_match_accepts_points_with_a_reason() -> None:
    played, _event, organizer = make_drafted_round()
    start_drafted_round(played, organizer, paper=False)
    abandon_table(played.tables.get(), organizer, "The hall closes.")
    assert list_action_names(get_table_actions(played)) == {"enter", "reason_needed", "medium"}


def test_finished_match_can_be_corrected_with_a_reason() -> None:
    played, _event, organizer = make_drafted_round(hand_limit=1)
    start_drafted_round(played, organizer, paper=False)
    games.play_out(sure(played.tables.get().match))
    assert list_action_names(get_table_actions(played)) == {"enter", "reason_needed"}


def test_paper_points_need_no_reason_but_may_need_a_second_organizer() -> None:
    played, event, organizer = make_drafted_round(second_person="all")
    make_organizer(event)
    start_drafted_round(played, organizer)
    assert list_action_names(get_table_actions(played)) == {"enter", "medium"}
    enter_result(played.tables.get(), organizer, [400, 300, 200, 100])
    assert list_action_names(get_table_actions(played)) == {"enter"}


def test_seats_can_change_until_the_start_with_a_reason_once_published() -> None:
    played, _event, organizer = make_drafted_round()
    found = []
    for step in (lambda: None, lambda: publish_round(played, organizer)):
        step()
        may = find_round_actions(Round.objects.get(pk=played.pk))
        found.append((may.changeable, may.with_reason))
    assert found == [(True, False), (True, True)]


def test_starting_a_round_closes_open_registration() -> None:
    played, event, _organizer = make_drafted_round()
    event.registration_closes = timezone.now() + timedelta(hours=1)
    event.save()
    assert find_round_actions(Round.objects.get(pk=played.pk)).starting == "closes"
    Event.objects.filter(pk=event.pk).update(state="running")
    assert find_round_actions(Round.objects.get(pk=played.pk)).starting == "stays"
    Event.objects.filter(pk=event.pk).update(registration_closes=timezone.now())
    assert find_round_actions(Round.objects.get(pk=played.pk)).starting == ""


def test_starting_a_bracket_round_closes_registration() -> None:
    event, organizer = make_organized_event(8)
    final = draw_bracket(make_second_stage(event, organizer, 4), organizer)
    Event.objects.filter(pk=event.pk).update(registration_closes=None)
    assert find_round_actions(Round.objects.get(pk=final.pk)).starting == "closes"
