"""Alarm that wakes up this process's ticker before its next planned cycle."""

import asyncio
from datetime import datetime


class Alarm:
    """Alarm for the ticker that started it. Without a ticker, it does nothing."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._rang = asyncio.Event()
        self._planned: datetime | None = None

    def start(self) -> None:
        """Deliver alarms on the running event loop from now on."""
        self._loop, self._rang = asyncio.get_running_loop(), asyncio.Event()

    def stop(self) -> None:
        self._loop = None

    def note_due_time(self, due: datetime | None) -> None:
        """Wake up the ticker if `due` is earlier than its next planned cycle.

        Call this method after the commit. It may be called from any thread.
        """
        if due is not None and self._loop is not None:
            self._loop.call_soon_threadsafe(self._note_due_time, due)

    def _note_due_time(self, due: datetime) -> None:
        if self._planned is None or due < self._planned:
            self._rang.set()

    async def sleep(self, until: datetime, seconds: float) -> None:
        """Wait for `seconds`, or until `note_due_time` is called with a time before `until`.

        The duration is given separately, because the wall clock may be adjusted during the wait.
        """
        self._planned = until
        try:
            async with asyncio.timeout(seconds):
                await self._rang.wait()
        except TimeoutError:
            pass
        finally:
            self._planned = None
            self._rang.clear()
