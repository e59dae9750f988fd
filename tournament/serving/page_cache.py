"""Public pages for visitors without an account, rendered once for simultaneous requests.

A page is served for half a second from the start of its rendering. A page that is slow to
render is served for longer, so that any number of requests takes only part of the process's
time. A page may then be out of date, and says so. It never shows anything that was not public
when its rendering began. The cache runs before Django and compresses a page once. No page
contains personal data, so its length reveals nothing. A visitor with a session gets a page of
their own.
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

# Pages that look again after news wait for the shortest, and for the longest before they look once
# more: static/js/pages/refresh.js.
KEPT_SECONDS, KEPT_LONGEST = 0.5, 4.0
# A page is kept for this many times the time it took to make.
KEPT_TIMES = 4
# A larger page is compressed in a thread, because five milliseconds would delay everyone.
MANY_BYTES = 200_000
PUBLIC = re.compile(
    r"/|/boards/|/e/[-\w]+/((leaderboard|leaderboard/embed|players|players/\d+|tables|results|bracket)/"
    r"|(podium|history|rules|hall|boards)/)?"
)
LONGEST_QUERY = 200
# At most MOST_MAKING pages are made for sharing at a time, and MOST_KEPT are kept. Any further
# request gets its own page, which is not made if the visitor has left.
MOST_MAKING, MOST_KEPT = 32, 500
# A slow reader gets the page in pieces of this many bytes.
PIECE = 65_536
GZIP = 16 + zlib.MAX_WBITS
# Headers of a visitor with whom no page is shared, and of an answer that is none for all.
OWN = {b"authorization", b"content-length", b"transfer-encoding", b"range"}
# Django joins them where they come twice; nothing here has to guess how.
ONCE = b"cookie", b"accept-language", b"host"
UNSHARED = {b"set-cookie", b"content-encoding"}

Headers = list[tuple[bytes, bytes]]


class PageKey(NamedTuple):
    """All properties of a request that the page depends on."""

    scheme: str
    host: bytes
    path: str
    query: bytes
    language: str


@dataclass(frozen=True)
class CachedPage:
    """A response with status 200 for everyone.

    `begun` and `until` (when it expires) are on the monotonic clock.
    """

    begun: float
    until: float
    headers: Headers
    body: bytes
    zipped: bytes
    etag: bytes


@dataclass
class KeptResponse:
    """Buffer for the app's response."""

    events: list[AsgiEvent] = field(default_factory=list)

    async def send(self, event: AsgiEvent) -> None:
        """Implement ASGI's `send` by buffering the event."""
        self.events.append(event)

    @property
    def shared(self) -> bool:
        """True if everyone may get the response."""
        headers: Headers = self.events[0]["headers"] if self.events else []
        names = {name.lower() for name, _value in headers}
        control = b"".join(value for name, value in headers if name.lower() == b"cache-control")
        status = self.events[0]["status"] if self.events else None
        return status == 200 and not names & UNSHARED and b"private" not in control

    async def page(self, begun: float) -> CachedPage:
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


class MakingTurn(asyncio.Lock):
    """Lock held by the request that makes a page.

    `own` is True once the page turned out not to be for everyone.
    """

    own = False


class PageCache(Component):
    """A process's cached public pages, used only by its event loop."""

    def __init__(self) -> None:
        self._kept: dict[PageKey, CachedPage] = {}
        self._making: WeakValueDictionary[PageKey, MakingTurn] = WeakValueDictionary()

    def take_turn(self, key: PageKey) -> MakingTurn:
        """Return the lock of the request that makes the page, on which other requests wait."""
        return self._making.setdefault(key, MakingTurn())

    def room(self, key: PageKey) -> bool:
        """Return whether the page is being made, or may be made, for everyone."""
        return key in self._making or len(self._making) < MOST_MAKING

    def fresh(self, key: PageKey, now: float) -> CachedPage | None:
        """Return the page, unless it is too old for a request at `now`."""
        page = self._kept.get(key)
        return page if page and page.until >= now else None

    def keep(self, key: PageKey, page: CachedPage) -> None:
        """Keep the page, and drop pages that have expired or are too many."""
        now = monotonic()
        for old in [old for old, kept in self._kept.items() if kept.until < now]:
            del self._kept[old]
        self._kept.pop(key, None)
        self._kept[key] = page
        for oldest in [*self._kept][:-MOST_KEPT]:
            del self._kept[oldest]


class SharedPages:
    """ASGI middleware that reuses public pages made a moment ago."""

    def __init__(self, app: App, language_of: Callable[[Scope], str]) -> None:
        self.app = app
        self._language_of = language_of

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        if not shareable(scope):
            await self.app(scope, receive, send)
            return
        asked = _make_key(scope, self._language_of(scope))
        pages, now = here().part(PageCache), monotonic()
        found: CachedPage | KeptResponse | None = pages.fresh(asked, now)
        if found is None and pages.room(asked):
            found = await self._make_page(asked, now, scope)
        if isinstance(found, CachedPage):
            await _answer(found, dict(scope["headers"]), send)
        elif found is not None:
            for event in found.events:
                await send(event)
        else:
            await self.app(scope, receive, send)

    async def _make_page(
        self, key: PageKey, now: float, scope: Scope
    ) -> CachedPage | KeptResponse | None:
        """Make the page, or return the one that the first request made.

        A response for this visitor only is returned as it is. Requests that waited for that
        response get None.
        """
        pages = here().part(PageCache)
        async with (turn := pages.take_turn(key)):
            if (page := pages.fresh(key, now)) is not None or turn.own:
                return page
            begun, answer = monotonic(), KeptResponse()
            await self.app(scope, _receive_nothing(), answer.send)
            if not answer.shared:
                turn.own = True
                return answer
            pages.keep(key, page := await answer.page(begun))
            return page


def shareable(scope: Scope) -> bool:
    """Return whether every visitor without an account gets the same response."""
    headers = dict(scope["headers"])
    if scope["method"] != "GET" or not PUBLIC.fullmatch(scope["path"]) or OWN & headers.keys():
        return False
    names = [name for name, _value in scope["headers"]]
    if any(names.count(name) > 1 for name in ONCE):
        return False
    return len(scope["query_string"]) <= LONGEST_QUERY and _is_anonymous(
        headers.get(b"cookie", b"")
    )


def _make_key(scope: Scope, language: str) -> PageKey:
    host = dict(scope["headers"]).get(b"host", b"")
    return PageKey(scope["scheme"], host, scope["path"], scope["query_string"], language)


def _is_anonymous(cookie: bytes) -> bool:
    """Return whether the cookies affect nothing on the page but its language."""
    known = {settings.LANGUAGE_COOKIE_NAME, settings.CSRF_COOKIE_NAME, settings.DEVICE_COOKIE_NAME}
    return not cookie or parse_cookie(cookie.decode("latin-1")).keys() <= known


def _choose_lifetime(seconds: float) -> float:
    """Return how many seconds to serve a page that took `seconds` seconds to make."""
    return min(KEPT_LONGEST, max(KEPT_SECONDS, KEPT_TIMES * seconds))


def _receive_nothing() -> Any:
    """Return an ASGI `receive` for a request without a body that ignores disconnects.

    Other visitors may be waiting for the same page.
    """
    events: list[AsgiEvent] = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> AsgiEvent:
        if not events:
            await asyncio.Event().wait()
        return events.pop()

    return receive


async def _compress_body(body: bytes) -> bytes:
    few = len(body) <= MANY_BYTES
    return _pack(body) if few else await asyncio.to_thread(_pack, body)


def _pack(body: bytes) -> bytes:
    packer = zlib.compressobj(wbits=GZIP)
    return packer.compress(body) + packer.flush()


async def _answer(page: CachedPage, request_headers: dict[bytes, bytes], send: Any) -> None:
    """Send the page in an encoding that the browser accepts, or 304 if its copy is current."""
    headers = [
        *page.headers,
        (b"etag", page.etag),
        (b"vary", b"Accept-Language, Cookie, Accept-Encoding"),
        (b"page-age", b"%.2f" % (monotonic() - page.begun)),
    ]
    status, body = 200, page.body
    if page.etag in request_headers.get(b"if-none-match", b""):
        status, body = 304, b""
    elif _does_accept_gzip(request_headers.get(b"accept-encoding", b"")):
        body = page.zipped
        headers.append((b"content-encoding", b"gzip"))
    if status == 200:
        headers.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    for at in range(0, max(len(body), 1), PIECE):
        more = at + PIECE < len(body)
        await send({"type": "http.response.body", "body": body[at : at + PIECE], "more_body": more})


def _does_accept_gzip(accepted: bytes) -> bool:
    coding, _, quality = next(
        (each.partition(b";") for each in accepted.split(b",") if each.strip().startswith(b"gzip")),
        (b"", b"", b""),
    )
    return bool(coding) and quality.strip() not in (b"q=0", b"q=0.0")
