"""The line above the leaderboard about the stage in progress and its last complete round."""

import pytest

from tests.tournament.helpers import (
    finish_paper_round,
    first_stage,
    make_organized_event,
    make_second_stage,
    start_drafted_round,
)
from tournament.advancing.services import draw_bracket
from tournament.models import Event, Stage
from tournament.planning.qualification_odds import add_chances
from tournament.seating.services import seat_round
from tournament.stages.deciding import describe_deciding
from tournament.standings.queries import leaderboard

pytestmark = pytest.mark.django_db


def describe_board(event: Event) -> tuple[str, str]:
    """Return the line above the leaderboard, and the name of the last complete round or ""."""
    board = add_chances(leaderboard(Event.objects.get(pk=event.pk)), public=True)
    return board.line, board.finished_round


def test_line_names_what_remains_until_the_last_round_is_complete() -> None:
    event, organizer = make_organized_event(8)
    event.stages.filter(number=2).delete()
    event.stages.filter(number=1).update(rounds_planned=2)
    wins = "The player with the most points after 2 rounds wins."
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer)
    assert describe_board(event) == (
        f"{wins} Tables 1 and 2 are still playing. 1 round is still to come.",
        "",
    )
    finish_paper_round(played, organizer)
    assert describe_board(event) == (f"{wins} 1 round is still to come.", "Round 1")
    last = start_drafted_round(seat_round(first_stage(event), organizer), organizer)
    finish_paper_round(last, organizer)
    assert describe_board(event) == (wins, "")


def test_line_of_a_bracket_states_who_advances_until_the_final() -> None:
    event, organizer = make_organized_event(16)
    stage = make_second_stage(event, organizer, 8)
    semi = start_drafted_round(draw_bracket(stage, organizer), organizer)
    goes_on = "Knockout: the top 2 of each table advance until only the final table is left."
    assert describe_board(event) == (f"{goes_on} Tables 1 and 2 are still playing.", "")
    finish_paper_round(semi, organizer)
    assert describe_board(event) == (goes_on, "Semi-final")
    start_drafted_round(draw_bracket(stage, organizer), organizer)
    final = "The winner of the final wins the event."
    assert describe_board(event) == (f"{final} Table 1 is still playing.", "")
    event.refresh_from_db()
    assert describe_deciding(event, list(event.stages.all())).startswith(final)


def test_closed_stage_is_not_described() -> None:
    event, organizer = make_organized_event(16)
    stages = [first_stage(event), make_second_stage(event, organizer, 8)]
    event.refresh_from_db()
    stages[0].refresh_from_db()
    assert stages[0].state == Stage.State.CLOSED
    assert describe_deciding(event, stages).startswith("Knockout: the top 2 of each table advance")
