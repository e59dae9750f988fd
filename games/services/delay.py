"""The network's share of a player's time: the lag quotas of a hand, in `Match.state["lag"]`.

They are written with each action anyway and so known to every process; games/lag.py has the
numbers.
"""

from collections.abc import Mapping
from typing import Any

from games.lag import Quota
from games.models import Match
from games.store import Change


def quota(match: Match, state: Mapping[str, Any], seat: int) -> Quota:
    """What can still be credited to this seat of the match in this hand."""
    left = state.get("lag", {}).get(str(seat))
    return Quota.of(match.turn_seconds, None if left is None else left / 1000)


def note(change: Change, seat: int, left: Quota) -> None:
    state = change.get("state")
    quotas = {**state.get("lag", {}), str(seat): round(left.left * 1000)}
    change.match["state"] = {**state, "lag": quotas}
