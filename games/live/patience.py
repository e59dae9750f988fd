"""Waiting for the database no longer than it is there."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

from games.process.pulse import Pulse

LOOK_SECONDS = 0.25


@contextlib.asynccontextmanager
async def within(seconds: float, pulse: Pulse) -> AsyncIterator[None]:
    """TimeoutError once so much time has passed and the database has not answered the ticker
    for as long either.

    One that is merely busy is waited for. What a thread has begun goes on there, so that what is
    given up here may still happen; clients ask again with the same id.
    """
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(None) as limit:

        def look() -> None:
            nonlocal timer
            if pulse.unanswered_for >= seconds:
                limit.reschedule(loop.time())
            else:
                timer = loop.call_later(LOOK_SECONDS, look)

        timer = loop.call_later(seconds, look)
        try:
            yield
        finally:
            timer.cancel()
