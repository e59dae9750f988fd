"""The way in for sockets: from our own pages alone, and so many at a time."""

from collections.abc import Mapping
from typing import Any

from django.urls import URLPattern, path

from games.live import origin
from games.live.arrival import Arrival
from games.live.crowd import Door
from games.live.sockets import Socket
from games.process.asgi import Scope

# Kinds of sockets by their path, written as Django's are.
Routes = Mapping[str, type[Socket[Any]]]


class Entrance:
    """ASGI application: the sockets that are at these paths.

    The scope has the "process" and the "language"; it is not kept.
    """

    def __init__(self, routes: Routes) -> None:
        kinds: Any = routes
        self._routes: list[URLPattern] = [path(route, kind) for route, kind in kinds.items()]

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        turn = await scope["process"].part(Door).enter()
        try:
            socket = await self._socket(scope, send)
            await (socket.stay(receive, turn) if socket else origin.refuse(receive, send))
        finally:
            turn.end()

    async def _socket(self, scope: Scope, send: Any) -> Socket[Any] | None:
        """What is opened there; None where nothing is, or not from there."""
        where = scope["path"].lstrip("/")
        found = next(filter(None, (route.resolve(where) for route in self._routes)), None)
        if found is None or origin.foreign(scope):
            return None
        kind: Any = found.func
        socket: Socket[Any] = kind(await Arrival.of(scope, found.kwargs), send)
        return socket
