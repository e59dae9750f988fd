"""Django's pages: each as a whole in one of a few threads, in the order in which they came.

Django's own way takes a new thread, with a new connection, for each request, and hands it to and
fro between thread and loop a dozen times. When a hall comes at once, three hundred threads then
wait for each other, and SQLite refuses whom it has let wait for too long.
"""

import asyncio
from collections.abc import Coroutine
from contextvars import copy_context
from typing import Any
from weakref import finalize

from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.core.signals import request_finished, request_started
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import set_script_prefix

from games.process import here
from games.process.asgi import Scope
from games.process.db import DatabaseThreads
from games.process.parts import Part
from tournament.live.garbage import Making

# With the threads of tables fewer than PostgreSQL's pool has connections: however many pages are
# asked for, whoever plays finds one. More threads wait for each other's interpreter.
THREADS = 4


class PageThreads(Part):
    """A process's threads for pages."""

    def __init__(self) -> None:
        self._threads = DatabaseThreads(THREADS, "pages")

    async def run(self, handler: "Pages", request: HttpRequest) -> HttpResponseBase:
        """Await the answer; what was set for the request is gone with it."""
        return await self._threads.run(copy_context().run, handler.get_response, request)

    def close(self) -> None:
        self._threads.close()


class Pages(ASGIHandler):
    """Django, with all middleware and views in one thread."""

    def load_middleware(self, is_async: bool = False) -> None:
        """One chain without the loop."""
        super().load_middleware(is_async=False)

    async def handle(self, scope: Scope, receive: Any, send: Any) -> None:
        """As Django's own, which starts a thread for whoever is told that a request has begun and
        is over: they are content with the loop's, where no connection is theirs to close."""
        with here().part(Making).one():
            await self._handle(scope, receive, send)

    async def _handle(self, scope: Scope, receive: Any, send: Any) -> None:
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        set_script_prefix(get_script_prefix(scope))
        request_started.send(type(self), scope=scope)
        request, response = self.create_request(scope, body)
        if request is None:
            body.close()
        else:
            # At the latest then: when who asked has gone, a thread may still read it.
            finalize(request, body.close)
            response = await _unless_gone(self.run_get_response(request), receive)
        await self._finish(response, send)

    async def _finish(self, response: HttpResponseBase | None, send: Any) -> None:
        """Send the answer, if there is one, and tell that the request is over."""
        if response is None:
            request_finished.send(type(self))
            return
        try:
            await self.send_response(response, send)
        finally:
            response.close()

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        """The request's body has been read, and whoever is slow to take the answer holds no
        thread."""
        return await here().part(PageThreads).run(self, request)


async def _unless_gone(
    answer: Coroutine[Any, Any, HttpResponseBase], receive: Any
) -> HttpResponseBase | None:
    """Await the answer; None where who asked has gone before, and no thread begins with it then."""
    leaving, answering = asyncio.ensure_future(receive()), asyncio.ensure_future(answer)
    try:
        await asyncio.wait([leaving, answering], return_when=asyncio.FIRST_COMPLETED)
        return answering.result() if answering.done() else None
    finally:
        leaving.cancel()
        answering.cancel()
