"""What every serving process runs beside pages and sockets: relay, sweep and ticker."""

import asyncio
import contextlib
import gc
import logging
import signal
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from types import FrameType

from django.urls import get_resolver
from django.utils.translation import gettext_lazy

from games.clocks.pulse import Pulse
from games.live import sweep, ticker
from games.live.sockets import OpenSockets
from games.live.tables import Tables
from games.process import Process
from games.process.db import DATABASE_AWAY

logger = logging.getLogger(__name__)

RETRY_SECONDS = 1.0


@contextlib.asynccontextmanager
async def running(process: Process) -> AsyncIterator[None]:
    """Start everything, and stop it again at the end; `process` then belongs to this loop."""
    process.hub.start()
    process.part(Pulse).runs = True
    tasks = [
        asyncio.create_task(_forever(work, name))
        for name, work in (
            ("relay", lambda: process.relay.run(process.hub.deliver)),
            ("news", lambda: process.part(Tables).run(process)),
            ("sweep", lambda: sweep.run(process)),
            ("ticker", lambda: ticker.run(process)),
        )
    ]
    _say_goodbye_on_signals(asyncio.get_running_loop(), process.part(OpenSockets))
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
        process.part(Pulse).runs = False
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        process.hub.stop()


async def _forever(work: Callable[[], Awaitable[None]], name: str) -> None:
    """Run again after an error: one bad match must not stop the clock of all the others."""
    while True:
        try:
            await work()
        except DATABASE_AWAY as error:
            logger.error("The %s waits for the database: %s", name, error)
            await asyncio.sleep(RETRY_SECONDS)
        except Exception:
            logger.exception("The %s failed and starts again", name)
            await asyncio.sleep(RETRY_SECONDS)
        else:
            return


def _say_goodbye_on_signals(loop: asyncio.AbstractEventLoop, sockets: OpenSockets) -> None:
    """Tell every socket that the server restarts, before the server closes them."""
    if threading.current_thread() is not threading.main_thread():
        return
    for number in (signal.SIGTERM, signal.SIGINT):
        before = signal.getsignal(number)

        def handle(received: int, frame: FrameType | None, before: object = before) -> None:
            loop.call_soon_threadsafe(_goodbye, sockets)
            if callable(before):
                before(received, frame)

        signal.signal(number, handle)


def _goodbye(sockets: OpenSockets) -> None:
    sentence = gettext_lazy("The server restarts. You will be back at your table in a moment.")
    sockets.notice_all("restarting", sentence)
