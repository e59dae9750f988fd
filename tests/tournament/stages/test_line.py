"""The cut line of a stage in progress: how many players advance, and what remains to be played."""

import pytest

from tests.tournament.helpers import (
    finish_paper_round,
    first_stage,
    make_organized_event,
    start_drafted_round,
)
from tests.typed import sure
from tournament.desk.queries import list_desk_steps
from tournament.hall.spotlight import find_spotlight
from tournament.models import Event, Stage, Table, User
from tournament.planning.qualification_odds import add_chances
from tournament.results.services import enter_result
from tournament.results.stages import stage_results
from tournament.rounds.live_tables import list_stage_views
from tournament.seating.services import seat_round
from tournament.stages.cut import CutRule
from tournament.stages.line import line_of, make_cut_line
from tournament.standings.freezing import freeze
from tournament.standings.queries import leaderboard

pytestmark = pytest.mark.django_db


def start_paper_round(players: int, **stage: object) -> tuple[Event, User, list[Table]]:
    """Start the first round of a new event, with physical cards."""
    event, organizer = make_organized_event(players)
    Stage.objects.filter(event=event, number=1).update(**{"rounds_planned": 1, **stage})
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer)
    return Event.objects.get(), organizer, list(played.tables.order_by("number"))


def get_line_sentence(event: Event) -> str:
    return sure(line_of(stage_results(event, public=True))).sentence


def test_stage_has_no_line_before_its_first_table_starts() -> None:
    assert line_of(stage_results(make_organized_event(8)[0], public=True)) is None


def test_turnout_decides_how_many_advance() -> None:
    event, organizer, tables = start_paper_round(18, thresholds="17: 8, 33: 16, 65: 25%")
    assert get_line_sentence(event) == "8 of 18 players advance. Tables 1–5 are still playing."
    for table in tables[:-1]:
        enter_result(table, organizer, [90, 0, 0, 0][: table.seats.count()], "", override=True)
    number = tables[-1].number
    assert get_line_sentence(event).endswith(f" Table {number} is still playing.")
    enter_result(tables[-1], organizer, [90, 0, 0][: tables[-1].seats.count()], "", override=True)


def test_players_without_a_seat_are_not_counted() -> None:
    event, organizer = make_organized_event(9)
    Stage.objects.filter(number=1).update(rounds_planned=1, qualify_rule="number", qualify_value=2)
    event.registrations.filter(queue_number=9).update(absent_at=event.created_at)
    finish_paper_round(
        start_drafted_round(seat_round(first_stage(event), organizer), organizer), organizer
    )
    message = get_line_sentence(Event.objects.get())
    assert message == "2 of 8 players advance. The organizers still have to confirm who advances."


def test_remaining_rounds_are_announced_and_count_as_played() -> None:
    event, _organizer, _tables = start_paper_round(
        8, rounds_planned=3, qualify_rule="share", qualify_value=50, min_matches=3
    )
    assert get_line_sentence(event) == (
        "The top 50% advance: 4 of 8 players. Tables 1 and 2 are still playing. 2 "
        "rounds are still to come."
    )


def test_line_states_what_decides_if_turnout_is_too_low_for_a_second_stage() -> None:
    event, _organizer, _tables = start_paper_round(8, thresholds="17: 8")
    assert get_line_sentence(event) == (
        "The player with the most points after 1 round wins. Tables 1 and 2 are still playing."
    )


def test_rule_for_each_table_has_no_line_in_the_standings() -> None:
    event, _organizer, tables = start_paper_round(8, qualify_rule="top_k", qualify_value=2)
    found = sure(line_of(stage_results(event, public=True)))
    assert found.outcome.places == 2 * len(tables)
    assert found.count_above([each.player for each in found.outcome.decisions]) == 0
    assert "The top 2 of each table advance: 4 of 8 players." in found.sentence


def test_tie_for_the_last_spot_is_announced() -> None:
    event, organizer, tables = start_paper_round(
        8, qualify_rule="number", qualify_value=1, cut_ties="hand"
    )
    for table in tables:
        enter_result(table, organizer, [90, 0, 0, 0], "", override=True)
    assert "2 tied players still have to play a hand for the last spot." in get_line_sentence(event)
    Stage.objects.filter(number=1).update(cut_ties="together")
    assert "Everyone tied for the last spot advances." in get_line_sentence(Event.objects.get())


def test_frozen_leaderboard_hides_which_tables_are_still_playing() -> None:
    event, organizer, _tables = start_paper_round(8, qualify_rule="number", qualify_value=1)
    freeze(event, organizer)
    found = sure(line_of(stage_results(Event.objects.get(), public=True)))
    assert (found.settled, found.sentence) == (
        False,
        "1 of 8 players advances.",
    )
    assert (
        "still playing" in sure(line_of(stage_results(Event.objects.get(), public=False))).sentence
    )


def test_line_can_be_computed_for_another_valid_rule() -> None:
    event, _organizer, _tables = start_paper_round(8)
    results = stage_results(first_stage(event))
    assert sure(make_cut_line(results, CutRule("number", 3, "together", 1))).outcome.places == 3
    assert make_cut_line(results, CutRule("number", 0, "together", 1)) is None


def test_hall_screen_leaderboard_and_desk_show_the_same_line() -> None:
    event, organizer = make_organized_event(34)
    event.registrations.filter(queue_number__gt=32).update(absent_at=event.created_at)
    Stage.objects.filter(event=event, number=1).update(rounds_planned=1, thresholds="17: 8")
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer)
    for still in (
        "Tables 1–8 are still playing.",
        "The organizers still have to confirm who advances.",
    ):
        event = Event.objects.get()
        message = get_line_sentence(event)
        assert message == f"8 of 32 players advance. {still}"
        overview = sure(find_spotlight(event, list_stage_views(event))).line
        board = add_chances(leaderboard(event), public=True).line
        desks = next(step for step in list_desk_steps(event) if step.key == "qualify").text
        assert [overview, board, desks] == [message] * 3
        if played.state == "running":
            played = finish_paper_round(played, organizer)
