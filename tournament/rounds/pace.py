"""Estimates of when a match in play will end, calculated from its progress so far."""

import math
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class MatchPace:
    """A match in play after `hands` finished hands, the last of which ended at `until`.

    `best` is the highest total. `target` is the number of points that ends the match, or None if
    no number does. `hand_limit` and `ends_at` may end the match earlier.
    """

    started: datetime
    until: datetime
    hands: int
    best: int
    target: int | None
    hand_limit: int | None = None
    ends_at: datetime | None = None


def expected_end(pace: MatchPace, now: datetime) -> datetime | None:
    """Estimate when the match ends if its hands continue at the same pace.

    Return None before the first finished hand, or if no player has a point yet and there is no
    limit.
    """
    if not pace.hands:
        return None
    left = hands_left(pace)
    each = (pace.until - pace.started) / pace.hands
    # No hand is dealt after the round's end; the one that is on then is played out.
    last = [pace.ends_at + each] if pace.ends_at else []
    ends = [*last, *([pace.until + each * left] if left is not None else [])]
    return max(now, min(ends)) if ends else None


def hands_left(pace: MatchPace) -> int | None:
    """Estimate the hands left from the leader's pace and the hand limit.

    Return None if neither is known.
    """
    found = []
    if pace.best > 0 and pace.target is not None:
        found.append(math.ceil(max(0, pace.target - pace.best) * pace.hands / pace.best))
    if pace.hand_limit:
        found.append(max(0, pace.hand_limit - pace.hands))
    return min(found, default=None)
