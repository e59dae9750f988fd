"""Waiting for absent players, and pausing tables where no player is present."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from games import store
from games.clocks import presence, timing
from games.liveness.heartbeat import beat_if_overdue
from games.models import Seat
from games.play import deadlines, notes
from games.play.commit import retry_on_conflict
from games.store import MatchChange, Snapshot


@dataclass(frozen=True, slots=True)
class Wait:
    """How long the table waits for the seat whose turn it is.

    * `auto`: the reason to log if the table then acts for the seat (see LoggedAction).
    * `away`: how long the seat's player has been away in this turn.
    * `alone`: true if no player of the hand is present.
    """

    until: datetime
    auto: str
    away: timedelta = timing.NO_TIME
    alone: bool = False


def find_wait(snapshot: Snapshot, seat: Seat, now: datetime) -> Wait:
    """Return how long the table waits for the person whose turn it is."""
    match = snapshot.match
    assert match.turn_until is not None
    until = match.turn_until + deadlines.grace(snapshot, seat)
    left = timing.allowed_absence(match, match.state, seat)
    if left is None:
        return Wait(until, "timeout")
    people = presence.load_people([match.pk])[match.pk]
    away_from = timing.away_since(match, seat, people.get(seat.number))
    # Wait for a moment in any case, so that everyone sees whose turn it is.
    away_until = max(away_from + left, timing.turn_start(match, seat) + deadlines.MIN_TURN_VISIBLE)
    away = max(timing.NO_TIME, now - away_from)
    if away_until > until:
        return Wait(until, "timeout", away)
    return Wait(away_until, "away", away, alone=not _is_anyone_present(snapshot, people, now))


def _is_anyone_present(snapshot: Snapshot, people: presence.People, now: datetime) -> bool:
    assert snapshot.hand is not None
    return any(
        person.is_present(now) for seat, person in people.items() if seat in snapshot.hand.players
    )


def pause_deserted_table(snapshot: Snapshot, wait: Wait, now: datetime) -> None:
    """Pause the table because no player is present.

    Otherwise play would continue with automatic actions only.
    """
    change = MatchChange.from_snapshots(snapshot, now)
    deadlines.charge_absence(change, wait.away)
    change.match["paused_at"] = now
    change.state = replace(change.state, deserted=True)
    change.notable = True
    notes.add(change, "deserted")
    store.commit(change)


def resume_deserted_table(match_id: int, now: datetime) -> None:
    """Resume the table if it paused because no player was present, and a player has returned."""

    def resume_table(snapshot: Snapshot) -> None:
        if not timing.is_deserted(snapshot.match):
            return
        if not _is_anyone_present(snapshot, presence.load_people([match_id])[match_id], now):
            return
        change = MatchChange.from_snapshots(snapshot, now)
        deadlines.resume_clocks(change)
        change.notable = True
        notes.add(change, "played-on")
        store.commit(change)

    beat_if_overdue()
    retry_on_conflict(match_id, resume_table)
