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
Unreachable = (OSError, RedisError)

_me = secrets.token_hex(8)
_outbox: dict[str, int | None] = {}
_wake: asyncio.Event | None = None


def publish(topic: str, version: int | None) -> None:
    """Queue a poke for the other processes; on the event loop only. Later ones replace earlier."""
    if _wake is not None:
        _outbox[topic] = version
        _wake.set()


def publish_now(topic: str, version: int | None) -> None:
    """Send from a process without an event loop, such as a management command."""
    layer = get_channel_layer()
    if layer is None:
        return
    try:
        async_to_sync(layer.group_send)(GROUP, _message({topic: version}))
    except Unreachable as error:
        logger.warning("Poke for %s not sent: %s", topic, error)


async def run(deliver: Callable[[str, int | None], None]) -> None:
    """Send and receive until cancelled; returns at once on a site without a channel layer."""
    layer = get_channel_layer()
    if layer is None:
        return
    global _wake
    _wake = asyncio.Event()
    try:
        await asyncio.gather(
            _again_and_again("sending", lambda: _send(layer)),
            _again_and_again("receiving", lambda: _receive(layer, deliver)),
        )
    finally:
        _wake = None
        _outbox.clear()
        await layer.flush()


async def _again_and_again(what: str, work: Callable[[], Awaitable[None]]) -> None:
    while True:
        try:
            await work()
        except Unreachable as error:
            logger.warning("Redis is away, %s pokes: %s", what, error)
            await asyncio.sleep(RETRY_SECONDS)


async def _send(layer: Any) -> None:
    assert _wake is not None
    await _wake.wait()
    _wake.clear()
    pokes = dict(_outbox)
    _outbox.clear()
    await layer.group_send(GROUP, _message(pokes))


async def _receive(layer: Any, deliver: Callable[[str, int | None], None]) -> None:
    channel = await layer.new_channel()
    await layer.group_add(GROUP, channel)
    while True:
        message = await layer.receive(channel)
        if message["from"] != _me:
            for topic, version in message["pokes"]:
                deliver(topic, version)


def _message(pokes: dict[str, int | None]) -> dict[str, Any]:
    return {"type": "pokes", "from": _me, "pokes": [list(poke) for poke in pokes.items()]}
