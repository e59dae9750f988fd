"""Proxy that simulates a bad network in front of a site or service.

It can delay, lose and interrupt traffic. Over TCP, lost data arrives late and delays all data sent
after it. A "lost" chunk is therefore delayed by the time of a retransmission, and the order of
bytes never changes.
"""

import asyncio
import contextlib
import random
import socket
import struct
import threading
from collections.abc import Awaitable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Self

CHUNK_SIZE = 65_536


@dataclass(frozen=True)
class Quality:
    """Quality of a connection, applied to each chunk in each direction.

    delay: range of the delay, in seconds
    loss: share of the chunks that are lost
    again: range of the time until a lost chunk is sent again, in seconds
    breaks: share of the chunks at which the connection breaks
    """

    delay: tuple[float, float] = (0.0, 0.0)
    loss: float = 0.0
    again: tuple[float, float] = (0.2, 1.0)
    breaks: float = 0.0

    def random_delay(self, rng: random.Random) -> float:
        lost = rng.random() < self.loss
        return rng.uniform(*self.delay) + (rng.uniform(*self.again) if lost else 0.0)


GOOD_NETWORK = Quality()
BAD_NETWORK = Quality(delay=(0.1, 0.5), loss=0.05, breaks=0.003)


class Network:
    """Network in front of a port or a socket path, active during the `with` block.

    `quality` may be changed at any time. During `outage()`, no data passes and no connection is
    closed. Data sent during the outage arrives afterwards. `cut_connections()` closes the current
    connections.
    """

    def __init__(self, target: int | Path, quality: Quality = GOOD_NETWORK) -> None:
        self.target, self.quality = target, quality
        self.port = 0
        self.broken = 0
        self._rng = random.Random()
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True, name="network")
        self._lines: set[_ProxiedConnection] = set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def ws_url(self) -> str:
        return f"ws://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._ready.wait(10), "the network does not start"
        return self

    def __exit__(self, *_exc: object) -> None:
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join(timeout=10)
        assert not self._thread.is_alive(), "the network does not stop"

    @contextlib.contextmanager
    def outage(self) -> Iterator[None]:
        self._loop.call_soon_threadsafe(self._up.clear)
        yield
        self._loop.call_soon_threadsafe(self._up.set)

    def cut_connections(self) -> None:
        self._loop.call_soon_threadsafe(self._cut_connections)

    def _cut_connections(self) -> None:
        for line in list(self._lines):
            line.close()

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._serve())

    async def _serve(self) -> None:
        self._up, self._end = asyncio.Event(), asyncio.Event()
        self._up.set()
        server = await asyncio.start_server(self._handle_connection, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._end.wait()
        server.close()
        self._up.set()
        self._cut_connections()
        while self._lines:
            await asyncio.sleep(0.01)

    async def _handle_connection(
        self, client: asyncio.StreamReader, out: asyncio.StreamWriter
    ) -> None:
        line = _ProxiedConnection(out)
        self._lines.add(line)
        try:
            await self._up.wait()
            server, to_server = await self._open_target()
            line.writers.append(to_server)
            await line.run_both_directions(
                self._relay(line, client, to_server), self._relay(line, server, out)
            )
        except OSError:
            pass  # the site is down, and so is the connection
        finally:
            line.close()
            self._lines.discard(line)

    async def _open_target(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if isinstance(self.target, Path):
            return await asyncio.open_unix_connection(self.target)
        return await asyncio.open_connection("127.0.0.1", self.target)

    async def _relay(
        self, line: "_ProxiedConnection", source: asyncio.StreamReader, sink: asyncio.StreamWriter
    ) -> None:
        """Carry bytes from `source` to `sink`, delayed but in order, until `source` ends."""
        underway: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
        delivering = asyncio.create_task(self._deliver(underway, sink))
        try:
            data = b"?"
            while data:
                data = await source.read(CHUNK_SIZE)
                at = self._loop.time() + self.quality.random_delay(self._rng)
                underway.put_nowait((at, data))
                if self._rng.random() < self.quality.breaks:
                    self.broken += 1
                    line.close()
            await delivering
        finally:
            delivering.cancel()

    async def _deliver(
        self, underway: "asyncio.Queue[tuple[float, bytes]]", sink: asyncio.StreamWriter
    ) -> None:
        data = b"?"
        while data:
            at, data = await underway.get()
            await asyncio.sleep(max(0.0, at - self._loop.time()))
            await self._up.wait()
            if data:
                sink.write(data)
                await sink.drain()
        sink.write_eof()


class _ProxiedConnection:
    """Connection through the proxy; `writers` are its two ends."""

    def __init__(self, client: asyncio.StreamWriter) -> None:
        self.writers = [client]

    async def run_both_directions(self, *ways: Awaitable[None]) -> None:
        tasks = [asyncio.ensure_future(way) for way in ways]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def close(self) -> None:
        for writer in self.writers:
            if not writer.transport.is_closing():
                line: socket.socket = writer.get_extra_info("socket")
                line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                writer.transport.abort()
