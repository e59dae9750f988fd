"""Id of the request or action that the running code works for, shown in log lines."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_trace: ContextVar[str] = ContextVar("trace", default="")


def current_trace() -> str:
    """Return the id of the current request or action, or "" if there is none.

    The id of a request is its X-Request-Id. The id of an action combines its match and its client
    id, for example "17/a3f".
    """
    return _trace.get()


@contextmanager
def trace_as(name: str) -> Iterator[None]:
    """Make `current_trace` return this name inside the block.

    This applies also to code that is awaited there, and to threads that run it.
    """
    before = _trace.set(name)
    try:
        yield
    finally:
        _trace.reset(before)
