"""An action, from whoever it comes: a player's socket, a bot, the clock."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, TypeVar

from django.db import IntegrityError
from django.utils import timezone

from games import seats, store, timing
from games.models import Action as LoggedAction
from games.models import Hand, Match
from games.rules.actions import Action, Malformed, Refusal
from games.rules.chance import RecordingChance, SystemChance
from games.services import clock, hands
from games.services.basics import Ack, Refused
from games.store import Change, Snapshot

T = TypeVar("T")

TRIES = 10
# These race with what others do; a version that is a little old does not make them wrong.
RACING = ("call", "catch")


def act(
    match_id: int,
    seat: int,
    action_json: Any,
    *,
    version: int,
    client_id: str,
    now: datetime | None = None,
) -> Ack:
    """Carry out a player's action, seen at `version`; committed when this returns.

    The same `client_id` with the same action gets the first answer again. Raises Refused with the
    rules' code, or: malformed, stale, paused, not-playing, not-in-hand, id-reused, busy.
    """
    now = now or timezone.now()

    def attempt(snapshot: Snapshot) -> Ack:
        request = _Request(snapshot, seat, action_json, version, client_id, now)
        return request.answer()

    return with_retry(match_id, attempt, at_least=version)


def with_retry(match_id: int, attempt: Callable[[Snapshot], T], *, at_least: int = 0) -> T:
    """Call `attempt` with the match as it is, again if somebody else changes it meanwhile."""
    for _ in range(TRIES):
        snapshot = store.current(match_id, at_least)
        try:
            return attempt(snapshot)
        except store.Conflict:
            store.forget(match_id)
    raise Refused("busy", "Too much happens at this table at once. Please try again.")


class _Request:
    """A player's action against one snapshot."""

    def __init__(
        self,
        snapshot: Snapshot,
        seat: int,
        action_json: Any,
        version: int,
        client_id: str,
        now: datetime,
    ) -> None:
        self.snapshot = snapshot
        self.seat = seat
        self.action_json = action_json
        self.version = version
        self.client_id = client_id
        self.now = now

    def answer(self) -> Ack:
        hand = self.snapshot.hand
        action = self._read(hand)
        try:
            return self._carry_out(hand, action)
        except (Refused, IntegrityError):
            # A repeated id is looked up only when something is wrong: the usual case is not slowed.
            if repeated := self._repeated(action):
                return repeated
            raise

    def _read(self, hand: Hand | None) -> Action:
        try:
            action = Action.from_json(self.action_json)
            return seats.action_in_hand(action, hand) if hand else action
        except Malformed as error:
            raise self._refused("malformed", str(error)) from None

    def _carry_out(self, hand: Hand | None, action: Action) -> Ack:
        self._check_open()
        assert hand is not None
        if self.seat not in hand.players:
            raise self._refused("not-in-hand", "You do not play this hand.")
        self._check_version(action)
        player = hand.players.index(self.seat)
        after = carry_out(self.snapshot, player, action, now=self.now, client_id=self.client_id)
        return Ack(after.version)

    def _check_open(self) -> None:
        match = self.snapshot.match
        if match.paused:
            raise self._refused("paused", "The organizer has paused this table.")
        if match.phase != Match.Phase.PLAYING:
            raise self._refused("not-playing", "No hand is being played at the moment.")

    def _check_version(self, action: Action) -> None:
        if self.version == self.snapshot.version:
            return
        if action.verb in RACING and self._still_meant(action):
            return
        raise self._refused("stale", "The table has changed in the meantime. Look again.")

    def _still_meant(self, action: Action) -> bool:
        """A racing action of this hand that is right as things are now costs nobody anything."""
        position, state = self.snapshot.position, self.snapshot.match.state
        assert position is not None
        if not state["dealt"] <= self.version < self.snapshot.version:
            return False
        return action.verb == "call" or bool(position.uncalled >> action.seat & 1)

    def _repeated(self, action: Action) -> Ack | None:
        """The answer that this id got before; Refused if it was another action."""
        rows = LoggedAction.objects.filter(
            hand__match=self.snapshot.match.pk, client_id=self.client_id
        ).select_related("hand")
        for row in rows.order_by("-pk"):
            if row.hand.players[row.seat] != self.seat:
                continue
            if row.action == action.to_json():
                return Ack(row.version, repeated=True)
            sentence = "This id was used for another action. Take a new id for each action."
            raise self._refused("id-reused", sentence)
        return None

    def _refused(self, code: str, sentence: str) -> Refused:
        return Refused(code, sentence, self.snapshot.version)


def carry_out(
    snapshot: Snapshot,
    player: int,
    action: Action,
    *,
    now: datetime,
    auto: str = "",
    client_id: str = "",
    away: timedelta = timing.NONE,
) -> Snapshot:
    """Let the rules decide and commit what they say; Refused or Conflict if it cannot be.

    `player` counts as the hand does, `away` is how long it was away in this turn. This is the only
    way by which a hand moves.
    """
    hand, before = snapshot.hand, snapshot.position
    assert hand is not None
    assert before is not None
    change = Change.of(snapshot, now)
    change.position = before.copy()
    chance = RecordingChance(SystemChance())
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
    if change.position.over:
        hands.finish(change, hand)
    elif player == before.turn and action.verb not in RACING:
        clock.charge(change)
        if away:
            clock.note_absence(change, away)
        clock.start_turn(change, hand)
    else:
        clock.go_on(change, hand)
    return store.commit(change)
