"""Times in views, in whole milliseconds from the moment at which the view is built."""

from datetime import datetime, timedelta

from games.clocks import timing
from games.clocks.presence import PresentPlayer
from games.models import Hand, Match, Seat
from games.protocol.table import Clock, UnoWindow
from games.rules.actions.knowledge import May
from games.rules.hand.position import Position
from games.seats import PlayerIndex, seat_of
from games.store import Snapshot


def clock(snapshot: Snapshot, now: datetime) -> Clock | None:
    """Return the clock of the person whose turn it is, or None.

    Bots have no visible clock.
    """
    match, hand, position = snapshot.match, snapshot.hand, snapshot.position
    if match.turn_until is None or hand is None or position is None:
        return None
    assert position.turn is not None
    seat = snapshot.seats[seat_of(hand.players, PlayerIndex(position.turn))]
    if seat.bot:
        return None
    bank = timing.remaining_bank(match, match.state, seat)
    left = match.turn_until - (match.paused_at or now)
    return {
        "seat": seat.number,
        "left_ms": _to_milliseconds(left - bank),
        # A player who was cut off by the site may have more than a full turn left.
        "total_ms": _to_milliseconds(max(timing.turn_time(match, seat), left - bank)),
        "bank_ms": _to_milliseconds(min(bank, left)),
        "bank_total_ms": match.bank_seconds * 1000,
        "in_bank": left < bank,
    }


def uno_windows(
    snapshot: Snapshot, player: PlayerIndex, may: May, now: datetime
) -> list[UnoWindow]:
    """Return the forgotten UNO calls that this player can still make or catch.

    If the rules penalize a wrong catch, other players' forgotten calls are left out, because the
    player has to notice them without help.
    """
    position, hand = snapshot.position, snapshot.hand
    if hand is None or position is None or not position.uncalled:
        return []
    caught = [] if snapshot.rules.wrong_catch_penalty else may["catch"]
    acting = ([player] if may["call"] else []) + [PlayerIndex(other) for other in caught]
    forgetful = [one for one in acting if position.uncalled >> one & 1]
    return [_uno_window(snapshot, hand, position, one, now) for one in forgetful]


def _uno_window(
    snapshot: Snapshot, hand: Hand, position: Position, player: PlayerIndex, now: datetime
) -> UnoWindow:
    """Return a forgotten UNO call with the time left in its current phase.

    The first phase is the pause before a catch, if the rules have one. The last phase lasts until
    the turn time is over, not counting the time bank. Without a timed turn, it has no limit.
    """
    match, pause = snapshot.match, timedelta(seconds=snapshot.rules.catch_pause)
    times: tuple[timedelta, timedelta] | None = None
    if position.is_protected_by_pause(player, now.timestamp()):
        opened = timedelta(seconds=position.opened[player] - now.timestamp())
        times = pause + opened, pause
    elif match.turn_until is not None and (not pause or position.turn == player):
        assert position.turn is not None
        seat = snapshot.seats[seat_of(hand.players, PlayerIndex(position.turn))]
        turn = timing.turn_time(match, seat)
        left = (
            match.turn_until
            - (match.paused_at or now)
            - timing.remaining_bank(match, match.state, seat)
        )
        times = left, max(turn, left)
    left_ms, total_ms = map(_to_milliseconds, times) if times else (None, None)
    return {"seat": seat_of(hand.players, player), "left_ms": left_ms, "total_ms": total_ms}


def absence_left_ms(
    match: Match, seat: Seat, person: PresentPlayer | None, now: datetime
) -> int | None:
    """Return how many milliseconds the table still waits for an absent player in this hand.

    Returns None if the player is present, if the wait is unlimited, or if no clock is running.
    """
    if match.turn_until is None or (person is not None and person.is_present(now)):
        return None
    left = timing.remaining_absence(match, seat, person, now)
    return None if left is None else _to_milliseconds(left)


def arrival_left_ms(match: Match, person: PresentPlayer, now: datetime) -> int:
    """Return in how many milliseconds a player who has not arrived yet will count as absent."""
    return _to_milliseconds(person.time_to_arrive(match.started_at, now))


def _to_milliseconds(time: timedelta) -> int:
    return max(0, time // timedelta(milliseconds=1))
