"""All state of one serving process in one object: listeners, threads and caches.

The code that starts a site creates a `Process` and passes it on (`tournament/asgi.py`). Code that
is called from many layers, such as the store, gets it from `here()`. Apps add their own parts, for
example with `here().part(Matches)`. There is no other mutable state at module level, so two sites
in one interpreter share nothing unless both use the same Process.
"""

import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from games.process.components import Component
from games.process.db import DatabaseThreads
from games.process.hub import Hub, Relay
from games.process.lru import FunctionCaches
from games.process.ticker_wakeup import Alarm

P = ParamSpec("P")
T = TypeVar("T")
# Database threads for sockets and deadlines. The connection pool is larger, so that a page can
# always get a connection.
THREADS = 6
# Number of hexadecimal digits in a process's key.
KEY = 6
AnyPart = TypeVar("AnyPart", bound=Component)


class Process:
    """State of one serving process: hub, relay, alarm of the ticker, database threads, other parts.

    `key` identifies the process. The keys of its sockets begin with it.
    """

    def __init__(self) -> None:
        self.key = secrets.token_hex(KEY // 2)
        self.relay = Relay()
        self.hub = Hub(self.relay)
        self.alarm = Alarm()
        self.database = DatabaseThreads(THREADS, "games-db", lambda: _here.set(self))
        self._parts: dict[type[Component], Any] = {}
        self._making = threading.Lock()

    def part(self, kind: type[AnyPart]) -> AnyPart:
        """Return this process's part of this kind, which is created on first use.

        May be called from any thread.
        """
        part: AnyPart | None = self._parts.get(kind)
        return self._make_part(kind) if part is None else part

    def _make_part(self, kind: type[AnyPart]) -> AnyPart:
        with self._making:
            part: AnyPart | None = self._parts.get(kind)
            if part is None:
                part = self._parts[kind] = kind()
            return part

    @contextmanager
    def enter(self) -> Iterator[None]:
        """Return a context in which `here()` returns this process.

        This applies also to code that is awaited or started inside the context.
        """
        before = _here.set(self)
        try:
            yield
        finally:
            _here.reset(before)

    def close(self) -> None:
        """End all threads and discard all parts. May block. Later use creates new parts."""
        with self._making:
            parts, self._parts = [*self._parts.values()], {}
        for part in reversed(parts):
            part.close()
        self.database.close()


# Default for management commands, which do not enter a process.
_here: ContextVar[Process] = ContextVar("process", default=Process())  # noqa: B039


def here() -> Process:
    """Return the process that the calling code belongs to."""
    return _here.get()


async def run_in_database_thread(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run `function` in one of the process's database threads, and return its result."""
    return await _here.get().database.run(function, *args, **kwargs)


def process_cache(max_size: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Return a decorator like `lru_cache(max_size)`, but with a separate cache for each process."""

    def decorate_function(function: Callable[P, T]) -> Callable[P, T]:
        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> T:
            return here().part(FunctionCaches).wrap(function, max_size)(*args, **kwargs)

        return call

    return decorate_function
