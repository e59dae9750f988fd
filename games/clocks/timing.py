"""Clock values of a match, computed from its fields.

`Match.state` stores the time that each seat has used in the hand, so that every process can compute
how long to wait.
"""

from datetime import UTC, datetime, timedelta

from games.clocks.lag import Quota
from games.clocks.presence import PresentPlayer
from games.json_values.state import LiveState
from games.models import Match, Seat

NO_TIME = timedelta(0)
# A turn waits at most this long for a player who was disconnected by a fault of the site.
MAX_LOAN = timedelta(seconds=15)
# Code of the log note about a pause that was caused by a damaged hand.
DAMAGED = "damaged"
# Time before a deal in which players' devices open their shares.
LEAD = timedelta(seconds=1)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def milliseconds_since_epoch(moment: datetime) -> int:
    """Return the number of whole milliseconds from 1970 to this moment."""
    return (moment - EPOCH) // timedelta(milliseconds=1)


def turn_time(match: Match, seat: Seat) -> timedelta:
    """Return how long each turn of the seat may take without using its time bank."""
    if seat.bot:
        return timedelta(seconds=match.bot_seconds)
    return timedelta(seconds=match.turn_seconds + seat.extra_seconds)


def remaining_bank(match: Match, state: LiveState, seat: Seat) -> timedelta:
    """Return what is left of the seat's time bank.

    During the seat's own turn, this is the amount at the start of the turn.
    """
    if seat.bot:
        return NO_TIME
    left = state.banks.get(seat.number, match.bank_seconds * 1000)
    return timedelta(milliseconds=left)


def allowed_absence(match: Match, state: LiveState, seat: Seat) -> timedelta | None:
    """Return how much longer the seat's player may be away during turns of this hand.

    Absence in the current turn is not deducted. Returns None if there is no limit.
    """
    if seat.bot or not match.absence_seconds:
        return None
    spent = state.away.get(seat.number, 0)
    return max(NO_TIME, timedelta(seconds=match.absence_seconds, milliseconds=-spent))


def quota(match: Match, state: LiveState, seat: Seat) -> Quota:
    """Return how much lag can still be credited to the seat in this hand."""
    left = state.lag.get(seat.number)
    return Quota.for_turn(match.turn_seconds, None if left is None else left / 1000)


def grace(match: Match, state: LiveState, seat: Seat) -> timedelta:
    """Return how long to wait after the end of a turn for an action that may be on its way."""
    return NO_TIME if seat.bot else timedelta(seconds=quota(match, state, seat).grace)


def remaining_loan(state: LiveState, seat: Seat, now: datetime) -> timedelta:
    """Return how much longer to wait for a seat that was cut off when its process died."""
    since = state.lost.get(seat.number)
    if since is None:
        return NO_TIME
    return max(NO_TIME, datetime.fromtimestamp(since / 1000, UTC) + MAX_LOAN - now)


def turn_start(match: Match, seat: Seat) -> datetime:
    """Return when the current turn began, shifted by later pauses and by lent time."""
    assert match.turn_until is not None
    return match.turn_until - turn_time(match, seat) - remaining_bank(match, match.state, seat)


def away_since(match: Match, seat: Seat, person: PresentPlayer | None) -> datetime:
    """Return when the seat's absence in the current turn began.

    For a player who is present, this moment is in the future.
    """
    moments = [turn_start(match, seat)]
    if (resumed := match.state.resumed) is not None:
        moments.append(datetime.fromtimestamp(resumed / 1000, UTC))
    if person and person.gone_at:
        moments.append(person.gone_at)
    return max(moments)


def remaining_absence(
    match: Match, seat: Seat, person: PresentPlayer | None, now: datetime
) -> timedelta | None:
    """Return how much longer the seat's player may be away, or None if there is no limit."""
    left = allowed_absence(match, match.state, seat)
    if left is None or match.turn_until is None or match.state.turn_seat != seat.number:
        return left
    away = (match.paused_at or now) - away_since(match, seat, person)
    return max(NO_TIME, left - max(NO_TIME, away))


def closing_lead(match: Match) -> timedelta:
    """Return how long before the end of the pause the list of the next deal is closed."""
    return min(LEAD, timedelta(seconds=match.between_seconds) / 4)


def is_damaged(match: Match) -> bool:
    """Return whether the table paused automatically because its hand is damaged.

    A damaged hand can no longer be dealt as the site committed to.
    """
    noted = any(note.code == DAMAGED for note in match.state.notes)
    return match.paused and match.phase == Match.Phase.PLAYING and noted


def is_deserted(match: Match) -> bool:
    """Return whether the table paused automatically because no player was present."""
    return match.paused and match.state.deserted
