"""When something must happen by itself: turns that run out, bots, the next deal.

`turn_until` is when the seat to act is acted for: a person's time is up then, a bot has thought
enough. `due` is that, or earlier where a bot out of turn may want to catch somebody.
"""

from datetime import datetime, timedelta

from games.models import Hand, Seat
from games.store import Change, Snapshot

# Beside a bot's thinking time: a person gets so long to say a forgotten UNO before a bot notices.
CATCH_SECONDS = 1.0


def start_turn(change: Change, hand: Hand) -> None:
    """Give the seat to act its full time."""
    match = change.old.match
    seconds = match.bot_seconds if to_act(change, hand).bot else match.turn_seconds
    change.match["turn_until"] = change.now + timedelta(seconds=seconds)
    go_on(change, hand)


def go_on(change: Change, hand: Hand) -> None:
    """Plan the next look at the match; the time of the seat to act runs on."""
    seat = to_act(change, hand)
    change.match["state"] = {**change.get("state"), "turn_seat": seat.number}
    turn_until = change.get("turn_until")
    if catchers(change, hand, seat):
        turn_until = min(turn_until, change.now + _noticing(change))
    change.match["due"] = turn_until


def stop(change: Change, due: datetime | None = None) -> None:
    """Nobody is to act; look again at `due`."""
    change.match |= {"turn_until": None, "due": due}
    change.match["state"] = {**change.get("state"), "turn_seat": None}


def grace(now: Change | Snapshot, seat: Seat) -> timedelta:
    """How long after `turn_until` an action of this person is still waited for."""
    return timedelta(0)


def to_act(change: Change, hand: Hand) -> Seat:
    """The match's seat whose turn it is."""
    assert change.position is not None
    assert change.position.turn is not None
    return change.old.seats[hand.players[change.position.turn]]


def catchers(change: Change, hand: Hand, to_act: Seat) -> bool:
    """Whether somebody forgot UNO and a bot out of turn may notice."""
    assert change.position is not None
    if not change.position.uncalled:
        return False
    players = (change.old.seats[number] for number in hand.players)
    return any(seat.bot and seat is not to_act for seat in players)


def _noticing(change: Change) -> timedelta:
    pause = max(change.old.rules.catch_pause, change.old.match.bot_seconds)
    return timedelta(seconds=pause + CATCH_SECONDS)
