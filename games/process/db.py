"""Database access from the event loop, through a small pool of threads.

Channels' own method runs one database call at a time per process and cleans up
connections for every message. Here a call takes one of THREADS threads; a PostgreSQL
connection returns to the pool after each call. A SQLite connection always stays open in
its thread: if the last one were closed while the disk is full, no other could be opened
for reading.
"""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

from django.conf import settings
from django.db import InterfaceError, InternalError, OperationalError, connection
from django.utils import translation

from games.process.tracing import trace, trace_as

P = ParamSpec("P")
T = TypeVar("T")

# The database is away, full, or can only be read (which PostgreSQL calls an internal error).
DATABASE_AWAY = (OperationalError, InterfaceError, InternalError)


class DatabaseThreads:
    """Pool of `count` threads, created at the first call; `prepare` runs once in each.

    `refused` is set with every statement that the database rejects, here or for a page, until
    `services.check_room` finds that there is room.
    """

    def __init__(self, count: int, name: str, prepare: Callable[[], object] | None = None) -> None:
        self._count, self._name, self._prepare = count, name, prepare
        self._threads: ThreadPoolExecutor | None = None
        self.refused = False

    async def run(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Await a function that uses the database, run in a thread.

        Its exceptions are passed on unchanged. Its texts are in the caller's language, and its
        log lines have the caller's trace id.
        """
        if self._threads is None:
            self._threads = ThreadPoolExecutor(self._count, self._name, self._prepare)
        asked = partial(function, *args, **kwargs)
        call = partial(self._call, translation.get_language(), trace(), asked)
        return await asyncio.get_running_loop().run_in_executor(self._threads, call)

    def _call(self, language: str | None, name: str, function: Callable[[], T]) -> T:
        translation.activate(language or settings.LANGUAGE_CODE)
        try:
            connection.close_if_unusable_or_obsolete()
            with trace_as(name):
                return function()
        except DATABASE_AWAY:
            self.refused = True
            raise
        finally:
            if connection.vendor != "sqlite":
                connection.close()

    def close(self) -> None:
        """Close every thread's connection and end the threads; the next call starts new ones."""
        threads, self._threads = self._threads, None
        if threads is None:
            return
        together = threading.Barrier(self._count)
        for _ in range(self._count):
            threads.submit(_close_own, together)
        threads.shutdown()


def _close_own(together: threading.Barrier) -> None:
    # A connection may only be closed by its own thread; the barrier gives each thread one call.
    together.wait(timeout=10)
    connection.close()
