"""Under which address this site is being used: what is written to people leads back there."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from urllib.parse import urljoin

from django.conf import settings

# Empty outside page requests: in a command, in the worker or on a table's socket.
_base: ContextVar[str] = ContextVar("site address", default="")


@contextmanager
def used_at(base: str) -> Iterator[None]:
    """Inside, the site is at this address, such as `https://cards.example/`."""
    before = _base.set(base)
    try:
        yield
    finally:
        _base.reset(before)


def absolute(path: str) -> str:
    """Return the absolute address of a page of this site, or "" if it is not known."""
    base = _base.get() or settings.SITE_ADDRESS
    return urljoin(base, path) if base else ""
