"""Deadlines of automatic actions: expiring turns, bot moves, and the next deal.

At `turn_until`, the table acts for the seat whose turn it is: a bot has had its thinking time, or a
person has used up the turn time and the bank of this hand. `due` is that moment or an earlier one.
It is earlier if the table has to check whether a player is away, or whether a bot at another seat
wants to catch a player.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from games.clocks import timing
from games.models import Hand, Match, Seat
from games.seats import PlayerIndex, SeatNumber, seat_of
from games.store import MatchChange, Snapshot

# Added to a bot's thinking time, so that a person has a chance to call a forgotten UNO first.
CATCH_SECONDS = 1.0
# Bots vary their time in order to appear natural. With a mean of 1.4 seconds, it is 0.6 to 2.2
# seconds.
QUICKEST, SLOWEST = 3 / 7, 11 / 7
# Everyone sees whose turn it is for at least this long, even if the table no longer waits for the
# player.
GLANCE = timedelta(seconds=1)


def start_turn(change: MatchChange, hand: Hand) -> None:
    """Give the seat whose turn it is its full time."""
    match, seat = change.old.match, seat_to_act(change, hand)
    bank = timing.remaining_bank(match, change.state, seat)
    lent = timing.remaining_loan(change.state, seat, change.now)
    turn_time = timing.turn_time(match, seat) * (
        vary_bot_time(change.old.version) if seat.bot else 1
    )
    change.match["turn_until"] = change.now + turn_time + bank + lent
    plan_next_look(change, hand)


def vary_bot_time(version: int) -> float:
    """Return the fraction of its usual time that a bot takes at this version.

    The fraction is 1 on average. Multiples of the golden ratio spread it evenly over any run of
    versions.
    """
    return QUICKEST + (SLOWEST - QUICKEST) * (version * 0.618034 % 1)


def plan_next_look(change: MatchChange, hand: Hand) -> None:
    """Schedule the next look at the match, without restarting the current turn."""
    seat = seat_to_act(change, hand)
    state = change.state = replace(change.state, turn_seat=seat.number)
    match, until = change.old.match, change.turn_until
    assert until is not None
    moments = [until + grace(change, seat)]
    absence = timing.allowed_absence(match, state, seat)
    if absence is not None:
        began = until - timing.turn_time(match, seat) - timing.remaining_bank(match, state, seat)
        moments.append(began + max(absence, GLANCE))
    if may_bot_catch(change, hand, seat):
        noticing = max(change.old.rules.catch_pause, match.bot_seconds) + CATCH_SECONDS
        moments.append(change.now + timedelta(seconds=noticing))
    change.match["due"] = min(moments)


def charge_turn(change: MatchChange, lag: float) -> None:
    """Charge the seat's time bank for the time beyond its turn time, less the lag."""
    match, seat = change.old.match, _find_seat_to_act(change)
    bank = timing.remaining_bank(match, match.state, seat)
    assert match.turn_until is not None
    quota = timing.quota(match, match.state, seat)
    acted = change.now - timedelta(seconds=quota.credit(lag))
    if bank and match.turn_until - bank < acted:
        left = _to_milliseconds(max(timing.NO_TIME, match.turn_until - acted))
        change.state = replace(change.state, banks={**change.state.banks, seat.number: left})
    if not seat.bot:
        overdue = (change.now - match.turn_until).total_seconds()
        left = _to_milliseconds(timedelta(seconds=quota.charge_for_turn(lag, overdue).left))
        change.state = replace(change.state, lag={**change.state.lag, seat.number: left})


def charge_race(change: MatchChange, credits: Mapping[SeatNumber, int]) -> None:
    """Charge the seats' lag quotas for the credits of their claims, in milliseconds."""
    match, spent = change.old.match, dict(change.state.lag)
    for number, credit in credits.items():
        if not credit:
            continue
        quota = timing.quota(match, change.state, change.old.seats[number])
        spent[number] = _to_milliseconds(
            timedelta(seconds=quota.charge_for_race(credit / 1000).left)
        )
    change.state = replace(change.state, lag=spent)


def note_absence(change: MatchChange, away: timedelta) -> None:
    """Count the time that the seat was away in this turn towards its limit for the hand."""
    match, seat = change.old.match, _find_seat_to_act(change)
    left = timing.allowed_absence(match, match.state, seat)
    if left is not None:
        limit = timedelta(seconds=match.absence_seconds)
        spent = _to_milliseconds(min(limit, limit - left + away))
        change.state = replace(change.state, away={**change.state.away, seat.number: spent})


def _find_seat_to_act(change: MatchChange) -> Seat:
    number = change.old.match.state.turn_seat
    assert number is not None
    return change.old.seats[number]


def _to_milliseconds(time: timedelta) -> int:
    return round(time.total_seconds() * 1000)


def clear_turn(change: MatchChange, due: datetime | None = None) -> None:
    """Record that it is no seat's turn, and schedule the next look for `due`."""
    change.match |= {"turn_until": None, "due": due}
    change.state = replace(change.state, turn_seat=None)


def resume_clocks(change: MatchChange) -> None:
    """Resume the match with the time that was left when it was paused.

    If the table had paused because no player was present, a new turn begins.
    """
    match, deserted = change.old.match, change.state.deserted
    assert match.paused_at is not None
    paused = change.now - match.paused_at
    _move_turn(change, paused)
    if not deserted:
        # The end of a round is postponed if an organizer paused the table, but not if it was
        # deserted.
        _move_end(change, paused)
    change.match["paused_at"] = None
    change.state = replace(
        change.state, deserted=False, resumed=timing.milliseconds_since_epoch(change.now)
    )
    if deserted and match.phase == Match.Phase.PLAYING:
        assert change.old.hand is not None
        start_turn(change, change.old.hand)


def restore_time(change: MatchChange, away: timedelta, step: timedelta) -> None:
    """Restore the time of an outage of length `away`, in which the wall clock was set by `step`.

    At a paused table, no clock was running. An exception is the end of the round, which a table
    that paused because no player was present was still approaching.
    """
    match = change.old.match
    moved = step if match.paused else away + step
    _move_turn(change, moved)
    _move_end(change, away + step if match.state.deserted else moved)
    change.match["paused_at"] = _shift_moment(match.paused_at, step)
    _move_race(change, moved)


def _move_turn(change: MatchChange, by: timedelta) -> None:
    match, state = change.old.match, change.state
    change.match["turn_until"] = _shift_moment(match.turn_until, by)
    change.match["due"] = _shift_moment(match.due, by)
    change.state = replace(
        state,
        resumed=None if state.resumed is None else state.resumed + _to_milliseconds(by),
        lost={seat: since + _to_milliseconds(by) for seat, since in state.lost.items()},
    )


def _move_end(change: MatchChange, by: timedelta) -> None:
    change.match["ends_at"] = _shift_moment(change.old.match.ends_at, by)


def _move_race(change: MatchChange, by: timedelta) -> None:
    """Shift the races by `by`, so that their windows and respectful pauses keep their length."""
    change.match["race"] = change.old.match.race.shift(_to_milliseconds(by))
    if change.position is not None and change.position.opened:
        change.position = change.position.delay(by.total_seconds())


def lend_time(change: MatchChange, cut_off: Mapping[SeatNumber, datetime]) -> None:
    """Lend time to seats that were cut off by the death of a process.

    `cut_off` contains the moment at which each of them was cut off.
    """
    lost = {seat: timing.milliseconds_since_epoch(since) for seat, since in cut_off.items()}
    change.state = replace(change.state, lost={**change.state.lost, **lost})
    if change.state.turn_seat in cut_off:
        seat = _find_seat_to_act(change)
        since = max(cut_off[seat.number], timing.turn_start(change.old.match, seat))
        _lengthen_turn(change, timing.remaining_loan(change.state, seat, since))


def end_loan(change: MatchChange, seat: SeatNumber) -> None:
    """Take back the rest of the lent time, because the player has reconnected."""
    state, moment = change.state, change.old.match.paused_at or change.now
    left = timing.remaining_loan(state, change.old.seats[seat], moment)
    lost = {number: since for number, since in state.lost.items() if number != seat}
    change.state = replace(state, lost=lost)
    if state.turn_seat == seat:
        _lengthen_turn(change, -left)


def _lengthen_turn(change: MatchChange, by: timedelta) -> None:
    """Make the current turn longer by `by`. All other deadlines stay unchanged."""
    match, hand = change.old.match, change.old.hand
    assert hand is not None
    change.match["race"] = match.race
    change.match["turn_until"] = _shift_moment(match.turn_until, by)
    plan_next_look(change, hand)
    if match.race:
        change.match["due"] = match.due


def _shift_moment(moment: datetime | None, by: timedelta) -> datetime | None:
    return moment + by if moment else None


def grace(now: MatchChange | Snapshot, seat: Seat) -> timedelta:
    """Return how long after `turn_until` to wait for this person's action."""
    if isinstance(now, Snapshot):
        return timing.grace(now.match, now.match.state, seat)
    return timing.grace(now.old.match, now.state, seat)


def seat_to_act(change: MatchChange, hand: Hand) -> Seat:
    """Return the match's seat whose turn it is."""
    assert change.position is not None
    assert change.position.turn is not None
    return change.seat(seat_of(hand.players, PlayerIndex(change.position.turn)))


def may_bot_catch(change: MatchChange, hand: Hand, in_turn: Seat) -> bool:
    """Return whether a player forgot to call UNO and a bot other than `in_turn` may notice."""
    assert change.position is not None
    if not change.position.uncalled:
        return False
    players = (change.seat(number) for number in hand.players)
    return any(seat.bot and seat.number != in_turn.number for seat in players)
