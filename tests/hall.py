"""Automated players at many tables, in one thread."""

import asyncio
import threading
import time
from collections.abc import Sequence
from typing import Any, Self

from websockets.asyncio.client import ClientConnection

from games.client.player import ClientPlayer, Stats
from games.protocol.messages import AckMessage, RefusedMessage


class RecordingPlayer(ClientPlayer):
    """Player that records its acknowledged actions and its interruptions.

    acked: the version of each acknowledged action, by the action's id
    acked_at: the time of each acknowledgement
    interruptions: the length of each interruption, in seconds
    reconnected_at: the end of each interruption
    """

    def __init__(self, url: str, match: str, cookies: str, stats: Stats, delay: float) -> None:
        super().__init__(url, match, cookies, stats, delay=delay)
        self.match = match
        self.acked: dict[str, int] = {}
        self.acked_at: list[float] = []
        self.interruptions: list[float] = []
        self.reconnected_at: list[float] = []
        self._heard_at = 0.0
        self._connected = False

    async def _stay_connected(self, socket: ClientConnection) -> None:
        self._connected = False
        await super()._stay_connected(socket)

    async def _handle_message(self, message: Any, socket: ClientConnection) -> None:
        if self._heard_at and not self._connected:
            self.reconnected_at.append(time.monotonic())
            self.interruptions.append(self.reconnected_at[-1] - self._heard_at)
        self._heard_at, self._connected = time.monotonic(), True
        await super()._handle_message(message, socket)

    def _handle_answer(self, message: AckMessage | RefusedMessage) -> None:
        if message["type"] == "ack" and self._pending and message["id"] == self._pending[0]["id"]:
            self.acked[message["id"]] = message["version"]
            self.acked_at.append(time.monotonic())
        super()._handle_answer(message)


class Hall:
    """Players at these seats, who play during the `with` block.

    A seat is a match's public id and a Cookie header. The thinking time grows with the number of
    matches, so that all players together act about forty times a second.
    """

    def __init__(self, url: str, seats: Sequence[tuple[str, str]]) -> None:
        self.stats = Stats()
        delay = len({match for match, _cookie in seats}) / 40
        self.players = [RecordingPlayer(url, *seat, self.stats, delay) for seat in seats]
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="hall")

    @property
    def acked(self) -> dict[str, int]:
        """The version of each acknowledged action, by the action's id."""
        return {key: at for player in self.players for key, at in player.acked.items()}

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._play())

    async def _play(self) -> None:
        self._end = asyncio.Event()
        tasks = [asyncio.create_task(player.play()) for player in self.players]
        await self._end.wait()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_exc: object) -> None:
        self._loop.call_soon_threadsafe(lambda: self._end.set())
        self._thread.join(timeout=30)
