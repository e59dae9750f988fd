"""The language of a socket's reader, taken from the request that opened the socket.

The language stays active in the socket's own tasks, so individual messages need not activate
it. games/process/db.py passes it on to the database threads.
"""

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, TypeVar

from django.http import HttpRequest
from django.http.cookie import parse_cookie
from django.utils import translation
from django.utils.translation.trans_real import catalog

from games.process import process_cache
from games.process.asgi import App, Scope

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")

# The language activated by `use_language`, and its catalogue. Describing an action needs the
# language a hundred times, and Django takes ten times as long to find it as to look up a text.
_active: ContextVar[tuple[str | None, object] | None] = ContextVar("active", default=None)


@contextmanager
def use_language(language: str) -> Iterator[None]:
    """Activate this language inside the block without affecting other tasks."""
    with translation.override(language):
        token = _active.set((translation.get_language(), catalog()))
        try:
            yield
        finally:
            _active.reset(token)


def active_language() -> str | None:
    """Return the active language. Faster than Django's `get_language` inside `use_language`."""
    stored = _active.get()
    return translation.get_language() if stored is None else stored[0]


class CatalogueWords:
    """Django's translations, cached, in the form that the rules expect.

    Implements `games.rules.text.Translator`. A catalogue consists of many parts, so each text is
    looked up in it only once.
    """

    def __init__(self) -> None:
        # Keyed by language. Each entry stores its catalogue, to notice when Django reloads it.
        self._texts: dict[str | None, tuple[object, dict[str, str]]] = {}

    def gettext(self, message: str, /) -> str:
        texts = self._get_texts()
        if (text := texts.get(message)) is None:
            text = texts[message] = translation.gettext(message)
        return text

    def ngettext(self, singular: str, plural: str, number: int, /) -> str:
        return translation.ngettext(singular, plural, number)

    def pgettext(self, context: str, message: str, /) -> str:
        texts, key = self._get_texts(), f"{context}\x04{message}"
        if (text := texts.get(key)) is None:
            text = texts[key] = translation.pgettext(context, message)
        return text

    def _get_texts(self) -> dict[str, str]:
        """Return the cached texts of the active language."""
        language, catalogue = _active.get() or (translation.get_language(), catalog())
        cached = self._texts.get(language)
        if cached is None or cached[0] is not catalogue:
            cached = self._texts[language] = (catalogue, {})
        return cached[1]


class Languages:
    """ASGI middleware that sets `scope["language"]` and activates it for the connection."""

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        language = language_of(scope)
        # Each connection has its own task, so other connections keep their language.
        with translation.override(language):
            # Change the scope in place. The server empties it once the connection is accepted, but
            # a copy would stay in memory.
            scope["language"] = language
            await self.app(scope, receive, send)


def language_of(scope: Scope) -> str:
    """Return the language of a connection.

    It is taken from the cookie, else from the Accept-Language header, else from the settings.
    """
    request = HttpRequest()
    request.COOKIES = parse_cookie(_read_header(scope, b"cookie", "; "))
    request.META["HTTP_ACCEPT_LANGUAGE"] = _read_header(scope, b"accept-language", ",")
    return translation.get_language_from_request(request)


def _read_header(scope: Scope, header: bytes, separator: str) -> str:
    """Return the value of a request header.

    Repeated headers are joined with `separator`, as in Django.
    """
    return separator.join(
        value.decode("latin-1") for name, value in scope["headers"] if name == header
    )


def cached_by_language(size: int) -> Callable[[Callable[[K], T]], Callable[[K], T]]:
    """Return a decorator like `lru_cache` that caches texts separately for each language."""

    def decorate(function: Callable[[K], T]) -> Callable[[K], T]:
        @process_cache(size)
        def call_cached(_language: str | None, key: K) -> T:
            return function(key)

        @wraps(function)
        def call_in_language(key: K) -> T:
            return call_cached(active_language(), key)

        return call_in_language

    return decorate
