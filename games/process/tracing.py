"""Request or action that the running code belongs to, for its log lines."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_trace: ContextVar[str] = ContextVar("trace", default="")


def trace() -> str:
    """Return the id of the current request or action, or "".

    A request has its X-Request-Id. An action has "17/a3f": its match and its id.
    """
    return _trace.get()


@contextmanager
def trace_as(name: str) -> Iterator[None]:
    """Have `trace` return this name inside the block.

    That includes code awaited there, and work done for it in threads.
    """
    before = _trace.set(name)
    try:
        yield
    finally:
        _trace.reset(before)
