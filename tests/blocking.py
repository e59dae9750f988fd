"""Proxies that block WebSockets but not pages, as in some schools and companies.

They forward HTTP traffic unchanged, except for upgrade requests.
"""

import asyncio
import contextlib
from enum import Enum

from tests.network import Network, _ProxiedConnection

HEAD_END = b"\r\n\r\n"


class Blocking(Enum):
    """Reaction of a proxy to a WebSocket request. The value is its response, if any."""

    PAGE = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 7\r\n\r\nBlocked"
    PORTAL = b"HTTP/1.1 302 Found\r\nLocation: http://portal.example/\r\nContent-Length: 0\r\n\r\n"
    FORBIDDEN = b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"
    HANGING = b""
    # Forwards the handshake, but discards all data sent after it.
    SWALLOWING = b"HTTP/1.1 101"


class BlockingProxy(Network):
    """Proxy in front of a site. While `blocks` is False, it forwards everything."""

    def __init__(self, target: int, blocking: Blocking) -> None:
        super().__init__(target)
        self.blocking, self.blocks = blocking, True
        # Number of WebSocket requests received.
        self.upgrade_count = 0

    async def _handle_connection(
        self, client: asyncio.StreamReader, out: asyncio.StreamWriter
    ) -> None:
        head = b""
        with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            head = await client.readuntil(HEAD_END)
        if b"upgrade: websocket" not in head.lower():
            await super()._handle_connection(_prepend_data(head, client), out)
            return
        self.upgrade_count += 1
        if not self.blocks:
            await super()._handle_connection(_prepend_data(head, client), out)
            return
        line = _ProxiedConnection(out)
        self._lines.add(line)
        try:
            await self._react_to_upgrade_request(head, client, line)
        except OSError:
            pass  # the page or the site has closed its connection
        finally:
            for writer in line.writers:
                writer.close()
            self._lines.discard(line)

    async def _react_to_upgrade_request(
        self, head: bytes, client: asyncio.StreamReader, line: _ProxiedConnection
    ) -> None:
        (out,) = line.writers
        if self.blocking is Blocking.SWALLOWING:
            server, to_server = await self._open_target()
            line.writers.append(to_server)
            to_server.write(head)
            out.write(await server.readuntil(HEAD_END))
            await _discard_data(client)
        elif self.blocking is Blocking.HANGING:
            await _discard_data(client)
        else:
            out.write(self.blocking.value)
            await out.drain()


async def _discard_data(client: asyncio.StreamReader) -> None:
    while await client.read(65_536):
        pass


def _prepend_data(head: bytes, client: asyncio.StreamReader) -> asyncio.StreamReader:
    """Return a stream that yields `head` and then the client's remaining data."""
    stream = asyncio.StreamReader()
    stream.feed_data(head)

    async def feed_remaining_data() -> None:
        with contextlib.suppress(OSError):
            while data := await client.read(65_536):
                stream.feed_data(data)
        stream.feed_eof()

    stream._copying = asyncio.ensure_future(feed_remaining_data())  # type: ignore[attr-defined]
    return stream
