"""Estimates of when a match in progress will end, from the pace of its finished hands."""

import math
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class MatchPace:
    """The pace of a match in progress.

    * `started`: the start of the match.
    * `until`: the end of its last finished hand.
    * `hands`: the number of finished hands.
    * `best`: the highest total of points.
    * `target`: the points that end the match, or None.
    * `hand_limit`, `ends_at`: limits that may end the match earlier, or None.
    """

    started: datetime
    until: datetime
    hands: int
    best: int
    target: int | None
    hand_limit: int | None = None
    ends_at: datetime | None = None


def estimate_end(pace: MatchPace, now: datetime) -> datetime | None:
    """Estimate when the match will end if its hands continue at the same pace.

    Returns None if no hand is finished yet, or if no player has points and there is no limit.
    """
    if not pace.hands:
        return None
    remaining = estimate_hands_left(pace)
    per_hand = (pace.until - pace.started) / pace.hands
    # No hand is dealt after the round's end, but a hand in progress is finished.
    ends_by_time = [pace.ends_at + per_hand] if pace.ends_at else []
    ends = [*ends_by_time, *([pace.until + per_hand * remaining] if remaining is not None else [])]
    return max(now, min(ends)) if ends else None


def estimate_hands_left(pace: MatchPace) -> int | None:
    """Estimate the number of remaining hands, from the leader's pace and the hand limit.

    Returns None if both are unknown.
    """
    estimates = []
    if pace.best > 0 and pace.target is not None:
        estimates.append(math.ceil(max(0, pace.target - pace.best) * pace.hands / pace.best))
    if pace.hand_limit:
        estimates.append(max(0, pace.hand_limit - pace.hands))
    return min(estimates, default=None)
