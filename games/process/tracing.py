"""The request or action to which the running code belongs, for its log lines."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_trace: ContextVar[str] = ContextVar("trace", default="")


def trace() -> str:
    """Return the id of the current request or action, or "".

    The id of a request is its X-Request-Id. The id of an action is, for example, "17/a3f": its
    match and its client id.
    """
    return _trace.get()


@contextmanager
def trace_as(name: str) -> Iterator[None]:
    """Make `trace` return this name inside the block.

    This includes code awaited there, and work done for it in threads.
    """
    before = _trace.set(name)
    try:
        yield
    finally:
        _trace.reset(before)
