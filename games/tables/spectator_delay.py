"""What a reader may see of a match at a given time.

A player with a seat sees the match live. Everyone else sees what `Match.viewers` allows, both on
pages and over sockets. Nothing that a client sends can change this.
"""

import copy
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import store
from games.clocks import timing
from games.json_values.state import LiveState
from games.models import Match
from games.process import here
from games.process.components import Component
from games.process.lru import LruCache
from games.seats import SeatNumber
from games.store import CACHED, Snapshot
from games.tables import past_views as past

# A commentator sees the cards too late to pass them on, even if viewers see every move live.
COMMENTARY_SECONDS = 30

# A timer may fire slightly early, so it is always set for at least this many seconds.
MIN_WAIT = 0.01

# Key of a stream that is frozen for viewers. The keys of all other streams are at least 0.
FROZEN_KEY = -1

LIVE, DELAYED, HAND = (str(mode) for mode in Match.Viewers)


@dataclass(frozen=True, slots=True)
class Stream:
    """How a window follows a match.

    * `mode`: a value of Match.Viewers.
    * `seconds`: the delay.
    * `since`: set for a commentator, who sees all cards of hands dealt at or after this time.
    * `until`: if set, nothing that happened after this time is shown.
    """

    mode: str = LIVE
    seconds: int = 0
    since: datetime | None = None
    until: datetime | None = None

    @property
    def past(self) -> bool:
        """True if the window shows a past state of the match."""
        return self.mode == DELAYED or self.until is not None

    @property
    def key(self) -> int:
        """Key of the stream. Streams with the same key share past snapshots."""
        return self.seconds if self.until is None else FROZEN_KEY

    def shown_moment(self, now: datetime) -> datetime:
        """Return the past time that the window shows at `now`."""
        moment = now - timedelta(seconds=self.seconds)
        return moment if self.until is None else min(moment, self.until)

    @property
    def commentary(self) -> bool:
        return self.since is not None

    @property
    def text(self) -> str:
        """Notice about the stream, to be shown in the window, or ""."""
        if self.until is not None:
            return _("Viewers see this table as it was when the leaderboard was frozen.")
        if self.mode == DELAYED:
            return self._delay_sentence.format(delay=delay_text(self.seconds))
        if self.commentary:
            return _("You’ll see all the cards once the hand is over. Your visit is logged.")
        return _("You see each hand once it’s over.") if self.mode == HAND else ""

    @property
    def _delay_sentence(self) -> str:
        if self.commentary:
            return _("You see all cards with a delay of {delay}. Your visit is logged.")
        return _("You see every move with a delay of {delay}.")


@dataclass(frozen=True, slots=True)
class ShownMatch:
    """A match as a window may show it at the time `now`.

    * `moment`: distinguishes views with different content at the same version.
    * `wait`: the number of seconds after which the window has to be updated. If it is None, the
      window waits for the next poke.
    """

    snapshot: Snapshot
    now: datetime
    stream: Stream
    moment: object = None
    wait: float | None = None


LIVE_STREAM = Stream()


def delay_text(seconds: int) -> str:
    """Return a delay in words, such as "45 seconds" or "2 minutes"."""
    if seconds >= 60 and seconds % 60 == 0:
        minutes = seconds // 60
        return ngettext("{count} minute", "{count} minutes", minutes).format(count=minutes)
    return ngettext("{count} second", "{count} seconds", seconds).format(count=seconds)


def stream_of(match: Match, seat: SeatNumber | None) -> Stream:
    """Return the stream for this seat. `seat` is None for a viewer."""
    if seat is not None:
        return LIVE_STREAM
    seconds = match.viewer_delay_seconds if match.viewers == DELAYED else 0
    return Stream(match.viewers, seconds, until=match.viewers_until)


def commentary_stream(match: Match, since: datetime | None) -> Stream:
    """Return the stream for a commentator, which is never live.

    It shows all cards of hands dealt at or after `since`.
    """
    if match.viewers == HAND:
        return Stream(HAND, since=since)
    return Stream(DELAYED, _find_commentary_delay(match), since=since)


def _find_commentary_delay(match: Match) -> int:
    delay = match.viewer_delay_seconds if match.viewers == DELAYED else 0
    return max(delay, COMMENTARY_SECONDS)


def describe_open_cards(match: Match) -> str:
    """Return the notice that commentators see all cards, or "" if there are no commentators."""
    if not match.commentary:
        return ""
    if match.viewers == HAND:
        return _("Commentators can see everyone’s cards after each hand.")
    text = _("Commentators can see everyone’s cards with a delay of {delay}.")
    return text.format(delay=delay_text(_find_commentary_delay(match)))


def shown_from_cache(live: Snapshot, stream: Stream, now: datetime) -> ShownMatch | None:
    """Return the current state of the stream, or None if that requires the database."""
    if stream.past:
        moment = stream.shown_moment(now)
        past_view = past.find_past_view(live, moment, stream.key)
        return _build_shown_match(past_view, moment, stream) if past_view else None
    if stream.mode == HAND:
        return _show_between_hands(live, stream, now)
    return ShownMatch(live, now, stream)


def shown_now(live: Snapshot, stream: Stream, now: datetime) -> ShownMatch:
    """Return the current state of the stream."""
    if (shown := shown_from_cache(live, stream, now)) is not None:
        return shown
    moment = stream.shown_moment(now)
    return _build_shown_match(past.load_past_view(live, moment, stream.key), moment, stream)


def match_for_seat(match: Match, seat: SeatNumber | None) -> ShownMatch:
    """Return the match as this seat may see it now. `seat` is None for a viewer."""
    live = store.current(match.pk, match.version)
    return shown_now(live, stream_of(match, seat), timezone.now())


def public_match(match: Match, now: datetime) -> Match:
    """Return the match as viewers may see it, for lists and standings.

    The match must have been loaded with its hands.
    """
    stream = stream_of(match, None)
    return past.match_as_of(match, stream.shown_moment(now)) if stream.past else match


def _build_shown_match(past_view: past.PastView, moment: datetime, stream: Stream) -> ShownMatch:
    wait = max(MIN_WAIT, (past_view.until - moment).total_seconds()) if past_view.until else None
    snapshot = past_view.snapshot
    if stream.mode == HAND and snapshot.match.phase == Match.Phase.PLAYING:
        snapshot = _hide_hand(snapshot)
    frozen = moment == stream.until
    return ShownMatch(snapshot, moment, stream, past_view.moment, None if frozen else wait)


# Matches shown between hands only


class SnapshotsWithoutHand(Component):
    """Cached snapshots that hide the hand in play, by match, each with its moment."""

    def __init__(self) -> None:
        self.known: LruCache[int, tuple[object, Snapshot]] = LruCache(CACHED)


def _show_between_hands(live: Snapshot, stream: Stream, now: datetime) -> ShownMatch:
    """Return the match without the content of the hand in play.

    The result still shows that a hand is being played.
    """
    match, hand = live.match, live.hand
    if match.phase != Match.Phase.PLAYING or hand is None:
        return ShownMatch(live, now, stream)
    moment = (match.public_id, hand.number, match.paused)
    cache = here().part(SnapshotsWithoutHand).known
    cached_moment, snapshot = cache.get(match.pk) or (None, live)
    if cached_moment != moment:
        snapshot = _hide_hand(live)
        cache.set(match.pk, (moment, snapshot))
    return ShownMatch(snapshot, now, stream, moment)


def _hide_hand(live: Snapshot) -> Snapshot:
    """Return the match without any cards, moves or points of the hand in play."""
    match = copy.copy(live.match)
    match.version = live.match.state.dealt
    match.state = LiveState(deserted=timing.is_deserted(live.match))
    match.turn_until, match.due = None, None
    *before, hand = live.hands
    hand = copy.copy(hand)
    hand.opening = {}
    return replace(live, match=match, hands=(*before, hand), position=None, actions=())
