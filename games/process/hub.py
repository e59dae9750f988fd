"""Distribution of pokes, which notify the listeners of a topic that something has changed.

A poke contains a topic and perhaps a version, but never game data, and it may be lost. Every
listener therefore compares versions, and the sweep (workers/sweep.py) queries the database twice a
second. Topics are `match:<pk>` and any topic set in `Match.topic`, such as `event:<pk>`.

Between processes, pokes are sent through the channel layer if the site has one. There is one group,
to which each process subscribes once. While Redis is down, pokes are dropped, and the sweep finds
the changes instead.
"""

import asyncio
import logging
import secrets
from collections import defaultdict
from collections.abc import Awaitable, Callable
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

GROUP = "lastcard.pokes"
RETRY_SECONDS = 1.0
# Pokes within this period are sent in one message. Viewers do not notice the delay.
PACE_SECONDS = 0.01
Unreachable = (OSError, RedisError)
Callback = Callable[[int | None], None]


class Relay:
    """Sender of this process's pokes to other processes, and receiver of theirs.

    It is active only while `run` is running.
    """

    def __init__(self) -> None:
        self._me = secrets.token_hex(8)
        self._outbox: dict[str, int | None] = {}
        self._wake: asyncio.Event | None = None

    def publish(self, topic: str, version: int | None) -> None:
        """Queue a poke for the other processes. It replaces a queued poke of the same topic.

        Call this method only on the event loop.
        """
        if self._wake is not None:
            self._outbox[topic] = version
            self._wake.set()

    def publish_blocking(self, topic: str, version: int | None) -> None:
        """Send a poke from a process without an event loop, such as a management command."""
        layer = get_channel_layer()
        if layer is None:
            return
        try:
            async_to_sync(layer.group_send)(GROUP, self._build_message({topic: version}))
        except Unreachable as error:
            logger.warning("Poke for %s not sent: %s", topic, error)

    async def run(self, deliver: Callable[[str, int | None], None]) -> None:
        """Send and receive pokes until cancelled.

        Returns immediately on a site without a channel layer.
        """
        layer = get_channel_layer()
        if layer is None:
            return
        wake = self._wake = asyncio.Event()
        try:
            # If one task fails, the other must end as well. Otherwise every poke would be received
            # twice after a restart.
            async with asyncio.TaskGroup() as group:
                sending = _repeat_until_reachable("sending", lambda: self._send(layer, wake))
                receiving = _repeat_until_reachable(
                    "receiving", lambda: self._receive(layer, deliver)
                )
                for work in (sending, receiving):
                    group.create_task(work)
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


async def _repeat_until_reachable(activity: str, work: Callable[[], Awaitable[None]]) -> None:
    while True:
        try:
            await work()
        except Unreachable as error:
            logger.warning("Redis is away, %s pokes: %s", activity, error)
            await asyncio.sleep(RETRY_SECONDS)


class Hub:
    """Distributor of pokes to listeners in this process and, through the relay, in all others."""

    def __init__(self, relay: Relay) -> None:
        self._relay = relay
        self._listeners: defaultdict[str, list[Callback]] = defaultdict(list)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._versions: dict[str, int] = {}

    def start(self) -> None:
        """Deliver pokes on the running event loop from now on."""
        self._loop = asyncio.get_running_loop()

    def stop(self) -> None:
        self._loop = None
        self._listeners.clear()

    def subscribe(self, topic: str, callback: Callback) -> Callable[[], None]:
        """Call `callback(version or None)` on the event loop after every poke of the topic.

        Returns a function that ends the subscription. The callback must not block. It should only
        record that something has changed.
        """
        self._listeners[topic].append(callback)
        return lambda: self._unsubscribe(topic, callback)

    def _unsubscribe(self, topic: str, callback: Callback) -> None:
        listeners = self._listeners.get(topic, [])
        if callback in listeners:
            listeners.remove(callback)
        if not listeners:
            self._listeners.pop(topic, None)

    def version(self, topic: str) -> int:
        """Return the number of pokes of the topic since this method was first called for it.

        Read this number before the data. The data is up to date as long as the number is unchanged.
        May be called from any thread.
        """
        return self._versions.setdefault(topic, 0)

    def topics(self) -> list[str]:
        """Return the topics that have a listener in this process."""
        return list(self._listeners)

    def poke(self, topic: str, version: int | None = None) -> None:
        """Notify the listeners in this process and in all others.

        Call this method after the commit. It may be called from any thread.
        """
        self._increment_version(topic)
        if self._loop is None:
            self._relay.publish_blocking(topic, version)
        else:
            self._loop.call_soon_threadsafe(self._deliver_poke, topic, version)

    def _deliver_poke(self, topic: str, version: int | None) -> None:
        self._call_listeners(topic, version)
        self._relay.publish(topic, version)

    def poke_others(self, topic: str) -> None:
        """Notify only the other processes. Call this method only on the event loop."""
        self._relay.publish(topic, None)

    def deliver(self, topic: str, version: int | None) -> None:
        """Pass on a poke from another process. Call this method only on the event loop."""
        self._increment_version(topic)
        self._call_listeners(topic, version)

    def _increment_version(self, topic: str) -> None:
        if topic in self._versions:
            self._versions[topic] += 1

    def _call_listeners(self, topic: str, version: int | None) -> None:
        for callback in list(self._listeners.get(topic, ())):
            callback(version)
