"""Wakes the ticker of this process when something becomes due earlier than it planned to look."""

import asyncio
from datetime import datetime

from django.utils import timezone

_loop: asyncio.AbstractEventLoop | None = None
_rang = asyncio.Event()
_planned: datetime | None = None


def start() -> None:
    """Ring on the running loop from now on."""
    global _loop, _rang
    _loop, _rang = asyncio.get_running_loop(), asyncio.Event()


def stop() -> None:
    global _loop
    _loop = None


def note(due: datetime | None) -> None:
    """Something is due then; from any thread, after the commit."""
    if due is not None and _loop is not None:
        _loop.call_soon_threadsafe(_note, due)


def _note(due: datetime) -> None:
    if _planned is None or due < _planned:
        _rang.set()


async def sleep(until: datetime) -> None:
    """Wait until this time, or until something is noted that is due before it."""
    global _planned
    _planned = until
    try:
        async with asyncio.timeout(max(0.0, (until - timezone.now()).total_seconds())):
            await _rang.wait()
    except TimeoutError:
        pass
    finally:
        _planned = None
        _rang.clear()
