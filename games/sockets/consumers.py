"""Socket of a table, for players and viewers. docs/protocol.md describes every message."""

import asyncio
import time
from datetime import datetime
from typing import Any

from django.core.exceptions import ObjectDoesNotExist
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games import language, protocol, services, store
from games.clocks.lag import Lag
from games.liveness.heartbeat import beat_if_overdue
from games.matches import requests
from games.play.answers import Ack, RefusedError, UndecidedError
from games.play.codes import PlayCode
from games.process import run_in_database_thread
from games.process.figures import ProcessFigures
from games.process.tracing import trace_as
from games.protocol.messages import (
    AckMessage,
    Act,
    CallReferee,
    Commit,
    Open,
    Probe,
    Ready,
    TakeCallBack,
)
from games.protocol.reactions import React
from games.seats import SeatNumber
from games.sockets import desks
from games.sockets.base import LOOK, SIGNED_OUT, UNKNOWN, SocketClosedError, encode
from games.sockets.encoded_views import SentView
from games.sockets.entrance import access
from games.sockets.reactions import reactions_topic
from games.sockets.tables import Tables
from games.sockets.window import VIEW, WHOLE, Window
from games.tables.commentary import commentary_view
from games.tables.log import list_events
from games.tables.spectator_delay import ShownMatch, Stream, commentary_stream

# If a client still reports an older version this long after a view was sent, the whole view is sent
# again.
CATCH_UP_SECONDS = 2.0
# Must be longer than the period in which competing claims are collected.
ASK_AGAIN_SECONDS = 1.0
Share = Commit | Open | Ready
PlayerRequest = Act | Share | CallReferee | TakeCallBack | React
NOT_SEATED = gettext_noop("You’re watching this table. Only seated players can act.")


class TableSocket(Window):
    """Socket of one window on one match."""

    __slots__ = ()

    # Socket events

    async def open(self) -> None:
        user = self.identity.user if self.identity else None
        public_id = self.arrival.named["public_id"]
        try:
            admission = await run_in_database_thread(self.admit, public_id, user)
        except ObjectDoesNotExist:
            raise SocketClosedError(UNKNOWN, _("This table doesn’t exist.")) from None
        self.match_id = admission.match.pk
        self.table = self.process.part(Tables).join(self, self.match_id)
        self.call_on_close(self._cancel_timer)
        hub, topic = self.process.hub, admission.match.desk_topic
        self.call_on_close(hub.subscribe(topic, self._reload_desk))
        if len(self.table.windows) == 1:
            # without an open window, this process did not receive the desk's pokes
            self._desks.notify(self.match_id)
        if admission.seat is not None:
            self.seat, self.seat_id = admission.seat.number, admission.seat.pk
            # A window that has lost control does not regain it by reconnecting, because its player
            # may have forgotten that it is open.
            if self.arrival.query_contains(b"follow"):
                await self.arrive()
            else:
                await self._take_control()
            self.wire.measure(self._record_pong)
            await self._send_probes()
        elif not self._presence.people_of(self.match_id):
            # Read presence now, so that the first view of the table need not wait for a sweep.
            await run_in_database_thread(self._presence.refresh, [self.match_id])

    def admit(self, public_id: str, user: Any) -> access.Admission:
        """Admit a user to this window. Raises the same exceptions as `access.admit`."""
        limit = self.identity.limit if self.identity else None
        return access.admit(public_id, user, limit)

    # Commands

    def handle_immediately(self, message: protocol.ClientMessage) -> bool:
        if self._is_player_counted_as_gone():
            return False
        if message["type"] == "echo":
            self.line.record_echo(message["n"], time.monotonic())
            return True
        if message["type"] != "ping":
            return False
        if not self.try_send_messages(self.build_pong(), *self._list_probes()):
            self.line.cancel_probe()
            return False
        self._catch_up(message["version"])
        return True

    async def carry_out(self, message: protocol.ClientMessage) -> None:
        if message["type"] == "ping":
            # Reply before any work that might wait for the database, because a ping only tests the
            # connection.
            await self.say(self.build_pong())
        if self._is_player_counted_as_gone():
            await self.arrive()
        match message["type"]:
            case "ping":
                await self._send_probes()
                self._catch_up(message["version"])
            case "echo":
                self.line.record_echo(message["n"], time.monotonic())
            case "sync":
                self.mark_dirty(WHOLE)
            case "take_over":
                if await self._require_player(None):
                    await self._take_control()
            case _:
                if await self._require_player(message["id"]):
                    await self.handle_request(message)

    async def _require_player(self, client_id: str | None) -> bool:
        """Return whether this window has a seat, and refuse the request if it has none."""
        if self.seat is None:
            await self.refuse(client_id, PlayCode.NOT_SEATED, _(NOT_SEATED), self.version)
        return self.seat is not None

    async def handle_request(self, message: PlayerRequest) -> None:
        """Carry out a player's request, reply, and only then show the resulting changes.

        Any window of the player may send a request, but only an action in the game takes control of
        the seat.
        """
        try:
            async with self._answering:
                accepted = await self.reply(message)
        finally:
            if self.dirty & LOOK:
                with language.use_language(self.language):
                    self.show(self.table.find_snapshot())
        if message["type"] == "react" and accepted:
            self.process.hub.poke(reactions_topic(self.match_id))
        elif message["type"] == "action" and not self.controls:
            await self._take_control()

    async def reply(self, message: PlayerRequest) -> bool:
        """Submit the message, send the reply, and return whether the message was accepted."""
        begun, figures = time.perf_counter(), self.process.part(ProcessFigures)
        try:
            ack = await self.submit(message)
        except RefusedError as refused:
            figures.count_refusal(refused.code)
            version = max(refused.version, self.version)
            await self.refuse(message["id"], refused.code, refused.sentence, version)
            self.table.receive_poke(refused.version)
            self.mark_dirty()
            return False
        await self.say(_build_ack(message["id"], ack))
        figures.count_answer(message["type"], time.perf_counter() - begun)
        return True

    async def submit(self, message: PlayerRequest) -> Ack:
        """Pass the message to the services, and return their acknowledgement.

        Raises RefusedError or SocketClosedError.
        """
        match message["type"]:
            case "action":
                with trace_as(f"{self.match_id}/{message['id']}"):
                    return await self._await_decision(message)
            case "commit" | "open" | "ready":
                # All devices send their shares at the same moment. Without the lock, the changes
                # would conflict, and the match would be loaded again for each of them.
                async with self.table.sharing:
                    return await run_in_database_thread(self._submit_share, message)
            case _:
                return await run_in_database_thread(self._submit_to_desk, message)

    async def _await_decision(self, message: Act) -> Ack:
        """Submit an action, and wait while competing calls and catches may still arrive."""
        received, lag = timezone.now(), self.line.lag(time.monotonic())
        while True:
            try:
                return await run_in_database_thread(self._submit_action, message, received, lag)
            except UndecidedError as later:
                self.line.cancel_probe()
                # Submit again at least this often, because the clock may be set back meanwhile.
                left = (later.until - timezone.now()).total_seconds()
                await asyncio.sleep(min(ASK_AGAIN_SECONDS, max(0.0, left)))

    def _submit_action(self, message: Act, received: datetime, lag: Lag) -> Ack:
        assert self.seat is not None
        beat_if_overdue()  # detect an outage before the action is judged by the clock
        try:
            return requests.act(
                self.match_id,
                self.seat,
                message["action"],
                version=message["version"],
                client_id=message["id"],
                received=received,
                lag=lag,
                rights=self._rights,
            )
        except store.RightsLostError:
            raise self._build_signed_out() from None

    def _submit_share(self, message: Share) -> Ack:
        if message["type"] == "ready":
            return services.note_ready(self.match_id, self._require_seat(), message["hand"])
        target = services.ShareTarget(self._require_seat(), message["hand"], message["attempt"])
        if message["type"] == "commit":
            signed = services.read_device_signature(message)
            return services.commit_share(
                self.match_id, target, message["commitment"], signed=signed
            )
        return services.open_share(self.match_id, target, message["list"], message["share"])

    def _submit_to_desk(self, message: CallReferee | TakeCallBack | React) -> Ack:
        """Submit a message that is allowed even while the match is paused."""
        seat, desk = self._require_seat(), desks.desk()
        if message["type"] == "react":
            desk.check_reactions(self.match_id)
            return services.react(self.match_id, seat, message["shown"])
        if message["type"] == "call_referee":
            desk.call_referee(self.match_id, seat, message["reason"])
        else:
            desk.withdraw_call(self.match_id, seat)
        return Ack(self.version)

    def _require_seat(self) -> SeatNumber:
        """Return the seat, after checking that it still belongs to this window's user.

        Raises SocketClosedError if it does not.
        """
        assert self.seat is not None
        if not self._rights.hold():
            raise self._build_signed_out()
        return self.seat

    @property
    def _rights(self) -> store.Rights:
        """The seat, and the person and session that act for it."""
        who = self.identity
        assert who is not None
        return store.Rights(self.seat_id, who.holder, who.password, who.session_key)

    def _build_signed_out(self) -> SocketClosedError:
        return SocketClosedError(SIGNED_OUT, _("You’ve been signed out or have lost your seat."))

    def _catch_up(self, version: int) -> None:
        sent = self._sent
        if version < sent.version and time.monotonic() - sent.at > CATCH_UP_SECONDS:
            self.mark_dirty(WHOLE)

    async def _send_probes(self) -> None:
        for probe in self._list_probes():
            await self.say(probe)

    def _list_probes(self) -> list[Probe]:
        """Return a probe if one is due, to measure the round trip of a player's socket.

        Clients reply to a probe immediately. Only one probe is in flight at a time.
        """
        now = time.monotonic()
        if self.seat is None or not self.line.needs_echo(now):
            return []
        number = self.line.start_probe(now)
        return [] if number is None else [{"type": "probe", "n": number}]

    def _record_pong(self, seconds: float) -> None:
        self.line.pongs.record(seconds, time.monotonic())

    async def _take_control(self) -> None:
        await self.arrive(self.key)
        self.mark_dirty(VIEW)


class CommentarySocket(TableSocket):
    """Socket of a commentator's window, which shows all players' cards with a delay."""

    since: datetime | None = None

    def admit(self, public_id: str, user: Any) -> access.Admission:
        key = self.identity.session_key if self.identity else ""
        admission = access.admit_commentator(public_id, user, key)
        access.log_commentator(admission.match.pk, user, by_socket=True)
        return admission

    async def _load_snapshot(self) -> store.Snapshot:
        user = self.identity.user if self.identity else None
        self.since = await run_in_database_thread(access.commentator_since, self.match_id, user)
        if self.since is None:
            raise SocketClosedError(UNKNOWN, _("You’re no longer a commentator for this event."))
        return await super()._load_snapshot()

    def _choose_stream(self, live: store.Snapshot) -> Stream:
        return commentary_stream(live.match, self.since)

    def _encode_view(
        self, shown_match: ShownMatch, controls: bool, previous: SentView | None
    ) -> tuple[bytes, None]:
        view = commentary_view(shown_match, self._presence.people_of(self.match_id))
        events = list_events(shown_match.snapshot, None, self._sent.version)
        version = shown_match.snapshot.version
        message = {"type": "view", "version": version, "view": view, "events": events}
        return encode(message), None

    def show(self, live: store.Snapshot | None) -> None:
        # Do not show the snapshot directly, because the user may no longer be a commentator.
        self.mark_dirty()


def _build_ack(client_id: str, ack: Ack) -> AckMessage:
    """Return the acknowledgement of a request that was carried out."""
    message: AckMessage = {"type": "ack", "id": client_id, "version": ack.version}
    if ack.receipt is not None:
        message["receipt"] = {"key": ack.receipt.key, "signature": ack.receipt.signature}
    return message
