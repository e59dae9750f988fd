"""A window on a match: when it is sent views, presence and news from the desk."""

import asyncio
import time
from typing import Any, NamedTuple

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from games import services, store
from games.clocks.lag import Meter
from games.clocks.presence import Attendance, PresenceBook, PresentPlayer
from games.process import run_in_database_thread
from games.protocol.messages import ServerMessage
from games.seats import Holder, SeatNumber
from games.sockets import desks
from games.sockets.base import LOOK, SEAT_FOUND, SEAT_LOST, Socket, SocketClosedError, encode
from games.sockets.encoded_views import Reader, SentView
from games.sockets.entrance.arrival import Arrival
from games.sockets.tables import Tables, TableWindows, presence_topic
from games.tables.spectator_delay import (
    LIVE_STREAM,
    ShownMatch,
    Stream,
    shown_from_cache,
    shown_now,
    stream_of,
)
from games.tables.view import seconds_until_change

# A client requests version 2 of the protocol with this part of the query string.
CHANGES = b"protocol=2"
OTHER_TAB = gettext_lazy("This table is open in another window, which is now in control.")
NOT_YOURS = gettext_noop("This seat is no longer yours.")
# Further flags in `dirty`:
# VIEW: send the view even if it is unchanged.
# WHOLE: send the whole view instead of changes.
# DESK: load the news from the desk.
VIEW, WHOLE, DESK = 2, 4, 8


class LastView(NamedTuple):
    """The view that was last sent to a window.

    * `controls`: true if the window was then in control of its seat.
    * `edition`: the base for sending changes, or None if the next view has to be sent whole.
    * `at`: the time at which the view was sent, on the monotonic clock.
    """

    version: int = -1
    moment: object = None
    controls: bool = False
    edition: SentView | None = None
    at: float = 0.0


class Window(Socket[ServerMessage]):
    """Base class for windows of players and viewers."""

    __slots__ = (
        "_answering",
        "_desk_sent",
        "_desks",
        "_holder",
        "_presence",
        "_sent",
        "_timer",
        "line",
        "match_id",
        "seat",
        "seat_id",
        "table",
    )
    table: TableWindows

    def __init__(self, arrival: Arrival, send: Any) -> None:
        super().__init__(arrival, send)
        # Looked up once, because every sweep and every message uses them.
        self._presence, self._desks = (
            self.process.part(PresenceBook),
            self.process.part(desks.Desks),
        )
        self._holder: Holder | None = self.identity.holder if self.identity else None
        self.line = Meter()
        self.match_id = 0
        self.seat: SeatNumber | None = None
        self.seat_id = 0
        self.dirty, self._sent, self._desk_sent = DESK, LastView(), desks.NOTHING
        self._timer: asyncio.TimerHandle | None = None
        # Locked while a request is answered, so that the view with the result follows the answer.
        self._answering = asyncio.Lock()

    # News

    def show(self, live: store.Snapshot | None) -> None:
        """Send the news in this snapshot. `live` is None if the match has to be loaded.

        The news is sent immediately if this does not require waiting for the client or the
        database. If a reply is being sent, the news follows it.
        """
        self.dirty |= LOOK
        if self._flushing or self._answering.locked():
            return  # the task that is sending will check for news again
        if live is None or not self.is_open or not self._flush_now(live):
            self.mark_dirty()

    def _flush_now(self, live: store.Snapshot) -> bool:
        """Send the news, unless this requires waiting for the client or the database.

        Returns whether it was sent.
        """
        if self.dirty & DESK:
            return False
        try:
            self._check_holder(live)
        except SocketClosedError:
            return False
        shown = self._find_shown_match(live)
        if shown is None:
            return False
        before = self._sent, self.dirty
        self.dirty &= ~LOOK
        texts = self._take_texts(shown)
        if texts and not self.try_send(*texts):
            self._sent, self.dirty = before
            return False
        return True

    async def flush(self) -> None:
        async with self._answering:
            live = await self._load_snapshot()
            self._check_holder(live)
            for text in self._take_texts(await self._load_shown_match(live)):
                await self.send(text)
        await self._send_desk_news()

    def _take_texts(self, shown_match: ShownMatch) -> list[bytes]:
        """Return the encoded messages for the client, and record them as sent."""
        texts, controls, sent = [], self.controls, self._sent
        if self.dirty & (VIEW | WHOLE) or self._has_new_content(shown_match, controls):
            if sent.controls and not controls:
                texts.append(encode(self._build_notice("other_tab", OTHER_TAB)))
            previous = None if self.dirty & WHOLE else sent.edition
            text, edition = self._encode_view(shown_match, controls, previous)
            texts.append(text)
            version, now = shown_match.snapshot.version, time.monotonic()
            self._sent = LastView(version, shown_match.moment, controls, edition, now)
        self.dirty &= ~(VIEW | WHOLE)
        self._schedule_next_view(shown_match)
        return texts

    def _has_new_content(self, shown_match: ShownMatch, controls: bool) -> bool:
        sent = self._sent
        newer = shown_match.snapshot.version > sent.version or shown_match.moment != sent.moment
        return newer or controls != sent.controls

    def _reload_desk(self, _version: int | None) -> None:
        self._desks.notify(self.match_id)
        self.mark_dirty(DESK)

    def show_presence(self) -> None:
        """Send the players' presence immediately, or else schedule a new view."""
        live = store.find_cached(self.match_id)
        if live is None or self._sent.version < 0:
            return
        shown = self._find_shown_match(live)
        people = self._presence.people_of(self.match_id)
        if shown is None or not self.try_send(
            self.table.texts(shown.stream).presence_message(shown, people)
        ):
            self.mark_dirty(VIEW)

    def show_reaction(self, text: bytes) -> None:
        """Send this reaction if that is possible now. A window with a delay never receives it."""
        live = store.find_cached(self.match_id)
        at_once = live is not None and self._choose_stream(live) == LIVE_STREAM
        if self.is_open and (self.seat is not None or at_once):
            self.try_send(text)

    def _check_holder(self, live: store.Snapshot) -> None:
        """Check that the seat still has the same holder, before one of its views is sent.

        Raises SocketClosedError if the holder has changed, or if a viewer now has a seat.
        """
        mine = self._holder
        if self.seat is not None and live.seats[self.seat].holder != mine:
            raise SocketClosedError(SEAT_LOST, _(NOT_YOURS))
        if self.seat is None and mine and any(seat.holder == mine for seat in live.seats):
            raise SocketClosedError(SEAT_FOUND, _("You now have a seat at this table."))

    async def _send_desk_news(self) -> None:
        """Send the desk's news if it has changed."""
        if self.dirty & DESK:
            await self._desks.ensure_loaded(self.match_id)
            self.dirty &= ~DESK
        news = self._desks.message(self.match_id, self.seat)
        if news != self._desk_sent:
            self._desk_sent = news
            await self.say(news)

    def request_missed_news(self) -> None:
        """Schedule an update if the window has missed a version or news from the desk."""
        desk = self._desks.message(self.match_id, self.seat)
        if desk != self._desk_sent or self._sent.version < self.table.newest:
            self.mark_dirty()

    def check_seat(self) -> bool:
        """Check the seat, and return whether its player's presence must be recorded.

        The window is closed if its seat has another player, and updated if another window has taken
        control. Presence must be recorded if the seat still belongs to this window, but its player
        is not recorded as present.
        """
        if self.seat is None:
            return False
        people = self._presence.people_of(self.match_id)
        person = people.get(self.seat)
        if person is None or person.holder != self._holder:
            if people:
                self.end(SEAT_LOST, gettext_lazy(NOT_YOURS))
            return False
        if (person.controller == self.key) != self._sent.controls:
            self.mark_dirty()
        return not person.here

    def send_probe(self) -> None:
        """Send a probe, to find out whether a silent client is still connected.

        Nothing is sent while an earlier probe is in flight, or if sending would require waiting.
        """
        number = self.line.start_probe(time.monotonic())
        if number is not None and not self.try_send(encode({"type": "probe", "n": number})):
            self.line.cancel_probe()

    async def arrive(self, controller: str = "") -> None:
        """Record that the player is present.

        If `controller` is given, that socket takes control of the seat.
        """
        self.process.part(Attendance).record_silence(self.match_id, self.seat_id, 0)
        changed = await run_in_database_thread(self._record_arrival, controller)
        self.process.hub.poke_others(presence_topic(self.match_id))
        self.process.part(Tables).notify_presence(changed)

    def _record_arrival(self, controller: str) -> list[int]:
        assert self.seat is not None
        key = self.process.key
        changed = self._presence.arrive(self.match_id, self.seat_id, key, controller)
        services.resume_deserted_table(self.match_id, timezone.now())
        services.end_loan(self.match_id, self.seat, timezone.now())
        return changed

    # Internals

    @property
    def version(self) -> int:
        return max(self._sent.version, 0)

    @property
    def _recorded_player(self) -> PresentPlayer | None:
        """The player recorded at this window's seat."""
        if self.seat is None:
            return None
        return self._presence.people_of(self.match_id).get(self.seat)

    @property
    def controls(self) -> bool:
        """True if this window was the last of its player's windows to connect or act."""
        person = self._recorded_player
        return person is not None and person.controller == self.key

    def _is_player_counted_as_gone(self) -> bool:
        person = self._recorded_player
        return person is not None and not person.here and not person.is_present(timezone.now())

    async def _load_snapshot(self) -> store.Snapshot:
        if (cached := self.table.find_snapshot()) is not None:
            return cached
        return await run_in_database_thread(store.current, self.match_id, self.table.newest)

    def _choose_stream(self, live: store.Snapshot) -> Stream:
        return stream_of(live.match, self.seat)

    def _find_shown_match(self, live: store.Snapshot) -> ShownMatch | None:
        """Return the match as this window may see it now, or None if that requires the database.

        A player sees `live`. A viewer may see an earlier state.
        """
        return shown_from_cache(live, self._choose_stream(live), timezone.now())

    async def _load_shown_match(self, live: store.Snapshot) -> ShownMatch:
        if (shown := self._find_shown_match(live)) is not None:
            return shown
        return await run_in_database_thread(
            shown_now, live, self._choose_stream(live), timezone.now()
        )

    def _encode_view(
        self, shown_match: ShownMatch, controls: bool, previous: SentView | None
    ) -> tuple[bytes, SentView | None]:
        """Return a message with the view or its changes, and the base for later changes."""
        reader = Reader(
            self.seat, controls, self._sent.version, self.arrival.query_contains(CHANGES), previous
        )
        people = self._presence.people_of(self.match_id)
        return self.table.texts(shown_match.stream).view_message(shown_match, people, reader)

    def _schedule_next_view(self, shown_match: ShownMatch) -> None:
        self._cancel_timer()
        later = asyncio.get_running_loop().call_later
        if shown_match.wait is not None:
            self._timer = later(shown_match.wait, self.mark_dirty)
        elif self.seat is not None:
            seconds = seconds_until_change(shown_match.snapshot, shown_match.now)
            if seconds is not None:
                self._timer = later(seconds, self.mark_dirty, VIEW)

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
