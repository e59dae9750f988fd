"""A fixed number of threads for pages, regardless of the number of requests.

Django would use a new thread with a new connection for each request. A crowd that arrives at the
same time would then take all connections from the players, and SQLite would refuse requests that
have waited too long.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from asgiref.sync import ThreadSensitiveContext
from django.db import connections

from games.process import here
from games.process.asgi import App, Scope
from games.process.components import Component

# Page threads and table threads together are fewer than the connections in PostgreSQL's pool, so
# that players always get one. More threads would only wait for Python's global interpreter lock.
THREADS = 4


class PageThreads(Component):
    """The page threads of a process, with the number of requests assigned to each."""

    def __init__(self) -> None:
        self.requests = {ThreadPoolExecutor(1, "pages"): 0 for _ in range(THREADS)}

    def close(self) -> None:
        for thread in self.requests:
            thread.submit(connections.close_all)
            thread.shutdown()


def limit_threads(app: App) -> App:
    """Return ASGI middleware that runs Django in the page thread with the fewest requests."""

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
