"""Who in this process wants to know about what: topics, and pokes that say "look again".

A poke carries a topic and perhaps a version, never game data, and may be lost: every listener
compares versions, and the sweep (games/live/sweep.py) asks the database twice a second. Topics are
`match:<pk>` and whatever `Match.topic` names, such as `event:<pk>`.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable

from games.process import relay

Callback = Callable[[int | None], None]

_listeners: defaultdict[str, list[Callback]] = defaultdict(list)
_loop: asyncio.AbstractEventLoop | None = None


def start() -> None:
    """Deliver on the running loop from now on."""
    global _loop
    _loop = asyncio.get_running_loop()


def stop() -> None:
    global _loop
    _loop = None
    _listeners.clear()


def subscribe(topic: str, callback: Callback) -> Callable[[], None]:
    """Call `callback(version or None)` on the event loop after every poke.

    The returned function ends that. The callback must not wait: it notes that something is new,
    and somebody else looks.
    """
    _listeners[topic].append(callback)
    return lambda: _unsubscribe(topic, callback)


def _unsubscribe(topic: str, callback: Callback) -> None:
    listeners = _listeners.get(topic, [])
    if callback in listeners:
        listeners.remove(callback)
    if not listeners:
        _listeners.pop(topic, None)


def topics() -> list[str]:
    """Topics that somebody in this process listens to."""
    return list(_listeners)


def poke(topic: str, version: int | None = None) -> None:
    """Tell this process's listeners and the other processes. From any thread, after the commit."""
    if _loop is None:
        relay.publish_now(topic, version)
    else:
        _loop.call_soon_threadsafe(_poke, topic, version)


def _poke(topic: str, version: int | None) -> None:
    deliver(topic, version)
    relay.publish(topic, version)


def poke_here(topics: Iterable[str]) -> None:
    """Tell this process's listeners alone; from any thread."""
    if _loop is not None:
        for topic in topics:
            _loop.call_soon_threadsafe(deliver, topic, None)


def deliver(topic: str, version: int | None) -> None:
    """Call the listeners; on the event loop only."""
    for callback in list(_listeners.get(topic, ())):
        callback(version)
