"""Tests that a round in which no one played counts nowhere."""

import pytest

from tests.tournament.helpers import (
    finish_paper_round,
    first_stage,
    make_organized_event,
    play_first_round,
    start_drafted_round,
)
from tests.tournament.staging import play
from tournament.desk.queries import list_desk_steps, round_text
from tournament.models import Event, Round, Stage, User
from tournament.results.stages import stage_results
from tournament.results.unplayed import find_unplayed_rounds
from tournament.rounds.services import close_round
from tournament.seating.queries import build_problem, find_turn, list_seated
from tournament.seating.services import seat_round
from tournament.stages.cut import CutRule, compute_cut, list_cut_warnings
from tournament.stages.texts import stage_text

pytestmark = pytest.mark.django_db

TOP_TWO = CutRule(Stage.Rule.TOP_K, 2, Stage.Ties.LOTS, 1)


def close_round_by_mistake(players: int = 8, **fields: object) -> tuple[Event, User, Round]:
    """Create an event whose second round was closed immediately after its start.

    Two rounds are planned, and the first one was played.
    """
    event, organizer = make_organized_event(players, hand_limit=1)
    event.stages.update(rounds_planned=2, **fields)
    stage = play_first_round(event, organizer)
    second = start_drafted_round(seat_round(stage, organizer), organizer, paper=False)
    return event, organizer, close_round(second, organizer, "Started by mistake.")


def test_round_closed_before_the_first_card_is_unplayed() -> None:
    event, _organizer, second = close_round_by_mistake()
    assert find_unplayed_rounds(event) == find_unplayed_rounds(first_stage(event)) == {second.pk}
    assert round_text(second) == "Round 2: closed. No one played, so it doesn’t count."


def test_round_with_one_played_hand_counts() -> None:
    event, organizer = make_organized_event(8, hand_limit=2)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer, paper=False)
    play(played.tables.all()[0], hands=1)
    close_round(played, organizer, "Fire alarm.")
    assert find_unplayed_rounds(event) == set()


def test_running_and_drafted_rounds_are_not_unplayed() -> None:
    event, organizer = make_organized_event(8)
    played = seat_round(first_stage(event), organizer)
    assert find_unplayed_rounds(event) == set()
    start_drafted_round(played, organizer)
    assert find_unplayed_rounds(event) == set()


def test_players_of_an_unplayed_round_have_not_met() -> None:
    event, _organizer, _second = close_round_by_mistake()
    assert len(build_problem(first_stage(event), 3).history) == 1
    assert build_problem(first_stage(event), 3).rules.rounds_to_come == 0
    assert find_turn(first_stage(event), 3) == 2


def test_unplayed_round_does_not_count_as_a_planned_round() -> None:
    event, organizer, _second = close_round_by_mistake()
    step = next(step for step in list_desk_steps(event) if step.key == "rounds")
    assert (step.figure, step.state) == ("1/2", "now")
    finish_paper_round(
        start_drafted_round(seat_round(first_stage(event), organizer), organizer), organizer
    )
    step = next(step for step in list_desk_steps(event) if step.key == "rounds")
    assert (step.figure, step.state) == ("2/2", "done")


def test_cut_warns_that_a_planned_round_is_missing() -> None:
    event, _organizer, _second = close_round_by_mistake()
    results = stage_results(first_stage(event))
    assert list_cut_warnings(results, compute_cut(results, TOP_TWO)) == [
        "Only 1 of 2 planned rounds has been played."
    ]


def test_best_players_of_each_table_are_chosen_by_the_played_round() -> None:
    event, _organizer, _second = close_round_by_mistake()
    assert len(compute_cut(stage_results(first_stage(event)), TOP_TWO).through) == 4


def test_closed_stage_shows_only_its_played_rounds() -> None:
    event, _organizer, _second = close_round_by_mistake()
    event.stages.update(state=Stage.State.CLOSED)
    assert stage_text(first_stage(event)).startswith("Everyone played 1 round.")


def test_cut_warns_that_all_rounds_of_the_stage_are_unplayed() -> None:
    event, organizer = make_organized_event(8)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer, paper=False)
    close_round(played, organizer, "Wrong button.")
    results = stage_results(first_stage(event))
    assert list_cut_warnings(results, compute_cut(results, TOP_TWO)) == [
        "Only 0 of 3 planned rounds have been played.",
        "No one would advance. Without a second round, the standings decide.",
    ]


def test_unplayed_round_does_not_advance_the_partner_rotation() -> None:
    event, organizer = make_organized_event(8, hand_limit=1, options={"partners": True})
    event.stages.update(rotation=True)
    first = start_drafted_round(seat_round(first_stage(event), organizer), organizer, paper=False)
    seated_first = list_seated(first)
    close_round(first, organizer, "Wrong button.")
    assert list_seated(seat_round(first_stage(event), organizer)) == seated_first
