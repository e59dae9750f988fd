"""Connection of a socket whose client polls because its network blocks WebSockets.

The socket runs as it would on a WebSocket. A `PolledConnection` is its `Line`, and provides
`receive` and `send`. Messages are kept until the client confirms them, because a proxy may cut off
a response, which then has to be repeated. ROOM_BYTES limits the size of the kept messages.
"""

import asyncio
import secrets
import time
from collections.abc import Callable, Sequence
from typing import Any

from games.process.asgi import AsgiEvent
from games.sockets.line.line import MAX_FRAMES, PER_SECONDS

# The same as uvicorn's limit for a WebSocket whose client reads slowly.
ROOM_BYTES = 65_536
# A client without a request for this many seconds counts as disconnected.
ABANDONED_SECONDS = 15.0
# Seconds to wait for further messages, so that the answer to an action and the resulting view share
# a response.
GATHER_SECONDS = 0.02
# The same as the number of messages that the sockets' rate limit allows in a burst.
MAX_UNREAD = 100

GOING_AWAY, MISUSE, RESTART = 1001, 1008, 1012


class PolledConnection:
    """Connection of one polled socket. Used only on the event loop.

    `session` is the session that opened it. `forget` is called some time after the connection has
    ended, when the client has been able to read the reason.
    """

    polled = True

    def __init__(self, session: str, forget: Callable[["PolledConnection"], None]) -> None:
        self.id = secrets.token_urlsafe(16)
        self.session = session
        self.accepted = False
        self.closed: tuple[int, str] | None = None
        self._forget = forget
        self._inbox = asyncio.Queue[AsgiEvent]()
        self._inbox.put_nowait({"type": "websocket.connect"})
        self._answers: Callable[[bytes], bool] | None = None
        self._farewell: Callable[[], bytes] | None = None
        # Texts that the client has not confirmed, and the number of the first one.
        self._texts: list[bytes] = []
        self._first = self._received = 0
        self._room = asyncio.Event()
        self._poll: asyncio.Future[None] | None = None
        self._requests, self._ending = 0, _call_later(ABANDONED_SECONDS, self._abandon)
        self._counted, self._counted_from = 0, time.monotonic()

    # `Line` methods

    def measure(self, report: Callable[[float], None]) -> None:
        """Do nothing, because a polled connection has no pings and is measured only by probes."""

    def handle_short_texts(self, handle: Callable[[bytes], bool]) -> None:
        self._answers = handle

    def try_send(self, *texts: bytes) -> bool:
        if self.closed is not None or sum(map(len, self._texts)) >= ROOM_BYTES:
            return False
        self._texts.extend(texts)
        self._end_poll()
        return True

    def set_farewell(self, text: Callable[[], bytes]) -> None:
        self._farewell = text

    @property
    def gone(self) -> bool:
        return self.closed is not None

    # Methods of ASGI

    async def receive(self) -> AsgiEvent:
        return await self._inbox.get()

    async def send(self, event: AsgiEvent) -> None:
        """Handle an ASGI event from the application. A text waits until there is room for it.

        Raises ConnectionResetError if the client has disconnected.
        """
        match event["type"]:
            case "websocket.accept":
                self.accepted = True
            case "websocket.send":
                while not self.try_send(event["text"].encode()):
                    if self.closed is not None:
                        raise ConnectionResetError
                    self._room.clear()
                    await self._room.wait()
            case "websocket.close":
                self.close(event.get("code", 1000), event.get("reason") or "")

    def close(self, code: int, reason: str = "") -> None:
        """Close the connection. The client receives the reason with the next response."""
        if self.closed is None:
            self.closed = code, reason
            self._inbox.put_nowait({"type": "websocket.disconnect", "code": code})
            self._answers = self._farewell = None
            self._room.set()
            self._end_poll()

    def shut_down(self) -> None:
        """Send the farewell and close the connection, because the server is stopping."""
        if self._farewell is not None:
            self.try_send(self._farewell())
        self.close(RESTART)

    # Requests

    def begin_request(self) -> None:
        """Keep the connection alive until `end_request`, and enforce the rate limit."""
        self._requests += 1
        self._ending.cancel()
        if (now := time.monotonic()) - self._counted_from > PER_SECONDS:
            self._counted, self._counted_from = 0, now
        self._counted += 1
        if self._counted > MAX_FRAMES:
            self.close(MISUSE)

    def end_request(self) -> None:
        self._requests -= 1
        if not self._requests:
            self._ending = _call_later(ABANDONED_SECONDS, self._abandon)

    def accept_messages(self, number: int, texts: Sequence[str]) -> None:
        """Pass the client's messages to the socket. The first one has number `number`.

        Messages received before are skipped, because clients repeat a request that got no response.
        """
        known = self._received - number
        if known < 0:
            self.close(RESTART)  # a message is missing, so the client has to start over
            return
        for text in texts[known:]:
            self._received += 1
            if self._answers is None or not self._answers(text.encode(errors="replace")):
                self._inbox.put_nowait({"type": "websocket.receive", "text": text})
        if self._inbox.qsize() > MAX_UNREAD:
            self.close(MISUSE)

    def confirm(self, number: int) -> None:
        """Drop the texts with lower numbers, because the client has received them."""
        count = min(number - self._first, len(self._texts))
        if count > 0:
            del self._texts[:count]
            self._first += count
            self._room.set()

    async def wait(self, seconds: float, gone: asyncio.Future[Any]) -> None:
        """Wait until there is a text to send, a newer poll arrives, or the client disconnects."""
        self._end_poll()
        self._poll = poll = asyncio.get_running_loop().create_future()
        if not self._texts and self.closed is None:
            await asyncio.wait({poll, gone}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        if self._texts and self.closed is None and self._poll is poll:
            await asyncio.sleep(GATHER_SECONDS)

    def list_unconfirmed(self) -> tuple[int, list[bytes]]:
        """Return the number of the first unconfirmed text, and all unconfirmed texts."""
        return self._first, list(self._texts)

    # Internals

    def _end_poll(self) -> None:
        if self._poll is not None and not self._poll.done():
            self._poll.set_result(None)

    def _abandon(self) -> None:
        self.close(GOING_AWAY)
        self._forget(self)


def _call_later(seconds: float, call: Callable[[], None]) -> asyncio.TimerHandle:
    return asyncio.get_running_loop().call_later(seconds, call)
