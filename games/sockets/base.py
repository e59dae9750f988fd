"""Base class of the site's sockets, with limits, presence and updates.

A socket never queues updates. `dirty` records what may have to be sent, and `flush` sends the
current state. A client that does not read is disconnected after SEND_SECONDS, so at most one frame
waits for it.
"""

import asyncio
import enum
import logging
import time
from array import array
from bisect import bisect_right
from collections.abc import Callable, Coroutine, Mapping
from functools import partial
from typing import Any, Generic, TypeVar

import orjson
from django.utils import translation
from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import protocol
from games.clocks.presence import Attendance, make_socket_key
from games.play.codes import PlayCode
from games.process import Process
from games.process.db import DATABASE_DOWN
from games.process.figures import ProcessFigures
from games.process.liveness import Liveness
from games.protocol.messages import Notice, NoticeCode, Pong, RefusedMessage
from games.seats import Holder
from games.sockets import messages
from games.sockets.entrance.anonymous_limits import OpeningTurn, VisitorCounts
from games.sockets.entrance.arrival import Arrival
from games.sockets.entrance.connection_slots import MAX_SLOTS, ConnectionSlots
from games.sockets.entrance.identity import Identity
from games.sockets.line.database_timeout import limit_wait
from games.sockets.line.line import Line
from games.sockets.open_sockets import OpenSockets

logger = logging.getLogger(__name__)

MAX_MESSAGES, PER_SECONDS = 100, 20.0
SEND_SECONDS = 10.0
# A player who acts while the database is down gets an answer after this many seconds.
PATIENCE_SECONDS = 1.5
RETRY_SECONDS = 1.0

SIGNED_OUT, SEAT_LOST, UNKNOWN, SEAT_FOUND = 4401, 4403, 4404, 4409
PROTOCOL_ERROR, BINARY, NO_TEXT, MISUSE, TOO_BIG, FULL = 1002, 1003, 1007, 1008, 1009, 1013
# Close codes for misuse. The site's own pages never cause them.
ABUSED = {PROTOCOL_ERROR, BINARY, NO_TEXT, MISUSE, TOO_BIG}

TOO_MANY = gettext_lazy("You can send at most {count} messages in {seconds:g} seconds.")
RESTARTS = gettext_lazy("The server is restarting. You’ll be back at your table in a moment.")

# Flag in `dirty` that every socket uses. It is set when there may be something to send.
LOOK = 1

# Messages that only one kind of socket sends.
SocketMessage = TypeVar("SocketMessage", bound=Mapping[str, object])
# Lazy if sockets with different languages send the text.
Text = str | Promise


def encode(content: object) -> bytes:
    """Encode content as JSON. The bytes are copied, because orjson's result reserves 4 kB."""
    return memoryview(orjson.dumps(content, option=orjson.OPT_NON_STR_KEYS)).tobytes()


class SocketState(enum.Enum):
    """Stages of a connection, in order."""

    OPENING = enum.auto()
    OPEN = enum.auto()
    ENDED = enum.auto()


class SocketClosedError(Exception):
    """Raised to close the socket with this code and reason."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


class Socket(Generic[SocketMessage]):
    """Base class of the site's sockets.

    Subclasses define how a socket opens, what it sends after changes, and how it carries out
    messages. `wire` is the connection. It sends a message immediately if the client has received
    all earlier ones, and lets the socket answer pings on arrival.
    """

    # With slots, an instance takes a fifth of the memory that it would with a `__dict__`.
    __slots__ = (
        "__weakref__",
        "_busy",
        "_flushing",
        "_heard",
        "_may_send",
        "_received",
        "_send",
        "_state",
        "_task",
        "_tasks",
        "_unsubscribe",
        "arrival",
        "dirty",
        "identity",
        "key",
        "language",
        "process",
        "wire",
    )

    def __init__(self, arrival: Arrival, send: Any) -> None:
        self.arrival, self._send = arrival, send
        self.wire: Line = arrival.wire
        self.process: Process = arrival.process
        self.identity: Identity | None = arrival.identity
        self.language = arrival.language
        self.key = make_socket_key(self.process.key, polled=self.wire.polled)
        self._heard, self._busy = self.process.part(Attendance).sweeps, False
        # Arrival times of the messages received within the last PER_SECONDS.
        self._received = array("d")
        self._may_send: Callable[[int], bool] | None = None
        self._unsubscribe: list[Callable[[], None]] = []
        self.dirty, self._flushing = 0, False
        # The event loop keeps only weak references to tasks.
        self._tasks: list[asyncio.Task[None]] = []
        self._task = asyncio.current_task()
        self._state = SocketState.OPENING

    # Hooks for subclasses

    async def open(self) -> None:
        """Authorise the client. Raise SocketClosedError to refuse it."""
        raise NotImplementedError

    async def flush(self) -> None:
        """Send everything new. LOOK is cleared before each call, and calls never overlap."""
        raise NotImplementedError

    async def carry_out(self, message: protocol.ClientMessage) -> None:
        """Carry out a valid message."""
        raise NotImplementedError

    def handle_immediately(self, message: protocol.ClientMessage) -> bool:
        """Carry out a message that needs no waiting. Return False to leave it to `carry_out`."""
        return False

    # Socket events

    async def serve(self, receive: Any, turn: OpeningTurn) -> None:
        """Open the socket, end its turn, and read messages until the client disconnects."""
        try:
            assert (await receive())["type"] == "websocket.connect"
            await self.connect()
            turn.end()
            while (event := await receive())["type"] == "websocket.receive":
                await self.receive(event.get("text"))
            if self._state is not SocketState.ENDED:
                self._log_misuse(event.get("code"))
        except asyncio.CancelledError:
            if self._state is not SocketState.ENDED:
                raise
        finally:
            self._clean_up()

    async def connect(self) -> None:
        await self._send({"type": "websocket.accept"})
        self.process.part(OpenSockets).add(self)
        self.process.part(ProcessFigures).sockets.set(len(self.process.part(OpenSockets)))
        self.wire.set_farewell(self._build_farewell)
        try:
            await self._check_arrival()
            await self.open()
        except SocketClosedError as closed:
            self.end(closed.code, closed.reason)
        else:
            if self._state is SocketState.OPENING:
                self._state = SocketState.OPEN
                self.wire.handle_short_texts(self._answer_immediately)
                self.mark_dirty()

    async def receive(self, text: str | None) -> None:
        if self._state is SocketState.ENDED:
            return
        if text is None:
            self.end(BINARY, _("Only text messages are accepted."))
        elif len(text.encode(errors="replace")) > messages.MAX_BYTES:
            sentence = _("A message can be at most {count} bytes long.")
            self.end(TOO_BIG, sentence.format(count=messages.MAX_BYTES))
        elif self._enforce_message_limit():
            self._busy = True
            await self._handle_text(text)
            self._busy = False

    def _answer_immediately(self, text: bytes) -> bool:
        """Carry out a short message on arrival if possible, and return whether that was done."""
        message = None if self._state is SocketState.ENDED else messages.parse_simple(text)
        if message is None or not self.handle_immediately(message):
            return False
        self._enforce_message_limit()
        return True

    def _enforce_message_limit(self) -> bool:
        """Count a message. If it exceeds the limit, disconnect the client and return False."""
        if self._exceeds_message_limit():
            self.end(MISUSE, format_lazy(TOO_MANY, count=MAX_MESSAGES, seconds=PER_SECONDS))
            return False
        self._heard = self.process.part(Attendance).sweeps
        return True

    # For subclasses and the sweep

    @property
    def silent_sweeps(self) -> int:
        """Number of this process's sweeps since the client last sent a message."""
        return 0 if self._busy else self.process.part(Attendance).sweeps - self._heard

    def call_on_close(self, unsubscribe: Callable[[], None]) -> None:
        """Call `unsubscribe` when the socket ends."""
        self._unsubscribe.append(unsubscribe)

    def run_alongside(self, work: Coroutine[Any, Any, None]) -> None:
        """Run `work` in the background, and cancel it if the socket ends first."""
        with translation.override(self.language):
            task = asyncio.create_task(work)
        self._tasks.append(task)
        task.add_done_callback(self._tasks.remove)

    @property
    def is_open(self) -> bool:
        """True from the end of `open` until either side closes the socket."""
        return self._state is SocketState.OPEN

    def mark_dirty(self, dirty: int = LOOK) -> None:
        """Schedule a call to `flush`. Subclasses define further flags for `dirty`."""
        self.dirty |= dirty | LOOK
        if self.is_open and not self._flushing:
            self._flushing = True
            self.run_alongside(self._flush_while_dirty())

    def try_send_messages(self, *messages: SocketMessage | RefusedMessage | Notice | Pong) -> bool:
        """Send these messages immediately if the client has received all earlier ones.

        Returns whether they were sent.
        """
        return self.try_send(*map(encode, messages))

    def try_send(self, *texts: bytes) -> bool:
        """Like `try_send_messages`, but for encoded messages."""
        return self._state is SocketState.ENDED or self.wire.try_send(*texts)

    async def say(self, message: SocketMessage | RefusedMessage | Notice | Pong) -> None:
        """Send a message. A client that does not receive it in time is disconnected."""
        await self.send(encode(message))

    async def send(self, text: bytes) -> None:
        """Like `say`, but for an encoded message."""
        if self.try_send(text):
            return
        try:
            async with asyncio.timeout(SEND_SECONDS):
                await self._send({"type": "websocket.send", "text": text.decode()})
        except TimeoutError:
            self._drop_connection()
        except OSError:
            pass  # the client is gone, and its disconnect event will follow

    async def refuse(self, client_id: str | None, code: str, sentence: str, version: int) -> None:
        await self.say(
            {
                "type": "refused",
                "id": client_id,
                "code": code,
                "message": sentence,
                "version": version,
            }
        )

    def build_pong(self) -> Pong:
        """Return the reply to a ping, with the server's time."""
        return {"type": "pong", "version": self.version, "now": int(time.time() * 1000)}

    async def send_notice(self, code: NoticeCode, sentence: Text) -> None:
        await self.say(self._build_notice(code, sentence))

    def end(self, code: int, reason: Text) -> None:
        """Close the socket without waiting. Nothing more is sent on it."""
        if self._state is not SocketState.ENDED:
            self._log_misuse(code)
            self._state = SocketState.ENDED
            self.run_alongside(self._close(code, self._translate_sentence(reason)))

    # Internals

    def _build_notice(self, code: NoticeCode, sentence: Text) -> Notice:
        return {"type": "notice", "code": code, "message": self._translate_sentence(sentence)}

    def _build_farewell(self) -> bytes:
        return encode(self._build_notice("restarting", RESTARTS))

    def _translate_sentence(self, sentence: Text) -> str:
        """Translate a lazy text into this socket's language, whatever language is active."""
        with translation.override(self.language):
            return str(sentence)

    def _log_misuse(self, code: int | None) -> None:
        if code in ABUSED:  # a visitor without an account is logged as "-"
            holder = (self.identity.user.pk or "guest") if self.identity else "-"
            values = (code, holder, self.arrival.address, self.arrival.path)
            logger.warning("Socket closed with %s: account %s from %s at %s", *values)

    @property
    def version(self) -> int:
        """Version of the match that this socket sent last. It is included in refusals."""
        return 0

    async def _check_arrival(self) -> None:
        if self.arrival.session_gone:
            raise SocketClosedError(SIGNED_OUT, _("You’re signed out."))
        if self.identity is None:
            self._may_send = partial(self._visitor_counts.may_send, self.arrival.address)
        if self.identity is None or self.identity.is_guest:
            self._admit_visitor(self.arrival.address)
        if self.identity is not None:
            await self._take_slot(self.identity.holder)

    @property
    def _visitor_counts(self) -> VisitorCounts:
        return self.process.part(VisitorCounts)

    def _admit_visitor(self, address: str) -> None:
        allowed = self._visitor_counts.arrive(address)
        self.call_on_close(lambda: self._visitor_counts.leave(address))
        if not allowed:
            text = _(
                "Too many people on your network are watching right now. Try again in a while."
            )
            raise SocketClosedError(FULL, text)

    async def _take_slot(self, account: Holder) -> None:
        slots = self.process.part(ConnectionSlots)
        slot = await slots.take(account, self.key)
        if slot is None:
            text = _("You can have at most {count} windows open at once with one account.")
            raise SocketClosedError(MISUSE, text.format(count=MAX_SLOTS))
        self.call_on_close(lambda: slots.release(slot))

    def _exceeds_message_limit(self) -> bool:
        now, received = time.monotonic(), self._received
        del received[: bisect_right(received, now - PER_SECONDS)]
        full = len(received) == MAX_MESSAGES
        received.append(now)
        return full or not (self._may_send is None or self._may_send(len(received)))

    async def _handle_text(self, text: str) -> None:
        try:
            message = messages.read(text)
        except messages.InvalidMessageError as error:
            await self.refuse(error.client_id, PlayCode.MALFORMED, str(error), self.version)
            return
        try:
            async with limit_wait(PATIENCE_SECONDS, self.process.part(Liveness)):
                await self.carry_out(message)
        except SocketClosedError as closed:
            self.end(closed.code, closed.reason)
        except (*DATABASE_DOWN, TimeoutError) as error:
            # Send no answer, because clients repeat commands that were not answered.
            logger.error("Command not carried out: %r", error)
            sentence = _("The server can’t save anything right now. It will keep trying.")
            await self.send_notice("unavailable", sentence)

    async def _flush_while_dirty(self) -> None:
        while self.dirty & LOOK and self.is_open:
            self.dirty &= ~LOOK
            try:
                await self.flush()
            except DATABASE_DOWN as error:
                logger.error("Update not sent: %s", error)
                self.dirty |= LOOK
                await asyncio.sleep(RETRY_SECONDS)
            except SocketClosedError as closed:
                self.end(closed.code, closed.reason)
            except Exception:
                logger.exception("Update failed, socket dropped")
                self._drop_connection()
        self._flushing = False

    async def _close(self, code: int, reason: str) -> None:
        try:
            async with asyncio.timeout(SEND_SECONDS):
                message = {"type": "websocket.close", "code": code, "reason": reason}
                await self._send(message)
        except TimeoutError:
            self._drop_connection()
        except OSError:
            pass  # the connection is closed already

    def _drop_connection(self) -> None:
        self._state = SocketState.ENDED
        if self._task is not None:
            self._task.cancel()

    def _clean_up(self) -> None:
        self._state = SocketState.ENDED
        self.process.part(OpenSockets).discard(self)
        self.process.part(ProcessFigures).sockets.set(len(self.process.part(OpenSockets)))
        # Drop all references to the socket, so that its memory is freed immediately.
        while self._unsubscribe:
            self._unsubscribe.pop(0)()
        for task in self._tasks:
            task.cancel()
        self._task = None
