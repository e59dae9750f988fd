"""Connections that nothing else would end without a proxy in front.

They send no request, or don't take what they are sent.
"""

import asyncio
import socket
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

# Seconds from the connection, or from a request's first byte, to the end of its headers.
PATIENCE = 10.0
# Milliseconds until the kernel drops a peer that takes nothing of what is waiting for it.
UNTAKEN_MS = 20_000


class PatientHttp(H11Protocol):
    """uvicorn's HTTP with a bound on the time that a request's headers may take.

    What a peer does not take has one too, also when the connection has become a WebSocket's.
    Between two requests uvicorn's own and shorter `timeout_keep_alive` holds.
    """

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        _limit_untaken(transport)
        self._wait_for_headers()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._wait_for_headers()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait_for_headers(self) -> None:
        if self.conn.their_state is not h11.IDLE:
            self._stop_waiting()
        elif self._waiting is None:
            self._waiting = self.loop.call_later(PATIENCE, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None


def _limit_untaken(transport: Any) -> None:
    """Have the kernel end the connection, closed or not, once its peer takes nothing for long.

    A closed connection keeps what is left to send for as long as the peer answers.
    """
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux
        connection = transport.get_extra_info("socket")
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNTAKEN_MS)
