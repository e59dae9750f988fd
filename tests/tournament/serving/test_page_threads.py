"""Page rendering in a fixed number of threads."""

import asyncio
import threading
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from django.core.asgi import get_asgi_application
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils import timezone, translation
from pytest_django import Settings

from games.process import Process
from games.process.asgi import App
from tournament.serving.page_threads import THREADS, PageThreads, limit_threads

View = Callable[[HttpRequest], None]


class SinglePageSite:
    """Site with a single page that runs the test's view and responds with its thread."""

    view: View

    def __call__(self, request: HttpRequest) -> HttpResponse:
        self.view(request)
        return HttpResponse(get_thread_name())


page = SinglePageSite()
urlpatterns = [path("told/", page)]


def get_thread_name() -> str:
    return threading.current_thread().name


def add_thread_header(get_response: Callable[[HttpRequest], HttpResponse]) -> Any:
    """Return middleware that adds a header with its thread's name before and after the view."""

    def middleware(request: HttpRequest) -> HttpResponse:
        before = get_thread_name()
        response = get_response(request)
        response.headers["Where"] = f"{before} {get_thread_name()}"
        return response

    return middleware


@pytest.fixture
def page_site(settings: Settings) -> App:
    settings.ROOT_URLCONF = __name__
    settings.MIDDLEWARE = [
        "django.middleware.common.CommonMiddleware",
        f"{__name__}.add_thread_header",
    ]
    page.view = lambda request: None
    return limit_threads(get_asgi_application())


async def request_page(
    site: App, disconnected: asyncio.Event | None = None
) -> tuple[dict[bytes, bytes], bytes]:
    """Return the headers and body of the response.

    Both are empty if the client disconnected before the response.
    """
    sent: list[Mapping[str, Any]] = []
    events = iter([{"type": "http.request", "body": b"", "more_body": False}])
    headers = [(b"host", b"testserver")]
    scope = {"type": "http", "method": "GET", "path": "/told/", "headers": headers}

    async def receive() -> dict[str, Any]:
        for event in events:
            return event
        await (disconnected or asyncio.Event()).wait()
        return {"type": "http.disconnect"}

    async def send(event: Mapping[str, Any]) -> None:
        sent.append(event)

    await site({**scope, "query_string": b""}, receive, send)
    return (dict(sent[0]["headers"]), sent[1]["body"]) if sent else ({}, b"")


def request_in_process(*requests: Callable[[], Any]) -> list[Any]:
    """Send simultaneous requests to a new process object and return the responses."""

    async def gather_answers() -> list[Any]:
        answers = await asyncio.gather(*(request() for request in requests))
        assert {*process.part(PageThreads).requests.values()} == {0}
        return answers

    process = Process()
    try:
        with process.enter():
            return asyncio.run(gather_answers())
    finally:
        process.close()
        assert not [one for one in threading.enumerate() if one.name.startswith("pages")]


def test_middleware_and_view_run_on_the_same_thread(page_site: App) -> None:
    [(headers, body)] = request_in_process(lambda: request_page(page_site))
    assert body.startswith(b"pages")
    assert headers[b"Where"] == body + b" " + body


def test_each_thread_renders_one_page_at_a_time(page_site: App) -> None:
    full, most, now, lock = threading.Barrier(THREADS), 0, 0, threading.Lock()
    seen: set[int] = set()

    def count_and_wait(request: HttpRequest) -> None:
        nonlocal most, now
        with lock:
            now += 1
            most = max(most, now)
            seen.add(threading.get_ident())
        full.wait(timeout=60)
        with lock:
            now -= 1

    page.view = count_and_wait
    request_in_process(*[lambda: request_page(page_site)] * (2 * THREADS))
    assert (len(seen), most) == (THREADS, THREADS)


def test_language_and_time_zone_do_not_leak_into_the_next_request(page_site: App) -> None:
    seen = []

    def change_locale(request: HttpRequest) -> None:
        seen.append((translation.get_language(), timezone.get_current_timezone_name()))
        translation.activate("hi")
        timezone.activate("Asia/Tokyo")

    page.view = change_locale
    # There are more requests than threads, so at least one thread handles a second request.
    request_in_process(*[lambda: request_page(page_site)] * (THREADS + 1))
    assert set(seen) == {("en", timezone.get_default_timezone_name())}


@pytest.mark.django_db(transaction=True)
def test_sqlite_connection_is_reused_by_the_next_page(page_site: App) -> None:
    found = []

    def connect_in_view(request: HttpRequest) -> None:
        found.append(connection.connection is not None)
        connection.ensure_connection()

    page.view = connect_in_view
    # Both requests run in the same thread, unless it is busy.
    request_in_process(lambda: request_page_twice(page_site))
    assert found == [False, connection.vendor == "sqlite"]


async def request_page_twice(site: App) -> None:
    await request_page(site)
    await request_page(site)


def test_pages_of_disconnected_clients_are_not_rendered(
    page_site: App,
) -> None:
    done, made = threading.Event(), list[None]()

    def block_thread(request: HttpRequest) -> None:
        made.append(None)
        done.wait(timeout=60)

    async def leave_while_waiting() -> list[tuple[dict[bytes, bytes], bytes]]:
        gone = asyncio.Event()
        waiting = [asyncio.create_task(request_page(page_site, gone)) for _ in range(3 * THREADS)]
        while len(made) < THREADS:
            await asyncio.sleep(0.01)
        gone.set()
        await asyncio.sleep(0.1)
        done.set()
        return await asyncio.gather(*waiting)

    page.view = block_thread
    assert request_in_process(leave_while_waiting) == [[({}, b"")] * 3 * THREADS]
    assert len(made) == THREADS
