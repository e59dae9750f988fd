"""The reader's language, taken from the request that opened the socket.

It stays active in the socket's own tasks from start to end, so messages need no
activation of their own. games/process/db.py carries it into the database threads.
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

# The language that `use_language` activated, and its catalogue. Asking Django for the language
# costs ten times a text lookup, and describing an action asks a hundred times.
_spoken: ContextVar[tuple[str | None, object] | None] = ContextVar("spoken", default=None)


@contextmanager
def use_language(language: str) -> Iterator[None]:
    """Activate this language inside the block, isolated from changes elsewhere."""
    with translation.override(language):
        token = _spoken.set((translation.get_language(), catalog()))
        try:
            yield
        finally:
            _spoken.reset(token)


def active() -> str | None:
    """Return the active language."""
    spoken = _spoken.get()
    return translation.get_language() if spoken is None else spoken[0]


class CatalogueWords:
    """Django's translations in the form required by the rules, with a cache.

    A catalogue has many parts, so each text is looked up in it only once. Implements
    `games.rules.text.Translator`.
    """

    def __init__(self) -> None:
        # By language; the catalogue is another object once it was loaded anew.
        self._found: dict[str | None, tuple[object, dict[str, str]]] = {}

    def gettext(self, message: str, /) -> str:
        found = self._get_texts()
        if (text := found.get(message)) is None:
            text = found[message] = translation.gettext(message)
        return text

    def ngettext(self, singular: str, plural: str, number: int, /) -> str:
        return translation.ngettext(singular, plural, number)

    def pgettext(self, context: str, message: str, /) -> str:
        found, key = self._get_texts(), f"{context}\x04{message}"
        if (text := found.get(key)) is None:
            text = found[key] = translation.pgettext(context, message)
        return text

    def _get_texts(self) -> dict[str, str]:
        """Return the texts already looked up in the active language."""
        spoken, catalogue = _spoken.get() or (translation.get_language(), catalog())
        known = self._found.get(spoken)
        if known is None or known[0] is not catalogue:
            known = self._found[spoken] = (catalogue, {})
        return known[1]


class Languages:
    """ASGI middleware that sets `scope["language"]` and activates it for the connection."""

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        language = language_of(scope)
        # Each connection has its own task, so the language of other connections does not change.
        with translation.override(language):
            # Not a copy, because the server empties the original scope once the connection is
            # accepted.
            scope["language"] = language
            await self.app(scope, receive, send)


def language_of(scope: Scope) -> str:
    """Return the cookie's language, or else that of Accept-Language, or else the site's."""
    request = HttpRequest()
    request.COOKIES = parse_cookie(_read_header(scope, b"cookie", "; "))
    request.META["HTTP_ACCEPT_LANGUAGE"] = _read_header(scope, b"accept-language", ",")
    return translation.get_language_from_request(request)


def _read_header(scope: Scope, asked: bytes, between: str) -> str:
    """Return the request header of this name.

    Repeated headers are joined with `between`, as Django does.
    """
    return between.join(
        value.decode("latin-1") for name, value in scope["headers"] if name == asked
    )


def cached_by_language(size: int) -> Callable[[Callable[[K], T]], Callable[[K], T]]:
    """Cache a function's texts like `lru_cache`, separately for each active language."""

    def decorate(function: Callable[[K], T]) -> Callable[[K], T]:
        @process_cache(size)
        def answer(_language: str | None, key: K) -> T:
            return function(key)

        @wraps(function)
        def answer_in_language(key: K) -> T:
            return answer(active(), key)

        return answer_in_language

    return decorate
