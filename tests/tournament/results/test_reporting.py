"""Tests of points that players report for their table, and that others confirm or dispute."""

import pytest

from tests.factories import make_organizer, make_players, make_user
from tests.tournament.helpers import (
    first_stage,
    get_refusal,
    get_refusal_code,
    make_organized_event,
    start_drafted_round,
)
from tests.typed import sure
from tournament.desk.confirmation import confirm
from tournament.models import AuditEntry, Proposal, Report, Result, Round, Table, User
from tournament.results.reporting import answer_report, report_points
from tournament.results.reports import can_players_enter, find_pending_report, find_reported_table
from tournament.results.services import enter_result
from tournament.rounds.paper import set_paper
from tournament.rounds.services import close_round
from tournament.seating.services import seat_round

pytestmark = [pytest.mark.django_db, pytest.mark.sql]
POINTS = [400, 0, 0, 0]


def start_paper_table(confirming: str = "one", **fields: object) -> tuple[Table, list[User], User]:
    """Start a round with physical cards, and return its table, players and organizer."""
    event, organizer = make_organized_event(4, players_enter=confirming, **fields)
    table = start_drafted_round(seat_round(first_stage(event), organizer), organizer).tables.get()
    seats = table.seats.select_related("registration__user").order_by("number")
    return table, [sure(sure(seat.registration).user) for seat in seats], organizer


def list_result_states(table: Table) -> list[str]:
    return [result.state for result in table.results.all()]


def test_points_count_once_another_player_of_the_table_confirms() -> None:
    table, players, _organizer = start_paper_table()
    report = report_points(table, players[0], POINTS)
    assert list_result_states(table) == []
    assert answer_report(report, players[2], agrees=True).state == Report.State.AGREED
    result = table.results.get()
    assert (result.state, result.points) == (Result.State.CONFIRMED, POINTS)
    assert result.entered_by == players[0]
    assert find_reported_table(table, players[0]) is None


def test_points_wait_for_the_last_player_if_all_must_confirm() -> None:
    table, players, _organizer = start_paper_table("all")
    report = report_points(table, players[0], POINTS)
    for player in players[1:3]:
        assert answer_report(report, player, agrees=True).state == Report.State.OPEN
    shown = sure(find_reported_table(table, players[3]))
    assert [len(shown.agreed), len(shown.missing)] == [3, 1]
    assert (shown.is_own, shown.answered) == (False, False)
    answer_report(report, players[3], agrees=True)
    assert list_result_states(table) == ["confirmed"]


def test_disputed_points_wait_for_the_desk() -> None:
    table, players, organizer = start_paper_table("all")
    report = report_points(table, players[0], POINTS)
    answer_report(report, players[1], agrees=True)
    assert answer_report(report, players[2], agrees=False).state == Report.State.DISPUTED
    assert get_refusal_code(answer_report, report, players[3], agrees=True) == "state"
    assert get_refusal_code(report_points, table, players[0], POINTS) == "reported"
    assert sure(find_reported_table(table, players[3])).disputed == (players[2].display_name,)
    enter_result(table, organizer, [0, 400, 0, 0])
    assert find_pending_report(table) is None
    assert list_result_states(table) == ["confirmed"]


def test_player_may_dispute_points_after_confirming() -> None:
    table, players, _organizer = start_paper_table("all")
    report = report_points(table, players[0], POINTS)
    answer_report(report, players[1], agrees=True)
    assert answer_report(report, players[1], agrees=False).state == Report.State.DISPUTED


def test_reporter_can_withdraw_points_and_enter_new_ones() -> None:
    table, players, _organizer = start_paper_table()
    report = report_points(table, players[0], POINTS)
    assert answer_report(report, players[0], agrees=False).state == Report.State.DROPPED
    assert report_points(table, players[1], [0, 400, 0, 0]).by.user == players[1]


def test_points_cannot_be_confirmed_by_their_reporter_or_twice() -> None:
    table, players, _organizer = start_paper_table("all")
    report = report_points(table, players[0], POINTS)
    assert get_refusal_code(answer_report, report, players[0], agrees=True) == "answered"
    answer_report(report, players[1], agrees=True)
    assert get_refusal_code(answer_report, report, players[1], agrees=True) == "answered"


def test_only_players_of_the_table_report_or_confirm_points() -> None:
    table, players, organizer = start_paper_table()
    assert get_refusal_code(report_points, table, organizer, POINTS) == "no-seat"
    report = report_points(table, players[0], POINTS)
    assert get_refusal_code(answer_report, report, make_user(), agrees=True) == "no-seat"
    table.seats.filter(number=1).update(forfeited=True)
    assert get_refusal_code(answer_report, report, players[1], agrees=True) == "no-seat"


def test_only_the_substitute_may_confirm_for_a_replaced_player() -> None:
    table, players, _organizer = start_paper_table()
    [substitute] = make_players(table.round.stage.event, 1)
    table.seats.filter(number=1).update(substitute=substitute)
    report = report_points(table, players[0], POINTS)
    assert get_refusal_code(answer_report, report, players[1], agrees=True) == "no-seat"
    assert answer_report(report, sure(substitute.user), agrees=True).state == Report.State.AGREED


def test_players_report_points_only_if_the_event_allows_it() -> None:
    table, players, organizer = start_paper_table("nobody")
    assert get_refusal_code(report_points, table, players[0], POINTS) == "not-asked"
    assert find_reported_table(table, players[0]) is None
    table, players, organizer = start_paper_table()
    set_paper(table, organizer, False)
    assert get_refusal_code(report_points, table, players[0], POINTS) == "not-asked"


def test_reported_points_are_checked_like_desk_entries() -> None:
    table, players, _organizer = start_paper_table(hand_limit=1, round_minutes=None)
    refused = get_refusal(report_points, table, players[0], [9, 9, 9, 9])
    assert refused.code == "impossible"
    assert get_refusal_code(report_points, table, players[0], [1]) == "malformed"
    assert not Report.objects.exists()


def test_final_points_can_be_changed_only_by_the_desk() -> None:
    table, players, organizer = start_paper_table()
    enter_result(table, organizer, POINTS)
    assert get_refusal_code(report_points, table, players[0], [0, 400, 0, 0]) == "result"


def test_points_confirmed_at_the_table_still_need_a_second_organizer() -> None:
    table, players, organizer = start_paper_table(second_person="all")
    make_organizer(table.round.stage.event)
    report = report_points(table, players[0], POINTS)
    answer_report(report, players[1], agrees=True)
    assert list_result_states(table) == ["entered"]
    confirm(Proposal.objects.get(), organizer)
    assert list_result_states(table) == ["confirmed"]


def test_report_is_dropped_when_its_table_moves_to_the_site() -> None:
    table, players, organizer = start_paper_table()
    report = report_points(table, players[0], POINTS)
    set_paper(table, organizer, False)
    report.refresh_from_db()
    assert report.state == Report.State.DROPPED


def test_players_cannot_enter_points_in_a_closed_round() -> None:
    table, _players, organizer = start_paper_table()
    close_round(table.round, organizer, "The hall closes.")
    assert not can_players_enter(Table.objects.get(pk=table.pk))
    assert Round.objects.get().state == Round.State.CLOSED


def test_every_report_action_is_logged_with_its_actor() -> None:
    table, players, _organizer = start_paper_table()
    report = report_points(table, players[0], POINTS)
    answer_report(report, players[1], agrees=False)
    names = [player.display_name for player in players]
    rows = AuditEntry.objects.filter(action__startswith="report").order_by("pk")
    assert [(row.actor, row.text) for row in rows] == [
        (players[0], f"{names[0]} entered the points for Round 1, table 1: 400, 0, 0, 0."),
        (players[1], f"{names[1]} disputed the points for Round 1, table 1."),
    ]
