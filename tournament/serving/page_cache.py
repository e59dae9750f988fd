"""A cache of public pages for visitors without an account.

Simultaneous requests share one rendering. A page is reused for half a second from the start of its
rendering, or longer if it is slow to render. Rendering therefore takes only part of the process's
time, whatever the number of requests. A page may be slightly out of date, and a header gives its
age. It never shows anything that was not public when its rendering began.

The cache runs before Django and compresses each page once. No cached page contains personal data,
so the compressed length reveals nothing. Visitors with a session get their own pages.
"""

import asyncio
import hashlib
import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

from django.conf import settings
from django.http.cookie import parse_cookie

from games.process import here
from games.process.asgi import App, AsgiEvent, Scope
from games.process.components import Component

# Minimum and maximum seconds for which a page is reused. static/js/pages/refresh.js waits at least
# the minimum after news before it fetches a page, and at least the maximum between two fetches.
KEPT_SECONDS, KEPT_LONGEST = 0.5, 4.0
# A page that takes long to render is reused for this multiple of its rendering time.
KEPT_FACTOR = 4
# Larger pages are compressed in a thread, because it takes five milliseconds and would delay
# everyone else.
LARGE_BYTES = 200_000
PUBLIC = re.compile(
    r"/|/boards/|/e/[-\w]+/((leaderboard|leaderboard/embed|players|players/\d+|tables|results|bracket)/"
    r"|(podium|history|rules|hall|boards)/)?"
)
LONGEST_QUERY = 200
# Maximum numbers of shared pages that are being rendered, and that are kept. Requests for further
# pages are rendered individually, unless the visitor has left.
MAX_RENDERING, MAX_KEPT = 32, 500
# Pages are sent in chunks of this many bytes, because some visitors read slowly.
CHUNK_BYTES = 65_536
GZIP = 16 + zlib.MAX_WBITS
# Requests with one of these headers get their own page.
OWN_PAGE_HEADERS = {b"authorization", b"content-length", b"transfer-encoding", b"range"}
# Django joins repeated headers. Requests that repeat one of these get their own page, so that this
# module need not do the same.
SINGLE_HEADERS = b"cookie", b"accept-language", b"host"
UNSHARED_HEADERS = {b"set-cookie", b"content-encoding"}

Headers = list[tuple[bytes, bytes]]


class PageKey(NamedTuple):
    """Everything about a request that can affect the page."""

    scheme: str
    host: bytes
    path: str
    query: bytes
    language: str


@dataclass(frozen=True)
class CachedPage:
    """A response with status 200 that visitors can share.

    Rendering began at `begun`, and the page expires at `until`, on the monotonic clock.
    """

    begun: float
    until: float
    headers: Headers
    body: bytes
    zipped: bytes
    etag: bytes


@dataclass
class BufferedResponse:
    """A buffer for the app's response."""

    events: list[AsgiEvent] = field(default_factory=list)

    async def send(self, event: AsgiEvent) -> None:
        """Implement ASGI's `send` by storing the event."""
        self.events.append(event)

    @property
    def may_be_shared(self) -> bool:
        """Whether everyone may get this response."""
        headers: Headers = self.events[0]["headers"] if self.events else []
        names = {name.lower() for name, _value in headers}
        control = b"".join(value for name, value in headers if name.lower() == b"cache-control")
        status = self.events[0]["status"] if self.events else None
        return status == 200 and not names & UNSHARED_HEADERS and b"private" not in control

    async def make_page(self, begun: float) -> CachedPage:
        body = b"".join(event.get("body", b"") for event in self.events[1:])
        headers = [(name.lower(), value) for name, value in self.events[0]["headers"]]
        zipped = await _compress_body(body)
        return CachedPage(
            begun,
            begun + _choose_lifetime(monotonic() - begun),
            [pair for pair in headers if pair[0] not in (b"content-length", b"vary")],
            body,
            zipped,
            b'W/"%s"' % hashlib.blake2b(body, digest_size=9).hexdigest().encode(),
        )


class RenderLock(asyncio.Lock):
    """A lock held by the request that renders a page.

    `is_private` is true if the rendered page turned out to be for one visitor only.
    """

    is_private = False


class PageCache(Component):
    """The cached public pages of a process. Only its event loop uses them."""

    def __init__(self) -> None:
        self._kept: dict[PageKey, CachedPage] = {}
        self._locks: WeakValueDictionary[PageKey, RenderLock] = WeakValueDictionary()

    def get_lock(self, key: PageKey) -> RenderLock:
        """Return the lock for rendering the page. Other requests for the page wait for it."""
        return self._locks.setdefault(key, RenderLock())

    def has_room(self, key: PageKey) -> bool:
        """Return whether the page is already being rendered, or there is room to render it."""
        return key in self._locks or len(self._locks) < MAX_RENDERING

    def find_fresh(self, key: PageKey, now: float) -> CachedPage | None:
        """Return the page, or None if it has expired at `now`."""
        page = self._kept.get(key)
        return page if page and page.until >= now else None

    def store(self, key: PageKey, page: CachedPage) -> None:
        """Store the page, and drop pages that have expired or exceed the limit."""
        now = monotonic()
        for old in [old for old, kept in self._kept.items() if kept.until < now]:
            del self._kept[old]
        self._kept.pop(key, None)
        self._kept[key] = page
        for oldest in [*self._kept][:-MAX_KEPT]:
            del self._kept[oldest]


class SharedPages:
    """ASGI middleware that reuses recently rendered public pages."""

    def __init__(self, app: App, language_of: Callable[[Scope], str]) -> None:
        self.app = app
        self._language_of = language_of

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        if not is_shareable(scope):
            await self.app(scope, receive, send)
            return
        key = _make_key(scope, self._language_of(scope))
        pages, now = here().part(PageCache), monotonic()
        page: CachedPage | BufferedResponse | None = pages.find_fresh(key, now)
        if page is None and pages.has_room(key):
            page = await self._render_page(key, now, scope)
        if isinstance(page, CachedPage):
            await _send_page(page, dict(scope["headers"]), send)
        elif page is not None:
            for event in page.events:
                await send(event)
        else:
            await self.app(scope, receive, send)

    async def _render_page(
        self, key: PageKey, now: float, scope: Scope
    ) -> CachedPage | BufferedResponse | None:
        """Render the page, or return the result of a simultaneous rendering.

        If the response turns out to be for one visitor only, return it unchanged. Requests that
        waited for it get None.
        """
        pages = here().part(PageCache)
        async with (lock := pages.get_lock(key)):
            if (page := pages.find_fresh(key, now)) is not None or lock.is_private:
                return page
            begun, answer = monotonic(), BufferedResponse()
            await self.app(scope, _make_empty_receive(), answer.send)
            if not answer.may_be_shared:
                lock.is_private = True
                return answer
            pages.store(key, page := await answer.make_page(begun))
            return page


def is_shareable(scope: Scope) -> bool:
    """Return whether all visitors without an account get the same response."""
    headers = dict(scope["headers"])
    if (
        scope["method"] != "GET"
        or not PUBLIC.fullmatch(scope["path"])
        or OWN_PAGE_HEADERS & headers.keys()
    ):
        return False
    names = [name for name, _value in scope["headers"]]
    if any(names.count(name) > 1 for name in SINGLE_HEADERS):
        return False
    return len(scope["query_string"]) <= LONGEST_QUERY and _is_anonymous(
        headers.get(b"cookie", b"")
    )


def _make_key(scope: Scope, language: str) -> PageKey:
    host = dict(scope["headers"]).get(b"host", b"")
    return PageKey(scope["scheme"], host, scope["path"], scope["query_string"], language)


def _is_anonymous(cookie: bytes) -> bool:
    """Return whether the cookies affect nothing but the page's language."""
    harmless = {
        settings.LANGUAGE_COOKIE_NAME,
        settings.CSRF_COOKIE_NAME,
        settings.DEVICE_COOKIE_NAME,
    }
    return not cookie or parse_cookie(cookie.decode("latin-1")).keys() <= harmless


def _choose_lifetime(seconds: float) -> float:
    """Return for how many seconds to reuse a page that took `seconds` to render."""
    return min(KEPT_LONGEST, max(KEPT_SECONDS, KEPT_FACTOR * seconds))


def _make_empty_receive() -> Any:
    """Return an ASGI `receive` that sends no body and never reports a disconnect.

    Other visitors may be waiting for the page.
    """
    events: list[AsgiEvent] = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> AsgiEvent:
        if not events:
            await asyncio.Event().wait()
        return events.pop()

    return receive


async def _compress_body(body: bytes) -> bytes:
    is_small = len(body) <= LARGE_BYTES
    return _gzip(body) if is_small else await asyncio.to_thread(_gzip, body)


def _gzip(body: bytes) -> bytes:
    packer = zlib.compressobj(wbits=GZIP)
    return packer.compress(body) + packer.flush()


async def _send_page(page: CachedPage, request_headers: dict[bytes, bytes], send: Any) -> None:
    """Send the page in an accepted encoding, or 304 if the browser has the current version."""
    headers = [
        *page.headers,
        (b"etag", page.etag),
        (b"vary", b"Accept-Language, Cookie, Accept-Encoding"),
        (b"page-age", b"%.2f" % (monotonic() - page.begun)),
    ]
    status, body = 200, page.body
    if page.etag in request_headers.get(b"if-none-match", b""):
        status, body = 304, b""
    elif _accepts_gzip(request_headers.get(b"accept-encoding", b"")):
        body = page.zipped
        headers.append((b"content-encoding", b"gzip"))
    if status == 200:
        headers.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    for start in range(0, max(len(body), 1), CHUNK_BYTES):
        more = start + CHUNK_BYTES < len(body)
        await send(
            {
                "type": "http.response.body",
                "body": body[start : start + CHUNK_BYTES],
                "more_body": more,
            }
        )


def _accepts_gzip(accepted: bytes) -> bool:
    coding, _, quality = next(
        (each.partition(b";") for each in accepted.split(b",") if each.strip().startswith(b"gzip")),
        (b"", b"", b""),
    )
    return bool(coding) and quality.strip() not in (b"q=0", b"q=0.0")
