"""Connection of a socket, with features of the server's protocol beyond ASGI.

Uvicorn passes each message through a queue and a task. It measures the socket's own pings, but
does not report the result. (A browser's network code answers these pings, and no script of a
page can delay them.) A `Line` is in the connection's scope, like ASGI's extensions. It measures
round trips, sends a whole message immediately if there is room, and lets the socket answer
short messages on arrival.

Most of a socket's cost comes from sending or receiving anything at all. So a due ping is sent
together with the next message, and alone only if there is no message. A socket that measures
nothing does not ping a client that was handle from recently.
"""

import asyncio
import secrets
import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import (  # type: ignore[attr-defined]
    CloseCode,
    Frame,
    Opcode,
    apply_mask,  # uses the library's C version if available
)
from websockets.protocol import State
from websockets.server import ServerProtocol

from games.process.asgi import Scope
from games.sockets.line.inbox import Inbox

EXTENSION = "lastcard.line"
# Value of the server's `ws` option that makes its connections lines.
PROTOCOL = f"{__name__}:LineProtocol"
# A ping is due this long after an answer. It goes with the next message, or alone after the second
# time. Both are well within the ten seconds for which a race uses the smallest round trip.
MEASURE_SECONDS, ALONE_SECONDS = 3.0, 6.0

# A page sends a tenth of this. One read may contain 40,000 frames, and no other client is served
# meanwhile.
MOST_FRAMES, PER_SECONDS = 1_000, 20.0

# First bytes of frames that are whole messages, the bit of a masked frame, the length of a mask,
# and the lengths that fit into one byte.
TEXT, PING, PONG = 0x81, 0x89, 0x8A
MASKED, MASK_BYTES = 0x80, 4
SHORT = range(MASKED, MASKED + 126)


@dataclass(frozen=True, slots=True)
class Free:
    """Replacement for a connection's event object that never waits."""

    def set(self) -> None:
        pass

    def is_set(self) -> bool:
        return True

    async def wait(self) -> None:
        pass


FREE = Free()


class Line(Protocol):
    """Interface of a connection for its socket.

    All methods run on the event loop and never wait. `polled` says whether the client polls.
    """

    polled: bool

    def measure(self, report: Callable[[float], None]) -> None:
        """Ping at least every ALONE_SECONDS from now on, and call `report(seconds)` on replies."""

    def answer(self, handle: Callable[[bytes], bool]) -> None:
        """Pass each short text to `handle` first, and drop the text if `handle` returns True."""

    def put(self, *texts: bytes) -> bool:
        """Send these texts if the client has received all earlier ones.

        Returns whether they were sent.
        """

    def farewell(self, text: Callable[[], bytes]) -> None:
        """Set the text to send just before the server closes the connection to shut down."""

    @property
    def gone(self) -> bool:
        """True if the connection has ended."""


class NoLine:
    """Connection of a server without these features."""

    polled = False

    def measure(self, report: Callable[[float], None]) -> None:
        pass

    def answer(self, handle: Callable[[bytes], bool]) -> None:
        pass

    def put(self, *texts: bytes) -> bool:
        return False

    def farewell(self, text: Callable[[], bytes]) -> None:
        pass

    @property
    def gone(self) -> bool:
        return False


def line_of(scope: Scope) -> Line:
    line: Line = scope.get("extensions", {}).get(EXTENSION) or NoLine()
    return line


class LineProtocol(WebSocketsSansIOProtocol):
    """Uvicorn's socket as a `Line` that uses little memory while it is open.

    If the handshake arrived separately, as browsers send it, this class splits the data into
    frames. It handles whole texts and pongs itself. All other frames, and anything unusual, are
    passed to the library unchanged, frame by frame, so the library is always at the start of a
    frame. Before that, the library is not used. The connection's scope is emptied once the
    connection is accepted.
    """

    polled = False
    _report: Callable[[float], None] | None = None
    _answers: Callable[[bytes], bool] | None = None
    _last: Callable[[], bytes] | None = None
    _library: ServerProtocol | None = None
    _cuts = False
    _rest = b""
    _heard_at = 0.0
    _frames, _counted_from = 0, 0.0
    _ending: asyncio.TimerHandle | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.queue, self.writable = Inbox(), FREE  # type: ignore[assignment]

    @property
    def conn(self) -> ServerProtocol:
        """The library's protocol object, created on first use."""
        if self._library is None:
            most = self.config.ws_max_size
            self._library = ServerProtocol(state=State.OPEN, max_size=most, logger=self.logger)
        return self._library

    @conn.setter
    def conn(self, protocol: ServerProtocol) -> None:
        self._library = protocol

    # As a line

    def measure(self, report: Callable[[float], None]) -> None:
        if self.disconnected:
            return
        self._report, self.ping_interval = report, ALONE_SECONDS
        if self.ping_timer is not None:
            self.ping_timer.cancel()
            self.send_keepalive_ping()

    def answer(self, handle: Callable[[bytes], bool]) -> None:
        if not self.disconnected:
            self._answers = handle

    def farewell(self, text: Callable[[], bytes]) -> None:
        self._last = text

    @property
    def gone(self) -> bool:
        return self.disconnected

    def put(self, *texts: bytes) -> bool:
        free = self.writable.is_set() and self.handshake_complete and not self.close_sent
        if not free or not self._open or self.transport.is_closing():
            return False
        # The ping goes first, so that the time to send the texts is not measured.
        frames = [self._build_due_ping(), *(_build_head(len(text)) + text for text in texts)]
        self.transport.write(b"".join(frames))
        return True

    @property
    def _open(self) -> bool:
        return self._library is None or self._library.state is State.OPEN

    def _build_due_ping(self) -> bytes:
        """Return a ping if one is due, otherwise nothing.

        The ping counts as sent from now on.
        """
        if self._report is None or self.ping_timer is None:
            return b""
        if self.loop.time() - self.ping_sent_at < MEASURE_SECONDS:
            return b""
        self.ping_timer.cancel()
        return self._ping()

    def _ping(self) -> bytes:
        """Return a ping, which counts as sent from now on."""
        self.ping_timer, self.ping_sent_at = None, self.loop.time()
        self.pending_ping_payload = secrets.token_bytes(4)
        if self.ping_timeout is not None:
            self.pong_timer = self.loop.call_later(self.ping_timeout, self.keepalive_timeout)
        return bytes((PING, 4)) + self.pending_ping_payload

    # As uvicorn's protocol

    def handle_connect(self, event: object) -> None:
        super().handle_connect(event)  # type: ignore[arg-type]
        if hasattr(self, "scope"):
            extensions: Scope = self.scope["extensions"]
            extensions[EXTENSION] = self
            self._cuts = not self.conn.reader.buffer and self.conn.parser_exc is None

    def start_keepalive(self) -> None:
        """Start the keepalive and discard the handshake data, since the handshake ends here."""
        super().start_keepalive()
        if hasattr(self, "scope"):
            self._forget_handshake()

    def _forget_handshake(self) -> None:
        """Discard the data needed only for the handshake, half of a socket's memory."""
        # The scope is emptied in place, because other objects refer to it while the socket is open.
        scope: Any = self.scope
        scope.clear()
        del self.scope, self.request, self.response
        self.server = self.client = None
        if self._cuts and not self.conn.extensions:
            self.conn.parser.close()  # which refers to itself
            self._library = None
        # A dictionary that has grown key by key reserves room for as many again, so it is copied.
        self.__dict__ = {**self.__dict__}

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        # Objects that refer to themselves stay in memory until a full garbage collection.
        self._report = self._answers = self._last = None
        if hasattr(self, "scope"):
            self.scope["extensions"].pop(EXTENSION, None)
        if self._library is not None:
            self._library.parser.close()
        if self._ending is not None:
            self._ending.cancel()

    def pause_writing(self) -> None:
        self.writable = asyncio.Event()

    def resume_writing(self) -> None:
        self.writable.set()
        self.writable = FREE  # type: ignore[assignment]

    def shutdown(self) -> None:
        if self._last is not None:
            self.put(self._last())
        if self.transport.is_closing():
            self.transport.abort()  # closed, and the client does not take the rest
        else:
            super().shutdown()

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        super().on_task_complete(task)
        self._end_soon()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self._end_soon()

    def _end_soon(self) -> None:
        """Abort a closed connection if the client does not soon receive the remaining data."""
        if self._ending is None and not self.disconnected:
            self._ending = self.loop.call_later(self.close_timeout, self.transport.abort)

    def send_keepalive_ping(self) -> None:
        quiet, most = self.loop.time() - self._heard_at, self.ping_interval or 0.0
        if self._report is None and quiet < most:
            self.ping_timer = self.loop.call_later(most - quiet, self.send_keepalive_ping)
        elif self._open and not self.close_sent and not self.transport.is_closing():
            self.transport.write(self._ping())

    def data_received(self, data: bytes) -> None:
        self._heard_at = self.loop.time()
        if not self._cuts:
            super().data_received(data)
            return
        if self._rest:
            data = self._rest + data
        at, size, most = 0, 0, self.config.ws_max_size
        while not self._over and (size := _measure_frame(data, at)) and at + size <= len(data):
            self._handle_frame(data[at : at + size])
            at += size
        self._rest = data[at:]
        if self._over or size > most + 14:
            # The library refuses this frame or has refused an earlier one, and no other follows.
            self._cuts, rest, self._rest = False, self._rest, b""
            super().data_received(rest)

    @property
    def _over(self) -> bool:
        """True if incoming data is no longer read."""
        return self._library is not None and self._library.eof_sent

    def _handle_frame(self, frame: bytes) -> None:
        if self._is_over_limit():
            self.conn.fail(CloseCode.POLICY_VIOLATION)
            self.handle_parser_exception()
        elif not (self._between and frame[1] & MASKED and self._handle_whole_frame(frame)):
            super().data_received(frame)

    def _is_over_limit(self) -> bool:
        """Count this frame, whatever its kind, and return whether it exceeds the limit."""
        if self._heard_at - self._counted_from > PER_SECONDS:
            self._frames, self._counted_from = 0, self._heard_at
        self._frames += 1
        return self._frames > MOST_FRAMES

    @property
    def _between(self) -> bool:
        """True if a new message may begin now."""
        part = self._library
        fresh = part is None or (part.state is State.OPEN and part.current_size is None)
        return fresh and not self.close_sent

    def _handle_whole_frame(self, frame: bytes) -> bool:
        """Handle a pong or a whole text, and return whether the frame was one of these."""
        first, start = frame[0], _start(frame, 0)
        long = len(frame) - start > self.config.ws_max_size
        if first not in (TEXT, PONG) or long or (first == PONG and frame[1] not in SHORT):
            return False
        payload = apply_mask(frame[start:], frame[start - MASK_BYTES : start])
        if first == PONG:
            self.handle_pong(Frame(Opcode.PONG, payload))
        elif frame[1] not in SHORT or self._answers is None or not self._answers(payload):
            self.handle_text(Frame(Opcode.TEXT, payload))
        return True

    def handle_pong(self, event: Frame) -> None:
        awaited = self.pending_ping_payload
        super().handle_pong(event)
        if self._report is not None and awaited is not None and self.pending_ping_payload is None:
            self._report(self.last_ping_rtt)


def _build_head(size: int) -> bytes:
    """Return the frame header for a text of `size` bytes."""
    if size < 126:
        return bytes((TEXT, size))
    if size < 65_536:
        return struct.pack("!BBH", TEXT, 126, size)
    return struct.pack("!BBQ", TEXT, 127, size)


def _start(data: bytes, at: int) -> int:
    """Return the length in bytes of the header of the frame that begins at `at`."""
    short, mask = data[at + 1] & 127, MASK_BYTES * (data[at + 1] >> 7)
    return 2 + mask + {126: 2, 127: 8}.get(short, 0)


def _measure_frame(data: bytes, at: int) -> int:
    """Return the length in bytes of the frame that begins at `at`, including its header.

    The result is 0 as long as the size is not known.
    """
    if len(data) < at + 2:
        return 0
    short, start = data[at + 1] & 127, _start(data, at)
    if short < 126:
        return start + short
    if len(data) < at + start:
        return 0
    wide = 2 if short == 126 else 8
    return start + int.from_bytes(data[at + 2 : at + 2 + wide], "big")
