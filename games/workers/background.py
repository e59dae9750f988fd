"""Background tasks of every serving process: relay, news, sweep and ticker."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable

from django.urls import get_resolver

from games.clocks.downtime import Pulse
from games.process import Process
from games.process.db import DATABASE_DOWN
from games.sockets.tables import Tables
from games.workers import sweep, ticker

logger = logging.getLogger(__name__)

RETRY_SECONDS = 1.0


@contextlib.asynccontextmanager
async def run_background(process: Process) -> AsyncIterator[None]:
    """Run the background tasks of `process` inside the context, on the current event loop."""
    process.hub.start()
    process.part(Pulse).runs = True
    tasks = [
        asyncio.create_task(_run_forever(work, name))
        for name, work in (
            ("relay", lambda: process.relay.run(process.hub.deliver)),
            ("news", lambda: process.part(Tables).run(process)),
            ("sweep", lambda: sweep.run(process)),
            ("ticker", lambda: ticker.run(process)),
        )
    ]
    # Import all pages now. Otherwise the first request would import them, and block all sockets.
    assert get_resolver().url_patterns
    try:
        yield
    finally:
        process.part(Pulse).runs = False
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        process.hub.stop()


async def _run_forever(work: Callable[[], Awaitable[None]], name: str) -> None:
    """Run `work` and restart it after errors, so that one faulty match does not stop the others."""
    while True:
        try:
            await work()
        except DATABASE_DOWN as error:
            logger.error("The %s waits for the database: %s", name, error)
            await asyncio.sleep(RETRY_SECONDS)
        except Exception:
            logger.exception("The %s failed and starts again", name)
            await asyncio.sleep(RETRY_SECONDS)
        else:
            return
