"""Players' requests to act, judged against the current match.

Every request follows the path `act` → `Request.decide` → `commit.commit_action`. The only
exception is a call or catch when another player may have been faster. It goes to
`late_calls.enter_claim`, and a repeated request decides the race. `Match.race` is empty except
during the 0.4 seconds of such a race.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import IntegrityError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games import seats
from games.clocks.lag import NO_LAG, Lag
from games.json_values.submitted_action import SubmittedAction
from games.matches import late_calls
from games.models import LoggedAction, Match
from games.play.answers import Ack, RefusedError, RequestTiming, UndecidedError
from games.play.codes import PlayCode
from games.play.commit import RACING, TurnTime, commit_action, retry_on_conflict
from games.rules.actions.actions import Action, InvalidActionError
from games.seats import PlayerIndex, SeatNumber
from games.store import Rights, Snapshot

ID_REUSED = gettext_noop(
    "This ID has already been used for another action. Use a new ID for each action."
)


def act(
    match_id: int,
    seat: SeatNumber,
    action_json: Any,
    *,
    version: int,
    client_id: str,
    now: datetime | None = None,
    received: datetime | None = None,
    lag: Lag = NO_LAG,
    rights: Rights | None = None,
) -> Ack:
    """Carry out an action that a player chose at `version`.

    The action has been committed when this function returns. A repeated request with the same
    `client_id` and action gets the same answer. `received` is when the request arrived (default:
    `now`), and `lag` is the lag measured on its socket.

    Raises:
        RefusedError: The code comes from the rules or is one of malformed, stale, paused,
            not-playing, not-in-hand, id-reused, busy, call-first and catch-first.
        UndecidedError: A call or catch is undecided.
        RightsLostError: The player has lost `rights`. Nothing has changed.
    """
    now = now or timezone.now()
    request_timing = RequestTiming(now, received or now, lag)

    def judge_request(snapshot: Snapshot) -> Ack:
        if snapshot.match.race:
            snapshot = late_calls.settle_races(snapshot, now)
        request = Request(snapshot, seat, action_json, version, client_id, request_timing, rights)
        return request.decide()

    try:
        ack = retry_on_conflict(match_id, judge_request, at_least=version)
    except (RefusedError, UndecidedError):
        # A player who has signed out must not learn anything more about the table.
        _check_rights(rights)
        raise
    if ack.repeated:
        _check_rights(rights)
    return ack


def _check_rights(rights: Rights | None) -> None:
    if rights is not None:
        rights.check()


@dataclass(frozen=True, slots=True)
class Request:
    """A player's action, to be judged against one snapshot."""

    snapshot: Snapshot
    seat: SeatNumber
    action_json: Any
    version: int
    client_id: str
    timing: RequestTiming
    rights: Rights | None

    def decide(self) -> Ack:
        """Judge the action and commit it.

        Raises RefusedError, UndecidedError or ConflictError if that is not possible.
        """
        action = self._parse_action()
        try:
            return self._judge(action)
        except (RefusedError, IntegrityError):
            # To keep ordinary requests fast, look for a repeated id only after a failure.
            if repeated := self._find_repeated_answer(action):
                return repeated
            self._refuse_lost_claim()
            raise

    def _parse_action(self) -> Action:
        hand = self.snapshot.hand
        try:
            action = Action.from_json(self.action_json)
            return seats.action_in_hand(action, hand.players) if hand else action
        except InvalidActionError as error:
            raise self._build_refusal(PlayCode.MALFORMED, str(error)) from None

    def _judge(self, action: Action) -> Ack:
        self._check_in_play()
        player = self._player
        if player is None:
            raise self._build_refusal(PlayCode.NOT_IN_HAND, _("You’re not playing this hand."))
        submitted = SubmittedAction(player, action, self.client_id)
        race = self.snapshot.match.race
        if race:
            self._check_own_claim(submitted)
        self._check_version(submitted)
        if action.verb in RACING and late_calls.is_contested(self.snapshot, submitted):
            return self._enter_claim(submitted)
        if race:
            self._wait_for_race(submitted)
        spent = TurnTime(lag=self.timing.lag.usual)
        now, rights = self.timing.now, self.rights
        return Ack(commit_action(self.snapshot, submitted, now, spent=spent, rights=rights).version)

    @property
    def _player(self) -> PlayerIndex | None:
        hand = self.snapshot.hand
        return seats.player_at(hand.players, self.seat) if hand else None

    def _check_in_play(self) -> None:
        match = self.snapshot.match
        if match.paused:
            raise self._build_refusal(PlayCode.PAUSED, _("An organizer has paused this table."))
        if match.phase != Match.Phase.PLAYING:
            raise self._build_refusal(PlayCode.NOT_PLAYING, _("No hand is being played right now."))

    def _check_version(self, submitted: SubmittedAction) -> None:
        if self.version == self.snapshot.version:
            return
        racing = submitted.action.verb in RACING
        if (
            self._is_claim_still_valid(submitted.action)
            if racing
            else self._has_missed_nothing_relevant(submitted.player)
        ):
            return
        raise self._build_refusal(
            PlayCode.STALE, _("Something has just changed at the table. Take another look.")
        )

    def _has_missed_nothing_relevant(self, player: PlayerIndex) -> bool:
        """Return whether nothing relevant to the player has happened since the request's version.

        Other players' calls and catches are irrelevant unless the player is caught. Restored time
        is irrelevant as well.
        """
        new_actions = [action for action in self.snapshot.actions if action.version > self.version]
        quiet = [version for version in self.snapshot.match.state.quiet if version > self.version]
        if len(new_actions) + len(quiet) != self.snapshot.version - self.version:
            return False
        return all(
            action.verb in RACING and player not in (action.player, action.action.get("catch"))
            for action in new_actions
        )

    def _is_claim_still_valid(self, action: Action) -> bool:
        """Return whether a call or catch for an older version of this hand is still valid.

        A call is always valid. A catch is valid if the player to be caught still has not called.
        Accepting such a claim cannot cost a player cards by mistake.
        """
        _, position = self.snapshot.in_play
        if not self.snapshot.match.state.dealt <= self.version < self.snapshot.version:
            return False
        return action.verb == "call" or bool(position.uncalled >> action.seat & 1)

    def _find_repeated_answer(self, action: Action) -> Ack | None:
        """Return the earlier answer to a request with this id, or None.

        Raises RefusedError if the id was used for another action.
        """
        rows = LoggedAction.objects.filter(
            hand__match=self.snapshot.match.pk, client_id=self.client_id
        ).select_related("hand")
        for row in rows.order_by("-pk"):
            if seats.seat_of(row.hand.players, row.player) != self.seat:
                continue
            if row.action == action.to_json():
                return Ack(row.version, repeated=True)
            raise self._build_refusal(PlayCode.ID_REUSED, _(ID_REUSED))
        return None

    def _build_refusal(self, code: str, sentence: str) -> RefusedError:
        return RefusedError(code, sentence, self.snapshot.version)

    # Races between calls and catches

    def _check_own_claim(self, submitted: SubmittedAction) -> None:
        """Check that the request does not repeat a claim that is still undecided.

        Raises UndecidedError if it does, or RefusedError if the id belongs to another action.
        """
        waiting = late_calls.pending_action(self.snapshot, submitted.player, self.client_id)
        if waiting is not None and waiting != submitted.action:
            raise self._build_refusal(PlayCode.ID_REUSED, _(ID_REUSED))
        if waiting is not None and (until := late_calls.next_decision_time(self.snapshot)):
            raise UndecidedError(until)

    def _enter_claim(self, submitted: SubmittedAction) -> Ack:
        """Enter a claim into the race, because an earlier call or catch may still arrive.

        The rules judge the action now, so a wrong one is refused immediately and delays no one.
        The earliest claim is judged again when it is committed.

        Raises UndecidedError with the end of the race's window, or RefusedError.
        """
        self._check_legal(submitted)
        _check_rights(self.rights)
        if repeated := self._find_repeated_answer(submitted.action):
            return repeated
        until = late_calls.next_decision_time(
            late_calls.enter_claim(self.snapshot, submitted, self.timing)
        )
        assert until is not None
        raise UndecidedError(until)

    def _wait_for_race(self, submitted: SubmittedAction) -> None:
        """Make a legal action wait until other players' race is decided."""
        if until := late_calls.next_decision_time(self.snapshot):
            self._check_legal(submitted)
            raise UndecidedError(until)

    def _check_legal(self, submitted: SubmittedAction) -> None:
        _, position = self.snapshot.in_play
        now = self.timing.now.timestamp()
        if refusal := position.refusal(submitted.player, submitted.action, now):
            raise self._build_refusal(refusal.code, refusal.sentence)

    def _refuse_lost_claim(self) -> None:
        """Raise RefusedError about the faster claim if this request lost a race."""
        player = self._player
        if player is not None and (
            lost := late_calls.find_lost_claim(self.snapshot, player, self.client_id)
        ):
            raise self._build_refusal(*lost)
