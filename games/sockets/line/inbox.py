"""Events that have arrived at a socket and have not been read yet.

`asyncio.Queue` would use 3 kB for each socket.
"""

import asyncio
from typing import Any


class Inbox:
    """Inbox for a single reader on the event loop."""

    __slots__ = ("_come", "_waiting")

    def __init__(self) -> None:
        self._come: list[Any] = []
        self._waiting: asyncio.Future[None] | None = None

    def put_nowait(self, event: Any) -> None:
        self._come.append(event)
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    async def get(self) -> Any:
        """Return the first unread event, and wait for one if necessary."""
        while not self._come:
            self._waiting = asyncio.get_running_loop().create_future()
            await self._waiting
        return self._come.pop(0)

    def __len__(self) -> int:
        return len(self._come)

    def empty(self) -> bool:
        return not self._come
