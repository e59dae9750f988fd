"""Tests of the control room's rows: presence, issues, filters and sort orders."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from games.clocks.presence import make_socket_key
from games.json_values.state import LogNote
from games.models import Hand, Match, Seat
from tests.factories import UNREACHABLE_TARGET, give_role
from tests.games.unsaved import NOON
from tests.tournament.helpers import first_stage, make_organized_event, start_drafted_round
from tests.tournament.staging import first_table, match_of, organizer_of, play, running_round
from tests.typed import sure
from tournament.desk.control import (
    FILTERS,
    SORTS,
    ControlRoom,
    ControlRow,
    control_room,
    filter_rows,
    list_filters,
    no_matches_message,
)
from tournament.models import Event, Registration, Round
from tournament.results.services import enter_result
from tournament.rounds.services import abandon_table, pause, resume
from tournament.seating.services import seat_round

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def load_control_room(round_: Round) -> ControlRoom:
    return sure(control_room(round_.stage.event))


def get_first_row(round_: Round) -> ControlRow:
    return load_control_room(round_).rows[0]


def backdate_match_starts(round_: Round, seconds: int) -> None:
    """Backdate the start of all matches of the round by `seconds` seconds."""
    began = timezone.now() - timedelta(seconds=seconds)
    Match.objects.filter(event_table__round=round_).update(started_at=began)


def mark_everyone_present(round_: Round) -> None:
    seats = Seat.objects.filter(match__event_table__round=round_)
    seats.update(seen_at=timezone.now() + timedelta(seconds=60))


def change_first_match(round_: Round, **fields: object) -> Match:
    """Change fields of the first table's match and return the match."""
    match = match_of(first_table(round_))
    Match.objects.filter(pk=match.pk).update(**fields)
    return match


def test_event_without_a_round_has_no_control_room(event: Event) -> None:
    assert control_room(event) is None


def test_control_room_marks_present_disconnected_and_missing_players() -> None:
    played = running_round(4)
    seats = match_of(first_table(played)).seats.all()
    seats.filter(number=0).update(seen_at=timezone.now())
    seats.filter(number=1).update(seen_at=timezone.now() - timedelta(minutes=1))
    backdate_match_starts(played, 61)
    row = get_first_row(played)
    assert [chair.mark for chair in row.seats] == ["here", "away", "absent", "absent"]
    assert [chair.mark_text for chair in row.seats[:3]] == ["here", "away", "absent"]
    assert (row.attention, row.attention_text) == (["absent"], "absent")


def test_control_room_shows_players_whose_network_blocks_websockets() -> None:
    played = running_round(4)
    mark_everyone_present(played)
    assert load_control_room(played).polling_count == 0
    seats = match_of(first_table(played)).seats.all()
    seats.filter(number=0).update(controller=make_socket_key("abcdef", polled=True))
    seats.filter(number=1).update(controller=make_socket_key("abcdef"))
    room = load_control_room(played)
    assert ([chair.is_polling for chair in room.rows[0].seats][:2], room.polling_count) == (
        [True, False],
        1,
    )
    seats.filter(number=0).update(seen_at=timezone.now() - timedelta(minutes=1))
    assert load_control_room(played).polling_count == 0


def test_players_are_not_absent_in_the_first_minute() -> None:
    played = running_round(4)
    backdate_match_starts(played, 55)
    room = load_control_room(played)
    row = room.rows[0]
    assert {(chair.mark, chair.mark_text) for chair in row.seats} == {("coming", "not here yet")}
    counts = {choice.key: choice.count for choice in list_filters(room)}
    assert (row.attention, counts["attention"], counts["absent"]) == ([], 0, 1)
    match_of(first_table(played)).seats.filter(number=0).update(seen_at=NOON)
    assert get_first_row(played).attention == ["absent"]
    backdate_match_starts(played, 61)
    assert [chair.mark for chair in get_first_row(played).seats] == ["away", *["absent"] * 3]


def test_complete_table_needs_no_attention() -> None:
    played = running_round(4)
    mark_everyone_present(played)
    assert get_first_row(played).attention == []


def test_control_room_lists_missing_players_before_the_start() -> None:
    event, organizer = make_organized_event(4)
    seat_round(first_stage(event), organizer)
    assert control_room(event) is None
    played = Round.objects.get()
    Round.objects.update(state=Round.State.PUBLISHED)
    row = get_first_row(played)
    assert [chair.mark for chair in row.seats] == ["coming"] * 4
    assert (row.turn_time, row.elapsed, row.expected) == (None, None, None)
    assert row.attention == []
    Registration.objects.update(absent_at=timezone.now())
    assert get_first_row(played).attention == ["absent"]
    Registration.objects.update(absent_at=None)
    Registration.objects.update(seen_at=timezone.now())
    row = get_first_row(played)
    assert ([chair.mark for chair in row.seats], row.attention) == (["here"] * 4, [])


def test_turn_timer_stops_during_a_pause() -> None:
    played = running_round(4, bank_seconds=0)
    match = match_of(first_table(played))
    began = sure(match.turn_until) - timedelta(seconds=match.turn_seconds)
    change_first_match(played, turn_until=sure(match.turn_until) - timedelta(seconds=20))
    assert 20 <= sure(get_first_row(played).turn_time).total_seconds() < 30
    pause(played, organizer_of(played.stage.event))
    Match.objects.update(paused_at=began - timedelta(seconds=13))
    assert round(sure(get_first_row(played).turn_time).total_seconds()) == 7


def test_leader_and_expected_end_follow_from_the_hands() -> None:
    played = running_round(4, options=UNREACHABLE_TARGET)
    assert (get_first_row(played).leader, get_first_row(played).expected) == ("", None)
    play(first_table(played), 1)
    now = timezone.now()
    match = change_first_match(played, started_at=now - timedelta(minutes=5))
    Hand.objects.filter(match=match, number=1).update(points=[0, 2500, 0, 0], ended_at=now)
    row = get_first_row(played)
    assert (row.leader, row.leader_points) == (row.seats[1].seat.name, 2500)
    assert round((sure(row.expected) - now).total_seconds() / 60) == 15
    assert round(sure(row.elapsed).total_seconds() / 60) == 5


def test_points_do_not_predict_the_end_of_an_elimination_match() -> None:
    played = running_round(4, options={"scoring": "elimination", "target": 500})
    play(first_table(played), 1)
    assert get_first_row(played).expected is None


def test_table_with_an_overdue_action_is_stuck() -> None:
    played = running_round(4)
    mark_everyone_present(played)
    change_first_match(played, due=timezone.now() - timedelta(seconds=10))
    assert get_first_row(played).attention == []
    change_first_match(played, due=timezone.now() - timedelta(seconds=20))
    assert (get_first_row(played).attention, get_first_row(played).attention_text) == (
        ["stuck"],
        "stuck",
    )


def test_failed_table_is_stuck_until_its_retry() -> None:
    played = running_round(4)
    mark_everyone_present(played)
    now = timezone.now()
    change_first_match(
        played, due=now + timedelta(seconds=25), turn_until=now - timedelta(seconds=20)
    )
    assert get_first_row(played).attention == ["stuck"]


def test_table_waiting_for_a_second_organizer_is_marked() -> None:
    event, organizer = make_organized_event(4, second_person="all")
    other = make_organized_event(4)[1]
    give_role(event, other)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer)
    enter_result(played.tables.get(), organizer, [400, 0, 0, 0])
    assert get_first_row(played).attention == ["confirm"]


def test_abandoned_match_needs_a_result() -> None:
    played = running_round(4)
    abandon_table(first_table(played), organizer_of(played.stage.event), "The cards got wet.")
    assert get_first_row(played).attention == ["result"]


@pytest.fixture
def three_table_room() -> ControlRoom:
    """Provide the control room of a round with three tables.

    Table 1 needs no attention, a player is away at table 2, and table 3 is stuck.
    """
    played = running_round(12)
    mark_everyone_present(played)
    tables = {table.number: match_of(table) for table in played.tables.all()}
    tables[2].seats.filter(number=0).update(seen_at=NOON)
    Match.objects.filter(pk=tables[3].pk).update(due=timezone.now() - timedelta(minutes=1))
    later = sure(tables[1].turn_until) - timedelta(seconds=9)
    Match.objects.filter(pk=tables[1].pk).update(turn_until=later)
    return load_control_room(played)


def list_table_numbers(room: ControlRoom) -> list[int]:
    return [row.view.number for row in room.rows]


def test_tables_needing_attention_are_listed_first(three_table_room: ControlRoom) -> None:
    assert list_table_numbers(filter_rows(three_table_room, "all", "attention")) == [3, 2, 1]
    assert list_table_numbers(filter_rows(three_table_room, "all", "table")) == [1, 2, 3]
    assert list_table_numbers(filter_rows(three_table_room, "all", "turn"))[0] == 1
    assert list_table_numbers(filter_rows(three_table_room, "all", "end")) == [1, 2, 3]


@pytest.mark.parametrize(
    ("show", "tables"),
    [("all", [1, 2, 3]), ("attention", [2, 3]), ("absent", [2]), ("stuck", [3]), ("finished", [])],
)
def test_filters_select_matching_tables(
    three_table_room: ControlRoom, show: str, tables: list[int]
) -> None:
    assert list_table_numbers(filter_rows(three_table_room, show, "table")) == tables
    counts = {choice.key: choice.count for choice in list_filters(three_table_room)}
    assert counts[show] == len(tables)


def test_unknown_filter_keys_are_ignored(three_table_room: ControlRoom) -> None:
    assert list_table_numbers(filter_rows(three_table_room, "x", "y")) == [3, 2, 1]
    assert all(str(title) for title, _ in [*FILTERS.values(), *SORTS.values()])
    assert no_matches_message("all") != no_matches_message("stuck")


def test_round_is_complete_when_every_table_has_a_result() -> None:
    played = running_round(4, hand_limit=1)
    assert not load_control_room(played).all_finished
    play(first_table(played))
    assert load_control_room(played).all_finished


def test_table_with_a_damaged_deal_is_stuck_until_resumed() -> None:
    played = running_round(4)
    mark_everyone_present(played)
    state = match_of(first_table(played)).state
    damaged = replace(state, notes=(LogNote(0, 0, "damaged", {"number": 1}),))
    change_first_match(played, state=damaged, paused_at=timezone.now())
    row = get_first_row(played)
    expected = "paused: the hand must be dealt again"
    assert (row.view.state_text, row.attention) == (expected, ["stuck"])
    assert resume(played, organizer_of(played.stage.event)) == 1
    assert get_first_row(played).attention == []
