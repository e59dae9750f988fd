"""Database access from the event loop, through a small pool of threads.

The function that Channels provides for this purpose runs only one call at a time in each process,
and cleans up connections for every message. Here, several threads run calls in parallel. A
PostgreSQL connection returns to the pool after each call. A SQLite connection stays open in its
thread. If the last connection were closed while the disk is full, no new connection could be
opened, not even for reading.
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

from games.process.tracing import current_trace, trace_as

P = ParamSpec("P")
T = TypeVar("T")

# Errors raised while the database is down, full, or read-only (InternalError on PostgreSQL).
DATABASE_DOWN = (OperationalError, InterfaceError, InternalError)


class DatabaseThreads:
    """Pool of `count` threads, created at the first call. A thread runs `prepare` when it starts.

    `refused` is set when the database rejects a statement of a thread or of a page. It stays set
    until `services.check_disk_space` finds enough disk space.
    """

    def __init__(self, count: int, name: str, prepare: Callable[[], object] | None = None) -> None:
        self._count, self._name, self._prepare = count, name, prepare
        self._threads: ThreadPoolExecutor | None = None
        self.refused = False

    async def run(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a database function in one of the threads, and return its result.

        Exceptions propagate unchanged. Texts are in the caller's language, and log lines have the
        caller's trace id.
        """
        if self._threads is None:
            self._threads = ThreadPoolExecutor(self._count, self._name, self._prepare)
        bound_call = partial(function, *args, **kwargs)
        call = partial(
            self._call_in_thread, translation.get_language(), current_trace(), bound_call
        )
        return await asyncio.get_running_loop().run_in_executor(self._threads, call)

    def _call_in_thread(self, language: str | None, name: str, function: Callable[[], T]) -> T:
        translation.activate(language or settings.LANGUAGE_CODE)
        try:
            connection.close_if_unusable_or_obsolete()
            with trace_as(name):
                return function()
        except DATABASE_DOWN:
            self.refused = True
            raise
        finally:
            if connection.vendor != "sqlite":
                connection.close()

    def close(self) -> None:
        """Close every thread's connection and end the threads. The next call starts new ones."""
        threads, self._threads = self._threads, None
        if threads is None:
            return
        barrier = threading.Barrier(self._count)
        for _ in range(self._count):
            threads.submit(_close_own_connection, barrier)
        threads.shutdown()


def _close_own_connection(barrier: threading.Barrier) -> None:
    # A connection can be closed only by its own thread. The barrier ensures that each thread takes
    # one call.
    barrier.wait(timeout=10)
    connection.close()
