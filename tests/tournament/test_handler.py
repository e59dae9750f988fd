"""Django's pages in a few threads of the process's own."""

import asyncio
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from django.core.signals import request_finished, request_started
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils import timezone, translation
from pytest_django import Settings

from games.process import Process
from tournament.live.handler import THREADS, Pages

Answer = Callable[[HttpRequest], HttpResponse]


def where() -> str:
    return threading.current_thread().name


def noting(get_response: Answer) -> Answer:
    """Middleware that says in which thread it was."""

    def middleware(request: HttpRequest) -> HttpResponse:
        before = where()
        response = get_response(request)
        response.headers["Where"] = f"{before} {where()}"
        return response

    return middleware


def told(request: HttpRequest) -> HttpResponse:
    return HttpResponse(where())


urlpatterns = [path("told/", told)]


@pytest.fixture
def pages(settings: Settings) -> Pages:
    settings.ROOT_URLCONF = __name__
    settings.MIDDLEWARE = ["django.middleware.common.CommonMiddleware", f"{__name__}.noting"]
    return Pages()


async def asked(
    pages: Pages, gone: asyncio.Event | None = None, body: bytes = b""
) -> tuple[dict[bytes, bytes], bytes]:
    """Headers and body of the page; nothing where who asked has gone before."""
    sent: list[Mapping[str, Any]] = []
    events = iter([{"type": "http.request", "body": body, "more_body": False}])
    headers = [(b"host", b"testserver")]
    scope = {"type": "http", "method": "GET", "path": "/told/", "headers": headers}

    async def receive() -> dict[str, Any]:
        for event in events:
            return event
        await (gone or asyncio.Event()).wait()
        return {"type": "http.disconnect"}

    async def send(event: Mapping[str, Any]) -> None:
        sent.append(event)

    await pages({**scope, "query_string": b""}, receive, send)
    return (dict(sent[0]["headers"]), sent[1]["body"]) if sent else ({}, b"")


@pytest.fixture
def signals() -> Iterator[list[str]]:
    """What Django's signals have told of requests."""
    heard: list[str] = []

    def begun(**_more: object) -> None:
        heard.append("begun")

    def over(**_more: object) -> None:
        heard.append("over")

    request_started.connect(begun)
    request_finished.connect(over)
    yield heard
    request_started.disconnect(begun)
    request_finished.disconnect(over)


def run(*requests: Callable[[], Any]) -> list[Any]:
    """What they answer when they come at once, in a process of their own."""

    async def gathered() -> list[Any]:
        return await asyncio.gather(*(request() for request in requests))

    process = Process()
    try:
        with process.entered():
            return asyncio.run(gathered())
    finally:
        process.close()


def test_middleware_and_view_of_a_page_have_one_thread(pages: Pages) -> None:
    [(headers, body)] = run(lambda: asked(pages))
    assert body.startswith(b"pages")
    assert headers[b"Where"] == body + b" " + body


def test_no_more_pages_are_made_at_once_than_there_are_threads(
    pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    full, most, now, lock = threading.Barrier(THREADS), 0, 0, threading.Lock()

    def busy(request: HttpRequest) -> HttpResponse:
        nonlocal most, now
        with lock:
            now += 1
            most = max(most, now)
        full.wait(timeout=60)
        with lock:
            now -= 1
        return HttpResponse(where())

    monkeypatch.setattr(pages, "get_response", busy)
    threads = {body for _, body in run(*[lambda: asked(pages)] * (2 * THREADS))}
    assert (len(threads), most) == (THREADS, THREADS)


def test_what_was_set_for_a_request_is_gone_with_it(
    pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []

    def abroad(request: HttpRequest) -> HttpResponse:
        seen.append((translation.get_language(), timezone.get_current_timezone_name()))
        translation.activate("hi")
        timezone.activate("Asia/Tokyo")
        return HttpResponse(where())

    monkeypatch.setattr(pages, "get_response", abroad)
    # More requests than threads: some thread has had one before.
    run(*[lambda: asked(pages)] * (THREADS + 1))
    assert set(seen) == {("en", timezone.get_default_timezone_name())}


@pytest.mark.django_db(transaction=True)
def test_a_connection_is_not_made_anew_for_each_page_unless_a_pool_has_it(
    pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []

    def asking(request: HttpRequest) -> HttpResponse:
        found.append(connection.connection is not None)
        connection.ensure_connection()
        return HttpResponse(where())

    monkeypatch.setattr(pages, "get_response", asking)

    async def one_after_the_other() -> None:
        for _ in range(THREADS + 1):  # some thread has two of them
            await asked(pages)

    run(one_after_the_other)
    assert any(found) == (connection.vendor == "sqlite")


def test_a_page_starts_no_thread_beside_its_own(pages: Pages, signals: list[str]) -> None:
    before = set(threading.enumerate())
    seen: list[set[threading.Thread]] = []

    async def watched() -> None:
        await asked(pages)
        seen.append(set(threading.enumerate()) - before)

    run(watched)
    assert [thread.name for thread in seen[0]] == ["pages_0"]
    assert signals == ["begun", "over"]


def test_whoever_has_gone_gets_nothing_and_holds_up_nobody(
    pages: Pages, signals: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    done, gone = threading.Event(), asyncio.Event()

    def slow(request: HttpRequest) -> HttpResponse:
        done.wait(timeout=60)
        return HttpResponse(where())

    monkeypatch.setattr(pages, "get_response", slow)

    async def leaving() -> tuple[dict[bytes, bytes], bytes]:
        asyncio.get_running_loop().call_soon(gone.set)
        answer = await asked(pages, gone)
        done.set()
        return answer

    assert run(leaving) == [({}, b"")]
    assert signals == ["begun", "over"]


def test_a_page_that_has_begun_reads_to_the_end_what_somebody_sent_who_has_gone(
    pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    done, gone, read = threading.Event(), asyncio.Event(), list[bytes]()

    async def leaving() -> None:
        loop = asyncio.get_running_loop()

        def slow(request: HttpRequest) -> HttpResponse:
            loop.call_soon_threadsafe(gone.set)
            done.wait(timeout=60)
            read.append(request.body)
            return HttpResponse(where())

        monkeypatch.setattr(pages, "get_response", slow)
        await asked(pages, gone, b"cards=7")
        done.set()

    run(leaving)
    assert read == [b"cards=7"]


def test_a_request_that_breaks_off_reaches_no_page(pages: Pages, signals: list[str]) -> None:
    sent: list[Mapping[str, Any]] = []

    async def broken_off() -> None:
        async def receive() -> dict[str, Any]:
            return {"type": "http.disconnect"}

        async def send(event: Mapping[str, Any]) -> None:
            sent.append(event)

        await pages({"type": "http"}, receive, send)

    run(broken_off)
    assert (sent, signals) == ([], [])


def test_an_address_that_nobody_can_read_is_refused(pages: Pages, signals: list[str]) -> None:
    sent: list[Mapping[str, Any]] = []

    async def unreadable() -> None:
        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(event: Mapping[str, Any]) -> None:
            sent.append(event)

        scope = {"type": "http", "method": "GET", "path": "/told/", "headers": [(b"host", b"x")]}
        await pages({**scope, "query_string": b"\xff\xfe"}, receive, send)

    run(unreadable)
    assert sent[0]["status"] == 400
    assert signals == ["begun", "over"]
