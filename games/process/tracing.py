"""Which request or action the code is busy with, for the lines that it writes into the log."""

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
    """Inside, and in what is awaited and done in threads for it, `trace` tells this."""
    before = _trace.set(name)
    try:
        yield
    finally:
        _trace.reset(before)
