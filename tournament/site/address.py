"""The URL of the site, for links in emails and messages."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from urllib.parse import urljoin

from django.conf import settings

# Empty outside of page requests: in commands, in the worker and on a table's socket.
_base: ContextVar[str] = ContextVar("site address", default="")


@contextmanager
def use_site_address(base: str) -> Iterator[None]:
    """Set the site's URL, such as `https://cards.example/`, within the context."""
    token = _base.set(base)
    try:
        yield
    finally:
        _base.reset(token)


def absolute_url(path: str) -> str:
    """Return the absolute URL of a page, or "" if the site's own URL is unknown."""
    base = _base.get() or settings.SITE_ADDRESS
    return urljoin(base, path) if base else ""
