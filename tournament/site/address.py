"""The address at which this site is being used, for links in emails and messages."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from urllib.parse import urljoin

from django.conf import settings

# Empty outside page requests: in a command, in the worker or on a table's socket.
_base: ContextVar[str] = ContextVar("site address", default="")


@contextmanager
def used_at(base: str) -> Iterator[None]:
    """Set the site's address, such as `https://cards.example/`, inside the context."""
    before = _base.set(base)
    try:
        yield
    finally:
        _base.reset(before)


def absolute(path: str) -> str:
    """Return the absolute address of a page of this site, or "" if it is not known."""
    base = _base.get() or settings.SITE_ADDRESS
    return urljoin(base, path) if base else ""
