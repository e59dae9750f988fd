"""Connection of a socket whose client polls, because its network blocks WebSockets.

The socket runs as it does on a WebSocket: a `PolledLine` is its `Line`, and its `receive` and
`send`. Messages are kept until the client has confirmed them, so a response that a proxy cuts
off is repeated. What a WebSocket keeps in the system's buffers is limited here by ROOM_BYTES.
"""

import asyncio
import secrets
import time
from collections.abc import Callable, Sequence
from typing import Any

from games.process.asgi import AsgiEvent
from games.sockets.line.inbox import Inbox
from games.sockets.line.line import MOST_FRAMES, PER_SECONDS

# Like uvicorn's limit for a WebSocket whose client reads slowly.
ROOM_BYTES = 65_536
# Seconds without any request, after which the client has gone.
ABANDONED_SECONDS = 15.0
# Seconds to wait for more once there is something to send. The answer to an action and the view
# that shows it then share a response.
GATHER_SECONDS = 0.02
# The rate limit allows no more at once.
MOST_UNREAD = 100

GOING_AWAY, MISUSE, RESTART = 1001, 1008, 1012


class PolledLine:
    """Line of one socket; everything runs on the event loop.

    `session` is the cookie that opened it. `forget` is called when the line has ended and its
    client has had time to learn why.
    """

    polled = True

    def __init__(self, session: str, forget: Callable[["PolledLine"], None]) -> None:
        self.id = secrets.token_urlsafe(16)
        self.session = session
        self.accepted = False
        self.closed: tuple[int, str] | None = None
        self._forget = forget
        self._inbox = Inbox()
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

    # As a line

    def measure(self, told: Callable[[float], None]) -> None:
        """Do nothing: only probes measure a line without pings of its own."""

    def answer(self, heard: Callable[[bytes], bool]) -> None:
        self._answers = heard

    def put(self, *texts: bytes) -> bool:
        if self.closed is not None or sum(map(len, self._texts)) >= ROOM_BYTES:
            return False
        self._texts.extend(texts)
        self._end_poll()
        return True

    def farewell(self, text: Callable[[], bytes]) -> None:
        self._farewell = text

    @property
    def gone(self) -> bool:
        return self.closed is not None

    # As the socket's connection

    async def receive(self) -> AsgiEvent:
        event: AsgiEvent = await self._inbox.get()
        return event

    async def send(self, event: AsgiEvent) -> None:
        """Implement ASGI's `send`; a text waits until there is room for it.

        Raises ConnectionResetError if the client has gone.
        """
        match event["type"]:
            case "websocket.accept":
                self.accepted = True
            case "websocket.send":
                while not self.put(event["text"].encode()):
                    if self.closed is not None:
                        raise ConnectionResetError
                    self._room.clear()
                    await self._room.wait()
            case "websocket.close":
                self.close(event.get("code", 1000), event.get("reason") or "")

    def close(self, code: int, reason: str = "") -> None:
        """End the socket; the client learns the reason from its next response."""
        if self.closed is None:
            self.closed = code, reason
            self._inbox.put_nowait({"type": "websocket.disconnect", "code": code})
            self._answers = self._farewell = None
            self._room.set()
            self._end_poll()

    def shut_down(self) -> None:
        """Say goodbye, because the server stops."""
        if self._farewell is not None:
            self.put(self._farewell())
        self.close(RESTART)

    # For requests

    def begin_request(self) -> None:
        """Count a request, which keeps the line alive until `end_request`."""
        self._requests += 1
        self._ending.cancel()
        if (now := time.monotonic()) - self._counted_from > PER_SECONDS:
            self._counted, self._counted_from = 0, now
        self._counted += 1
        if self._counted > MOST_FRAMES:
            self.close(MISUSE)

    def end_request(self) -> None:
        self._requests -= 1
        if not self._requests:
            self._ending = _call_later(ABANDONED_SECONDS, self._abandon)

    def take(self, number: int, texts: Sequence[str]) -> None:
        """Take messages of the client, the first of which is its message `number`.

        Messages that have arrived before are skipped, because the client repeats a request without
        a response.
        """
        known = self._received - number
        if known < 0:
            self.close(RESTART)  # something is missing: the client has to begin again
            return
        for text in texts[known:]:
            self._received += 1
            if self._answers is None or not self._answers(text.encode(errors="replace")):
                self._inbox.put_nowait({"type": "websocket.receive", "text": text})
        if len(self._inbox) > MOST_UNREAD:
            self.close(MISUSE)

    def confirm(self, number: int) -> None:
        """Drop the texts before this number, which the client has."""
        had = min(number - self._first, len(self._texts))
        if had > 0:
            del self._texts[:had]
            self._first += had
            self._room.set()

    async def wait(self, seconds: float, gone: asyncio.Future[Any]) -> None:
        """Wait until there is something to send, a newer poll arrives, or the client has gone."""
        self._end_poll()
        self._poll = poll = asyncio.get_running_loop().create_future()
        if not self._texts and self.closed is None:
            await asyncio.wait({poll, gone}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        if self._texts and self.closed is None and self._poll is poll:
            await asyncio.sleep(GATHER_SECONDS)

    def batch(self) -> tuple[int, list[bytes]]:
        """Return the number of the first unconfirmed text, and all these texts."""
        return self._first, list(self._texts)

    # Inner workings

    def _end_poll(self) -> None:
        if self._poll is not None and not self._poll.done():
            self._poll.set_result(None)

    def _abandon(self) -> None:
        self.close(GOING_AWAY)
        self._forget(self)


def _call_later(seconds: float, call: Callable[[], None]) -> asyncio.TimerHandle:
    return asyncio.get_running_loop().call_later(seconds, call)
