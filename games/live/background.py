"""What every serving process runs beside pages and sockets: relay, sweep and ticker."""

import asyncio
import contextlib
import gc
import logging
import signal
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from types import FrameType

from django.db import InterfaceError, OperationalError
from django.urls import get_resolver
from django.utils.translation import gettext_lazy

from games.live import sockets, sweep, ticker
from games.process import db, hub, relay

logger = logging.getLogger(__name__)

RETRY_SECONDS = 1.0

# Tasks on their way; the loop itself would forget them.
_goodbyes: set[asyncio.Future[None]] = set()


@contextlib.asynccontextmanager
async def running() -> AsyncIterator[None]:
    """Start everything, and stop it again at the end."""
    hub.start()
    tasks = [
        asyncio.create_task(_forever(work, name))
        for name, work in (
            ("relay", lambda: relay.run(hub.deliver)),
            ("sweep", sweep.run),
            ("ticker", ticker.run),
        )
    ]
    _say_goodbye_on_signals(asyncio.get_running_loop())
    # Load all pages now: the first visitor would wait for it, and sockets with him.
    assert get_resolver().url_patterns
    # What is loaded by now stays: the collector need not look at it again and again, nor after
    # every few hundred objects. Together that is most of the longest waits at many tables.
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        hub.stop()
        db.close_threads()


async def _forever(work: Callable[[], Awaitable[None]], name: str) -> None:
    """Run again after an error: one bad match must not stop the clock of all the others."""
    while True:
        try:
            await work()
        except (OperationalError, InterfaceError) as error:
            logger.error("The %s waits for the database: %s", name, error)
            await asyncio.sleep(RETRY_SECONDS)
        except Exception:
            logger.exception("The %s failed and starts again", name)
            await asyncio.sleep(RETRY_SECONDS)
        else:
            return


def _say_goodbye_on_signals(loop: asyncio.AbstractEventLoop) -> None:
    """Tell every socket that the server restarts, before the server closes them."""
    if threading.current_thread() is not threading.main_thread():
        return
    for number in (signal.SIGTERM, signal.SIGINT):
        before = signal.getsignal(number)

        def handle(received: int, frame: FrameType | None, before: object = before) -> None:
            loop.call_soon_threadsafe(_goodbye)
            if callable(before):
                before(received, frame)

        signal.signal(number, handle)


def _goodbye() -> None:
    sentence = gettext_lazy("The server restarts. You will be back at your table in a moment.")
    for socket in list(sockets.OPEN):
        task = asyncio.ensure_future(socket.notice("restarting", sentence))
        _goodbyes.add(task)
        task.add_done_callback(_goodbyes.discard)
