"""Topics with their listeners in this process, and pokes that say "look again".

A poke carries a topic and perhaps a version, never game data, and may be lost. Every
listener compares versions, and the sweep (workers/sweep.py) asks the database twice a
second. Topics are `match:<pk>` and any that `Match.topic` names, such as `event:<pk>`.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable

from games.process.relay import Relay

Callback = Callable[[int | None], None]


class Hub:
    """Pokes reach the listeners here, and through the relay the other processes."""

    def __init__(self, relay: Relay) -> None:
        self._relay = relay
        self._listeners: defaultdict[str, list[Callback]] = defaultdict(list)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._versions: dict[str, int] = {}

    def start(self) -> None:
        """Deliver on the running loop from now on."""
        self._loop = asyncio.get_running_loop()

    def stop(self) -> None:
        self._loop = None
        self._listeners.clear()

    def subscribe(self, topic: str, callback: Callback) -> Callable[[], None]:
        """Call `callback(version or None)` on the event loop after every poke.

        The returned function ends the subscription. The callback must not wait: it notes that
        something is new, and other code looks.
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
        """Return a number that every poke of the topic raises, from the first question on.

        Read it before the database: what was read then is up to date while the number stays.
        From any thread.
        """
        return self._versions.setdefault(topic, 0)

    def topics(self) -> list[str]:
        """Return the topics that have a listener in this process."""
        return list(self._listeners)

    def poke(self, topic: str, version: int | None = None) -> None:
        """Tell listeners here and in the other processes. From any thread, after the commit."""
        self._raise_version(topic)
        if self._loop is None:
            self._relay.publish_blocking(topic, version)
        else:
            self._loop.call_soon_threadsafe(self._deliver_poke, topic, version)

    def _deliver_poke(self, topic: str, version: int | None) -> None:
        self._call_listeners(topic, version)
        self._relay.publish(topic, version)

    def poke_others(self, topic: str) -> None:
        """Tell the other processes alone; on the event loop only."""
        self._relay.publish(topic, None)

    def deliver(self, topic: str, version: int | None) -> None:
        """Pass on a poke of another process; on the event loop only."""
        self._raise_version(topic)
        self._call_listeners(topic, version)

    def _raise_version(self, topic: str) -> None:
        if topic in self._versions:
            self._versions[topic] += 1

    def _call_listeners(self, topic: str, version: int | None) -> None:
        for callback in list(self._listeners.get(topic, ())):
            callback(version)
