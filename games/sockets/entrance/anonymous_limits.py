"""Limits for visitors without an account: sockets and messages per address.

Each process counts its own connections, by the address that uvicorn reads from a proxy's header.
Everyone in a college's hall may have the same address. Normal use stays within the limits. Visitors
who exceed one get a message that explains it.
"""

import asyncio
import time
from collections import Counter, deque

from django.conf import settings

from games.process.asgi import Scope
from games.process.client_network import counting_network
from games.process.components import Component

PER_SECONDS = 20.0
# A process opens at most this many sockets at the same time, so that players at a table are served
# first.
OPENING = 8
# A page at a table sends eight pings in this period.
FREE_MESSAGES = 12
# Messages beyond the free ones that all sockets of an address may send together.
SPARE_MESSAGES = 400


def address_of(scope: Scope) -> str:
    """Return the address of a socket's client, as it counts for limits."""
    client = scope.get("client")
    return counting_network(str(client[0])) if client else ""


class Door(Component):
    """Entrance that limits how many sockets of a process are opened at the same time.

    It is used only on the process's event loop.
    """

    def __init__(self) -> None:
        self._room = asyncio.Semaphore(OPENING)

    async def enter(self) -> "DoorTurn":
        """Wait for a turn to open a socket, in order of arrival.

        The turn ends when the socket is open or has been refused.
        """
        await self._room.acquire()
        return DoorTurn(self._room)


class DoorTurn:
    """Turn of one client at the entrance."""

    __slots__ = ("_room",)

    def __init__(self, slots: asyncio.Semaphore) -> None:
        self._room: asyncio.Semaphore | None = slots

    def end(self) -> None:
        """End the turn and admit the next client. If the turn has ended already, do nothing."""
        slots, self._room = self._room, None
        if slots is not None:
            slots.release()


class Crowd(Component):
    """Visitors of a process, by address. It is used only on the process's event loop."""

    def __init__(self) -> None:
        self._sockets: Counter[str] = Counter()
        self._drawn: dict[str, deque[float]] = {}

    def arrive(self, address: str) -> bool:
        """Count one more socket, and return whether the address is within its limit.

        Each arrival, even a refused one, must be followed by `leave`.
        """
        self._sockets[address] += 1
        return self._sockets[address] <= settings.ANONYMOUS_SOCKETS

    def leave(self, address: str) -> None:
        self._sockets[address] -= 1
        if not self._sockets[address]:
            del self._sockets[address]
            self._drawn.pop(address, None)

    def may_send(self, address: str, count: int) -> bool:
        """Return whether a socket may send one more message.

        `count` is the number of messages that it has sent in PER_SECONDS.
        """
        return count <= FREE_MESSAGES or self._use_allowance(address)

    def _use_allowance(self, address: str) -> bool:
        """Use up one message of the address's allowance, and return whether one was left."""
        drawn = self._drawn.setdefault(address, deque(maxlen=SPARE_MESSAGES))
        now = time.monotonic()
        full = len(drawn) == SPARE_MESSAGES and now - drawn[0] < PER_SECONDS
        if not full:
            drawn.append(now)
        return not full
