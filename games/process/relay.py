"""Pokes between processes, through the channel layer if the site has one.

One group, one subscription per process. Messages hold topics and versions, no game data; while
Redis is away they are dropped, and the sweep makes up for it.
"""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

GROUP = "lastcard.pokes"
RETRY_SECONDS = 1.0
# Pokes within this time share one message; viewers do not notice the delay.
PACE_SECONDS = 0.01
Unreachable = (OSError, RedisError)


class Relay:
    """Sends this process's pokes while `run` runs, and hears the others' but not its own."""

    def __init__(self) -> None:
        self._me = secrets.token_hex(8)
        self._outbox: dict[str, int | None] = {}
        self._wake: asyncio.Event | None = None

    def publish(self, topic: str, version: int | None) -> None:
        """Queue a poke for the other processes; on the event loop only. Later replace earlier."""
        if self._wake is not None:
            self._outbox[topic] = version
            self._wake.set()

    def publish_blocking(self, topic: str, version: int | None) -> None:
        """Send from a process without an event loop, such as a management command."""
        layer = get_channel_layer()
        if layer is None:
            return
        try:
            async_to_sync(layer.group_send)(GROUP, self._build_message({topic: version}))
        except Unreachable as error:
            logger.warning("Poke for %s not sent: %s", topic, error)

    async def run(self, deliver: Callable[[str, int | None], None]) -> None:
        """Send and receive until cancelled; returns at once on a site without a channel layer."""
        layer = get_channel_layer()
        if layer is None:
            return
        wake = self._wake = asyncio.Event()
        try:
            # An error of one ends the other: a second one would hear each poke, too.
            async with asyncio.TaskGroup() as both:
                sending = _repeat_until_reachable("sending", lambda: self._send(layer, wake))
                receiving = _repeat_until_reachable(
                    "receiving", lambda: self._receive(layer, deliver)
                )
                for work in (sending, receiving):
                    both.create_task(work)
        finally:
            self._wake = None
            self._outbox.clear()
            await layer.flush()

    async def _send(self, layer: Any, wake: asyncio.Event) -> None:
        await wake.wait()
        wake.clear()
        pokes = dict(self._outbox)
        self._outbox.clear()
        await layer.group_send(GROUP, self._build_message(pokes))
        await asyncio.sleep(PACE_SECONDS)

    async def _receive(self, layer: Any, deliver: Callable[[str, int | None], None]) -> None:
        channel = await layer.new_channel()
        await layer.group_add(GROUP, channel)
        while True:
            message = await layer.receive(channel)
            if message["from"] != self._me:
                for topic, version in message["pokes"]:
                    deliver(topic, version)

    def _build_message(self, pokes: dict[str, int | None]) -> dict[str, object]:
        return {"type": "pokes", "from": self._me, "pokes": [list(poke) for poke in pokes.items()]}


async def _repeat_until_reachable(what: str, work: Callable[[], Awaitable[None]]) -> None:
    while True:
        try:
            await work()
        except Unreachable as error:
            logger.warning("Redis is away, %s pokes: %s", what, error)
            await asyncio.sleep(RETRY_SECONDS)
