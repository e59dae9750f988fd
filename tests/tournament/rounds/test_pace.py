"""Estimates of the end of a match from its pace."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tournament.rounds.pace import MatchPace, estimate_end, estimate_hands_left

START = datetime(2026, 11, 22, 14, 0, tzinfo=UTC)


def make_pace(hands: int = 2, best: int = 100, target: int | None = 400, **more: Any) -> MatchPace:
    """Return the pace of a match whose hands take five minutes."""
    until = START + timedelta(minutes=5 * hands)
    return MatchPace(START, until, hands, best, target, **more)


def estimate_minutes(match_pace: MatchPace, now: int = 0) -> float | None:
    """Return the estimated length of the match in minutes, `now` minutes after its start.

    Returns None if there is no estimate.
    """
    end = estimate_end(match_pace, START + timedelta(minutes=now))
    return (end - START).total_seconds() / 60 if end else None


@pytest.mark.parametrize(
    ("match_pace", "expected"),
    [
        (make_pace(2, 100, 400), 6),
        (make_pace(2, 150, 400), 4),
        (make_pace(2, 400, 400), 0),
        (make_pace(2, 0, 400), None),
        (make_pace(2, 0, 400, hand_limit=3), 1),
        (make_pace(2, 100, 400, hand_limit=5), 3),
        (make_pace(2, 100, 400, hand_limit=1), 0),
        (make_pace(2, 100, None), None),
    ],
)
def test_remaining_hands_follow_from_the_leaders_pace_and_the_limit(
    match_pace: MatchPace, expected: int | None
) -> None:
    assert estimate_hands_left(match_pace) == expected


def test_estimate_assumes_that_the_pace_stays_the_same() -> None:
    assert estimate_minutes(make_pace(2, 100, 400)) == 40


def test_there_is_no_estimate_before_the_first_hand_is_finished() -> None:
    assert estimate_minutes(make_pace(0, 0, 400, ends_at=START + timedelta(minutes=30))) is None


def test_there_is_no_estimate_without_points_and_limits() -> None:
    assert estimate_minutes(make_pace(2, 0, 400)) is None


def test_estimate_includes_a_hand_that_ends_after_the_round() -> None:
    assert estimate_minutes(make_pace(2, 10, 400, ends_at=START + timedelta(minutes=30))) == 35


def test_estimated_end_is_never_in_the_past() -> None:
    assert estimate_minutes(make_pace(2, 390, 400), now=60) == 60
