"""Which request or action the code is busy with, for the lines that it writes into the log."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_trace: ContextVar[str] = ContextVar("trace", default="")


def trace() -> str:
    """The id of the request (as in X-Request-Id) or of the action ("17/a3f": match, its id); ""."""
    return _trace.get()


@contextmanager
def trace_as(name: str) -> Iterator[None]:
    """Inside, and in what is awaited and done in threads for it, `trace` tells this."""
    before = _trace.set(name)
    try:
        yield
    finally:
        _trace.reset(before)
