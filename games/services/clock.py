"""When something must happen by itself: turns that run out, bots, the next deal.

`turn_until` is when the seat to act is acted for: a bot has thought enough then, a person's turn
time is up and the bank of this hand is empty. `due` is that, or earlier where the table has to look
whether somebody is away, or a bot out of turn may want to catch somebody.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from games.clocks import timing
from games.models import Hand, Match, Seat
from games.seats import PlayerIndex, SeatNumber, seat_of
from games.store import Change, Snapshot

# Beside a bot's thinking time: a person gets so long to say a forgotten UNO before a bot notices.
CATCH_SECONDS = 1.0
# Who is not waited for any longer is still to be seen as the one to act.
GLANCE = timedelta(seconds=1)


def start_turn(change: Change, hand: Hand) -> None:
    """Give the seat to act its full time."""
    match, seat = change.old.match, to_act(change, hand)
    bank = timing.bank(match, change.state, seat)
    change.match["turn_until"] = change.now + timing.turn_time(match, seat) + bank
    go_on(change, hand)


def go_on(change: Change, hand: Hand) -> None:
    """Plan the next look at the match; the time of the seat to act runs on."""
    seat = to_act(change, hand)
    state = change.state = replace(change.state, turn_seat=seat.number)
    match, until = change.old.match, change.turn_until
    assert until is not None
    looks = [until + grace(change, seat)]
    absence = timing.absence(match, state, seat)
    if absence is not None:
        began = until - timing.turn_time(match, seat) - timing.bank(match, state, seat)
        looks.append(began + max(absence, GLANCE))
    if catchers(change, hand, seat):
        looks.append(change.now + _noticing(change))
    change.match["due"] = min(looks)


def charge(change: Change, lag: float) -> None:
    """Take from the bank of who was to act what the turn took too long, but for the lag."""
    match, seat = change.old.match, _was_to_act(change)
    bank = timing.bank(match, match.state, seat)
    assert match.turn_until is not None
    quota = timing.quota(match, match.state, seat)
    acted = change.now - timedelta(seconds=quota.credit(lag))
    if bank and match.turn_until - bank < acted:
        left = _ms(max(timing.NONE, match.turn_until - acted))
        change.state = replace(change.state, banks={**change.state.banks, seat.number: left})
    if not seat.bot:
        overdue = (change.now - match.turn_until).total_seconds()
        left = _ms(timedelta(seconds=quota.after(lag, overdue).left))
        change.state = replace(change.state, lag={**change.state.lag, seat.number: left})


def charge_race(change: Change, credits: Mapping[SeatNumber, int]) -> None:
    """Take from the quotas what claims were credited with, in milliseconds by seat."""
    match, spent = change.old.match, dict(change.state.lag)
    for number, credit in credits.items():
        if not credit:
            continue
        quota = timing.quota(match, change.state, change.old.seats[number])
        spent[number] = _ms(timedelta(seconds=quota.after_race(credit / 1000).left))
    change.state = replace(change.state, lag=spent)


def note_absence(change: Change, away: timedelta) -> None:
    """Count against the hand's budget how long who was to act was away in this turn."""
    match, seat = change.old.match, _was_to_act(change)
    left = timing.absence(match, match.state, seat)
    if left is not None:
        limit = timedelta(seconds=match.absence_seconds)
        spent = _ms(min(limit, limit - left + away))
        change.state = replace(change.state, away={**change.state.away, seat.number: spent})


def _was_to_act(change: Change) -> Seat:
    number = change.old.match.state.turn_seat
    assert number is not None
    return change.old.seats[number]


def _ms(time: timedelta) -> int:
    return round(time.total_seconds() * 1000)


def stop(change: Change, due: datetime | None = None) -> None:
    """Nobody is to act; look again at `due`."""
    change.match |= {"turn_until": None, "due": due}
    change.state = replace(change.state, turn_seat=None)


def resume(change: Change) -> None:
    """Go on after a pause with the time that was left; after nobody was there, with a new turn."""
    match, deserted = change.old.match, change.state.deserted
    assert match.paused_at is not None
    paused = change.now - match.paused_at
    change.match["turn_until"] = _later(match.turn_until, paused)
    change.match["due"] = _later(match.due, paused)
    if not deserted:
        # A table that nobody came to has used its round's time, one that was told to wait has not.
        change.match["ends_at"] = _later(match.ends_at, paused)
    change.match["paused_at"] = None
    resumed = round(change.now.timestamp() * 1000)
    change.state = replace(change.state, deserted=False, resumed=resumed)
    if deserted and match.phase == Match.Phase.PLAYING:
        assert change.old.hand is not None
        start_turn(change, change.old.hand)


def _later(moment: datetime | None, by: timedelta) -> datetime | None:
    return moment + by if moment else None


def grace(now: Change | Snapshot, seat: Seat) -> timedelta:
    """How long after `turn_until` an action of this person is still waited for."""
    if isinstance(now, Snapshot):
        return timing.grace(now.match, now.match.state, seat)
    return timing.grace(now.old.match, now.state, seat)


def to_act(change: Change, hand: Hand) -> Seat:
    """The match's seat whose turn it is."""
    assert change.position is not None
    assert change.position.turn is not None
    return change.old.seats[seat_of(hand.players, PlayerIndex(change.position.turn))]


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
