"""The socket of a table: players and viewers. docs/protocol.md describes every message."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any

from django.core.exceptions import ObjectDoesNotExist
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from games import protocol, queries, services, store
from games.clocks.lag import Lag, Meter
from games.clocks.presence import Presence
from games.live import access, desks
from games.live.line import measure
from games.live.sockets import SEAT_FOUND, SEAT_LOST, SIGNED_OUT, UNKNOWN, Closed, Socket
from games.process import in_database
from games.protocol.messages import (
    Act,
    CallReferee,
    Commit,
    Open,
    Ready,
    ServerMessage,
    TakeCallBack,
)
from games.protocol.table import WindowView
from games.seats import SeatNumber

# A client that still names an old version this long after a view was sent gets it again.
CATCH_UP_SECONDS = 2.0
OTHER_TAB = gettext_lazy("This table is open in another window, which is in control now.")
Share = Commit | Open | Ready
Answered = Act | Share | CallReferee | TakeCallBack
NOT_YOURS = gettext_noop("This seat is no longer yours.")
NOT_SEATED = gettext_noop("You are watching this table. Only the players seated here can act.")


class TableSocket(Socket[ServerMessage]):
    """One window on one match; everything it shows comes from `queries.table_view`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.opened = False
        self.line = Meter()
        self.match_id = 0
        self.seat: SeatNumber | None = None
        self.seat_id = 0
        self._sent_version, self._sent_at = -1, 0.0
        self._newest, self._again, self._controlled = 0, True, False
        self._sent_moment: object = None
        self._timer: asyncio.TimerHandle | None = None
        self._desk_moved, self._desk_sent = True, desks.NOTHING
        # Held from an action to its answer: the view that shows it comes after.
        self._answering = asyncio.Lock()

    # Socket events

    async def open(self) -> None:
        user = self.identity.user if self.identity else None
        public_id = self.scope["url_route"]["kwargs"]["public_id"]
        try:
            admission = await in_database(self.admit, public_id, user)
        except ObjectDoesNotExist:
            raise Closed(UNKNOWN, _("There is no such table.")) from None
        self.match_id = admission.match.pk
        self.listen(admission.match.live_topic)
        hub, topic = self.process.hub, admission.match.desk_topic
        self.until_closed(hub.subscribe(topic, self._called_on))
        if admission.seat is not None:
            self.seat, self.seat_id = admission.seat.number, admission.seat.pk
            await self._arrive_at_seat()
            measure(self.scope, self._ponged)
            await self._probe()
        elif not self._presence.known(self.match_id):
            # The first window here: its first view tells who is there, not the next sweep.
            await in_database(self._presence.refresh, [self.match_id])
        self.opened = True

    def admit(self, public_id: str, user: Any) -> access.Admission:
        """Who may open this window; raises like `access.admit`."""
        return access.admit(public_id, user)

    async def disconnect(self, code: int | None) -> None:
        self.opened = False
        if self._timer is not None:
            self._timer.cancel()

    # Commands

    async def command(self, message: protocol.ClientMessage) -> None:
        if message["type"] == "ping":
            # Before anything that the database could delay: the line is what it asks about.
            await self.pong()
        if self._counts_as_gone():
            await self._arrive(self._presence.come_back, self.match_id, self.seat_id)
        match message["type"]:
            case "action":
                await self._act(message)
            case "ping":
                await self._pinged(message["version"])
            case "echo":
                self.line.echo(message["n"], time.monotonic())
            case "sync":
                self._see_again()
            case "take_over":
                await self._take_over()
            case "commit" | "open" | "ready":
                await self._share(message)
            case "call_referee" | "take_call_back":
                await self._call(message)

    async def _act(self, message: Act) -> None:
        if self.seat is None:
            await self.refuse(message["id"], "not-seated", _(NOT_SEATED), self.version)
            return
        async with self._answering:
            await self._reply(message, self._decision(message))
        if not self.controls:
            await self._take_control()

    async def _reply(self, message: Answered, deciding: Awaitable[services.Ack]) -> None:
        try:
            ack = await deciding
        except services.Refused as refused:
            version = max(refused.version, self.version)
            await self.refuse(message["id"], refused.code, refused.sentence, version)
            self.poked(refused.version)
        else:
            await self.say({"type": "ack", "id": message["id"], "version": ack.version})

    async def _share(self, message: Share) -> None:
        """Any window of the seat may send it, and none gets the control by that."""
        if self.seat is None:
            await self.refuse(message["id"], "not-seated", _(NOT_SEATED), self.version)
            return
        async with self._answering:
            await self._reply(message, in_database(self._take_share, message))

    def _take_share(self, message: Share) -> services.Ack:
        if message["type"] == "ready":
            return services.note_ready(self.match_id, self._checked_seat(), message["hand"])
        meant = services.Meant(self._checked_seat(), message["hand"], message["attempt"])
        if message["type"] == "commit":
            return services.commit_share(self.match_id, meant, message["commitment"])
        return services.open_share(self.match_id, meant, message["list"], message["share"])

    async def _call(self, message: CallReferee | TakeCallBack) -> None:
        """Any window of the seat may call, whatever stops play."""
        if self.seat is None:
            await self.refuse(message["id"], "not-seated", _(NOT_SEATED), self.version)
            return
        await self._reply(message, in_database(self._called, message))

    def _called(self, message: CallReferee | TakeCallBack) -> services.Ack:
        seat = self._checked_seat()
        if message["type"] == "call_referee":
            desks.desk().call(self.match_id, seat, message["reason"])
        else:
            desks.desk().take_back(self.match_id, seat)
        return services.Ack(self.version)

    async def _decision(self, message: Act) -> services.Ack:
        """What becomes of it, waited for while others' calls and catches may still come in."""
        received, lag = timezone.now(), self.line.lag(time.monotonic())
        while True:
            try:
                return await in_database(self._decide, message, received, lag)
            except services.Later as later:
                self.line.spoil()
                await asyncio.sleep(max(0.0, (later.until - timezone.now()).total_seconds()))

    def _decide(self, message: Act, received: datetime, lag: Lag) -> services.Ack:
        seat = self._checked_seat()
        services.keep_time()
        return services.act(
            self.match_id,
            seat,
            message["action"],
            version=message["version"],
            client_id=message["id"],
            received=received,
            lag=lag,
        )

    def _checked_seat(self) -> SeatNumber:
        """The seat, if it still is this window's; asked again for whatever is carried out."""
        assert self.identity is not None
        assert self.seat is not None
        if not access.may_act(self.seat_id, self.identity):
            raise Closed(SIGNED_OUT, _("Your sign-in or your seat has ended."))
        return self.seat

    async def _pinged(self, version: int) -> None:
        if self.seat is not None:
            await self._probe()
        if version < self._sent_version and time.monotonic() - self._sent_at > CATCH_UP_SECONDS:
            self._see_again()

    async def _probe(self) -> None:
        """Measure the round trip of a player's socket: clients answer a probe at once."""
        if (number := self.line.probe(time.monotonic())) is not None:
            await self.say({"type": "probe", "n": number})

    def _ponged(self, seconds: float) -> None:
        self.line.pongs.record(seconds, time.monotonic())

    async def _take_over(self) -> None:
        if self.seat is None:
            await self.refuse(None, "not-seated", _(NOT_SEATED), self.version)
        else:
            await self._take_control()

    async def _arrive_at_seat(self) -> None:
        # A window that had lost the control comes back without it: it may lie forgotten somewhere.
        if self.scope["query_string"] == b"follow":
            await self._arrive(self._presence.come_back, self.match_id, self.seat_id)
        else:
            await self._take_control()

    async def _take_control(self) -> None:
        await self._arrive(self._presence.take_control, self.match_id, self.seat_id, self.key)
        self._see_again()

    async def _arrive(self, note: Callable[..., list[int]], *seat: Any) -> None:
        """The player is here from this moment on, not only from the next heartbeat."""
        if await in_database(note, *seat):
            self.process.hub.poke(f"match:{self.match_id}")
        await in_database(services.wake, self.match_id, timezone.now())
        assert self.seat is not None
        await in_database(services.back, self.match_id, self.seat, timezone.now())

    # News

    def poked(self, version: int | None) -> None:
        if version is None:
            self._see_again()
        elif version > max(self._sent_version, self._newest):
            self._newest = max(self._newest, version)
            self.look_again()

    def _called_on(self, _version: int | None) -> None:
        self._desk_moved = True
        self.look_again()

    async def update(self) -> None:
        async with self._answering:
            await self._send_news()
        await self._send_desk()

    async def _send_news(self) -> None:
        live = await self._snapshot()
        self._check_still_mine(live)
        shown = await self._shown(live)
        new = shown.snapshot.version > self._sent_version or shown.moment != self._sent_moment
        if self._again or new:
            self._again = False
            await self._tell_control()
            await self._send_view(shown)
        self._look_later(shown)

    def _check_still_mine(self, live: store.Snapshot) -> None:
        """Asked of what would be shown: no view of a seat goes to who has just lost it."""
        user = self._user_id
        if self.seat is not None and live.seats[self.seat].user_id != user:
            raise Closed(SEAT_LOST, _(NOT_YOURS))
        if self.seat is None and user and any(seat.user_id == user for seat in live.seats):
            raise Closed(SEAT_FOUND, _("You have a seat at this table now."))

    async def _send_desk(self) -> None:
        """What holds now between the table and the desk, if that is something else than before."""
        if self._desk_moved:
            self._desk_moved = False
            await in_database(self._desks.refresh, [self.match_id])
        news = self._desks.told(self.match_id, self.seat)
        if news != self._desk_sent:
            self._desk_sent = news
            await self.say(news)

    def check_seat(self) -> None:
        """Notice that the seat is somebody else's now, or controlled from another window."""
        if self.seat is None:
            return
        people = self._presence.known(self.match_id)
        person = people.get(self.seat)
        if people and (person is None or person.user_id != self._user_id):
            self.end(SEAT_LOST, gettext_lazy(NOT_YOURS))
        elif self.controls != self._controlled:
            self._see_again()

    # Inner workings

    @property
    def version(self) -> int:
        return max(self._sent_version, 0)

    @property
    def controls(self) -> bool:
        """Whether this window is the one of its player's that connected or acted last."""
        person = (
            self._presence.known(self.match_id).get(self.seat) if self.seat is not None else None
        )
        return person is not None and person.controller == self.key

    def _counts_as_gone(self) -> bool:
        person = (
            self._presence.known(self.match_id).get(self.seat) if self.seat is not None else None
        )
        return person is not None and not person.present(timezone.now())

    @property
    def _presence(self) -> Presence:
        return self.process.part(Presence)

    @property
    def _desks(self) -> desks.Desks:
        return self.process.part(desks.Desks)

    @property
    def _user_id(self) -> int | None:
        return self.identity.user.pk if self.identity else None

    def _see_again(self) -> None:
        self._again = True
        self.look_again()

    async def _snapshot(self) -> store.Snapshot:
        known = store.cached(self.match_id)
        if known is not None and known.version >= self._newest:
            return known
        return await in_database(store.current, self.match_id, self._newest)

    def _stream(self, live: store.Snapshot) -> queries.Stream:
        return queries.stream_of(live.match, self.seat)

    async def _shown(self, live: store.Snapshot) -> queries.Shown:
        stream, now = self._stream(live), timezone.now()
        if (shown := queries.glance(live, stream, now)) is not None:
            return shown
        return await in_database(queries.look, live, stream, now)

    async def _tell_control(self) -> None:
        controls = self.controls
        if self._controlled and not controls:
            await self.notice("other_tab", OTHER_TAB)
        self._controlled = controls

    async def _send_view(self, shown: queries.Shown) -> None:
        snapshot = shown.snapshot
        view = self._view(shown)
        events = queries.events_since(snapshot, self.seat, self._sent_version)
        self._sent_version, self._sent_at = snapshot.version, time.monotonic()
        self._sent_moment = shown.moment
        await self.say(
            {"type": "view", "version": snapshot.version, "view": view, "events": events}
        )

    def _view(self, shown: queries.Shown) -> WindowView:
        people, controls = self._presence.known(self.match_id), self._controlled
        return queries.table_view(
            shown.snapshot, self.seat, people, shown.now, controls=controls, stream=shown.stream
        )

    def _look_later(self, shown: queries.Shown) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        later = asyncio.get_running_loop().call_later
        if shown.wait is not None:
            self._timer = later(shown.wait, self.look_again)
        elif self.seat is not None:
            seconds = queries.changes_by_itself(shown.snapshot, shown.now)
            self._timer = None if seconds is None else later(seconds, self._see_again)


class CommentarySocket(TableSocket):
    """A window with everybody's cards, a while later, for commentators alone."""

    since: datetime | None = None

    def admit(self, public_id: str, user: Any) -> access.Admission:
        key = self.identity.session_key if self.identity else ""
        admission = access.admit_commentator(public_id, user, key)
        access.note_commentator(admission.match.pk, user, by_socket=True)
        return admission

    async def _snapshot(self) -> store.Snapshot:
        user = self.identity.user if self.identity else None
        self.since = await in_database(access.commentates_since, self.match_id, user)
        if self.since is None:
            raise Closed(UNKNOWN, _("You no longer comment on this event."))
        return await super()._snapshot()

    def _stream(self, live: store.Snapshot) -> queries.Stream:
        return queries.commentary_stream(live.match, self.since)

    def _view(self, shown: queries.Shown) -> WindowView:
        return queries.commentary_view(shown, self._presence.known(self.match_id))
