"""Tests of the maximum duration of an event."""

import pytest

from tournament.pure.simulation.scenarios import COURSE_ERRORS, Course, CoursePart
from tournament.pure.simulation.timetable import compute_maximum_minutes


def make_course(players: int, *parts: CoursePart, minutes: int | None = 30) -> Course:
    return Course("It", players, "uno-400", round_minutes=minutes, parts=parts)


def test_rounds_without_a_time_limit_have_no_maximum_duration() -> None:
    assert compute_maximum_minutes(make_course(12, CoursePart(), minutes=None), 10) is None


def test_duration_includes_rounds_and_the_pauses_between_them() -> None:
    assert compute_maximum_minutes(make_course(12, CoursePart(rounds=3)), 10) == 3 * 30 + 2 * 10
    assert compute_maximum_minutes(make_course(12, CoursePart()), 10) == 30


def test_duration_includes_all_rounds_of_a_bracket() -> None:
    whole = make_course(40, CoursePart(rounds=2, rule="number", value=16), CoursePart("bracket"))
    assert compute_maximum_minutes(whole, 0) == (2 + 3) * 30  # 16, 8, 4
    each = make_course(16, CoursePart(rule="top_k", value=1), CoursePart("bracket"))
    assert compute_maximum_minutes(each, 0) == (1 + 1) * 30


def test_duration_excludes_a_bracket_that_no_players_reach() -> None:
    stages = CoursePart(rounds=2, rule="thresholds", thresholds="17: 8"), CoursePart("bracket")
    assert compute_maximum_minutes(make_course(16, *stages), 0) == 2 * 30
    assert compute_maximum_minutes(make_course(17, *stages), 0) == (2 + 2) * 30


def test_bracket_of_one_player_is_refused() -> None:
    with pytest.raises(COURSE_ERRORS):
        compute_maximum_minutes(make_course(1, CoursePart("bracket")), 0)


def test_duration_includes_all_rounds_of_a_rotation() -> None:
    assert compute_maximum_minutes(make_course(4, CoursePart(rotation=True)), 0) == 3 * 30
