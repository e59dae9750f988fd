"""Registry of a process's open sockets."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from games.process.components import Component

if TYPE_CHECKING:
    from games.sockets.base import Socket


class OpenSockets(Component):
    """Open sockets of a process. Used only on the event loop."""

    def __init__(self) -> None:
        self._sockets: set[Socket[Any]] = set()

    def __iter__(self) -> "Iterator[Socket[Any]]":
        return iter(list(self._sockets))

    def __len__(self) -> int:
        return len(self._sockets)

    def add(self, socket: "Socket[Any]") -> None:
        self._sockets.add(socket)

    def discard(self, socket: "Socket[Any]") -> None:
        self._sockets.discard(socket)
