from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import services as games
from tests.factories import UNREACHABLE_TARGET, make_event, make_registrations, make_user
from tests.tournament.helpers import (
    finish_paper_round,
    first_stage,
    make_organized_event,
    make_second_stage,
    play_first_round,
    start_drafted_round,
)
from tests.typed import sure
from tournament.advancing.services import announce_winner, draw_bracket, qualify
from tournament.common.moments import moment_text
from tournament.desk.control import control_room
from tournament.desk.queries import can_be_seated, list_desk_steps, next_step, registration_counts
from tournament.hall.queries import bracket, player_page, tables
from tournament.hall.table_views import PlayerPage
from tournament.models import Event, Stage
from tournament.registration.services import refuse, register, withdraw
from tournament.results.queries import result_of
from tournament.results.services import enter_result
from tournament.rounds.services import abandon_table, close_round, pause, start_round
from tournament.seating.services import publish_round, seat_round
from tournament.stages.cut import CutRule
from tournament.standings.queries import leaderboard

pytestmark = pytest.mark.django_db


def count_queries(call: Callable[..., Any], *args: Any) -> int:
    with CaptureQueriesContext(
        connection,
    ) as captured:
        call(*args)
    return len(captured)


def test_leaderboard_sums_points_of_finished_matches() -> None:
    event, organizer = make_organized_event(8)
    play_first_round(event, organizer)
    board = leaderboard(event, figures=True)
    assert [row.points for row in board.rows] == [400, 400, 300, 300, 200, 200, 100, 100]
    assert [row.rank for row in board.rows] == [1, 1, 3, 3, 5, 5, 7, 7]
    assert [row.wins for row in board.rows] == [1, 1, 0, 0, 0, 0, 0, 0]
    assert board.columns[:3] == ["Points", "Wins", "Placement"]
    assert (board.rows[0].tied, board.provisional) == (True, False)


def test_leaderboard_shows_which_tie_break_decided() -> None:
    event, organizer = make_organized_event(4)
    play_first_round(event, organizer)
    second = leaderboard(event).rows[1]
    first = leaderboard(event).rows[0]
    assert second.separated_by == f"Behind {first.name} on points: 300 to 400."


def test_lots_break_ties_only_if_the_organizer_enabled_them() -> None:
    event, organizer = make_organized_event(8)
    play_first_round(event, organizer)
    event.tie_breakers = ["lots"]
    event.save()
    board = leaderboard(event, figures=True)
    assert [row.rank for row in board.rows] == list(range(1, 9))
    assert board.columns == ["Points", "Drawing lots"]
    assert 0 < float(board.rows[0].metrics[1]) < float(board.rows[1].metrics[1]) < 1


def test_leaderboard_lists_players_without_a_match() -> None:
    event, _ = make_organized_event(3)
    board = leaderboard(event)
    assert [(row.rank, row.points, row.matches) for row in board.rows] == [(1, 0, 0)] * 3


def test_withdrawn_player_stays_on_the_leaderboard_after_playing() -> None:
    event, organizer = make_organized_event(4)
    play_first_round(event, organizer)
    gone = event.registrations.all()[0]
    withdraw(gone, organizer)
    assert gone.pk in [row.registration.pk for row in leaderboard(event).rows]


def test_finished_hands_of_a_running_match_count_provisionally() -> None:
    event, organizer = make_organized_event(4, options=UNREACHABLE_TARGET)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer, paper=False)
    games.play_out(sure(played.tables.get().match), hands=1)
    board = leaderboard(event)
    assert board.provisional
    assert board.rows[0].points > 0
    assert board.rows[0].wins == 0
    assert {row.provisional for row in board.rows} == {True}


def test_match_in_its_first_hand_makes_the_leaderboard_provisional() -> None:
    event, organizer = make_organized_event(4)
    played = seat_round(first_stage(event), organizer)
    assert not leaderboard(event).provisional
    start_drafted_round(played, organizer, paper=False)
    assert leaderboard(event).provisional


def test_card_points_can_break_a_tie() -> None:
    event, organizer = make_organized_event(4, hand_limit=1, tie_breakers=["left"])
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer, paper=False)
    match = played.tables.get().match
    assert match is not None
    games.play_out(match)
    board = leaderboard(event, figures=True)
    assert board.columns == ["Points", "Points left"]
    winner, *others = [int(row.metrics[1]) for row in board.rows]
    # The winner scores the points left in the other players' hands. The other players are ranked by
    # the points left in their own hands.
    assert (winner, sum(others)) == (0, board.rows[0].points)
    assert others == sorted(others)


def test_abandoned_match_does_not_count() -> None:
    event, organizer = make_organized_event(4, options=UNREACHABLE_TARGET)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer, paper=False)
    games.play_out(sure(played.tables.get().match), hands=1)
    close_round(played, organizer, "The hall closes.")
    board = leaderboard(event)
    assert (board.provisional, {row.points for row in board.rows}) == (False, {0})


def test_each_stage_has_its_own_leaderboard() -> None:
    event, organizer = make_organized_event(8)
    second = make_second_stage(event, organizer, 4)
    finish_paper_round(start_drafted_round(draw_bracket(second, organizer), organizer), organizer)
    whole = leaderboard(event).rows[0].points
    final = leaderboard(event, second).rows
    assert (whole, final[0].points) == (800, 400)
    first = leaderboard(event, first_stage(event))
    assert sum(row.through for row in first.rows) == 4


def test_leaderboard_query_count_does_not_depend_on_tables() -> None:
    small, organizer = make_organized_event(4)
    play_first_round(small, organizer)
    large, organizer = make_organized_event(16)
    play_first_round(large, organizer)
    queries_small, queries_large = (
        count_queries(leaderboard, small),
        count_queries(leaderboard, large),
    )
    assert queries_small == queries_large
    assert queries_large <= 9


def test_tables_appear_after_the_round_is_published() -> None:
    event, organizer = make_organized_event(8)
    played = seat_round(first_stage(event), organizer)
    assert tables(event) == []
    publish_round(played, organizer)
    (shown,) = tables(event)
    assert (shown.title, [t.state for t in shown.tables]) == (
        "Round 1",
        ["waiting", "waiting"],
    )


def test_online_table_shows_its_state() -> None:
    event, organizer = make_organized_event(4)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer, paper=False)
    (table,) = tables(event)[0].tables
    match = played.tables.get().match
    assert match is not None
    assert (table.state, table.hand, table.link) == ("playing", 1, f"/m/{match.public_id}/")
    assert table.turn in [seat.name for seat in table.seats]
    pause(played, organizer)
    assert tables(event)[0].tables[0].state == "paused"
    games.resume_match(match)
    games.play_out(match)
    (table,) = tables(event)[0].tables
    assert (table.state, table.turn, table.hand) == ("finished", "", None)
    assert table.result_link == f"/m/{match.public_id}/result/"
    assert sorted(seat.place or 0 for seat in table.seats)[0] == 1


def test_table_with_physical_cards_has_no_link() -> None:
    event, organizer = make_organized_event(4)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer)
    (table,) = tables(event)[0].tables
    assert (table.state, table.link) == ("paper", "")
    enter_result(played.tables.get(), organizer, [0, 0, 400, 20])
    (table,) = tables(event)[0].tables
    assert (table.state, [seat.place for seat in table.seats]) == ("finished", [3, 3, 1, 2])
    assert sure(control_room(event)).finished == 1


def test_tables_query_count_does_not_depend_on_tables() -> None:
    small, organizer = make_organized_event(4)
    start_drafted_round(seat_round(first_stage(small), organizer), organizer, paper=False)
    large, organizer = make_organized_event(16)
    start_drafted_round(seat_round(first_stage(large), organizer), organizer, paper=False)
    for query in (tables, control_room):
        assert count_queries(query, small) == count_queries(query, large) <= 10


def test_bracket_shows_who_advanced() -> None:
    event, organizer = make_organized_event(16)
    assert bracket(event) is None
    second = make_second_stage(event, organizer, 8)
    finish_paper_round(start_drafted_round(draw_bracket(second, organizer), organizer), organizer)
    draft = draw_bracket(second, organizer)
    shown = bracket(event)
    assert shown is not None
    by_results = [[seat.through for seat in t.seats] for t in shown.rounds[0].tables]
    assert by_results == [[True, True, False, False]] * 2
    publish_round(draft, organizer)
    shown = bracket(event)
    assert shown is not None
    assert [played.title for played in shown.rounds] == [
        "Semi-final",
        "Final",
    ]
    assert [[seat.through for seat in t.seats] for t in shown.rounds[0].tables] == [
        [True, True, False, False]
    ] * 2
    assert [q.seed for q in shown.qualifiers] == list(range(1, 9))


def test_unregistered_user_has_no_player_page() -> None:
    assert player_page(make_event(), make_user()) is None


def load_player_page(event: Event) -> PlayerPage:
    found = player_page(event, event.registrations.all()[0].user)
    assert found is not None
    return found


def test_player_page_follows_the_event() -> None:
    event, organizer = make_organized_event(4)
    assert load_player_page(event).next_step.startswith(
        "You have a spot. Your table will appear here"
    )
    played = publish_round(seat_round(first_stage(event), organizer), organizer)
    assert load_player_page(event).next_step.startswith("You’re at table 1, seat ")
    played.tables.update(paper=True)
    start_round(played, organizer)
    assert load_player_page(event).next_step.startswith("Play with physical cards at table 1")
    enter_result(played.tables.get(), organizer, [400, 0, 0, 0])
    assert load_player_page(event).next_step == "Your match is over. Wait here for the next round."
    close_round(played, organizer)
    page = load_player_page(event)
    assert (page.table, len(page.history)) == (None, 1)


@pytest.mark.parametrize("reason", ["The fire alarm went off.", "The fire alarm went off"])
def test_player_page_explains_why_the_match_was_abandoned(reason: str) -> None:
    event, organizer = make_organized_event(4)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer, paper=False)
    abandon_table(played.tables.get(), organizer, reason)
    assert load_player_page(event).next_step == (
        "Your match was abandoned: The fire alarm went off. None of its hands count. "
        "Stay near table 1; the organizers will tell you what happens next."
    )


def test_player_page_shows_the_waitlist_position() -> None:
    event = make_event(capacity=2)
    rows = make_registrations(event, 4)
    page = player_page(event, rows[3].user)
    assert page is not None
    assert (page.waiting_ahead, page.next_step) == (
        1,
        "You’re on the waitlist. You’ll get a spot when a player withdraws.",
    )


def test_player_page_shows_the_reason_for_a_refusal() -> None:
    event, organizer = make_organized_event(2)
    refuse(event.registrations.all()[0], organizer, "You organize this event.")
    assert load_player_page(event).next_step.endswith("You organize this event.")


def test_player_page_shows_the_start_time() -> None:
    starts = timezone.now() + timedelta(days=2)
    event = make_event(starts_at=starts)
    user = make_user()
    register(event, user, roll_number="R1")
    page = player_page(event, user)
    assert page is not None
    assert page.next_step == f"You have a spot. The first round starts on {moment_text(starts)}."


def test_desk_guides_organizers_step_by_step() -> None:
    event, organizer = make_organized_event(8)

    def get_current_step() -> str:
        event.refresh_from_db()
        return next(step.key for step in list_desk_steps(event) if step.current)

    Event.objects.filter(pk=event.pk).update(state="draft", eligibility_required=True)
    assert get_current_step() == "list"
    Event.objects.filter(pk=event.pk).update(eligibility_required=False)
    assert get_current_step() == "prepare"
    Event.objects.filter(pk=event.pk).update(state="open", eligibility_required=True)
    assert get_current_step() == "list"
    Event.objects.filter(pk=event.pk).update(eligibility_required=False)
    assert get_current_step() == "registrations"
    Stage.objects.filter(event=event, number=1).update(rounds_planned=1)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer)
    assert get_current_step() == "rounds"
    finish_paper_round(played, organizer)
    assert get_current_step() == "qualify"


def test_desk_query_count_does_not_depend_on_tables() -> None:
    small, organizer = make_organized_event(4)
    start_drafted_round(seat_round(first_stage(small), organizer), organizer)
    large, organizer = make_organized_event(16)
    start_drafted_round(seat_round(first_stage(large), organizer), organizer)
    assert count_queries(list_desk_steps, small) == count_queries(list_desk_steps, large) <= 18


def test_finished_event_has_no_next_step() -> None:
    event, _ = make_organized_event(4)
    assert sure(next_step(event)).key == "registrations"
    event.state = Event.State.FINISHED
    assert next_step(event) is None


def test_last_desk_step_names_the_winner() -> None:
    event, organizer = make_organized_event(8)
    second = make_second_stage(event, organizer, 4)
    final = start_drafted_round(draw_bracket(second, organizer), organizer)
    steps = {(step.key, step.stage): step for step in list_desk_steps(event)}
    assert (steps["rounds", 2].current, steps["rounds", 2].live) == (True, True)
    finish_paper_round(final, organizer)
    winner = announce_winner(event, organizer)
    event.refresh_from_db()
    assert list_desk_steps(event)[-1].text == f"{winner.name} won."


def test_desk_reports_tied_winners_before_the_announcement() -> None:
    event, organizer = make_organized_event(8)
    played = start_drafted_round(
        draw_bracket(make_second_stage(event, organizer, 4), organizer), organizer
    )
    enter_result(played.tables.get(), organizer, [200, 200, 100, 0])
    close_round(played, organizer)
    names = [str(seat) for seat in played.tables.get().seats.all()[:2]]
    assert list_desk_steps(event)[-1].text == (
        f"{names[0]} and {names[1]} are tied in the final and would share the win. To get a single "
        "winner, have them play one more hand and correct the points. Otherwise, announce all "
        "of them."
    )
    winner = announce_winner(event, organizer)
    assert winner.sentence == f"{names[0]} and {names[1]} share the win"
    event.refresh_from_db()
    assert list_desk_steps(event)[-1].text == f"{winner.sentence}."


def test_desk_proceeds_to_the_winner_without_a_second_stage() -> None:
    event, organizer = make_organized_event(4)
    stage = play_first_round(event, organizer)
    qualify(stage, organizer, CutRule(Stage.Rule.THRESHOLDS, 0, Stage.Ties.LOTS, 1), [])
    steps = list_desk_steps(event)
    assert [step.key for step in steps][-2:] == ["qualify", "winner"]
    assert steps[-1].current
    assert steps[-1].text.endswith("is first in the standings. Announce the winner.")


@pytest.mark.parametrize(("players", "seated"), [(0, False), (1, False), (2, True)])
def test_seats_can_be_drawn_once_a_table_can_be_filled(players: int, seated: bool) -> None:
    event, _ = make_organized_event(players)
    assert can_be_seated(event, registration_counts(event)) is seated


def test_viewing_a_table_does_not_change_its_match() -> None:
    event, organizer = make_organized_event(4, viewers="delayed", viewer_delay_seconds=600)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer, paper=False)
    games.play_out(sure(played.tables.get().match))
    table = played.tables.get()
    seen = result_of(table, public=True)
    assert (seen.final, seen.match and seen.match.phase) == (False, "waiting")
    assert seen.table.match is not None
    assert seen.table.match.phase == "over"
    assert result_of(table).final
