"""Deadlines of automatic actions: expiring turns, bot moves, and the next deal.

At `turn_until`, the table acts for the seat whose turn it is, because a bot's thinking time is over
or a person has used up the turn time and the time bank. `due` is that moment or an earlier one. It
is earlier if the table has to check whether a player is away, or whether a bot at another seat
catches a player.
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
# Bots vary their thinking time within this range in order to appear natural. With a mean of 1.4
# seconds, they take 0.6 to 2.2 seconds.
QUICKEST, SLOWEST = 3 / 7, 11 / 7
# Everyone sees whose turn it is for at least this long, even if the absence limit is used up.
MIN_TURN_VISIBLE = timedelta(seconds=1)


def start_turn(change: MatchChange, hand: Hand) -> None:
    """Start the turn of the seat to act, with its full time."""
    match, seat = change.old.match, seat_to_act(change, hand)
    bank = timing.remaining_bank(match, change.state, seat)
    lent = timing.remaining_loan(change.state, seat, change.now)
    turn_time = timing.turn_time(match, seat) * (
        vary_bot_time(change.old.version) if seat.bot else 1
    )
    change.match["turn_until"] = change.now + turn_time + bank + lent
    schedule_next_check(change, hand)


def vary_bot_time(version: int) -> float:
    """Return the factor by which a bot's thinking time varies at this version.

    It is 1 on average. Multiples of the golden ratio spread it evenly over successive versions.
    """
    return QUICKEST + (SLOWEST - QUICKEST) * (version * 0.618034 % 1)


def schedule_next_check(change: MatchChange, hand: Hand) -> None:
    """Schedule the ticker's next check of the match, without restarting the current turn."""
    seat = seat_to_act(change, hand)
    state = change.state = replace(change.state, turn_seat=seat.number)
    match, until = change.old.match, change.turn_until
    assert until is not None
    moments = [until + grace(change, seat)]
    absence = timing.allowed_absence(match, state, seat)
    if absence is not None:
        began = until - timing.turn_time(match, seat) - timing.remaining_bank(match, state, seat)
        moments.append(began + max(absence, MIN_TURN_VISIBLE))
    if may_bot_catch(change, hand, seat):
        noticing = max(change.old.rules.catch_pause, match.bot_seconds) + CATCH_SECONDS
        moments.append(change.now + timedelta(seconds=noticing))
    change.match["due"] = min(moments)


def charge_turn(change: MatchChange, lag: float) -> None:
    """Charge the seat's time bank for the time beyond the turn time, less a credit for lag."""
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
    """Charge the seats' lag quotas for the credits (in milliseconds) of their claims."""
    match, spent = change.old.match, dict(change.state.lag)
    for number, credit in credits.items():
        if not credit:
            continue
        quota = timing.quota(match, change.state, change.old.seats[number])
        spent[number] = _to_milliseconds(
            timedelta(seconds=quota.charge_for_race(credit / 1000).left)
        )
    change.state = replace(change.state, lag=spent)


def charge_absence(change: MatchChange, away: timedelta) -> None:
    """Charge the player's absence in this turn to the limit for the hand."""
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
    """Record that it is no seat's turn, and schedule the ticker's next check for `due`."""
    change.match |= {"turn_until": None, "due": due}
    change.state = replace(change.state, turn_seat=None)


def resume_clocks(change: MatchChange) -> None:
    """Resume the match with the time that was left when it was paused.

    If the table had paused because no player was present, the turn starts again.
    """
    match, deserted = change.old.match, change.state.deserted
    assert match.paused_at is not None
    paused = change.now - match.paused_at
    _move_turn(change, paused)
    if not deserted:
        # A pause by an organizer postpones the time limit. A deserted table does not gain time.
        _move_end(change, paused)
    change.match["paused_at"] = None
    change.state = replace(
        change.state, deserted=False, resumed=timing.milliseconds_since_epoch(change.now)
    )
    if deserted and match.phase == Match.Phase.PLAYING:
        assert change.old.hand is not None
        start_turn(change, change.old.hand)


def restore_time(change: MatchChange, outage: timedelta, step: timedelta) -> None:
    """Restore the time of an outage during which the wall clock was set by `step`.

    At a paused table, no clock was running, so only `step` matters. The exception is the time limit
    of a match that paused because no player was present: it was still approaching.
    """
    match = change.old.match
    moved = step if match.paused else outage + step
    _move_turn(change, moved)
    _move_end(change, outage + step if match.state.deserted else moved)
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
    """Shift the races, so that their windows and respectful pauses keep their length."""
    change.match["race"] = change.old.match.race.shift(_to_milliseconds(by))
    if change.position is not None and change.position.opened:
        change.position = change.position.delay(by.total_seconds())


def lend_time(change: MatchChange, cut_off: Mapping[SeatNumber, datetime]) -> None:
    """Give extra time to seats that lost their connection because a process died.

    `cut_off` contains when each seat lost its connection.
    """
    lost = {seat: timing.milliseconds_since_epoch(since) for seat, since in cut_off.items()}
    change.state = replace(change.state, lost={**change.state.lost, **lost})
    if change.state.turn_seat in cut_off:
        seat = _find_seat_to_act(change)
        since = max(cut_off[seat.number], timing.turn_start(change.old.match, seat))
        _lengthen_turn(change, timing.remaining_loan(change.state, seat, since))


def end_loan(change: MatchChange, seat: SeatNumber) -> None:
    """Take back the unused part of the extra time, because the player has reconnected."""
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
    schedule_next_check(change, hand)
    if match.race:
        change.match["due"] = match.due


def _shift_moment(moment: datetime | None, by: timedelta) -> datetime | None:
    return moment + by if moment else None


def grace(source: MatchChange | Snapshot, seat: Seat) -> timedelta:
    """Return how long the table still waits for this person's action after `turn_until`."""
    if isinstance(source, Snapshot):
        return timing.grace(source.match, source.match.state, seat)
    return timing.grace(source.old.match, source.state, seat)


def seat_to_act(change: MatchChange, hand: Hand) -> Seat:
    """Return the match's seat whose turn it is."""
    assert change.position is not None
    assert change.position.turn is not None
    return change.seat(seat_of(hand.players, PlayerIndex(change.position.turn)))


def may_bot_catch(change: MatchChange, hand: Hand, in_turn: Seat) -> bool:
    """Return whether a bot other than `in_turn` could catch a player who forgot to call UNO."""
    assert change.position is not None
    if not change.position.uncalled:
        return False
    players = (change.seat(number) for number in hand.players)
    return any(seat.bot and seat.number != in_turn.number for seat in players)
