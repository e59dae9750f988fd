"""Window on a match: when it shows views, presence and news from the desk."""

import asyncio
import time
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from games import queries, services, store
from games.clocks.lag import Meter
from games.clocks.presence import Attendance, PresenceBook, PresentPlayer
from games.process import run_in_database_thread
from games.protocol.messages import ServerMessage
from games.seats import Holder, SeatNumber
from games.sockets import desks
from games.sockets.base import SEAT_FOUND, SEAT_LOST, Socket, SocketClosedError
from games.sockets.encoded_views import Edition, Reader
from games.sockets.entrance.arrival import Arrival
from games.sockets.tables import Tables, TableWindows, people_topic

# A client asks for version 2 of the protocol by this word of the address.
CHANGES = b"protocol=2"
OTHER_TAB = gettext_lazy("This table is open in another window, which is now in control.")
NOT_YOURS = gettext_noop("This seat is no longer yours.")


class Window(Socket[ServerMessage]):
    """Base class for windows of seats and of viewers; everything comes from `queries`."""

    __slots__ = (
        "_again",
        "_answering",
        "_controlled",
        "_desk_moved",
        "_desk_sent",
        "_desks",
        "_edition",
        "_held",
        "_holder",
        "_newest",
        "_presence",
        "_sent_at",
        "_sent_moment",
        "_sent_version",
        "_timer",
        "line",
        "match_id",
        "opened",
        "seat",
        "seat_id",
        "table",
    )
    table: TableWindows

    def __init__(self, arrival: Arrival, send: Any) -> None:
        super().__init__(arrival, send)
        # Asked of every window each second, and with each message.
        self._presence, self._desks = (
            self.process.part(PresenceBook),
            self.process.part(desks.Desks),
        )
        self._holder: Holder | None = self.identity.holder if self.identity else None
        self.opened = False
        self.line = Meter()
        self.match_id = 0
        self.seat: SeatNumber | None = None
        self.seat_id = 0
        self._sent_version, self._sent_at = -1, 0.0
        self._newest, self._again, self._controlled = 0, True, False
        self._sent_moment: object = None
        # What changes are told from; None: the next view is whole.
        self._edition: Edition | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._desk_moved, self._desk_sent = True, desks.NOTHING
        # Held from an action to its answer: the view that shows it comes after.
        self._answering, self._held = asyncio.Lock(), False

    # News

    def receive_poke(self, version: int | None) -> None:
        self._newest = max(self._newest, version or 0)
        self.look_again()

    def show(self, live: store.Snapshot) -> None:
        """Send what is new in this snapshot.

        It is sent immediately if neither client nor database is waited for, and after an answer
        that is on its way.
        """
        if self._answering.locked() and not self._updating:
            self._held = True
        elif not self.opened or not self._show_if_new(live):
            self.look_again()

    def show_held(self) -> None:
        """Send what was not sent before an answer."""
        if self._held:
            self._held = False
            live = store.find_cached(self.match_id)
            if live is None or live.version < self.table.newest or not self._show_if_new(live):
                self.look_again()

    def _reload_desk(self, _version: int | None) -> None:
        self._desks.notify(self.match_id)
        self._desk_moved = True
        self.look_again()

    def _show_if_new(self, live: store.Snapshot) -> bool:
        busy = self._updating or self._desk_moved
        if busy or self._controlled != self.controls:
            return False
        try:
            self._check_still_mine(live)
        except SocketClosedError:
            return False
        shown = queries.glance(live, self._choose_stream(live), timezone.now())
        return shown is not None and self._send_if_differs(shown)

    def _send_if_differs(self, shown: queries.ShownMatch) -> bool:
        if self._is_different(shown):
            text, edition = self._view_text(shown)
            if not self.put(text):
                return False
            self._has_seen(shown, edition)
        self._schedule_look(shown)
        return True

    async def update(self) -> None:
        async with self._answering:
            live = await self._load_snapshot()
            self._check_still_mine(live)
            shown = await self._load_shown_match(live)
            if self._is_different(shown):
                await self._tell_control()
                text, edition = self._view_text(shown)
                self._has_seen(shown, edition)
                await self.send(text)
            self._schedule_look(shown)
        await self._send_desk()

    def _is_different(self, shown: queries.ShownMatch) -> bool:
        new = shown.snapshot.version > self._sent_version or shown.moment != self._sent_moment
        return self._again or new

    def show_people(self) -> None:
        """Send who is here, if the client has a view and the database is not needed."""
        live = store.find_cached(self.match_id)
        if live is None or self._sent_version < 0:
            return
        shown = queries.glance(live, self._choose_stream(live), timezone.now())
        known = self._presence.people_of(self.match_id)
        if shown is None or not self.put(self.table.texts(shown.stream).here(shown, known)):
            self._see_again()

    def show_reaction(self, text: bytes) -> None:
        """Send this at once or not at all, to those alone who see the table as it is."""
        live = store.find_cached(self.match_id)
        at_once = live is not None and self._choose_stream(live) == queries.Stream()
        if self.opened and (self.seat is not None or at_once):
            self.put(text)

    def _check_still_mine(self, live: store.Snapshot) -> None:
        """Asked of what would be shown: no view of a seat goes to who has just lost it."""
        mine = self._holder
        if self.seat is not None and live.seats[self.seat].holder != mine:
            raise SocketClosedError(SEAT_LOST, _(NOT_YOURS))
        if self.seat is None and mine and any(seat.holder == mine for seat in live.seats):
            raise SocketClosedError(SEAT_FOUND, _("You now have a seat at this table."))

    async def _send_desk(self) -> None:
        """Send the current news between table and desk, if it has changed."""
        if self._desk_moved:
            self._desk_moved = False
            await self._desks.learn(self.match_id)
        news = self._desks.message(self.match_id, self.seat)
        if news != self._desk_sent:
            self._desk_sent = news
            await self.say(news)

    def check_told(self) -> None:
        """Notice what was missed: something from the desk, or a version that the table has."""
        desk = self._desks.message(self.match_id, self.seat)
        if desk != self._desk_sent or self._sent_version < self.table.newest:
            self.look_again()

    def check_seat(self) -> bool:
        """Check the seat, and return whether its player's presence must be recorded.

        The check notices if the seat has another player now, or is controlled from another window.
        Presence must be recorded if the seat is this window's and its player is not known to be
        there.
        """
        if self.seat is None:
            return False
        known = self._presence.people_of(self.match_id)
        person = known.get(self.seat)
        if person is None or person.holder != self._holder:
            if known:
                self.end(SEAT_LOST, gettext_lazy(NOT_YOURS))
            return False
        if (person.controller == self.key) != self._controlled:
            self._see_again()
        return not person.here

    async def arrive(self, controller: str = "") -> None:
        """Record that the player is here from now on; this window may control the seat."""
        self.process.part(Attendance).note(self.match_id, self.seat_id, 0)
        changed = await run_in_database_thread(self._note_arrival, controller)
        self.process.hub.poke_others(people_topic(self.match_id))
        self.process.part(Tables).notify_presence(changed)

    def _note_arrival(self, controller: str) -> list[int]:
        assert self.seat is not None
        key = self.process.key
        changed = self._presence.arrive(self.match_id, self.seat_id, key, controller)
        services.wake(self.match_id, timezone.now())
        services.back(self.match_id, self.seat, timezone.now())
        return changed

    # Inner workings

    @property
    def version(self) -> int:
        return max(self._sent_version, 0)

    @property
    def _person(self) -> PresentPlayer | None:
        """The player known to be at this window's seat."""
        if self.seat is None:
            return None
        return self._presence.people_of(self.match_id).get(self.seat)

    @property
    def controls(self) -> bool:
        """True if this is the one of its player's windows that connected or acted last."""
        person = self._person
        return person is not None and person.controller == self.key

    def _is_counted_as_gone(self) -> bool:
        person = self._person
        return person is not None and not person.here and not person.present(timezone.now())

    def _see_again(self) -> None:
        self._again = True
        self.look_again()

    def _see_whole(self) -> None:
        """Have all of the view sent, whatever the client has of it."""
        self._edition = None
        self._see_again()

    async def _load_snapshot(self) -> store.Snapshot:
        known = store.find_cached(self.match_id)
        if known is not None and known.version >= self._newest:
            return known
        return await run_in_database_thread(store.current, self.match_id, self._newest)

    def _choose_stream(self, live: store.Snapshot) -> queries.Stream:
        return queries.stream_of(live.match, self.seat)

    async def _load_shown_match(self, live: store.Snapshot) -> queries.ShownMatch:
        stream, now = self._choose_stream(live), timezone.now()
        if (shown := queries.glance(live, stream, now)) is not None:
            return shown
        return await run_in_database_thread(queries.look, live, stream, now)

    async def _tell_control(self) -> None:
        controls = self.controls
        if self._controlled and not controls:
            await self.notice("other_tab", OTHER_TAB)
        self._controlled = controls

    def _view_text(self, shown: queries.ShownMatch) -> tuple[bytes, Edition | None]:
        """Return the message with the view or its changes, and the base for later changes."""
        asks = self.arrival.asks(CHANGES)
        reader = Reader(self.seat, self._controlled, self._sent_version, asks, self._edition)
        known = self._presence.people_of(self.match_id)
        return self.table.texts(shown.stream).view(shown, known, reader)

    def _has_seen(self, shown: queries.ShownMatch, edition: Edition | None) -> None:
        self._again, self._edition = False, edition
        self._sent_version, self._sent_at = shown.snapshot.version, time.monotonic()
        self._sent_moment = shown.moment

    def _schedule_look(self, shown: queries.ShownMatch) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        later = asyncio.get_running_loop().call_later
        if shown.wait is not None:
            self._timer = later(shown.wait, self.look_again)
        elif self.seat is not None:
            seconds = queries.changes_by_itself(shown.snapshot, shown.now)
            self._timer = None if seconds is None else later(seconds, self._see_again)
