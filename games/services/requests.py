"""A player's request to act, judged against the match as it is."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import IntegrityError
from django.utils import timezone

from games import seats
from games.models import Action as LoggedAction
from games.models import Hand, Match
from games.rules.actions import Action, Malformed
from games.services import fair
from games.services.basics import Ack, Later, Refused
from games.services.play import RACING, carry_out, with_retry
from games.store import Snapshot

ID_REUSED = "This id was used for another action. Take a new id for each action."


def act(
    match_id: int,
    seat: int,
    action_json: Any,
    *,
    version: int,
    client_id: str,
    now: datetime | None = None,
    received: datetime | None = None,
    lag: float = 0.0,
) -> Ack:
    """Carry out a player's action, seen at `version`; committed when this returns.

    The same `client_id` with the same action gets the first answer again. `received` is when it
    came (`now` if absent), `lag` the round trip in seconds measured on its socket. Raises Refused
    with the rules' code, or: malformed, stale, paused, not-playing, not-in-hand, id-reused, busy,
    call-first, catch-first. Raises Later while a call or catch waits to be decided.
    """
    now = now or timezone.now()
    came = Arrival(now, received or now, lag)

    def attempt(snapshot: Snapshot) -> Ack:
        snapshot = fair.settled(snapshot, now)
        return _Request(snapshot, seat, action_json, version, client_id, came).answer()

    return with_retry(match_id, attempt, at_least=version)


def _is_word(logged: LoggedAction) -> bool:
    return any(verb in logged.action for verb in RACING)


def _concerns(logged: LoggedAction, player: int) -> bool:
    return player in (logged.seat, logged.action.get("catch"))


@dataclass(frozen=True, slots=True)
class Arrival:
    """When a request is judged, when the server received it, and its socket's lag in seconds."""

    now: datetime
    received: datetime
    lag: float


class _Request:
    """A player's action against one snapshot."""

    def __init__(
        self,
        snapshot: Snapshot,
        seat: int,
        action_json: Any,
        version: int,
        client_id: str,
        came: Arrival,
    ) -> None:
        self.snapshot = snapshot
        self.seat = seat
        self.action_json = action_json
        self.version = version
        self.client_id = client_id
        self.came = came

    def answer(self) -> Ack:
        hand = self.snapshot.hand
        action = self._read(hand)
        try:
            return self._carry_out(hand, action)
        except (Refused, IntegrityError):
            # A repeated id is looked up only when something is wrong: the usual case is not slowed.
            if repeated := self._repeated(action):
                return repeated
            self._check_outrun(hand)
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
        player = hand.players.index(self.seat)
        self._check_waiting(player, action)
        self._check_version(player, action)
        if fair.contested(self.snapshot, player, action):
            return self._claim(player, action)
        if until := fair.until(self.snapshot):
            self._check_legal(player, action)
            raise Later(until)
        after = carry_out(
            self.snapshot,
            player,
            action,
            now=self.came.now,
            client_id=self.client_id,
            lag=self.came.lag,
        )
        return Ack(after.version)

    def _claim(self, player: int, action: Action) -> Ack:
        """Let others' calls and catches that were earlier come in before this one counts."""
        self._check_legal(player, action)
        if repeated := self._repeated(action):
            return repeated
        noted = fair.enter(
            self.snapshot,
            player,
            action,
            self.came.now,
            received=self.came.received,
            lag=self.came.lag,
            client_id=self.client_id,
        )
        until = fair.until(noted)
        assert until is not None
        raise Later(until)

    def _check_legal(self, player: int, action: Action) -> None:
        assert self.snapshot.position is not None
        position, now = self.snapshot.position, self.came.now.timestamp()
        if refusal := position.refusal(player, action, now):
            raise self._refused(refusal.code, refusal.sentence)

    def _check_waiting(self, player: int, action: Action) -> None:
        waiting = fair.waiting(self.snapshot, player, self.client_id)
        if waiting is not None and waiting != action.to_json():
            raise self._refused("id-reused", ID_REUSED)
        if waiting is not None and (until := fair.until(self.snapshot)):
            raise Later(until)

    def _check_open(self) -> None:
        match = self.snapshot.match
        if match.paused:
            raise self._refused("paused", "The organizer has paused this table.")
        if match.phase != Match.Phase.PLAYING:
            raise self._refused("not-playing", "No hand is being played at the moment.")

    def _check_version(self, player: int, action: Action) -> None:
        if self.version == self.snapshot.version:
            return
        words = action.verb in RACING
        if self._still_meant(action) if words else self._only_words_since(player):
            return
        raise self._refused("stale", "The table has changed in the meantime. Look again.")

    def _only_words_since(self, player: int) -> bool:
        """Whether all that has happened since are calls and catches that leave the seat alone."""
        new = [one for one in self.snapshot.actions if one.version > self.version]
        if not new or len(new) != self.snapshot.version - self.version:
            return False
        return all(_is_word(one) and not _concerns(one, player) for one in new)

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
            raise self._refused("id-reused", ID_REUSED)
        return None

    def _check_outrun(self, hand: Hand | None) -> None:
        """Refused, with what was faster, if this was a claim that came second."""
        if hand is None or self.seat not in hand.players:
            return
        if lost := fair.lost(self.snapshot, hand.players.index(self.seat), self.client_id):
            raise self._refused(*lost)

    def _refused(self, code: str, sentence: str) -> Refused:
        return Refused(code, sentence, self.snapshot.version)
