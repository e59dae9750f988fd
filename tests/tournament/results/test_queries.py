"""Tests that a table has the same result whether it is loaded alone or with all others."""

from collections.abc import Callable
from copy import deepcopy
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from games.models import Match
from tests.factories import UNREACHABLE_TARGET
from tests.tournament.helpers import (
    finish_paper_round,
    first_stage,
    make_organized_event,
    start_drafted_round,
)
from tests.tournament.staging import first_table, play, running_round
from tests.typed import sure
from tournament.models import (
    Event,
    Registration,
    Result,
    Round,
    Ruling,
    Table,
    TableSeat,
    User,
)
from tournament.results.queries import result_of, table_results
from tournament.results.stages import stage_results
from tournament.seating.services import seat_round
from tournament.standings.freezing import freeze
from tournament.standings.queries import leaderboard

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

EventChange = Callable[[Event], object]


@pytest.fixture(scope="module")
def paper_event(shared_rows: None) -> Event:
    """Create an event with a closed round and a running one with points at one of two tables."""
    event, organizer = make_organized_event(8, table_size=4)
    finish_paper_round(
        start_drafted_round(seat_round(first_stage(event), organizer), organizer), organizer
    )
    second = start_drafted_round(seat_round(first_stage(event), organizer), organizer)
    create_result(second.tables.get(number=1), organizer, [250, 250, 40, 0])
    return event


@pytest.fixture(scope="module")
def site_event(shared_rows: None) -> Event:
    """Create an event with two tables, of which the first has finished one hand."""
    found = running_round(8, hand_limit=2, options=UNREACHABLE_TARGET)
    play(first_table(found), 1)
    return found.stage.event


def create_result(table: Table, by: User, points: list[int], state: str = "confirmed") -> Result:
    return Result.objects.create(table=table, points=points, state=state, entered_by=by)


def list_tables(event: Event) -> list[Table]:
    return list(Table.objects.filter(round__stage__event=event).order_by("round__number", "number"))


def list_standings(event: Event, *, public: bool = False) -> list[object]:
    """Return all standings rows, both with and without provisional results."""
    found = stage_results(Event.objects.get(pk=event.pk), public=public)
    rows = [row for counts in (True, False) for row in found.rows(provisional=counts)]
    return [(row, row.sentence, row.values) for row in rows]


def check_same_results(event: Event) -> None:
    """Check that each table has the same result when loaded alone and with all others.

    The check covers the results for the public and for organizers.
    """
    event = Event.objects.get(pk=event.pk)
    for public in (True, False):
        found = stage_results(event, public=public).tables
        assert found == [result_of(table, public=public) for table in list_tables(event)]
        assert found == stage_results(first_stage(event), public=public).tables


def update_event(event: Event, **fields: object) -> None:
    Event.objects.filter(pk=event.pk).update(**fields)


def list_seats(event: Event, number: int) -> list[TableSeat]:
    """Return the seats of one table of the event, by seat number."""
    return list(list_tables(event)[number].seats.order_by("number"))


def forfeit_seat(event: Event, number: int = 0) -> TableSeat:
    seat = list_seats(event, number)[0]
    TableSeat.objects.filter(pk=seat.pk).update(forfeited=True)
    return seat


def remove_best_player(event: Event, state: str = "disqualified") -> int:
    """Set the registration state of the first table's best player, and return the player's key."""
    found = list_seats(event, 0)[0].registration_id or 0
    Registration.objects.filter(pk=found).update(state=state, decided_at=timezone.now())
    return found


def deduct_points_from_second(event: Event) -> None:
    ruling = {"kind": Ruling.Kind.POINTS, "points": 60, "given_by": event.organizers.get()}
    who = sure(list_seats(event, 0)[1].registration_id)
    Ruling.objects.create(event=event, stage=first_stage(event), registration_id=who, **ruling)


def forfeit_player(event: Event) -> None:
    forfeit_seat(event)


def forfeit_player_keeping_points(event: Event) -> None:
    forfeit_seat(event)
    update_event(event, forfeits=Event.Forfeits.KEPT)


def disqualify_player(event: Event) -> None:
    remove_best_player(event)


def disqualify_player_to_last_place(event: Event) -> None:
    remove_best_player(event)
    update_event(event, disqualified=Event.Disqualified.LAST)


def withdraw_player(event: Event) -> None:
    remove_best_player(event, "withdrawn")


def replace_player_by_bot(event: Event) -> None:
    TableSeat.objects.filter(pk=list_seats(event, 0)[0].pk).update(registration=None, bot="plain")


def correct_result(event: Event) -> None:
    by = event.organizers.get()
    create_result(list_tables(event)[0], by, [0, 10, 20, 30])
    create_result(list_tables(event)[1], by, [900, 0, 0, 0], "entered")
    create_result(list_tables(event)[1], by, [0, 900, 0, 0], "undone")


def undo_result_correction(event: Event) -> None:
    Result.objects.filter(table=list_tables(event)[0]).update(state="undone")


def continue_table_with_cards(event: Event) -> None:
    """Switch the last table to physical cards, keeping the hands played so far."""
    last = list_tables(event)[-1].pk
    Table.objects.filter(pk=last).update(carried=[[30, 0, 0, 5], [0, 0, 7, 5]], paper=True)


def deduct_points(event: Event) -> None:
    deduct_points_from_second(event)


def set_lowest_scoring(event: Event) -> None:
    deduct_points_from_second(event)
    update_event(event, options={"scoring": "lowest"})


def miss_round(event: Event) -> None:
    TableSeat.objects.filter(pk=list_seats(event, 0)[0].pk).update(registration=None, bot="plain")
    Round.objects.filter(stage__event=event).update(state=Round.State.CLOSED)
    update_event(event, missed_rounds=Event.Missed.AVERAGE)


def count_missed_round_as_lost(event: Event) -> None:
    miss_round(event)
    update_event(event, missed_rounds=Event.Missed.LOSS)


def give_all_equal_points(event: Event) -> None:
    Result.objects.filter(table__in=list_tables(event)).update(points=[100, 100, 100, 100])
    update_event(event, tie_breakers=["head_to_head", "opponents", "lots"], lots_key="a" * 20)


def play_with_partners(event: Event) -> None:
    update_event(event, options={"partners": True})


def freeze_board_before_changes(event: Event) -> None:
    """Freeze the leaderboard and then make many changes that the public must not see."""
    freeze(event, event.organizers.get())
    later = timezone.now() + timedelta(minutes=1)
    correct_result(event)
    removed = remove_best_player(event)
    Registration.objects.filter(pk=removed).update(decided_at=later)
    seat = forfeit_seat(event, 1)
    ruling = {"kind": Ruling.Kind.FORFEIT, "given_by": event.organizers.get(), "table": seat.table}
    Ruling.objects.create(
        event=event, stage=first_stage(event), registration_id=sure(seat.registration_id), **ruling
    )
    deduct_points_from_second(event)


EVENT_CHANGES: tuple[EventChange, ...] = (
    forfeit_player,
    forfeit_player_keeping_points,
    disqualify_player,
    disqualify_player_to_last_place,
    replace_player_by_bot,
    correct_result,
    undo_result_correction,
    continue_table_with_cards,
    deduct_points,
    set_lowest_scoring,
    miss_round,
    count_missed_round_as_lost,
    give_all_equal_points,
    freeze_board_before_changes,
)


def test_paper_table_has_the_same_result_alone_and_among_all_tables(paper_event: Event) -> None:
    check_same_results(paper_event)


def test_online_table_has_the_same_result_alone_and_among_all_tables(site_event: Event) -> None:
    check_same_results(site_event)


@pytest.mark.parametrize("change", EVENT_CHANGES)
def test_changes_that_affect_points_change_the_standings(
    change: EventChange, paper_event: Event
) -> None:
    before = list_standings(paper_event)
    change(deepcopy(paper_event))
    check_same_results(paper_event)
    assert list_standings(paper_event) != before


@pytest.mark.parametrize("change", [withdraw_player, play_with_partners])
def test_changes_that_do_not_affect_points_keep_the_standings(
    change: EventChange, paper_event: Event
) -> None:
    before = list_standings(paper_event)
    change(deepcopy(paper_event))
    check_same_results(paper_event)
    assert list_standings(paper_event) == before


@pytest.mark.parametrize("change", [forfeit_player, correct_result, freeze_board_before_changes])
def test_online_table_has_the_same_result_in_all_queries_after_a_change(
    change: EventChange, site_event: Event
) -> None:
    change(deepcopy(site_event))
    check_same_results(site_event)


def test_changes_after_a_freeze_are_hidden_from_the_public(paper_event: Event) -> None:
    before = list_standings(paper_event, public=True)
    freeze_board_before_changes(deepcopy(paper_event))
    assert list_standings(paper_event, public=True) == before
    assert list_standings(paper_event, public=False) != before


def test_public_query_does_not_modify_loaded_registrations(paper_event: Event) -> None:
    freeze_board_before_changes(deepcopy(paper_event))
    event = Event.objects.get(pk=paper_event.pk)
    people = event.registrations.in_bulk()
    before = {pk: one.state for pk, one in people.items()}
    found = table_results(event, people, public=True)
    assert {pk: one.state for pk, one in people.items()} == before
    assert "disqualified" in before.values()
    assert not any(seat.out or seat.forfeited for at in found for seat in at.seats)


def test_event_without_rounds_has_no_tables() -> None:
    event, _organizer = make_organized_event(2)
    found = stage_results(event)
    assert found.tables == []
    assert [row.played for row in found.rows()] == [0, 0]


def test_number_of_leaderboard_queries_does_not_depend_on_the_number_of_tables(
    paper_event: Event, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    event, organizer = make_organized_event(4, table_size=4)
    with CaptureQueriesContext(connection) as queries:
        leaderboard(Event.objects.get(pk=paper_event.pk))
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer)
    create_result(played.tables.get(), organizer, [1, 2, 3, 4])
    with django_assert_num_queries(len(queries)):
        leaderboard(Event.objects.get(pk=event.pk))


def test_leaderboard_with_figures_shows_its_last_update(
    paper_event: Event, site_event: Event
) -> None:
    latest = Result.objects.filter(table__in=list_tables(paper_event)).latest("entered_at")
    assert leaderboard(paper_event, figures=True).updated_at == latest.entered_at
    assert leaderboard(site_event, figures=True).updated_at is None
    ended = Match.objects.filter(event_table__in=list_tables(site_event)[:1])
    ended.update(ended_at=latest.entered_at)
    assert leaderboard(site_event, figures=True).updated_at == latest.entered_at


def test_frozen_leaderboard_ignores_later_updates(paper_event: Event) -> None:
    event = deepcopy(paper_event)
    then = leaderboard(event, figures=True).updated_at
    event = freeze(event, event.organizers.get())
    later = create_result(list_tables(event)[-1], event.organizers.get(), [1, 2, 3, 4])
    assert leaderboard(event, figures=True).updated_at == then
    assert leaderboard(event, actual=True, figures=True).updated_at == later.entered_at
