"""Past states of a match, replayed from its log of actions.

Each process caches one past snapshot per match and delay, and advances it from action to action.
Five hundred viewers therefore cost no more than one. The log does not contain the clocks, so a past
snapshot has none.
"""

import copy
import logging
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max

from games.clocks import timing
from games.json_values.deals import Attempt, Deals
from games.json_values.state import LiveState
from games.models import Hand, LoggedAction, Match
from games.process import here, process_cache
from games.process.components import Component
from games.process.lru import LruCache
from games.rules.hand.position import Position
from games.store import CACHED, SNAPSHOTS, Snapshot
from games.tables.playback import REPLAY_ERRORS, apply_action, start_position

logger = logging.getLogger(__name__)

NOT_ENDED: dict[str, object] = {
    "points": None,
    "left": None,
    "winner": None,
    "final": None,
    "void": False,
    "void_reason": "",
    "ended_at": None,
}


@dataclass(frozen=True, slots=True)
class MatchMoment:
    """Progress of a match: the last hand, the number of actions in it, and whether it had ended.

    Windows at the same moment show the same content.
    """

    match: str
    hand: int | None
    actions: int
    ended: bool
    paused: bool


@dataclass(frozen=True, slots=True)
class PastView:
    """A match at a past moment. `until` is when the next moment begins, or None if unknown."""

    moment: MatchMoment | None
    snapshot: Snapshot
    until: datetime | None


class PastViews(Component):
    """Cached past snapshots by match and delay, with the locks for building them."""

    def __init__(self) -> None:
        self.snapshots: LruCache[tuple[int, int], PastView] = LruCache(CACHED)
        self._build_locks = tuple(threading.Lock() for _ in range(16))

    def build_lock(self, match_id: int) -> threading.Lock:
        """Return the lock to hold while building a past snapshot of this match."""
        return self._build_locks[match_id % len(self._build_locks)]


def find_past_view(live: Snapshot, at: datetime, seconds: int) -> PastView | None:
    """Return the match at this time, or None if that requires a query.

    Readers with the same delay (`seconds`) share the past snapshot.
    """
    if _is_over_at(live.match, at):
        return PastView(None, live, None)
    hand = _find_last_dealt(live, at)
    if hand is not live.hand and hand is not None:
        return None
    return _find_cached_view(live, hand, live.actions, at, seconds)


def load_past_view(live: Snapshot, at: datetime, seconds: int) -> PastView:
    """Return the match at this time. Its past snapshot is built if it is not cached."""
    if (past := find_past_view(live, at, seconds)) is not None:
        return past
    hand = _find_last_dealt(live, at)
    log = live.actions if hand is None or hand is live.hand else _load_log(hand.pk, hand.commitment)
    with here().part(PastViews).build_lock(live.match.pk):
        past = _find_cached_view(live, hand, log, at, seconds)
        return past or _cache_view(live, hand, log, at, seconds)


def _find_cached_view(
    live: Snapshot, hand: Hand | None, log: tuple[LoggedAction, ...], at: datetime, seconds: int
) -> PastView | None:
    past = here().part(PastViews).snapshots.get((live.match.pk, seconds))
    moment = _find_moment(live, hand, log, at)
    if past is None or past.moment != moment:
        return None
    return PastView(moment, past.snapshot, _find_next_change(live, hand, log, moment.actions, at))


def _cache_view(
    live: Snapshot, hand: Hand | None, log: tuple[LoggedAction, ...], at: datetime, seconds: int
) -> PastView:
    key, moment = (live.match.pk, seconds), _find_moment(live, hand, log, at)
    cache = here().part(PastViews).snapshots
    snapshot = _build_snapshot(live, hand, log, moment, at, cache.get(key))
    past = PastView(moment, snapshot, _find_next_change(live, hand, log, moment.actions, at))
    cache.set(key, past)
    return past


@process_cache(SNAPSHOTS)
def _load_log(hand: int, commitment: str) -> tuple[LoggedAction, ...]:
    """Return all actions of a finished hand.

    The commitment is part of the cache key, so that the cached actions never become outdated.
    """
    return tuple(LoggedAction.objects.filter(hand=hand).order_by("number"))


def match_as_of(match: Match, at: datetime) -> Match:
    """Return the match as it was at this time, with phase, results and end, but without state.

    The match must have been loaded with its hands.
    """
    if _is_over_at(match, at):
        return match
    hands = _list_hands_at(match.hands.all(), at)
    last = next((hand for hand in reversed(hands) if hand.dealt_at), None)
    past = copy.copy(match)
    past.phase, past.state = _find_phase(last, _has_ended_at(last, at)), LiveState()
    past.ended, past.ended_reason, past.ended_at = "", "", None
    past.paused_at = match.paused_at if match.paused_at and match.paused_at <= at else None
    # Make the copy return these hands, as if they had been prefetched with it.
    past.__dict__["_prefetched_objects_cache"] = {
        **match.__dict__.get("_prefetched_objects_cache", {}),
        "hands": hands,
    }
    return past


# State at a past time


def _is_over_at(match: Match, at: datetime) -> bool:
    return match.ended_at is not None and match.ended_at <= at


def _find_last_dealt(live: Snapshot, at: datetime) -> Hand | None:
    hands = [hand for hand in live.hands if hand.dealt_at and hand.dealt_at <= at]
    return hands[-1] if hands else None


def _find_moment(
    live: Snapshot, hand: Hand | None, log: tuple[LoggedAction, ...], at: datetime
) -> MatchMoment:
    match = live.match
    return MatchMoment(
        match=match.public_id,
        hand=hand.number if hand else None,
        actions=_count_actions(log, at) if hand else 0,
        ended=_has_ended_at(hand, at),
        paused=match.paused_at is not None and match.paused_at <= at,
    )


def _count_actions(log: tuple[LoggedAction, ...], at: datetime) -> int:
    """Return how many actions had been carried out by this time.

    An action counts only if all earlier actions count.
    """
    return next((number for number, action in enumerate(log) if action.at > at), len(log))


def _has_ended_at(hand: Hand | None, at: datetime) -> bool:
    return hand is not None and hand.ended_at is not None and hand.ended_at <= at


def _find_next_change(
    live: Snapshot, hand: Hand | None, log: tuple[LoggedAction, ...], count: int, at: datetime
) -> datetime | None:
    following = next((each for each in live.hands if each.dealt_at and each.dealt_at > at), None)
    times = [
        log[count].at if hand and count < len(log) else None,
        hand.ended_at if hand else None,
        following.dealt_at if following else None,
        live.match.paused_at,
        live.match.ended_at,
    ]
    return min((time for time in times if time is not None and time > at), default=None)


# Past snapshot


def _build_snapshot(
    live: Snapshot,
    hand: Hand | None,
    log: tuple[LoggedAction, ...],
    moment: MatchMoment,
    at: datetime,
    before: PastView | None,
) -> Snapshot:
    played = log[: moment.actions] if hand else ()
    return Snapshot(
        match=_build_past_match(live, hand, log, moment, at),
        rules=live.rules,
        seats=live.seats,
        hands=tuple(_list_hands_at(live.hands, at)),
        position=_replay_position(live, hand, played, before) if hand else None,
        actions=played,
    )


def _build_past_match(
    live: Snapshot,
    hand: Hand | None,
    log: tuple[LoggedAction, ...],
    moment: MatchMoment,
    at: datetime,
) -> Match:
    match = copy.copy(live.match)
    first = _find_dealt_version(live, hand, log) if hand else 0
    last = log[moment.actions - 1].version if moment.actions else first
    match.version = last + bool(hand and hand.void and moment.ended)
    match.phase = _find_phase(hand, moment.ended)
    match.state = LiveState(dealt=first, deserted=timing.is_deserted(live.match))
    match.turn_until, match.due = None, _find_next_deal(live, hand, moment)
    match.ended, match.ended_reason, match.ended_at = "", "", None
    match.paused_at = match.paused_at if moment.paused else None
    return match


def _find_phase(hand: Hand | None, ended: bool) -> str:
    if hand is None:
        return Match.Phase.WAITING
    return Match.Phase.BETWEEN if ended else Match.Phase.PLAYING


def _find_dealt_version(live: Snapshot, hand: Hand, log: tuple[LoggedAction, ...]) -> int:
    """Return the match's version after this deal, or the best estimate from the log."""
    if hand is live.hand:
        return live.match.state.dealt
    if log:
        return log[0].version - 1
    earlier = LoggedAction.objects.filter(hand__match=live.match.pk, hand__number__lt=hand.number)
    return (earlier.aggregate(last=Max("version"))["last"] or 0) + 1


def _find_next_deal(live: Snapshot, hand: Hand | None, moment: MatchMoment) -> datetime | None:
    if hand is None or not moment.ended:
        return None
    following = next((each for each in live.hands if each.number > hand.number), None)
    if following is None or following.dealt_at is None:
        return live.match.due if hand is live.hand else None
    # Between hands, `due` is the time at which the list of the next deal closes.
    return following.dealt_at - timing.closing_lead(live.match) * bool(following.deals)


def _list_hands_at(all_hands: Iterable[Hand], at: datetime) -> list[Hand]:
    """Return the hands that existed at this time, in their state at that time.

    The list ends with the first hand that had not ended, because the next hand is prepared only
    when a hand ends.
    """
    hands = []
    for hand in all_hands:
        hands.append(_restore_hand(hand, at))
        if not _has_ended_at(hand, at):
            break
    return hands


def _restore_hand(hand: Hand, at: datetime) -> Hand:
    if _has_ended_at(hand, at):
        return hand
    past = copy.copy(hand)
    for name, value in NOT_ENDED.items():
        setattr(past, name, value)
    if past.dealt_at is None or past.dealt_at > at:
        _undo_deal(past)
    return past


def _undo_deal(hand: Hand) -> None:
    """Restore the hand to its state before the deal, with only the server's commitment.

    The times of the steps of a deal are not stored, so past views show the first step until the
    cards are dealt.
    """
    hand.dealt_at = None
    if hand.deals:
        first = hand.deals.attempts[0]
        begun = Attempt(first.number, first.secret, first.commitment, first.dealer)
        hand.deals, hand.commitment, hand.dealer = Deals((begun,)), begun.commitment, begun.dealer


def _replay_position(
    live: Snapshot, hand: Hand, logged_actions: tuple[LoggedAction, ...], before: PastView | None
) -> Position | None:
    """Return the position of the hand after these actions.

    Returns None if they cannot be replayed. Viewers then see the match as if between hands.
    """
    if hand is live.hand and len(logged_actions) == len(live.actions) and live.position is not None:
        return live.position
    try:
        position, start = _find_start_position(live, hand, logged_actions, before)
        for action in logged_actions[start:]:
            apply_action(position, action)
    except REPLAY_ERRORS:
        # The log, the deck or the rules have changed. Players still see the stored state.
        logger.exception("Match %s: hand %s cannot be replayed", live.match.pk, hand.number)
        return None
    return position


def _find_start_position(
    live: Snapshot, hand: Hand, logged_actions: tuple[LoggedAction, ...], before: PastView | None
) -> tuple[Position, int]:
    """Return a position from which to replay, and the number of actions that led to it."""
    moment = before.moment if before else None
    if before and moment and (moment.match, moment.hand) == (live.match.public_id, hand.number):
        position = before.snapshot.position
        if position is not None and moment.actions <= len(logged_actions):
            return position.copy(), moment.actions
    return start_position(hand, live.rules), 0
