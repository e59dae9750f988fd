"""Admission of sockets, only from the site's own pages and a limited number at a time."""

from collections.abc import Mapping
from typing import Any

from django.urls import URLPattern, path

from games.process.asgi import Scope
from games.sockets.base import Socket
from games.sockets.entrance import origin
from games.sockets.entrance.anonymous_limits import OpeningLimit
from games.sockets.entrance.arrival import Arrival
from games.sockets.line.line import line_of

# Class of the sockets at each path. The paths have the syntax of Django's `path`.
Routes = Mapping[str, type[Socket[Any]]]


class Entrance:
    """ASGI application for the sockets at these paths.

    The scope must have "process" and "language". No reference to it is kept.
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
        # read now, because the scope no longer has it once the client has disconnected
        line = line_of(scope)
        turn = await scope["process"].part(OpeningLimit).enter()
        try:
            if line.gone:
                return  # the client has disconnected, and may be waiting with a new socket
            kind: Any = match.func
            socket: Socket[Any] = kind(await Arrival.from_scope(scope, match.kwargs), send)
            await socket.serve(receive, turn)
        finally:
            turn.end()
