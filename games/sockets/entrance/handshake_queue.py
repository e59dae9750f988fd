"""Entrance for sockets: only from the site's own pages, and a limited number at a time."""

from collections.abc import Mapping
from typing import Any

from django.urls import URLPattern, path

from games.process.asgi import Scope
from games.sockets.base import Socket
from games.sockets.entrance import origin
from games.sockets.entrance.anonymous_limits import Door
from games.sockets.entrance.arrival import Arrival
from games.sockets.line.line import line_of

# Class of socket for each path. The paths are written as in Django.
Routes = Mapping[str, type[Socket[Any]]]


class Entrance:
    """ASGI application for the sockets at these paths.

    The scope must have "process" and "language". It is not kept in memory.
    """

    def __init__(self, routes: Routes) -> None:
        kinds: Any = routes
        self._routes: list[URLPattern] = [path(route, kind) for route, kind in kinds.items()]

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        path = scope["path"].lstrip("/")
        match = next(filter(None, (route.resolve(path) for route in self._routes)), None)
        if match is None or origin.is_foreign(scope):
            await origin.refuse(receive, send)
            return
        # must be read now, because it is removed from the scope if the client leaves
        line = line_of(scope)
        turn = await scope["process"].part(Door).enter()
        try:
            if line.gone:
                return  # the client may be waiting at the entrance again already
            kind: Any = match.func
            socket: Socket[Any] = kind(await Arrival.from_scope(scope, match.kwargs), send)
            await socket.remain_open(receive, turn)
        finally:
            turn.end()
