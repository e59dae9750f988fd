"""How a hand moves: the rules decide, it is committed, and tried again if somebody was first."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeVar

from games import store
from games.clocks import timing
from games.models import Action as LoggedAction
from games.rules.actions import Action, Refusal
from games.rules.chance import RecordingChance, SystemChance
from games.services import clock, hands
from games.services.basics import Refused
from games.store import Change, Snapshot

T = TypeVar("T")

TRIES = 10
# These race with what others do, and take no turn.
RACING = ("call", "catch")


def with_retry(match_id: int, attempt: Callable[[Snapshot], T], *, at_least: int = 0) -> T:
    """Call `attempt` with the match as it is, again if somebody else changes it meanwhile."""
    for _ in range(TRIES):
        snapshot = store.current(match_id, at_least)
        try:
            return attempt(snapshot)
        except store.Conflict:
            store.forget(match_id)
    raise Refused("busy", "Too much happens at this table at once. Please try again.")


@dataclass(frozen=True, slots=True)
class Race:
    """What the decision of a race leaves: its times, other races, and the time that it held up."""

    timing: dict[str, Any]
    others: dict[str, Any]
    held: timedelta

    def note(self, change: Change) -> None:
        assert change.action is not None
        change.action.timing = self.timing
        change.match["race"] = self.others
        # The seat to act could do nothing meanwhile.
        if (turn_until := change.get("turn_until")) is not None:
            change.match["turn_until"] = turn_until + self.held


def carry_out(
    snapshot: Snapshot,
    player: int,
    action: Action,
    *,
    now: datetime,
    auto: str = "",
    client_id: str = "",
    away: timedelta = timing.NONE,
    race: Race | None = None,
    lag: float = 0.0,
) -> Snapshot:
    """Let the rules decide and commit what they say; Refused or Conflict if it cannot be.

    `player` counts as the hand does, `away` is how long it was away in this turn, `lag` its round
    trip in seconds; `race` has what a decided race leaves behind. This is the only way by which a
    hand moves.
    """
    hand, before = snapshot.hand, snapshot.position
    assert hand is not None
    assert before is not None
    change = Change.of(snapshot, now)
    change.position = before.copy()
    chance = RecordingChance(SystemChance(), snapshot.rules.pack)
    try:
        events = change.position.apply(player, action, chance, now.timestamp())
    except Refusal as refusal:
        raise Refused(refusal.code, refusal.sentence, snapshot.version) from None
    change.action = LoggedAction(
        hand=hand,
        number=len(snapshot.actions) + 1,
        seat=player,
        version=snapshot.version + 1,
        client_id=client_id,
        action=action.to_json(),
        auto=auto,
        events=events,
        chance=chance.results,
        at=now,
    )
    if race is not None:
        race.note(change)
    if change.position.over:
        hands.finish(change, hand)
    elif player == before.turn and action.verb not in RACING:
        clock.charge(change, lag)
        if away:
            clock.note_absence(change, away)
        clock.start_turn(change, hand)
    else:
        clock.go_on(change, hand)
    return store.commit(change)
