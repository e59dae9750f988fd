"""Tests of entering, correcting and undoing points, and of moving tables to physical cards."""

import pytest

from games import services as games
from games.models import Match
from tests.factories import make_organizer
from tests.tournament.helpers import (
    finish_paper_round,
    first_stage,
    get_refusal,
    get_refusal_code,
    make_finished_final,
    make_organized_event,
    start_drafted_round,
)
from tests.typed import sure
from tournament.advancing.services import reopen_event
from tournament.desk.confirmation import confirm, withdraw
from tournament.desk.proposals import list_pending
from tournament.models import AuditEntry, Event, Result, Table, User
from tournament.oversight.history_texts import history
from tournament.results.services import enter_result, is_far_reaching, undo_result
from tournament.rounds.paper import set_paper
from tournament.rounds.services import close_round
from tournament.seating.services import seat_round
from tournament.stages.winners import winner
from tournament.standings.queries import leaderboard

pytestmark = pytest.mark.django_db


def start_paper_table(**fields: object) -> tuple[Table, Event, User]:
    """Start a round with physical cards and return its table, event and organizer."""
    event, organizer = make_organized_event(4, **fields)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer)
    return played.tables.get(), event, organizer


def map_points(event: Event) -> dict[str, int]:
    return {row.name: row.points for row in leaderboard(event).rows}


def list_points_by_seat(table: Table, event: Event) -> list[int]:
    totals = map_points(event)
    return [totals[str(seat)] for seat in table.seats.all()]


def test_points_entered_by_an_organizer_count() -> None:
    table, event, organizer = start_paper_table()
    enter_result(table, organizer, [120, 410, 0, 35])
    assert list_points_by_seat(table, event) == [120, 410, 0, 35]
    assert close_round(table.round, organizer).state == "closed"


def test_correction_needs_a_reason_and_keeps_the_old_value() -> None:
    table, event, organizer = start_paper_table()
    enter_result(table, organizer, [120, 410, 0, 35])
    assert get_refusal_code(enter_result, table, organizer, [120, 420, 0, 35]) == "no-reason"
    enter_result(table, organizer, [120, 420, 0, 35], "Misread the sheet.")
    assert list_points_by_seat(table, event) == [120, 420, 0, 35]
    assert list(table.results.values_list("points", "reason")) == [
        ([120, 420, 0, 35], "Misread the sheet."),
        ([120, 410, 0, 35], ""),
    ]
    entry = AuditEntry.objects.get(action="correct")
    assert entry.text.endswith("table 1: 120, 420, 0, 35 (before: 120, 410, 0, 35).")


def test_undoing_a_correction_restores_the_old_value() -> None:
    table, event, organizer = start_paper_table()
    first = enter_result(table, organizer, [120, 410, 0, 35])
    second = enter_result(table, organizer, [0, 410, 0, 35], "Wrong line.")
    assert get_refusal_code(undo_result, first, organizer, "Why") == "not-latest"
    assert get_refusal_code(undo_result, second, organizer, "") == "no-reason"
    undo_result(second, organizer, "It was right.")
    assert list_points_by_seat(table, event) == [120, 410, 0, 35]
    assert get_refusal_code(undo_result, second, organizer, "Again") == "state"


def test_first_result_of_a_table_cannot_be_undone_after_the_winner_is_announced() -> None:
    event = make_finished_final([120, 410, 0, 35])
    table, organizer = Table.objects.get(), event.organizers.get()
    first = table.results.get()
    assert get_refusal_code(undo_result, first, organizer, "Not so.") == "state"
    correction = enter_result(table, organizer, [0, 410, 0, 35], "Wrong line.")
    undo_result(correction, organizer, "It was right.")
    assert sure(winner(event)).points == 410
    reopen_event(event, organizer, "Once more.")
    undo_result(first, organizer, "Not so.")


def test_unchanged_points_are_not_a_correction() -> None:
    table, _, organizer = start_paper_table()
    enter_result(table, organizer, [120, 410, 0, 35])
    assert get_refusal_code(enter_result, table, organizer, [120, 410, 0, 35], "So") == "same"


def test_second_organizer_confirms_points_if_the_event_requires_it() -> None:
    table, event, organizer = start_paper_table(second_person="all")
    second = make_organizer(event)
    enter_result(table, organizer, [120, 410, 0, 35])
    assert list_points_by_seat(table, event) == [0, 0, 0, 0]
    assert get_refusal_code(close_round, table.round, organizer) == "waiting"
    asked = event.proposals.get()
    assert get_refusal_code(confirm, asked, organizer) == "same-person"
    confirm(asked, second)
    assert list_points_by_seat(table, event) == [120, 410, 0, 35]
    assert get_refusal_code(confirm, asked, second) == "state"


def test_points_entered_after_online_hands_need_a_second_organizer() -> None:
    table, _event, _organizer = start_paper_table()
    assert not is_far_reaching(table)
    Table.objects.update(carried=[[30, 0, 0, 5]])
    assert is_far_reaching(table)


def test_single_organizer_needs_no_confirmation_despite_the_setting() -> None:
    table, event, organizer = start_paper_table(second_person="all")
    enter_result(table, organizer, [120, 410, 0, 35])
    assert (list_points_by_seat(table, event), event.proposals.count()) == ([120, 410, 0, 35], 0)


def test_pending_points_must_be_withdrawn_before_others_are_entered() -> None:
    table, event, organizer = start_paper_table(second_person="all")
    make_organizer(event)
    enter_result(table, organizer, [120, 410, 0, 35])
    assert get_refusal_code(enter_result, table, organizer, [130, 410, 0, 35]) == "waiting"
    assert get_refusal_code(undo_result, table.results.get(), organizer, "No") == "waiting"
    withdraw(event.proposals.get(), organizer)
    enter_result(table, organizer, [130, 410, 0, 35])
    assert [r.state for r in Result.objects.order_by("pk")] == ["undone", "entered"]


@pytest.mark.parametrize(
    ("entered", "words"),
    [
        ([400, 0, 0], "The table has 4 seats, but points were entered for 3."),
        ([400, -5, 0, 0], "Points cannot be negative."),
        (
            [99999999999, 0, 0, 0],
            "99999999999 points is too many. At most 99999 can be entered.",
        ),
    ],
)
def test_invalid_points_are_refused_despite_a_reason(entered: list[int], words: str) -> None:
    table, _, organizer = start_paper_table()
    refused = get_refusal(enter_result, table, organizer, entered, "So it was.", override=True)
    assert (refused.code, refused.sentence) == ("malformed", words)


def test_impossible_points_are_refused_with_a_message() -> None:
    table, _, organizer = start_paper_table(hand_limit=2, round_minutes=None)
    refused = get_refusal(enter_result, table, organizer, [300, 300, 300, 300])
    assert (refused.code, refused.sentence) == (
        "impossible",
        "Only one side scores in each hand, so these totals would take 4 hands. The "
        "match has only 2 hands.",
    )


def test_impossible_points_count_with_a_stored_reason() -> None:
    table, event, organizer = start_paper_table(hand_limit=2)
    entered = [300, 300, 300, 300]
    refused = get_refusal(enter_result, table, organizer, entered, " ", override=True)
    assert (refused.code, refused.sentence) == (
        "no-reason",
        "Give a reason for counting these points anyway. It will be recorded and shown.",
    )
    result = enter_result(table, organizer, entered, "Agreed with all four.", override=True)
    assert (result.overridden, result.reason) == (True, "Agreed with all four.")
    assert list_points_by_seat(table, event) == entered
    entry = AuditEntry.objects.get(action="enter")
    assert entry.text.endswith(
        "These points count even though no combination of cards adds up to them."
    )


def test_possible_points_are_not_marked_as_an_override() -> None:
    table, _, organizer = start_paper_table()
    assert not enter_result(table, organizer, [400, 0, 0, 0], override=True).overridden


def test_impossible_correction_is_flagged_in_the_public_history() -> None:
    table, event, organizer = start_paper_table(hand_limit=2)
    enter_result(table, organizer, [120, 0, 0, 35])
    enter_result(table, organizer, [1, 1, 1, 1], "Agreed.", override=True)
    message = history(event).rows[0].text
    assert message.endswith(
        "These points count even though no combination of cards adds up to them."
    )


def test_second_organizer_sees_that_the_points_are_impossible() -> None:
    table, event, organizer = start_paper_table(hand_limit=2, second_person="all")
    second = make_organizer(event)
    enter_result(table, organizer, [1, 1, 1, 1], "Agreed.", override=True)
    assert list_pending(event, second)[0].text.endswith(
        " 1. No combination of cards adds up to these points."
    )


def test_time_limited_match_may_end_below_the_target() -> None:
    table, event, organizer = start_paper_table(round_minutes=20)
    enter_result(table, organizer, [90, 0, 35, 0])
    assert list_points_by_seat(table, event) == [90, 0, 35, 0]


def test_lowest_scoring_requires_a_player_below_the_target() -> None:
    table, _, organizer = start_paper_table(options={"scoring": "lowest"})
    assert get_refusal_code(enter_result, table, organizer, [400, 410, 420, 430]) == "impossible"
    enter_result(table, organizer, [30, 410, 420, 90])
    event = table.round.stage.event
    best = leaderboard(event).rows[0]
    assert (best.name, best.wins) == (str(table.seats.all()[0]), 1)


def test_points_cannot_be_entered_for_a_running_match() -> None:
    event, organizer = make_organized_event(4, hand_limit=1)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer, paper=False)
    table = played.tables.get()
    assert get_refusal_code(enter_result, table, organizer, [400, 0, 0, 0], "Why") == "playing"


def test_result_of_a_finished_match_can_be_corrected_and_restored() -> None:
    event, organizer = make_organized_event(4, hand_limit=1)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer, paper=False)
    table = played.tables.select_related("match").get()
    assert table.match is not None
    games.play_out(table.match)
    before = list_points_by_seat(table, event)
    result = enter_result(table, organizer, [99, 0, 0, 0], "A card was misread.")
    assert list_points_by_seat(table, event) == [99, 0, 0, 0]
    undo_result(result, organizer, "It was not.")
    assert list_points_by_seat(table, event) == before


def test_points_cannot_be_entered_before_the_round_starts() -> None:
    event, organizer = make_organized_event(4)
    table = seat_round(first_stage(event), organizer).tables.get()
    assert get_refusal_code(enter_result, table, organizer, [400, 0, 0, 0]) == "state"


def test_table_with_a_result_stays_on_paper() -> None:
    table, _, organizer = start_paper_table()
    enter_result(table, organizer, [400, 0, 0, 0])
    assert get_refusal_code(set_paper, table, organizer, False) == "result"
    close_round(table.round, organizer)
    assert get_refusal_code(set_paper, table, organizer, False) == "state"


def test_points_of_a_closed_round_can_be_corrected() -> None:
    event, organizer = make_organized_event(4)
    played = finish_paper_round(
        start_drafted_round(seat_round(first_stage(event), organizer), organizer), organizer
    )
    table = played.tables.get()
    enter_result(table, organizer, [0, 0, 0, 444], "Rows were swapped.")
    assert list_points_by_seat(table, event) == [0, 0, 0, 444]


@pytest.mark.parametrize("paper", [True, False])
def test_second_click_does_not_start_a_second_match(paper: bool) -> None:
    event, organizer = make_organized_event(4, hand_limit=1)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer, paper=False)
    table = set_paper(played.tables.get(), organizer, True, "No signal.")
    if not paper:
        set_paper(table, organizer, False)
    stale = Table.objects.get(pk=table.pk)
    before = stale.match, Match.objects.count(), AuditEntry.objects.count()
    assert get_refusal_code(set_paper, stale, organizer, paper) == "same"
    stale.refresh_from_db()
    assert (stale.match, Match.objects.count(), AuditEntry.objects.count()) == before


def test_table_with_a_finished_match_keeps_its_result_and_its_bots() -> None:
    event, organizer = make_organized_event(3, fill_with_bots=True, hand_limit=1)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer, paper=False)
    table = played.tables.get()
    assert table.match is not None
    games.play_out(table.match)
    before = map_points(event)
    assert get_refusal_code(set_paper, table, organizer, True, "No signal.") == "over"
    assert (table.seats.count(), map_points(event)) == (4, before)


def test_match_ending_during_the_move_to_paper_keeps_its_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    event, organizer = make_organized_event(4, hand_limit=1)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer, paper=False)
    table, abandon = played.tables.get(), games.abandon_match

    def finish_and_abandon(match: Match, reason: str, **how: bool) -> Match:
        games.play_out(match)
        return abandon(match, reason, **how)

    monkeypatch.setattr(games, "abandon_match", finish_and_abandon)
    assert get_refusal_code(set_paper, table, organizer, True, "No signal.") == "over"
    table.refresh_from_db()
    assert not table.paper


def test_points_awaiting_a_second_organizer_keep_the_table_on_paper() -> None:
    table, event, organizer = start_paper_table(second_person="all")
    make_organizer(event)
    enter_result(table, organizer, [120, 410, 0, 35])
    assert get_refusal_code(set_paper, table, organizer, False) == "waiting"
    withdraw(event.proposals.get(), organizer)
    assert set_paper(table, organizer, False).match is not None


def test_points_entered_by_a_second_click_are_reported_as_saved_or_pending() -> None:
    table, event, organizer = start_paper_table(second_person="all")
    second = make_organizer(event)
    enter_result(table, organizer, [120, 410, 0, 35])
    assert get_refusal_code(enter_result, table, organizer, [120, 410, 0, 35]) == "waiting"
    confirm(event.proposals.get(), second)
    assert get_refusal_code(enter_result, table, organizer, [120, 410, 0, 35]) == "same"
    assert table.results.count() == 1


def test_bots_leave_a_table_with_physical_cards() -> None:
    event, organizer = make_organized_event(3, fill_with_bots=True)
    table = seat_round(first_stage(event), organizer).tables.get()
    assert [str(seat)[:3] == "Bot" for seat in table.seats.all()] == [False, False, False, True]
    set_paper(table, organizer, True)
    assert table.seats.filter(registration__isnull=True).count() == 0
    start_drafted_round(table.round, organizer)
    enter_result(table, organizer, [400, 20, 0])
    assert list_points_by_seat(table, event) == [400, 20, 0]


def test_bots_return_when_the_table_moves_back_to_the_site() -> None:
    event, organizer = make_organized_event(3, fill_with_bots=True, hand_limit=1)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer, paper=False)
    table = played.tables.get()
    set_paper(table, organizer, True, "The network is down.")
    assert table.seats.count() == 3
    set_paper(table, organizer, False)
    table.refresh_from_db()
    assert table.match is not None
    assert (table.seats.count(), table.match.seats.count()) == (4, 4)
