"""Django's pages in a few threads of the process's own."""

import asyncio
import threading
from collections.abc import Callable, Mapping
from typing import Any

import pytest
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


async def asked(pages: Pages) -> tuple[dict[bytes, bytes], bytes]:
    """Headers and body of the page."""
    sent: list[Mapping[str, Any]] = []
    body = iter([{"type": "http.request", "body": b"", "more_body": False}])
    headers = [(b"host", b"testserver")]
    scope = {"type": "http", "method": "GET", "path": "/told/", "headers": headers}

    async def receive() -> dict[str, Any]:
        for event in body:
            return event
        await asyncio.Event().wait()
        raise AssertionError

    async def send(event: Mapping[str, Any]) -> None:
        sent.append(event)

    await pages({**scope, "query_string": b""}, receive, send)
    return dict(sent[0]["headers"]), sent[1]["body"]


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
