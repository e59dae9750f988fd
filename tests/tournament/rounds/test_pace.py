"""When a match is likely to end, by the pace it has had."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tournament.rounds.pace import MatchPace, expected_end, hands_left

START = datetime(2026, 11, 22, 14, 0, tzinfo=UTC)


def pace(hands: int = 2, best: int = 100, target: int | None = 400, **more: Any) -> MatchPace:
    """Hands of five minutes each."""
    until = START + timedelta(minutes=5 * hands)
    return MatchPace(START, until, hands, best, target, **more)


def ends_after(found: MatchPace, now: int = 0) -> float | None:
    """Minutes from the start to the expected end, asked `now` minutes after the start."""
    end = expected_end(found, START + timedelta(minutes=now))
    return (end - START).total_seconds() / 60 if end else None


@pytest.mark.parametrize(
    ("found", "left"),
    [
        (pace(2, 100, 400), 6),
        (pace(2, 150, 400), 4),
        (pace(2, 400, 400), 0),
        (pace(2, 0, 400), None),
        (pace(2, 0, 400, hand_limit=3), 1),
        (pace(2, 100, 400, hand_limit=5), 3),
        (pace(2, 100, 400, hand_limit=1), 0),
        (pace(2, 100, None), None),
    ],
)
def test_hands_left_follow_from_the_leaders_pace_and_the_limit(
    found: MatchPace, left: int | None
) -> None:
    assert hands_left(found) == left


def test_a_match_goes_on_as_it_went() -> None:
    assert ends_after(pace(2, 100, 400)) == 40


def test_before_the_first_hand_nothing_is_known() -> None:
    assert ends_after(pace(0, 0, 400, ends_at=START + timedelta(minutes=30))) is None


def test_without_points_and_limits_nothing_is_known() -> None:
    assert ends_after(pace(2, 0, 400)) is None


def test_the_rounds_end_lets_the_hand_be_played_out() -> None:
    assert ends_after(pace(2, 10, 400, ends_at=START + timedelta(minutes=30))) == 35


def test_an_end_that_has_passed_is_now() -> None:
    assert ends_after(pace(2, 390, 400), now=60) == 60
