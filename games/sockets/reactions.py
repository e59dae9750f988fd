"""Delivery of reactions at a table to the windows of this process."""

import asyncio
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from games import queries
from games.process import run_in_database_thread
from games.process.db import DATABASE_DOWN
from games.sockets.base import encode

if TYPE_CHECKING:
    from games.sockets.window import Window


def reactions_topic(match: int) -> str:
    """Return the topic that is poked after each reaction at the table."""
    return f"reactions:{match}"


class Reactions:
    """Delivery of the reactions of one match to its windows.

    Only one task at a time loads reactions, and each reaction is sent once.
    """

    def __init__(self, match: int, window_groups: "Callable[[], Iterable[list[Window]]]") -> None:
        self._match, self._window_groups = match, window_groups
        self._last, self._new = 0, False
        self._task: asyncio.Task[None] | None = None

    def receive_poke(self, version: int | None) -> None:
        """Record that there is a new reaction. Call this method only on the event loop."""
        self._new = True
        if self._task is None:
            self._task = asyncio.create_task(self._send_until_current())

    def stop(self) -> None:
        """Stop the delivery when the last window is closed."""
        if self._task is not None:
            self._task.cancel()

    async def _send_until_current(self) -> None:
        try:
            while self._new:
                self._new = False
                await self._send_new_reactions()
        except DATABASE_DOWN:
            pass  # a reaction that cannot be sent immediately is dropped
        finally:
            self._task = None

    async def _send_new_reactions(self) -> None:
        answer = await run_in_database_thread(queries.reactions_after, self._match, self._last)
        self._last, reactions = answer
        for text in map(encode, reactions):
            for windows in self._window_groups():
                for window in windows:
                    window.show_reaction(text)
                await asyncio.sleep(0)
