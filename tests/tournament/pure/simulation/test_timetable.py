"""Tests of the maximum duration of an event."""

import pytest

from tournament.pure.simulation.scenarios import PLAN_ERRORS, PlannedEvent, PlannedStage
from tournament.pure.simulation.timetable import compute_maximum_minutes


def make_planned_event(
    players: int, *parts: PlannedStage, minutes: int | None = 30
) -> PlannedEvent:
    return PlannedEvent("It", players, "uno-400", round_minutes=minutes, parts=parts)


def test_rounds_without_a_time_limit_have_no_maximum_duration() -> None:
    assert compute_maximum_minutes(make_planned_event(12, PlannedStage(), minutes=None), 10) is None


def test_duration_includes_rounds_and_the_pauses_between_them() -> None:
    assert (
        compute_maximum_minutes(make_planned_event(12, PlannedStage(rounds=3)), 10)
        == 3 * 30 + 2 * 10
    )
    assert compute_maximum_minutes(make_planned_event(12, PlannedStage()), 10) == 30


def test_duration_includes_all_rounds_of_a_bracket() -> None:
    whole = make_planned_event(
        40, PlannedStage(rounds=2, rule="number", value=16), PlannedStage("bracket")
    )
    assert compute_maximum_minutes(whole, 0) == (2 + 3) * 30  # 16, 8, 4
    each = make_planned_event(16, PlannedStage(rule="top_k", value=1), PlannedStage("bracket"))
    assert compute_maximum_minutes(each, 0) == (1 + 1) * 30


def test_duration_excludes_a_bracket_that_no_players_reach() -> None:
    stages = PlannedStage(rounds=2, rule="thresholds", thresholds="17: 8"), PlannedStage("bracket")
    assert compute_maximum_minutes(make_planned_event(16, *stages), 0) == 2 * 30
    assert compute_maximum_minutes(make_planned_event(17, *stages), 0) == (2 + 2) * 30


def test_bracket_of_one_player_is_refused() -> None:
    with pytest.raises(PLAN_ERRORS):
        compute_maximum_minutes(make_planned_event(1, PlannedStage("bracket")), 0)


def test_duration_includes_all_rounds_of_a_rotation() -> None:
    assert compute_maximum_minutes(make_planned_event(4, PlannedStage(rotation=True)), 0) == 3 * 30
