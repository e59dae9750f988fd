"""Timeout for work that uses the database, applied only while the database does not respond."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

from games.process.liveness import Liveness

CHECK_SECONDS = 0.25


@contextlib.asynccontextmanager
async def limit_wait(seconds: float, liveness: Liveness) -> AsyncIterator[None]:
    """Limit the time that a block may wait for a database that does not respond.

    The limit does not apply to a database that is merely busy. Work that has begun in a thread
    continues there, and may still succeed after the timeout. Clients repeat the request with the
    same id.

    Raises TimeoutError when the database has neither answered the ticker nor committed anything for
    this process in `seconds`.
    """
    async with asyncio.timeout(None) as limit:
        watching = _Watch(limit, seconds, liveness)
        try:
            yield
        finally:
            watching.end()


class _Watch:
    """Timer that checks the database after `seconds`, and repeatedly after that."""

    def __init__(self, limit: asyncio.Timeout, seconds: float, liveness: Liveness) -> None:
        self._limit, self._seconds, self._liveness = limit, seconds, liveness
        self._loop = asyncio.get_running_loop()
        self._timer = self._loop.call_later(seconds, self._check_database)

    def _check_database(self) -> None:
        if self._liveness.seconds_since_answer >= self._seconds:
            self._limit.reschedule(self._loop.time())
        else:
            self._timer = self._loop.call_later(CHECK_SECONDS, self._check_database)

    def end(self) -> None:
        self._timer.cancel()
