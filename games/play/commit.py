"""Actions in a hand: the rules judge them, and the result is committed or retried.

This module does not depend on the source of an action. `requests` judges players' requests,
`late_calls` decides which claim was first, and `ticks` carries out automatic actions. All of them
call `commit_action`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

from django.utils.translation import gettext as _

from games import store
from games.clocks import timing
from games.json_values.race import Races, Timing
from games.json_values.submitted_action import SubmittedAction
from games.models import Hand, LoggedAction
from games.play import deadlines, dealing, hands, notes, outages
from games.play.answers import RefusedError
from games.play.codes import PlayCode
from games.rules.actions.actions import IllegalActionError
from games.rules.chance import RecordingChance
from games.rules.fair.deal import UnfairError
from games.seats import seat_of
from games.store import MatchChange, Snapshot

T = TypeVar("T")

MAX_TRIES = 10
# Calls and catches race with the actions of other players and do not end a turn.
RACING = ("call", "catch")


def retry_on_conflict(match_id: int, attempt: Callable[[Snapshot], T], *, at_least: int = 0) -> T:
    """Run `attempt` on the current match, and retry if another process changes it first.

    Time lost to an outage is restored before each attempt.

    Raises RefusedError with busy after too many conflicts.
    """
    for _attempt in range(MAX_TRIES):
        snapshot = store.current(match_id, at_least)
        try:
            return attempt(outages.with_outage_time(snapshot))
        except store.ConflictError:
            store.forget(match_id)
    raise RefusedError(PlayCode.BUSY, _("Too much is happening at this table at once. Try again."))


@dataclass(frozen=True, slots=True)
class TurnTime:
    """Parts of a turn's time that are charged separately.

    * `lag`: the round trip of the player's connection, in seconds.
    * `away`: how long the player was away in this turn.
    """

    lag: float = 0.0
    away: timedelta = timing.NO_TIME


NOTHING_SPENT = TurnTime()


@dataclass(frozen=True, slots=True)
class RaceDecision:
    """Outcome of a race: its ranked claims, the other races, and the delay that it caused."""

    timing: Timing
    others: Races
    delay: timedelta


def commit_action(
    snapshot: Snapshot,
    submitted: SubmittedAction,
    now: datetime,
    *,
    spent: TurnTime = NOTHING_SPENT,
    race: RaceDecision | None = None,
    rights: store.Rights | None = None,
) -> Snapshot:
    """Apply an action under the rules and commit the result. Only this function advances a hand.

    Raises RefusedError or an error of `store.commit` if the action cannot be committed. If the
    stored deal is damaged, the match is paused and RefusedError has the code damaged.
    """
    hand, before = snapshot.in_play
    change = MatchChange.from_snapshots(snapshot, now)
    change.rights = rights
    try:
        change.action = _apply_action(change, hand, submitted)
    except UnfairError as error:
        raise _pause_damaged_hand(snapshot, hand, now) from error
    if race is not None:
        _record_race(change, change.action, race, hand)
    assert change.position is not None
    if change.position.over:
        hands.finish_hand(change, hand)
    elif submitted.player == before.turn and submitted.action.verb not in RACING:
        deadlines.charge_turn(change, spent.lag)
        if spent.away:
            deadlines.charge_absence(change, spent.away)
        deadlines.start_turn(change, hand)
    else:
        deadlines.schedule_next_check(change, hand)
    return store.commit(change)


def _apply_action(change: MatchChange, hand: Hand, submitted: SubmittedAction) -> LoggedAction:
    """Apply the action to the hand's position, and return its row for the log."""
    _, before = change.old.in_play
    change.position = before.copy()
    chance = RecordingChance(dealing.chance_of(change.old, hand), change.old.rules.pack)
    try:
        events = change.position.apply(
            submitted.player, submitted.action, chance, change.now.timestamp()
        )
    except IllegalActionError as refusal:
        raise RefusedError(refusal.code, refusal.sentence, change.old.version) from None
    return LoggedAction(
        hand=hand,
        number=len(change.old.actions) + 1,
        player=submitted.player,
        version=change.old.version + 1,
        client_id=submitted.client_id,
        action=submitted.action.to_json(),
        auto=submitted.auto,
        events=events,
        chance=chance.results,
        at=change.now,
    )


def _pause_damaged_hand(snapshot: Snapshot, hand: Hand, now: datetime) -> RefusedError:
    """Pause the match, and return the refusal of the action.

    Play must not continue, because every card dealt has to match the commitments.
    """
    change = MatchChange.from_snapshots(snapshot, now)
    change.match["paused_at"] = now
    change.notable = True
    notes.add(change, timing.DAMAGED, number=hand.number)
    stopped = store.commit(change)
    sentence = _("The hand is on hold until an organizer has it dealt again.")
    return RefusedError(PlayCode.DAMAGED, sentence, stopped.version)


def _record_race(change: MatchChange, logged: LoggedAction, race: RaceDecision, hand: Hand) -> None:
    logged.timing = race.timing
    deadlines.charge_race(
        change, {seat_of(hand.players, c.player): c.credit for c in race.timing.untimed_claims}
    )
    change.match["race"] = race.others
    # The seat whose turn it is could not act during the race.
    if change.turn_until is not None:
        change.match["turn_until"] = change.turn_until + race.delay
