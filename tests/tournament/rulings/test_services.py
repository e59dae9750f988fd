"""Tests of giving and undoing rulings: withdrawals, disqualifications, warnings and penalties."""

from copy import deepcopy
from typing import Any

import pytest
from django.core import mail

from games import queries as games
from games.models import Match
from tests.factories import make_organizer
from tests.tournament.helpers import (
    finish_paper_round,
    first_stage,
    get_refusal_code,
    make_finished_final,
    make_organized_event,
    make_second_stage,
    start_drafted_round,
)
from tests.tournament.ruling import (
    get_event,
    get_match_seat,
    get_player,
    get_reserve,
    get_ruling_refusal_code,
    get_seat,
    make_round_with_reserve,
    make_ruling,
    undo_ruling_as_organizer,
)
from tests.tournament.staging import match_of, organizer_of, play
from tests.typed import sure
from tournament.desk.confirmation import confirm
from tournament.hall.queries import player_page
from tournament.models import Event, Registration, Round, Ruling, TableSeat
from tournament.oversight.history_texts import history
from tournament.registration.services import withdraw
from tournament.results import queries as results
from tournament.rulings.effects import RulingRequest
from tournament.rulings.services import leave_event, rule, undo_ruling
from tournament.seating.services import seat_round
from tournament.standings.queries import leaderboard

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

Kind = Ruling.Kind


@pytest.fixture(scope="module")
def shared_round(shared_rows: None) -> Round:
    return make_round_with_reserve()


@pytest.fixture
def started_round(shared_round: Round) -> Round:
    return deepcopy(shared_round)


def test_player_who_leaves_while_playing_forfeits_the_seat(started_round: Round) -> None:
    player = get_player(started_round)
    assert get_refusal_code(withdraw, player, player.user) == "playing"
    leave_event(player, player.user)
    player.refresh_from_db()
    assert player.state == Registration.State.WITHDRAWN
    assert get_seat(started_round).forfeited
    text = get_event(started_round).audit.get(action="ruling").text
    assert text == f"Ruling: {player.name}, left the event."


def test_player_who_left_by_mistake_returns_to_the_seat(started_round: Round) -> None:
    ruling = make_ruling(started_round, Kind.LEAVE)
    undo_ruling_as_organizer(ruling)
    player = get_player(started_round)
    assert (player.state, player.reason) == (Registration.State.APPROVED, "")
    assert get_match_seat(started_round).user == player.user


def test_leaving_cannot_be_undone_if_the_event_is_full(started_round: Round) -> None:
    ruling = make_ruling(started_round, Kind.LEAVE)
    Event.objects.update(capacity=4)
    assert get_refusal_code(undo_ruling, ruling, organizer_of(ruling.event), "A mistake.") == "full"


def test_disqualified_player_ranks_last_and_plays_no_more() -> None:
    event, organizer = make_organized_event(4)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer)
    finish_paper_round(played, organizer, [400, 300, 200, 100])
    rule(event, organizer, RulingRequest(Kind.DISQUALIFY, get_player(played)), "Two phones.")
    rows = leaderboard(event).rows
    assert [row.out for row in rows] == [False, False, False, True]
    assert (rows[-1].name, rows[-1].separated_by) == (get_player(played).name, "Disqualified.")
    assert rows[-1].points == 400
    drawn = seat_round(first_stage(event), organizer)
    seated = TableSeat.objects.filter(table__round=drawn)
    assert not seated.filter(registration=get_player(played)).exists()


@pytest.mark.parametrize(("result", "places"), [("stand", [1, 2, 3, 4]), ("last", [4, 1, 2, 3])])
def test_matches_of_a_disqualified_player_follow_the_event_rule(
    result: str, places: list[int]
) -> None:
    event, organizer = make_organized_event(4, disqualified=result)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer)
    finish_paper_round(played, organizer, [400, 300, 200, 100])
    rule(event, organizer, RulingRequest(Kind.DISQUALIFY, get_player(played)), "Two phones.")
    (found,) = results.table_results(played)
    counted = found.as_counted()
    assert [counted.place(player) for player in counted.players] == places


def test_disqualification_waits_for_a_second_organizer() -> None:
    event, organizer = make_organized_event(4)
    second = make_organizer(event)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer)
    proposal = rule(
        event, organizer, RulingRequest(Kind.DISQUALIFY, get_player(played)), "Two phones."
    )
    assert proposal is not None
    assert get_player(played).state == Registration.State.APPROVED
    confirm(proposal, second)
    assert get_player(played).state == Registration.State.DISQUALIFIED
    asked = undo_ruling(event.rulings.get(kind="disqualify"), organizer, "It was another one.")
    assert asked is not None
    confirm(asked, second)
    assert get_player(played).state == Registration.State.APPROVED
    assert not get_seat(played).forfeited


def test_disqualification_is_public_and_its_reason_is_private(started_round: Round) -> None:
    name = get_player(started_round).name
    make_ruling(started_round, Kind.DISQUALIFY, reason="A private matter.")
    reported = history(get_event(started_round)).rows[0]
    assert reported.text == f"Round 1, table 1: {name} was disqualified."
    assert (reported.reason, reported.by) == ("", "an organizer")
    assert get_event(started_round).audit.get(action="ruling").reason == "A private matter."


def test_next_player_has_the_spot_until_the_disqualification_is_undone() -> None:
    event, organizer = make_organized_event(8)
    stage = make_second_stage(event, organizer, 4)
    first = stage.qualifiers.get(seed=1)
    rule(event, organizer, RulingRequest(Kind.DISQUALIFY, first.registration), "Two phones.")
    replacement = stage.qualifiers.get(seed=5)
    first.refresh_from_db()
    assert (first.active, replacement.active) == (False, True)
    assert str(first.why).endswith(" Disqualified.")
    undo_ruling(event.rulings.get(), organizer, "It was another one.")
    first.refresh_from_db()
    replacement.refresh_from_db()
    assert (first.active, replacement.active) == (True, False)
    assert str(replacement.why) == f"{first.registration.name} has taken the spot back."


def test_spot_is_lost_once_the_replacement_has_started_to_play() -> None:
    event, organizer = make_organized_event(8)
    stage = make_second_stage(event, organizer, 4)
    first = stage.qualifiers.get(seed=1)
    rule(event, organizer, RulingRequest(Kind.DISQUALIFY, first.registration), "Two phones.")
    start_drafted_round(seat_round(stage, organizer), organizer)
    assert get_refusal_code(undo_ruling, event.rulings.get(), organizer, "Another one.") == "begun"


@pytest.mark.parametrize("kind", [Kind.CAUTION, Kind.WARNING, Kind.POINTS])
def test_ruling_is_announced_at_the_table_and_only_its_player_sees_the_reason(
    started_round: Round, kind: str
) -> None:
    make_ruling(started_round, kind, points=20, reason="Spoke with the neighbour.")
    player = get_player(started_round)
    page = player_page(get_event(started_round), player.user)
    assert page is not None
    assert [each.reason for each in page.rulings] == ["Spoke with the neighbour."]
    match = match_of(get_seat(started_round).table)
    view = games.match_view(Match.objects.get(pk=match.pk), player.user)
    assert "neighbour" not in view["last"]
    assert view["last"]


@pytest.mark.parametrize(
    ("kind", "points", "sentence"),
    [
        ("caution", 0, "Referee: {name}, caution."),
        ("points", 20, "The referee deducted 20 points from {name}."),
    ],
)
def test_ruling_between_hands_is_a_desk_message_at_the_table(
    started_round: Round, kind: str, points: int, sentence: str
) -> None:
    play(get_seat(started_round).table, 1)
    make_ruling(started_round, kind, points=points)
    reported = get_event(started_round).desk_messages.get()
    assert (str(reported), reported.table) == (
        sentence.format(name=get_player(started_round).name),
        get_seat(started_round).table,
    )


def test_caution_during_a_hand_is_not_announced_in_a_desk_message(started_round: Round) -> None:
    make_ruling(started_round, "caution")
    assert not get_event(started_round).desk_messages.exists()


def test_point_deduction_is_explained_in_the_standings_until_undone() -> None:
    event, organizer = make_organized_event(4)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer)
    finish_paper_round(played, organizer, [400, 300, 200, 100])
    first = get_player(played)
    rule(event, organizer, RulingRequest(Kind.POINTS, first, points=150), "Late back twice.")
    rows = leaderboard(event).rows
    assert [row.points for row in rows] == [300, 250, 200, 100]
    assert rows[1].name == first.name
    assert rows[1].separated_by.endswith("−150: penalty.")
    undo_ruling(event.rulings.get(), organizer, "He was not.")
    assert [row.points for row in leaderboard(event).rows] == [400, 300, 200, 100]


def test_penalty_adds_points_with_lowest_scoring() -> None:
    event, organizer = make_organized_event(4, options={"scoring": "lowest"})
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer)
    finish_paper_round(played, organizer, [10, 20, 30, 40])
    rule(event, organizer, RulingRequest(Kind.POINTS, get_player(played), points=15), "Late back.")
    rows = leaderboard(event).rows
    assert [row.points for row in rows] == [20, 25, 30, 40]
    assert rows[1].separated_by.endswith("+15: penalty.")


@pytest.mark.parametrize("points", [0, 1001])
def test_point_deduction_must_be_within_limits(started_round: Round, points: int) -> None:
    assert get_ruling_refusal_code(started_round, Kind.POINTS, points=points) == "points"


def test_deduction_in_a_closed_stage_waits_for_a_second_organizer() -> None:
    event, organizer = make_organized_event(8)
    stage = make_second_stage(event, organizer, 4)
    make_organizer(event)
    first = stage.qualifiers.get(seed=1).registration
    assert rule(event, organizer, RulingRequest(Kind.POINTS, first, points=20), "Late.") is not None


def test_giving_and_undoing_a_ruling_need_a_reason(started_round: Round) -> None:
    event = get_event(started_round)
    wanted = RulingRequest(Kind.CAUTION, get_player(started_round))
    assert get_refusal_code(rule, event, organizer_of(event), wanted, " ") == "no-reason"
    ruling = make_ruling(started_round, Kind.CAUTION)
    assert get_refusal_code(undo_ruling, ruling, organizer_of(event), "") == "no-reason"


def test_only_current_players_can_forfeit_or_be_replaced(started_round: Round) -> None:
    event, organizer = get_event(started_round), organizer_of(get_event(started_round))
    idle = RulingRequest(Kind.FORFEIT, get_reserve(started_round))
    assert get_refusal_code(rule, event, organizer, idle, "Away.") == "no-seat"
    make_ruling(started_round, Kind.FORFEIT)
    assert get_ruling_refusal_code(started_round, Kind.BOT) == "no-seat"
    play(get_seat(started_round).table)
    assert get_ruling_refusal_code(started_round, Kind.FORFEIT, 1) == "over"


def test_departed_player_gets_no_further_rulings(started_round: Round) -> None:
    make_ruling(started_round, Kind.DISQUALIFY)
    assert get_ruling_refusal_code(started_round, Kind.CAUTION) == "state"


def test_later_rulings_about_a_seat_must_be_undone_first(started_round: Round) -> None:
    first = make_ruling(started_round, Kind.BOT)
    undo_ruling_as_organizer(first)
    first = make_ruling(started_round, Kind.SUBSTITUTE, substitute=get_reserve(started_round))
    event = get_event(started_round)
    coming = get_seat(started_round).substitute
    assert coming is not None
    rule(event, organizer_of(event), RulingRequest(Kind.FORFEIT, coming), "Gone too.")
    assert get_refusal_code(undo_ruling, first, organizer_of(event), "A mistake.") == "later"


def test_ruling_cannot_be_undone_twice(started_round: Round) -> None:
    ruling = make_ruling(started_round, Kind.CAUTION)
    undo_ruling_as_organizer(ruling)
    assert get_refusal_code(undo_ruling, ruling, organizer_of(ruling.event), "Again.") == "state"
    message = history(get_event(started_round)).rows[0].text
    assert message == f"Undone: Round 1, table 1: {get_player(started_round).name} was cautioned."


def test_player_is_emailed_about_a_ruling_unless_they_requested_it(
    started_round: Round, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        make_ruling(started_round, Kind.DISQUALIFY, reason="Two phones.")
        player = get_player(started_round, 1)
        leave_event(player, player.user)
    (letter,) = mail.outbox
    assert letter.to == [get_player(started_round).user.email]
    assert "Two phones." in letter.body


def test_players_cannot_leave_after_the_winner_is_announced() -> None:
    event = make_finished_final([120, 410, 0, 35])
    organizer = event.organizers.get()
    seats = TableSeat.objects.filter(table__round__stage__event=event)
    winner = sure(seats.get(number=1).registration)
    assert get_refusal_code(withdraw, winner, winner.user) == "state"
    assert get_refusal_code(withdraw, winner, organizer, "Has an exam.") == "state"
    request = RulingRequest(Kind.LEAVE, winner)
    assert get_refusal_code(rule, event, organizer, request, "Has an exam.") == "state"
