"""ASGI entry point: pages, sockets and the background work of each process."""

import asyncio
import contextlib
import gc
import os
import sys
from collections.abc import AsyncIterator, Callable
from typing import Any

import django
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournament.settings")
django.setup(set_prefix=False)

# These imports need the settings and models that the line above loads.
from games.language import Languages, language_of  # noqa: E402
from games.process import Process, here  # noqa: E402
from games.process.asgi import Scope  # noqa: E402
from games.sockets.entrance.handshake_queue import Entrance  # noqa: E402
from games.sockets.polling.endpoint import Polling  # noqa: E402
from games.sockets.routing import table_sockets  # noqa: E402
from games.workers import background  # noqa: E402
from tournament.serving import health, metrics, worker_process  # noqa: E402
from tournament.serving.body_limits import BodyLimits  # noqa: E402
from tournament.serving.flood_gate import FloodGate  # noqa: E402
from tournament.serving.page_cache import SharedPages  # noqa: E402
from tournament.serving.page_threads import limit_threads  # noqa: E402
from tournament.serving.state import samples  # noqa: E402
from tournament.web.live.routing import event_sockets  # noqa: E402

Companions = Callable[[], contextlib.AbstractAsyncContextManager[None]]


class Site:
    """The ASGI application of one process.

    `process` owns its state and tasks. `companions` is a context manager that is active while the
    application serves.
    """

    def __init__(self, process: Process, companions: Companions = contextlib.nullcontext) -> None:
        self.process = process
        self._companions = companions
        pages = SharedPages(
            FloodGate(BodyLimits(limit_threads(get_asgi_application()))), language_of
        )
        self._pages = metrics.count_requests(pages)
        self._sockets = Languages(Entrance({**table_sockets, **event_sockets}))
        self._polling = BodyLimits(Polling(self._sockets))

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        """Pass a connection to the pages or sockets, or handle the server's start and stop."""
        with self.process.enter():
            match scope["type"]:
                case "http" if scope["path"] in health.PATHS:
                    await health.respond(self.process, scope, send)
                case "http" if scope["path"] == metrics.PATH and metrics.has_token(scope):
                    await metrics.respond(self.process, send)
                case "http" if Polling.handles(scope):
                    scope["process"] = self.process
                    await self._polling(scope, receive, send)
                case "http":
                    await self._pages(scope, receive, send)
                case "websocket":
                    scope["process"] = self.process
                    await self._sockets(scope, receive, send)
                case "lifespan":
                    await self._run_lifespan(receive, send)

    async def _run_lifespan(self, receive: Any, send: Any) -> None:
        """Run the relay, sweep and ticker while the server runs, then end all threads."""
        async with contextlib.AsyncExitStack() as stack:
            assert (await receive())["type"] == "lifespan.startup"
            stack.push_async_callback(asyncio.to_thread, self.process.close)
            await stack.enter_async_context(background.run_background(self.process))
            await stack.enter_async_context(self._companions())
            await health.log_faults(self.process)
            await send({"type": "lifespan.startup.complete"})
            assert (await receive())["type"] == "lifespan.shutdown"
        await send({"type": "lifespan.shutdown.complete"})


@contextlib.asynccontextmanager
async def run_worker() -> AsyncIterator[None]:
    """Run the worker alongside the serving process, and tune that process for short waits."""
    # Objects loaded at startup live as long as the process, so the collector need not scan them.
    # Full collections are made rare, because each takes a third of a second on a busy site.
    gc.freeze()
    gc.set_threshold(5_000, 4, 100)
    # With this short interval, a thread that has waited for the database resumes sooner while the
    # event loop is busy. A commit waits for the interpreter lock four times.
    sys.setswitchinterval(0.0003)
    async with worker_process.run_worker(), samples.take_samples(here()):
        yield


application = Site(here(), run_worker)
