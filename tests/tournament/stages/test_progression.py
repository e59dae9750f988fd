"""Reasons why players advance in a bracket, after a correction of the results."""

import pytest

from tests.tournament.event_steps import (
    WRONG_SHEET,
    SteppedEvent,
    get_outdated_draw,
    play_bracket_until,
)
from tournament.hall.queries import bracket
from tournament.seating.changes import change_seats

pytestmark = pytest.mark.django_db


def list_advancement_reasons(stepped: SteppedEvent, number: int) -> list[tuple[bool, str]]:
    """Return whether each player at the first table advances from the round, and why."""
    shown = bracket(stepped.event)
    assert shown is not None
    return [(seat.through, seat.why) for seat in shown.rounds[number].tables[0].seats]


def test_reasons_follow_the_results_and_flag_an_outdated_draw() -> None:
    stepped = play_bracket_until("published")
    stepped.correct_previous_round(2)
    on = "Still advances: the next round was drawn before the results changed."
    out = "Doesn’t advance: the next round was drawn before the results changed."
    assert list_advancement_reasons(stepped, 1) == [
        (True, f"4th at table 1. The top 2 advance. {on}"),
        (True, f"3rd at table 1. The top 2 advance. {on}"),
        (False, f"2nd at table 1. The top 2 advance. {out}"),
        (False, f"1st at table 1. The top 2 advance. {out}"),
    ]


def test_reasons_follow_a_correction_that_changes_only_places() -> None:
    stepped = play_bracket_until("running")
    stepped.correct_previous_round(2, [300, 400, 200, 100])
    assert list_advancement_reasons(stepped, 1) == [
        (True, "2nd at table 1. The top 2 advance."),
        (True, "1st at table 1. The top 2 advance."),
        (False, "3rd at table 1. The top 2 advance."),
        (False, "4th at table 1. The top 2 advance."),
    ]


def test_reasons_of_players_swapped_by_hand_follow_the_corrected_results() -> None:
    stepped = play_bracket_until("published")
    stepped.correct_previous_round(2)
    found, final = get_outdated_draw(stepped), stepped.rounds[2]
    for leaving, coming in zip(found.surplus, found.missing, strict=True):
        change_seats(final, stepped.organizer, coming, f"swap:{leaving.pk}", WRONG_SHEET)
    assert list_advancement_reasons(stepped, 1) == [
        (False, "4th at table 1. The top 2 advance."),
        (False, "3rd at table 1. The top 2 advance."),
        (True, "2nd at table 1. The top 2 advance."),
        (True, "1st at table 1. The top 2 advance."),
    ]
