"""Pages are made in a few threads, however many are asked for at once.

Django's own way takes a new thread with a new connection for each request: a hall that comes at
once would take every connection from who plays, and SQLite refuses whom it has let wait too long.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from asgiref.sync import ThreadSensitiveContext
from django.db import connections

from games.process import here
from games.process.asgi import App, Scope
from games.process.components import Component

# Page threads and table threads together are fewer than the connections in PostgreSQL's pool, so
# a player always finds one. More threads would only wait for each other's interpreter.
THREADS = 4


class PageThreads(Component):
    """A process's threads for pages, each with how many requests are its own."""

    def __init__(self) -> None:
        self.requests = {ThreadPoolExecutor(1, "pages"): 0 for _ in range(THREADS)}

    def close(self) -> None:
        for thread in self.requests:
            thread.submit(connections.close_all)
            thread.shutdown()


def limit_threads(app: App) -> App:
    """ASGI middleware: all that Django does in a thread for a request is done in one of these."""

    async def serve_in_thread(scope: Scope, receive: Any, send: Any) -> None:
        requests = here().part(PageThreads).requests
        thread = min(requests, key=requests.__getitem__)
        requests[thread] += 1
        try:
            async with ThreadSensitiveContext(executor=thread):
                await app(scope, receive, send)
        finally:
            requests[thread] -= 1

    return serve_in_thread
