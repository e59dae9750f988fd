"""Connection of a socket, with features that ASGI does not provide.

Uvicorn passes each message through a queue and a task. It measures the round trips of its own
pings, which a browser answers without any script, but does not report them. A `Line` reports these
round trips, sends a message immediately if the client has received the earlier ones, and lets the
socket answer short messages on arrival. The scope of a connection contains its line among the ASGI
extensions. The websockets library handles the frames.
"""

import asyncio
from collections.abc import Callable
from typing import Any

from uvicorn._types import ASGISendEvent
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, Frame
from websockets.http11 import Request
from websockets.protocol import State

from games.process.asgi import Scope

EXTENSION = "lastcard.line"
# Value of uvicorn's `ws` option that turns its connections into lines.
PROTOCOL = f"{__name__}:LineProtocol"
# After MEASURE_SECONDS, a ping is sent together with the next message, which saves a turn of the
# event loop. After ALONE_SECONDS, it is sent on its own. A race uses the smallest round trip of ten
# seconds.
MEASURE_SECONDS, ALONE_SECONDS = 4.0, 6.0

# A page sends a tenth of this number. One read may contain 40,000 frames, so it is parsed in parts,
# and the frames are counted after each part.
MAX_FRAMES, PER_SECONDS = 1_000, 20.0
PART_BYTES = 4_096
BAD_REQUEST = b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
# Length of the longest text that is passed to the socket on arrival.
SHORT_BYTES = 125


class Line:
    """Connection of a socket. This base class is for servers without the additional features.

    All methods run on the event loop and never wait. `polled` is true if the client uses polling.
    """

    polled = False

    def measure(self, report: Callable[[float], None]) -> None:
        """Ping at least every ALONE_SECONDS, and call `report(seconds)` with each round trip."""

    def handle_short_texts(self, handle: Callable[[bytes], bool]) -> None:
        """Pass each short text to `handle` on arrival, and drop it if `handle` returns True."""

    def try_send(self, *texts: bytes) -> bool:
        """Send these texts if the client has received all earlier ones.

        Returns whether they were sent.
        """
        return False

    def set_farewell(self, text: Callable[[], bytes]) -> None:
        """Call `text` when the server shuts down, and send the result before closing."""

    @property
    def gone(self) -> bool:
        """True if the connection has ended."""
        return False


def line_of(scope: Scope) -> Line:
    line: Line = scope.get("extensions", {}).get(EXTENSION) or Line()
    return line


class LineProtocol(WebSocketsSansIOProtocol, Line):
    """Uvicorn's WebSocket connection as a `Line`.

    Its scope is emptied once the connection is accepted.
    """

    scope: Any
    _report: Callable[[float], None] | None = None
    _answers: Callable[[bytes], bool] | None = None
    _farewell: Callable[[], bytes] | None = None
    _heard_at = 0.0
    _frames, _counted_from = 0, 0.0
    _ending: asyncio.TimerHandle | None = None

    # `Line` methods

    def measure(self, report: Callable[[float], None]) -> None:
        if not self.disconnected:
            self._report, self.ping_interval = report, ALONE_SECONDS
            self._ping_now()

    def handle_short_texts(self, handle: Callable[[bytes], bool]) -> None:
        if not self.disconnected:
            self._answers = handle

    def set_farewell(self, text: Callable[[], bytes]) -> None:
        self._farewell = text

    @property
    def gone(self) -> bool:
        return self.disconnected

    def try_send(self, *texts: bytes) -> bool:
        if self.conn.state is not State.OPEN or self.transport.is_closing():
            return False
        if not self.writable.is_set():
            return False
        if self._report is not None and self.loop.time() - self.ping_sent_at > MEASURE_SECONDS:
            self._ping_now()
        for text in texts:
            self.conn.send_text(text)
        self.transport.write(b"".join(self.conn.data_to_send()))
        return True

    def _ping_now(self) -> None:
        """Send a ping before it is due, unless an earlier one has not been answered yet."""
        if self.ping_timer is not None:
            self.ping_timer.cancel()
            self.send_keepalive_ping()

    # Methods of uvicorn's protocol

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.handshake_complete:
            self.scope["extensions"][EXTENSION] = self

    def start_keepalive(self) -> None:
        """Start the keepalive, and discard the handshake, which takes up 8 kB per socket."""
        super().start_keepalive()
        # Empty both, because the application's callers keep the scope and the library the request.
        self.scope.clear()
        self.request.headers.clear()
        self.response.headers.clear()

    def data_received(self, data: bytes) -> None:
        if self.handshake_initiated and not self.handshake_complete:
            self.transport.abort()  # browsers send nothing until the handshake is complete
            return
        self._heard_at = self.loop.time()
        for at in range(0, len(data), PART_BYTES):
            if not self.transport.is_closing():
                super().data_received(data[at : at + PART_BYTES])
        if not self.handshake_initiated:  # browsers send the whole handshake in one piece
            self._refuse_handshake()

    def handle_events(self) -> None:
        # The count is not reset within a fragmented message, because its fragments stay in memory.
        if self._heard_at - self._counted_from > PER_SECONDS and not self.frames:
            self._frames, self._counted_from = 0, self._heard_at
        self._frames += len(self.conn.events)
        if self._frames <= MAX_FRAMES:
            super().handle_events()
        else:
            self._fail(CloseCode.POLICY_VIOLATION)

    def _refuse_handshake(self) -> None:
        """Answer a request that the library rejects, such as one with a very long header."""
        self.handshake_initiated = self.handshake_complete = self.close_sent = True
        self.transport.write(b"".join(self.conn.data_to_send()) or BAD_REQUEST)
        self.transport.close()

    def _fail(self, code: CloseCode) -> None:
        self.conn.fail(code)
        self.handle_parser_exception()

    def send_receive_event_to_app(self) -> None:
        """Pass on a message, but close the connection if it is a text that is not UTF-8.

        Uvicorn would log a traceback, and would fail if the client had already closed.
        """
        if self.curr_msg_data_type == "text" and not self.close_sent:
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self._fail(CloseCode.INVALID_DATA)
        super().send_receive_event_to_app()

    async def send(self, message: ASGISendEvent) -> None:
        """Send a message of the application.

        Raises ClientDisconnected as soon as the connection is closing. Uvicorn does so only after
        the client has received the remaining data, and would log a traceback before that.
        """
        await self.writable.wait()
        if self.close_sent or self.transport.is_closing():
            raise ClientDisconnected
        await super().send(message)

    def handle_ping(self) -> None:
        if self.writable.is_set():
            super().handle_ping()
        else:
            self.conn.data_to_send()  # drop the pongs of a client that does not read

    def handle_text(self, event: Frame) -> None:
        short = event.fin and len(event.data) <= SHORT_BYTES and not self.close_sent
        if not short or self._answers is None or not self._answers(bytes(event.data)):
            super().handle_text(event)

    def handle_pong(self, event: Frame) -> None:
        awaited = self.pending_ping_payload
        super().handle_pong(event)
        if self._report is not None and awaited is not None and self.pending_ping_payload is None:
            self._report(self.last_ping_rtt)

    def send_keepalive_ping(self) -> None:
        """Send a ping, unless nothing is measured and the client has sent data recently."""
        heard = self._heard_at + (self.ping_interval or 0.0) - self.loop.time()
        if self._report is None and heard > 0.0:
            self.ping_timer = self.loop.call_later(heard, self.send_keepalive_ping)
        else:
            super().send_keepalive_ping()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self._ending is not None:
            self._ending.cancel()
        # Objects that refer to each other would remain in memory until a full garbage collection,
        # which is rare.
        self._report = self._answers = self._farewell = None
        self.scope = None
        self.conn.parser.close()

    def shutdown(self) -> None:
        if self._farewell is not None:
            self.try_send(self._farewell())
        if self.transport.is_closing():
            self.transport.abort()  # the client is not receiving the remaining data
        else:
            super().shutdown()

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        super().on_task_complete(task)
        self._schedule_abort()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self._schedule_abort()

    def _schedule_abort(self) -> None:
        """Abort the closed connection if the client does not receive the remaining data soon."""
        if self._ending is None and not self.disconnected:
            self._ending = self.loop.call_later(self.close_timeout, self.transport.abort)
