"""Tests of public pages that are cached briefly for visitors without an account."""

import asyncio
import gzip
import threading
from typing import Any
from urllib.request import Request, urlopen

import pytest
from django.conf import settings

from games.language import language_of
from games.process import here
from tests.factories import make_event, make_user
from tests.live import LiveSite, make_session_cookie
from tournament.serving import page_cache as pages
from tournament.serving.page_cache import PageCache, SharedPages, is_shareable

Headers = list[tuple[bytes, bytes]]


class CountingApp:
    """An app that counts its requests and shows the number on its page."""

    def __init__(self, status: int = 200, headers: Headers | None = None) -> None:
        self.status, self.headers = status, headers or [(b"content-type", b"text/html")]
        self.made = 0
        self.seconds = 0.0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        assert (await receive())["more_body"] is False
        self.made += 1
        body = b"page %d " % self.made * 100
        await asyncio.sleep(self.seconds)
        headers = [*self.headers, (b"Content-Length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": body[:50], "more_body": True})
        await send({"type": "http.response.body", "body": body[50:]})


class ReceivedPage:
    """The response that a visitor received."""

    def __init__(self, events: list[dict[str, Any]]) -> None:
        start, *rest = events
        self.status = start["status"]
        self.headers = {name.lower(): value for name, value in start["headers"]}
        self.body = b"".join(event.get("body", b"") for event in rest)

    @property
    def number(self) -> int:
        return int(self.body.split()[1])


def make_scope(path: str = "/e/cup/leaderboard/", **given: Any) -> dict[str, Any]:
    headers: Headers = [(b"host", b"cards.example.edu"), *given.pop("headers", [])]
    asked = {"type": "http", "method": "GET", "scheme": "https", "path": path, "query_string": b""}
    return {**asked, **given, "headers": headers}


async def fetch(app: SharedPages, path: str = "/e/cup/leaderboard/", **given: Any) -> ReceivedPage:
    events: list[dict[str, Any]] = []

    async def send(event: dict[str, Any]) -> None:
        events.append(event)

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    await app(make_scope(path, **given), receive, send)
    return ReceivedPage(events)


def make_shared_pages(app: Any) -> SharedPages:
    return SharedPages(app, language_of)


def make_cookie(value: str) -> Headers:
    return [(b"cookie", value.encode())]


@pytest.fixture
def fake_clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Provide the monotonic clock as a value that a test can set."""
    clock = [100.0]
    monkeypatch.setattr(pages, "monotonic", lambda: clock[0])
    return clock


@pytest.mark.asyncio
async def test_concurrent_visitors_get_the_same_page(fake_clock: list[float]) -> None:
    app = make_shared_pages(maker := CountingApp())
    first = await fetch(app)
    fake_clock[0] += pages.KEPT_SECONDS
    second = await fetch(app, headers=make_cookie("csrftoken=a; language=en; device=b"))
    ages = [each.headers.pop(b"page-age") for each in (first, second)]
    assert (first.body, first.headers, ages) == (second.body, second.headers, [b"0.00", b"0.50"])
    assert maker.made == 1


@pytest.mark.asyncio
async def test_expired_page_is_rendered_again(fake_clock: list[float]) -> None:
    app = make_shared_pages(CountingApp())
    await fetch(app)
    fake_clock[0] += pages.KEPT_SECONDS + 0.01
    assert (await fetch(app)).number == 2


@pytest.mark.asyncio
async def test_concurrent_requests_wait_for_one_rendering() -> None:
    maker = CountingApp()
    maker.seconds = 0.01
    app = make_shared_pages(maker)
    got = await asyncio.gather(*(fetch(app) for _ in range(9)))
    assert {each.number for each in got} == {1}


async def start_first_request(
    now: list[float], seconds: float
) -> tuple[SharedPages, asyncio.Task[ReceivedPage]]:
    """Return the shared pages, and the task of a first request that has waited for `seconds`."""
    maker = CountingApp()
    maker.seconds = 0.01
    first = asyncio.create_task(fetch(app := make_shared_pages(maker)))
    await asyncio.sleep(0)
    now[0] += seconds
    return app, first


@pytest.mark.asyncio
async def test_rendering_started_too_early_is_not_shared(
    fake_clock: list[float],
) -> None:
    app, first = await start_first_request(fake_clock, pages.KEPT_LONGEST + 0.1)
    second = await fetch(app)
    assert ((await first).number, second.number) == (1, 2)


@pytest.mark.parametrize(("seconds", "lifetime"), [(0.1, 0.5), (0.6, 2.4), (2.0, 4.0)])
@pytest.mark.asyncio
async def test_slow_page_is_cached_longer(
    fake_clock: list[float], seconds: float, lifetime: float
) -> None:
    app, first = await start_first_request(fake_clock, seconds)
    waited = await fetch(app)
    fake_clock[0] += lifetime - seconds - 0.01
    last = await fetch(app)
    fake_clock[0] += 0.02
    assert [(await first).number, waited.number, last.number, (await fetch(app)).number] == [
        1,
        1,
        1,
        2,
    ]
    assert last.headers[b"page-age"] == b"%.2f" % (lifetime - 0.01)


@pytest.mark.asyncio
async def test_long_page_is_compressed_in_a_thread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    threads: list[bool] = []
    pack = pages._gzip

    def pack_and_record_thread(body: bytes) -> bytes:
        threads.append(threading.current_thread() is threading.main_thread())
        return pack(body)

    monkeypatch.setattr(pages, "_gzip", pack_and_record_thread)
    zipped = [(b"accept-encoding", b"gzip")]
    short = await fetch(make_shared_pages(CountingApp()), headers=zipped)
    monkeypatch.setattr(pages, "LARGE_BYTES", 99)
    long = await fetch(make_shared_pages(CountingApp()), "/e/cup/tables/", headers=zipped)
    assert gzip.decompress(short.body) == gzip.decompress(long.body)
    assert threads == [True, False]


@pytest.mark.asyncio
async def test_unrequested_page_is_evicted(fake_clock: list[float]) -> None:
    app = make_shared_pages(CountingApp())
    for page in range(5):
        await fetch(app, query_string=b"stage=%d" % page)
        fake_clock[0] += 1
    assert len(here().part(PageCache)._kept) == 1


@pytest.mark.asyncio
async def test_cache_keeps_a_limited_number_of_recent_pages(
    fake_clock: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "MAX_KEPT", 3)
    app = make_shared_pages(maker := CountingApp())
    for page in (0, 1, 2, 3, 4, 3):
        await fetch(app, query_string=b"stage=%d" % page)
    kept = [asked.query for asked in here().part(PageCache)._kept]
    assert (kept, maker.made) == ([b"stage=2", b"stage=3", b"stage=4"], 5)


class BlockedApp:
    """An app that waits until it may answer, and records whether the client disconnected first."""

    def __init__(self, status: int) -> None:
        self.status, self.may = status, asyncio.Event()
        self.alone: list[bool] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await receive()
        either = [asyncio.create_task(receive()), asyncio.create_task(self.may.wait())]
        _, other = await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        self.alone.append(not self.may.is_set())
        for one in other:
            one.cancel()
        await send({"type": "http.response.start", "status": self.status, "headers": []})
        await send({"type": "http.response.body", "body": b"page 1"})


async def send_and_disconnect(app: Any, queries: list[bytes]) -> None:
    """Send all these requests at the same time, and disconnect before they are answered."""

    async def request_once(query: bytes) -> None:
        events = iter(["http.request", "http.disconnect"])

        async def receive() -> dict[str, Any]:
            return {"type": next(events), "body": b"", "more_body": False}

        async def send(_event: dict[str, Any]) -> None: ...

        await app(make_scope(query_string=query), receive, send)

    asking = asyncio.gather(*map(request_once, queries))
    for _ in range(20):
        await asyncio.sleep(0)
    app.app.may.set()
    await asking


@pytest.mark.asyncio
async def test_few_pages_are_rendered_for_disconnected_clients() -> None:
    maker = BlockedApp(200)
    await send_and_disconnect(make_shared_pages(maker), [b"n=%d" % number for number in range(100)])
    left = maker.alone.count(True)
    assert (left, len(maker.alone)) == (100 - pages.MAX_RENDERING, 100)


@pytest.mark.asyncio
async def test_waiting_requests_run_separately_after_an_uncacheable_answer() -> None:
    maker = BlockedApp(404)
    await send_and_disconnect(make_shared_pages(maker), [b""] * 10)
    assert len(maker.alone) == 10
    assert here().part(PageCache).has_room(pages.PageKey("https", b"", "/", b"", "en"))


@pytest.mark.parametrize(
    "twice",
    [
        [(b"cookie", b"language=hi"), (b"cookie", b"csrftoken=a")],
        [(b"accept-language", b"hi"), (b"accept-language", b"xx")],
        [(b"host", b"evil.example")],
    ],
)
def test_request_with_duplicate_headers_is_not_shared(twice: Headers) -> None:
    assert is_shareable(make_scope(headers=twice[:1] if len(twice) > 1 else []))
    assert not is_shareable(make_scope(headers=twice))


@pytest.mark.asyncio
async def test_long_page_is_sent_in_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "CHUNK_BYTES", 300)
    sent: list[dict[str, Any]] = []

    async def send(event: dict[str, Any]) -> None:
        sent.append(event)

    app = make_shared_pages(CountingApp())
    await fetch(app)
    await app(make_scope(), None, send)
    pieces = [(len(event["body"]), event["more_body"]) for event in sent[1:]]
    assert pieces == [(300, True), (300, True), (100, False)]
    assert dict(sent[0]["headers"])[b"content-length"] == b"700"


@pytest.mark.parametrize(
    "other",
    [
        {"path": "/e/cup/tables/"},
        {"query_string": b"view=hall"},
        {"scheme": "http"},
        {"headers": [(b"host", b"127.0.0.1")]},
    ],
)
@pytest.mark.asyncio
async def test_cache_key_includes_the_full_address(other: dict[str, Any]) -> None:
    app = make_shared_pages(CountingApp())
    assert [(await fetch(app)).number, (await fetch(app, **other)).number] == [1, 2]


@pytest.mark.parametrize("chosen", [make_cookie("language=ar"), [(b"accept-language", b"ar")]])
@pytest.mark.asyncio
async def test_cache_key_includes_the_language(chosen: Headers, settings: Any) -> None:
    settings.LANGUAGES = [("en", "English"), ("ar", "Arabic")]
    app = make_shared_pages(CountingApp())
    assert [(await fetch(app)).number, (await fetch(app, headers=chosen)).number] == [
        1,
        2,
    ]


@pytest.mark.parametrize(
    "visitor",
    [
        {"headers": make_cookie(f"{settings.SESSION_COOKIE_NAME}=a")},
        {"headers": make_cookie(f"language=en; {settings.MESSAGES_COOKIE_NAME}=a")},
        {"headers": [(b"authorization", b"Basic a")]},
        {"headers": [(b"content-length", b"3")]},
        {"headers": [(b"range", b"bytes=0-9")]},
        {"method": "HEAD"},
        {"method": "POST"},
        {"path": "/e/cup/my-table/"},
        {"path": "/e/cup/register/"},
        {"path": "/accounts/login/"},
        {"query_string": b"x" * 201},
    ],
)
@pytest.mark.asyncio
async def test_requests_that_cannot_be_shared_get_their_own_page(visitor: dict[str, Any]) -> None:
    app = make_shared_pages(CountingApp())
    assert not is_shareable(make_scope(**visitor))
    assert [(await fetch(app, **visitor)).number for _ in range(2)] == [1, 2]


@pytest.mark.parametrize(
    "maker",
    [
        CountingApp(404),
        CountingApp(302),
        CountingApp(503),
        CountingApp(headers=[(b"Set-Cookie", b"csrftoken=a")]),
        CountingApp(headers=[(b"Cache-Control", b"max-age=0, no-store, private")]),
        CountingApp(headers=[(b"Content-Encoding", b"gzip")]),
    ],
)
@pytest.mark.asyncio
async def test_uncacheable_answer_is_passed_through(maker: CountingApp) -> None:
    app = make_shared_pages(maker)
    first, second = await fetch(app), await fetch(app)
    assert (first.status, first.number, second.number) == (maker.status, 1, 2)
    assert b"etag" not in first.headers


@pytest.mark.asyncio
async def test_page_is_compressed_for_supporting_clients() -> None:
    app = make_shared_pages(CountingApp())
    plain = await fetch(app)
    packed = await fetch(app, headers=[(b"accept-encoding", b"br, gzip;q=0.8")])
    assert b"content-encoding" not in plain.headers
    assert packed.headers[b"content-encoding"] == b"gzip"
    assert packed.headers[b"content-length"] == str(len(packed.body)).encode()
    assert gzip.decompress(packed.body) == plain.body
    assert packed.headers[b"vary"] == b"Accept-Language, Cookie, Accept-Encoding"


@pytest.mark.parametrize("accepted", [b"", b"br", b"gzip;q=0", b"identity, gzip; q=0.0"])
@pytest.mark.asyncio
async def test_page_is_sent_uncompressed_to_other_clients(accepted: bytes) -> None:
    got = await fetch(make_shared_pages(CountingApp()), headers=[(b"accept-encoding", accepted)])
    assert (b"content-encoding" in got.headers, got.number) == (False, 1)


@pytest.mark.asyncio
async def test_unchanged_page_returns_not_modified(fake_clock: list[float]) -> None:
    app = make_shared_pages(CountingApp())
    etag = (await fetch(app)).headers[b"etag"]
    same = await fetch(app, headers=[(b"if-none-match", etag)])
    assert (same.status, same.body, same.headers[b"etag"]) == (304, b"", etag)
    fake_clock[0] += 1
    assert (await fetch(app, headers=[(b"if-none-match", etag)])).status == 200


@pytest.mark.asyncio
async def test_disconnecting_client_does_not_cancel_the_shared_rendering() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.001):
                await receive()
        await CountingApp()(scope, make_empty_request, send)

    assert (await fetch(make_shared_pages(app))).number == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "page",
    [
        *("", "leaderboard/", "leaderboard/embed/", "bracket/"),
        *("tables/", "results/", "history/", "players/"),
    ],
)
def test_every_public_event_page_is_shareable(live_site: LiveSite, page: str) -> None:
    address = f"{live_site.url}/e/{make_event().slug}/{page}"
    with urlopen(Request(address, headers={"Accept-Encoding": "gzip"})) as answer:
        assert (answer.headers["Content-Encoding"], answer.headers["Set-Cookie"]) == ("gzip", None)
        assert "frame-ancestors" in answer.headers["Content-Security-Policy"]


@pytest.mark.django_db(transaction=True)
def test_only_a_signed_in_user_is_greeted_by_name(live_site: LiveSite) -> None:
    named, value = make_session_cookie(make_user("Asha")).values()
    own = Request(live_site.url, headers={"Cookie": f"{named}={value}"})
    pages = []
    for asked in (live_site.url, own, live_site.url):
        with urlopen(asked) as answer:
            pages.append(("Asha" in answer.read().decode(), answer.headers["ETag"] is None))
    assert pages == [(False, False), (True, True), (False, False)]


async def make_empty_request() -> dict[str, Any]:
    return {"type": "http.request", "body": b"", "more_body": False}
