"""Limits for visitors without an account: sockets and messages per address.

Each process counts its own connections, by the address that uvicorn reads from a proxy's header.
All visitors on a college network may share one address, and even then normal use stays within the
limits. A visitor who exceeds a limit gets a message that explains it.
"""

import asyncio
import time
from collections import Counter, deque

from django.conf import settings

from games.process.asgi import Scope
from games.process.client_network import counting_network
from games.process.components import Component

PER_SECONDS = 20.0
# A process opens at most this many sockets at the same time, so that new sockets do not slow down
# players at a table.
OPENING = 8
# Messages that each socket may send in PER_SECONDS. A page sends eight pings in that time.
FREE_MESSAGES = 12
# Further messages that all sockets of an address together may send in PER_SECONDS.
SPARE_MESSAGES = 400


def address_of(scope: Scope) -> str:
    """Return the part of the client's address that counts for limits."""
    client = scope.get("client")
    return counting_network(str(client[0])) if client else ""


class OpeningLimit(Component):
    """Limit on the number of sockets that a process opens at the same time.

    Used only on the event loop.
    """

    def __init__(self) -> None:
        self._slots = asyncio.Semaphore(OPENING)

    async def enter(self) -> "OpeningTurn":
        """Wait for a turn to open a socket, in order of arrival.

        The turn ends when the socket is open or has been refused.
        """
        await self._slots.acquire()
        return OpeningTurn(self._slots)


class OpeningTurn:
    """One client's turn to open a socket."""

    __slots__ = ("_slots",)

    def __init__(self, slots: asyncio.Semaphore) -> None:
        self._slots: asyncio.Semaphore | None = slots

    def end(self) -> None:
        """End the turn and admit the next client. Do nothing if the turn has already ended."""
        slots, self._slots = self._slots, None
        if slots is not None:
            slots.release()


class VisitorCounts(Component):
    """Sockets and messages of a process's visitors, by address. Used only on the event loop."""

    def __init__(self) -> None:
        self._sockets: Counter[str] = Counter()
        self._used: dict[str, deque[float]] = {}

    def arrive(self, address: str) -> bool:
        """Count one more socket, and return whether the address is within its limit.

        Every call must be followed by a call to `leave`, even if the socket is refused.
        """
        self._sockets[address] += 1
        return self._sockets[address] <= settings.ANONYMOUS_SOCKETS

    def leave(self, address: str) -> None:
        self._sockets[address] -= 1
        if not self._sockets[address]:
            del self._sockets[address]
            self._used.pop(address, None)

    def may_send(self, address: str, count: int) -> bool:
        """Return whether a socket may send one more message.

        `count` is the number of messages that it has sent in PER_SECONDS.
        """
        return count <= FREE_MESSAGES or self._use_allowance(address)

    def _use_allowance(self, address: str) -> bool:
        """Take one message from the address's allowance, and return whether one was left."""
        used = self._used.setdefault(address, deque(maxlen=SPARE_MESSAGES))
        now = time.monotonic()
        full = len(used) == SPARE_MESSAGES and now - used[0] < PER_SECONDS
        if not full:
            used.append(now)
        return not full
