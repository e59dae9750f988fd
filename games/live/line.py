"""The line of a socket: what the server's protocol does for it beyond ASGI.

Uvicorn hands each message over through a queue and a task, and measures the socket's own pings
(which a browser's network code answers and no script of a page can delay) but tells nobody. A
`Line` is in the connection's scope, as ASGI's extensions are: it measures, sends a whole message at
once where there is room, and lets the socket answer short messages where they arrive.

Most of what a socket costs is that something is sent or comes in at all. So a ping that is due goes
before the next message, and by itself only where none is sent; where nothing is measured, who was
heard of late is not pinged.
"""

import secrets
import struct
from collections.abc import Callable
from typing import Protocol

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import (  # type: ignore[attr-defined]
    Frame,
    Opcode,
    apply_mask,  # in C where the library has it so
)
from websockets.protocol import State

from games.process.asgi import Scope

EXTENSION = "lastcard.line"
# `ws=` of a server that has lines.
PROTOCOL = f"{__name__}:LineProtocol"
# After an answer a ping is due, and goes with the next message; then it goes by itself. Well within
# the ten seconds of which a race counts the smallest round trip.
MEASURE_SECONDS, ALONE_SECONDS = 4.0, 5.0

# First bytes of frames that are whole messages; the lengths that one byte of a masked frame tells.
TEXT, PING, PONG = 0x81, 0x89, 0x8A
SHORT = range(0x80, 0x80 + 126)


class Line(Protocol):
    """What a socket may ask of its line; everything on the event loop, and nothing waits."""

    def measure(self, told: Callable[[float], None]) -> None:
        """Ping at least every ALONE_SECONDS from now on; `told(seconds)` after each answer."""

    def answer(self, heard: Callable[[bytes], bool]) -> None:
        """Have `heard` see each short text first; what it returns True for goes no further."""

    def put(self, *texts: bytes) -> bool:
        """Send these texts if the client has taken what was sent before; whether that was done."""

    def farewell(self, text: Callable[[], bytes]) -> None:
        """What goes out before the server ends, just before it closes the connection."""


class NoLine:
    """The line of a connection whose server has none."""

    def measure(self, told: Callable[[float], None]) -> None:
        pass

    def answer(self, heard: Callable[[bytes], bool]) -> None:
        pass

    def put(self, *texts: bytes) -> bool:
        return False

    def farewell(self, text: Callable[[], bytes]) -> None:
        pass


def line_of(scope: Scope) -> Line:
    line: Line = scope.get("extensions", {}).get(EXTENSION) or NoLine()
    return line


class LineProtocol(WebSocketsSansIOProtocol):
    """Uvicorn's socket as a `Line`.

    Where the handshake came by itself, as browsers send it, frames are cut apart here. Short texts
    and pongs are looked at; all others, and all that is unusual, go on to the library as they are,
    frame by frame, so that it always is where a frame begins.
    """

    _told: Callable[[float], None] | None = None
    _answers: Callable[[bytes], bool] | None = None
    _last: Callable[[], bytes] | None = None
    _cuts = False
    _rest = b""
    _heard_at = 0.0

    # As a line

    def measure(self, told: Callable[[float], None]) -> None:
        self._told, self.ping_interval = told, ALONE_SECONDS
        if self.ping_timer is not None:
            self.ping_timer.cancel()
            self.send_keepalive_ping()

    def answer(self, heard: Callable[[bytes], bool]) -> None:
        self._answers = heard

    def farewell(self, text: Callable[[], bytes]) -> None:
        self._last = text

    def put(self, *texts: bytes) -> bool:
        free = self.writable.is_set() and self.handshake_complete and not self.close_sent
        if not free or self.conn.state is not State.OPEN or self.transport.is_closing():
            return False
        # Before the texts: how long they take is not the line's.
        frames = [self._due_ping(), *(_head(len(text)) + text for text in texts)]
        self.transport.write(b"".join(frames))
        return True

    def _due_ping(self) -> bytes:
        """A ping for which it is time, on its way from now on; else nothing."""
        now = self.loop.time()
        if self._told is None or self.ping_timer is None:
            return b""
        if now - self.ping_sent_at < MEASURE_SECONDS:
            return b""
        self.ping_timer.cancel()
        self.ping_timer, self.ping_sent_at = None, now
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

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        # What refers to itself is kept until somebody looks for garbage in all that there is.
        self._told = self._answers = self._last = None
        if hasattr(self, "scope"):
            self.scope["extensions"].pop(EXTENSION, None)
        self.conn.parser.close()

    def shutdown(self) -> None:
        if self._last is not None:
            self.put(self._last())
        super().shutdown()

    def send_keepalive_ping(self) -> None:
        quiet, most = self.loop.time() - self._heard_at, self.ping_interval or 0.0
        if self._told is None and quiet < most:
            self.ping_timer = self.loop.call_later(most - quiet, self.send_keepalive_ping)
        else:
            super().send_keepalive_ping()

    def data_received(self, data: bytes) -> None:
        self._heard_at = self.loop.time()
        if not self._cuts:
            super().data_received(data)
            return
        if self._rest:
            data = self._rest + data
        at, most = 0, self.config.ws_max_size
        while (size := _size(data, at)) and at + size <= len(data):
            self._frame(data[at : at + size])
            at += size
        self._rest = data[at:]
        if size > most + 14 or self.conn.parser_exc is not None:
            # The library refuses it, and no other comes after it.
            self._cuts, rest, self._rest = False, self._rest, b""
            super().data_received(rest)

    def _frame(self, frame: bytes) -> None:
        whole = self.conn.state is State.OPEN and self.conn.current_size is None
        if whole and frame[1] in SHORT and not self.close_sent:
            done = self._short(frame[0], apply_mask(frame[6:], frame[2:6]))
        else:
            done = False
        if not done:
            super().data_received(frame)

    def _short(self, first: int, payload: bytes) -> bool:
        """Whether this was all that had to be done with a short frame."""
        if first == PONG:
            self.handle_pong(Frame(Opcode.PONG, payload))
            return True
        return first == TEXT and self._answers is not None and self._answers(payload)

    def handle_pong(self, event: Frame) -> None:
        awaited = self.pending_ping_payload
        super().handle_pong(event)
        if self._told is not None and awaited is not None and self.pending_ping_payload is None:
            self._told(self.last_ping_rtt)


def _head(size: int) -> bytes:
    """What stands before a text of so many bytes."""
    if size < 126:
        return bytes((TEXT, size))
    if size < 65_536:
        return struct.pack("!BBH", TEXT, 126, size)
    return struct.pack("!BBQ", TEXT, 127, size)


def _size(data: bytes, at: int) -> int:
    """How many bytes the frame there has, its head too; 0 while that is not known."""
    if len(data) < at + 2:
        return 0
    short, mask = data[at + 1] & 127, 4 * (data[at + 1] >> 7)
    if short < 126:
        return 2 + mask + short
    wide = 2 if short == 126 else 8
    if len(data) < at + 2 + wide:
        return 0
    return 2 + wide + mask + int.from_bytes(data[at + 2 : at + 2 + wide], "big")
