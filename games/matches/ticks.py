"""Automatic actions that are due: bot moves, expired turns, and the next deal."""

import logging
import random
from datetime import datetime, timedelta
from typing import Any

from django.db import DatabaseError, transaction
from django.utils import timezone

from games import store
from games.clocks import timing
from games.json_values.submitted_action import SubmittedAction
from games.liveness import lost_processes
from games.matches import bot_pace, late_calls
from games.matches.absence import Wait, find_wait, pause_deserted_table
from games.models import Match, Seat
from games.play import dealing, outages
from games.play.answers import GOING, RefusedError, RequestTiming
from games.play.commit import TurnTime, commit_action
from games.play.hands import end_match, is_time_up
from games.rules.bots import bots
from games.seats import PlayerIndex, enumerate_players, seat_of
from games.store import MatchChange, Snapshot

logger = logging.getLogger(__name__)

# The process that changed a match last carries out the match's automatic actions. Other processes
# take over only after this delay.
TAKEOVER_DELAY = timedelta(seconds=0.25)
# It takes about this long to find out whether a player's process is still alive.
RECHECK_DELAY = timedelta(seconds=0.5)
# Delay before a match that raised an error is tried again, so that it does not delay other matches.
RETRY_DELAY = timedelta(seconds=30)
# Strength of the bots that replace people when `play_out` plays a match without them.
STAND_IN_STRENGTH = "plain"

_rng = random.SystemRandom()


def due_matches(
    now: datetime, limit: int, *, alone: bool
) -> tuple[list[tuple[int, int]], datetime | None]:
    """Return the due matches with their versions, and when the next match becomes due (or None).

    Uses one query. Unless this process is `alone`, a match that another process changed last
    becomes due TAKEOVER_DELAY later.
    """
    matches = Match.objects.filter(due__isnull=False, paused_at__isnull=True).order_by("due")
    # Load more rows than `limit`, because some of the matches are left to other processes.
    rows_wanted = limit + 1 if alone else limit * 4
    rows: Any = matches.values_list("pk", "version", "due")[:rows_wanted]
    ready: list[tuple[int, int]] = []
    following: list[datetime] = []
    for pk, version, at in rows:
        if len(ready) == limit or (following and at >= min(following)):
            break
        moment = at if alone or _was_changed_here(pk, version) else at + TAKEOVER_DELAY
        if moment <= now:
            ready.append((pk, version))
        else:
            following.append(moment)
    return ready, min(following, default=None)


def _was_changed_here(pk: int, version: int) -> bool:
    snapshot = store.find_cached(pk)
    return snapshot is not None and snapshot.made_here and snapshot.version == version


def run_due_step(pk: int, version: int, now: datetime | None = None) -> bool:
    """Carry out what is due in this match, and return whether anything was.

    An unexpected error is logged, and the match is tried again after RETRY_DELAY.
    """
    now = now or timezone.now()
    try:
        snapshot = store.current(pk, version)
        acted = outages.with_outage_time(snapshot) is not snapshot or _carry_out_due_step(
            snapshot, now
        )
    except store.ConflictError:
        acted = False
    except RefusedError as refused:
        # The table chooses only legal actions, so the cached match must be wrong.
        logger.error("Match %s: the table's own action was refused: %s", pk, refused.sentence)
        acted = False
    except DatabaseError:
        raise
    except Exception:
        logger.exception("Match %s could not take its next step", pk)
        Match.objects.filter(pk=pk, due__isnull=False).update(due=now + RETRY_DELAY)
        acted = False
    if not acted:
        # The database says that something is due, so this process's copy must be outdated.
        store.forget(pk)
    return acted


def tick(now: datetime | None = None) -> int:
    """Carry out everything that is due in all matches, and return the number of steps."""
    now = now or timezone.now()
    total = 0
    while True:
        ready, _ = due_matches(now, 100, alone=True)
        acted = sum([run_due_step(pk, version, now) for pk, version in ready])
        total += acted
        if not acted:
            return total


def _carry_out_due_step(snapshot: Snapshot, now: datetime) -> bool:
    match = snapshot.match
    if match.paused or match.due is None or match.due > now:
        return False
    if match.phase == Match.Phase.BETWEEN:
        _advance_to_next_hand(snapshot, now)
    elif match.race:
        if late_calls.settle_races(snapshot, now) is snapshot:
            store.set_due_time(snapshot, late_calls.next_decision_time(snapshot))
    elif not _add_bot_call(snapshot, now):
        _end_turn(snapshot, now)
    return True


def _advance_to_next_hand(snapshot: Snapshot, now: datetime) -> Snapshot:
    """Take the next step towards the next hand, or end the match."""
    change = MatchChange.from_snapshots(snapshot, now)
    if is_time_up(change) and not _must_be_dealt(snapshot):
        end_match(change, Match.MatchEnding.TIME)
    elif not dealing.extend_step_if_late(change):
        dealing.take_next_step(change)
    return store.commit(change)


def _must_be_dealt(snapshot: Snapshot) -> bool:
    """Return whether the next hand must be dealt even if time is up.

    That is so if it is the first hand, if it replaces a hand that began in time, or if its list was
    closed in time.
    """
    before, hand = snapshot.hand, snapshot.prepared
    assert hand is not None
    return before is None or before.void or hand.deals.closed


def _add_bot_call(snapshot: Snapshot, now: datetime) -> bool:
    """Let a bot call UNO or catch a player who forgot to. Returns False if no bot does so."""
    call = _find_bot_call(snapshot, now)
    if call is None:
        return False
    if late_calls.is_contested(snapshot, call):
        late_calls.enter_claim(snapshot, call, RequestTiming(now, now))
    else:
        commit_action(snapshot, call, now)
    return True


def _find_bot_call(snapshot: Snapshot, now: datetime) -> SubmittedAction | None:
    """Return the call or catch that a bot makes now, or None."""
    hand, position = snapshot.in_play
    if not position.uncalled:
        return None
    for player, seat in enumerate_players(hand.players):
        strength = snapshot.seats[seat].bot
        if not strength:
            continue
        view = position.view(player, now.timestamp())
        if action := bots.choose_call_or_catch(view, snapshot.rules, strength, _rng):
            return SubmittedAction(player, action, auto="bot")
    return None


def _end_turn(snapshot: Snapshot, now: datetime) -> None:
    """Act for the seat whose time is up, or postpone that if the seat may still act."""
    seat = _get_seat_to_act(snapshot)
    wait = _find_wait(snapshot, seat, now)
    if wait.until > now:
        store.set_due_time(snapshot, wait.until)
    elif seat.bot:
        act_as_bot(snapshot, seat.bot, now)
    elif lost_processes.may_be_cut_off(seat):
        store.set_due_time(snapshot, now + RECHECK_DELAY)
    elif wait.alone:
        pause_deserted_table(snapshot, wait, now)
    else:
        _act_for_absent_player(snapshot, wait, now)


def _find_wait(snapshot: Snapshot, seat: Seat, now: datetime) -> Wait:
    if not seat.bot:
        return find_wait(snapshot, seat, now)
    assert snapshot.match.turn_until is not None
    return Wait(snapshot.match.turn_until, "bot")


def _get_seat_to_act(snapshot: Snapshot) -> Seat:
    hand, position = snapshot.in_play
    assert position.turn is not None
    return snapshot.seats[seat_of(hand.players, PlayerIndex(position.turn))]


def act_as_bot(snapshot: Snapshot, strength: str, now: datetime) -> Snapshot:
    """Act for the seat whose turn it is, as a bot of this strength would."""
    _, position = snapshot.in_play
    assert position.turn is not None
    view = position.view(position.turn, now.timestamp())
    action = bot_pace.choose_in_time(view, snapshot.rules, strength, _rng)
    return commit_action(
        snapshot, SubmittedAction(PlayerIndex(position.turn), action, auto="bot"), now
    )


def _act_for_absent_player(snapshot: Snapshot, wait: Wait, now: datetime) -> None:
    """End the turn of a player whose time is up by acting for them."""
    acting, away = True, wait.away
    while acting:
        _, position = snapshot.in_play
        assert position.turn is not None
        player = PlayerIndex(position.turn)
        action = bots.choose_forced_action(position.view(player), snapshot.rules)
        submitted = SubmittedAction(player, action, auto=wait.auto)
        snapshot = commit_action(snapshot, submitted, now, spent=TurnTime(away=away))
        acting, away = _is_holding_drawn_card(snapshot, player), timing.NO_TIME


def _is_holding_drawn_card(snapshot: Snapshot, player: PlayerIndex) -> bool:
    """Return whether the player has drawn a card and it is still their turn."""
    position = snapshot.position
    if position is None or position.turn != player:
        return False
    view = position.view(player)
    return bool(view["may"]["pass"]) or view["drawn"] is not None


def play_out(match: Match, hands: int | None = None) -> Match:
    """Play the match to its end, or `hands` more hands, with bots at all seats and no waiting.

    For demos, rehearsals and tests. Each hand is one transaction. Returns the match in its final
    state.
    """
    snapshot = store.current(match.pk, match.version)
    goal = None if hands is None else len(snapshot.finished) + hands
    while snapshot.match.phase in GOING and len(snapshot.finished) != goal:
        try:
            with transaction.atomic():
                snapshot = _play_hand_out(snapshot)
        except store.ConflictError:
            store.forget(match.pk)
            snapshot = store.current(match.pk)
    return snapshot.match


def _play_hand_out(snapshot: Snapshot) -> Snapshot:
    while snapshot.match.phase == Match.Phase.BETWEEN:
        snapshot = _advance_to_next_hand(snapshot, timezone.now())
    while snapshot.match.phase == Match.Phase.PLAYING:
        now = timezone.now()
        if call := _find_bot_call(snapshot, now):
            snapshot = commit_action(snapshot, call, now)
        else:
            snapshot = act_as_bot(
                snapshot, _get_seat_to_act(snapshot).bot or STAND_IN_STRENGTH, now
            )
    return snapshot
