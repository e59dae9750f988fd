"""Timeouts for connections that send no request, which could otherwise stay open forever."""

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from games.process.asgi import SHUTDOWN

# Maximum seconds from opening a connection, or from the first byte of a later request, to the end
# of the headers.
PATIENCE = 10.0
# When the process stops, it closes the connections of unanswered requests this many seconds before
# uvicorn would cancel the requests and respond with 500.
SPARE = 0.5


class HeaderTimeoutProtocol(H11Protocol):
    """uvicorn's HTTP protocol with a time limit for the headers of a request.

    Between two requests, uvicorn's own `timeout_keep_alive` applies, which is shorter. When the
    server begins to stop, waiting long polls are notified. The connections of requests that are
    still unanswered at the end are closed, so that a proxy tries another process.
    """

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._wait_for_headers()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._wait_for_headers()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        super().shutdown()
        if (seconds := self.config.timeout_graceful_shutdown) is not None:
            self.loop.call_later(max(seconds - SPARE, 0), self._abort_unanswered)
        if self.cycle is not None and not self.cycle.response_complete:
            extensions: Any = self.cycle.scope.get("extensions", {})
            if (end_wait := extensions.get(SHUTDOWN)) is not None:
                end_wait()

    def _abort_unanswered(self) -> None:
        if self.cycle is not None and not self.cycle.response_started:
            self.transport.abort()

    def _wait_for_headers(self) -> None:
        if self.conn.their_state is not h11.IDLE:
            self._stop_waiting()
        elif self._waiting is None:
            self._waiting = self.loop.call_later(PATIENCE, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
