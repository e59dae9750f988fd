"""Clock values of a match, calculated from its fields for storage and display.

`Match.state` has the time that seats have used in a hand, so every process knows how long
to wait.
"""

from datetime import UTC, datetime, timedelta

from games.clocks.lag import Quota
from games.clocks.presence import PresentPlayer
from games.json_values.state import LiveState
from games.models import Match, Seat

NONE = timedelta(0)
# So long at most the turn of a player waits whose connection was lost by a fault of ours.
MOST_LENT = timedelta(seconds=15)
# The note of a table that paused since its deal is damaged.
DAMAGED = "damaged"
# Time for people's devices to open their shares, before a deal.
LEAD = timedelta(seconds=1)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def milliseconds(moment: datetime) -> int:
    """Return the whole milliseconds since 1970.

    Never rounded: an event one millisecond later has a value one higher.
    """
    return (moment - EPOCH) // timedelta(milliseconds=1)


def turn_time(match: Match, seat: Seat) -> timedelta:
    """Return the time that each turn of the seat may take without touching its bank."""
    if seat.bot:
        return timedelta(seconds=match.bot_seconds)
    return timedelta(seconds=match.turn_seconds + seat.extra_seconds)


def bank(match: Match, state: LiveState, seat: Seat) -> timedelta:
    """Return the seat's time bank: at the start of its turn, or now if it is not its turn."""
    if seat.bot:
        return NONE
    left = state.banks.get(seat.number, match.bank_seconds * 1000)
    return timedelta(milliseconds=left)


def absence(match: Match, state: LiveState, seat: Seat) -> timedelta | None:
    """Return how much longer the seat may be away in its turns of this hand; None: no limit."""
    if seat.bot or not match.absence_seconds:
        return None
    spent = state.away.get(seat.number, 0)
    return max(NONE, timedelta(seconds=match.absence_seconds, milliseconds=-spent))


def quota(match: Match, state: LiveState, seat: Seat) -> Quota:
    """Return the seat's remaining quota of lag credit in this hand."""
    left = state.lag.get(seat.number)
    return Quota.for_turn(match.turn_seconds, None if left is None else left / 1000)


def grace(match: Match, state: LiveState, seat: Seat) -> timedelta:
    """Return how long to wait for a late action, which may be on its way."""
    return NONE if seat.bot else timedelta(seconds=quota(match, state, seat).grace)


def remaining_grace(state: LiveState, seat: Seat, now: datetime) -> timedelta:
    """Return how much longer the turn waits for a seat cut off by its process's death."""
    since = state.lost.get(seat.number)
    if since is None:
        return NONE
    return max(NONE, datetime.fromtimestamp(since / 1000, UTC) + MOST_LENT - now)


def began(match: Match, seat: Seat) -> datetime:
    """Return when the running turn began, adjusted for later pauses and lent time."""
    assert match.turn_until is not None
    return match.turn_until - turn_time(match, seat) - bank(match, match.state, seat)


def away_from(match: Match, seat: Seat, person: PresentPlayer | None) -> datetime:
    """Return since when the seat to act counts as away in its turn.

    For a player who is present, this moment is in the future.
    """
    moments = [began(match, seat)]
    if (resumed := match.state.resumed) is not None:
        moments.append(datetime.fromtimestamp(resumed / 1000, UTC))
    if person and person.gone_at:
        moments.append(person.gone_at)
    return max(moments)


def remaining_absence(
    match: Match, seat: Seat, person: PresentPlayer | None, now: datetime
) -> timedelta | None:
    """Return `absence`, less the time already spent away in the current turn."""
    left = absence(match, match.state, seat)
    if left is None or match.turn_until is None or match.state.turn_seat != seat.number:
        return left
    away = (match.paused_at or now) - away_from(match, seat, person)
    return max(NONE, left - max(NONE, away))


def lead(match: Match) -> timedelta:
    """Return how long before the end of the pause the next deal's list is closed."""
    return min(LEAD, timedelta(seconds=match.between_seconds) / 4)


def is_damaged(match: Match) -> bool:
    """Return whether the table paused automatically because its hand is damaged.

    The hand can no longer be dealt as committed.
    """
    noted = any(note.code == DAMAGED for note in match.state.notes)
    return match.paused and match.phase == Match.Phase.PLAYING and noted


def is_deserted(match: Match) -> bool:
    """Return whether the table paused automatically because no player was present."""
    return match.paused and match.state.deserted
