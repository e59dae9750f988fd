"""Django's pages: each as a whole in one of a few threads, in the order in which they came.

Django's own way takes a new thread, with a new connection, for each request, and hands it to and
fro between thread and loop a dozen times. When a hall comes at once, three hundred threads then
wait for each other, and SQLite refuses whom it has let wait for too long.
"""

from contextvars import copy_context

from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from games.process import here
from games.process.db import DatabaseThreads
from games.process.parts import Part

# With the threads of tables as many as PostgreSQL's pool has connections: however many pages are
# asked for, whoever plays finds one.
THREADS = 6


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

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        """The request's body has been read, and whoever is slow to take the answer holds no
        thread."""
        return await here().part(PageThreads).run(self, request)
