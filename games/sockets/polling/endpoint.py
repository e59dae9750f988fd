"""Endpoint for sockets by long polling, with POST requests to the address of the socket.

docs/protocol.md describes the requests. The sockets are the same as for WebSockets
(`games.sockets.entrance`).
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Annotated, Any

import orjson
from django.utils import translation
from django.utils.translation import gettext_lazy
from pydantic import Field, TypeAdapter, ValidationError

from games.language import language_of
from games.process import Process
from games.process.asgi import SHUTDOWN, App, Scope
from games.process.components import Component
from games.process.figures import ProcessFigures
from games.sockets.entrance import origin
from games.sockets.entrance.identity import session_key
from games.sockets.line.line import EXTENSION
from games.sockets.messages import MAX_VERSION
from games.sockets.polling.polled_connection import RESTART, PolledConnection

logger = logging.getLogger(__name__)

PREFIX = "/ws/"
# Path that returns the sentences for networks that block WebSockets. A response also shows that
# ordinary requests are not blocked.
ADVICE_PATH = "/ws/advice/"
BLOCKED = gettext_lazy(
    "This network blocks live connections. Switch to mobile data or another Wi-Fi network,"
    " or ask the desk."
)
SLOW = gettext_lazy(
    "This network blocks live connections, so you’re playing over a slower one."
    " Mobile data or another Wi-Fi network would be faster."
)
# Many proxies end a request that has had no response for 30 seconds.
MAX_WAIT_SECONDS = 25.0
# The first response is sent earlier, so that the client soon knows that it is connected.
OPENING_SECONDS = 3.0
BROKEN = 1011

# Coroutine function that runs the socket of a connection.
Serve = Callable[[PolledConnection], Awaitable[None]]
Number = Annotated[int, Field(ge=0, le=MAX_VERSION)]


@dataclass(frozen=True)
class Poll:
    """A client's request. `docs/protocol.md` describes the fields."""

    id: str
    got: Number = 0
    sent: Number = 0
    messages: list[str] = field(default_factory=list)
    wait: Annotated[float, Field(ge=0, le=MAX_WAIT_SECONDS)] = MAX_WAIT_SECONDS


_poll: TypeAdapter[Poll] = TypeAdapter(Poll)


class PolledConnections(Component):
    """Connections of a process's polling clients, by id. Used only on the event loop."""

    def __init__(self) -> None:
        self._connections: dict[str, PolledConnection] = {}
        self._tasks = set[asyncio.Task[None]]()

    def find(self, connection: str, session: str) -> PolledConnection | None:
        """Return the connection with this id if this session opened it, or None."""
        candidate = self._connections.get(connection)
        return candidate if candidate is not None and candidate.session == session else None

    def open(self, process: Process, session: str, serve: Serve) -> PolledConnection:
        """Open a connection and run its socket with `serve`."""

        def forget(connection: PolledConnection) -> None:
            self._connections.pop(connection.id, None)
            self._count(process)

        connection = PolledConnection(session, forget)
        self._connections[connection.id] = connection
        self._count(process)
        task = asyncio.create_task(_run_socket(connection, serve))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return connection

    def _count(self, process: Process) -> None:
        process.part(ProcessFigures).polled.set(len(self._connections))


async def _run_socket(connection: PolledConnection, serve: Serve) -> None:
    try:
        await serve(connection)
    except Exception:
        logger.exception("Polled socket failed")
    finally:
        connection.close(BROKEN)


class Polling:
    """ASGI application that serves polling clients with the sockets of another application.

    The scope must have "process".
    """

    def __init__(self, sockets: App) -> None:
        self._sockets = sockets

    @staticmethod
    def handles(scope: Scope) -> bool:
        """Return whether this application answers the request."""
        path, method = scope["path"], scope["method"]
        return bool(path.startswith(PREFIX) and (method == "POST" or path == ADVICE_PATH))

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        if scope["path"] == ADVICE_PATH:
            # Count only the first request of a page. Once a page polls, it adds a query string.
            if not scope["query_string"]:
                scope["process"].part(ProcessFigures).blocked.inc()
            await _respond(send, 200, _build_advice(language_of(scope)))
            return
        opening = _build_socket_scope(scope)
        if origin.is_foreign(opening):
            await _respond(send, 403, {})
            return
        body = await _read_body(receive)
        if body is None:
            return
        try:
            poll = _poll.validate_json(body, strict=True)
        except ValidationError:
            await _respond(send, 400, {})
            return
        connection = self._find_connection(poll, opening)
        if connection is None:
            await _respond(send, 200, _build_content(poll.id, 0, [], (RESTART, "")))
            return
        connection.begin_request()
        try:
            await self._serve_poll(connection, poll, scope, receive, send)
        finally:
            connection.end_request()

    def _find_connection(self, poll: Poll, opening: Scope) -> PolledConnection | None:
        process: Process = opening["process"]
        connections, session = process.part(PolledConnections), session_key(opening)
        if poll.id:
            return connections.find(poll.id, session)

        async def serve(connection: PolledConnection) -> None:
            opening["extensions"] = {EXTENSION: connection}
            await self._sockets(opening, connection.receive, connection.send)

        return connections.open(process, session, serve)

    async def _serve_poll(
        self, connection: PolledConnection, poll: Poll, scope: Scope, receive: Any, send: Any
    ) -> None:
        connection.confirm(poll.got)
        if poll.messages:
            connection.accept_messages(poll.sent, poll.messages)
            await _respond(send, 200, _build_content(connection.id, poll.got, [], None))
            return
        scope.setdefault("extensions", {})[SHUTDOWN] = connection.shut_down
        gone = asyncio.ensure_future(_wait_for_disconnect(receive))
        try:
            await connection.wait(poll.wait if poll.id else min(poll.wait, OPENING_SECONDS), gone)
            if gone.done():
                return
        finally:
            gone.cancel()
        if connection.closed is not None and not connection.accepted:
            await _respond(send, 403, {})
            return
        first, texts = connection.list_unconfirmed()
        await _respond(send, 200, _build_content(connection.id, first, texts, connection.closed))


def _build_advice(language: str) -> dict[str, object]:
    with translation.override(language):
        return {"blocked": str(BLOCKED), "slow": str(SLOW)}


def _build_socket_scope(scope: Scope) -> Scope:
    """Return the scope of the WebSocket that this request replaces."""
    keys = ("path", "query_string", "headers", "client", "server", "process")
    scheme = "wss" if scope["scheme"] == "https" else "ws"
    return {"type": "websocket", "scheme": scheme, **{key: scope[key] for key in keys}}


async def _read_body(receive: Any) -> bytes | None:
    """Return the request's body, or None if the client has disconnected."""
    parts = []
    while True:
        event = await receive()
        if event["type"] == "http.disconnect":
            return None
        parts.append(event.get("body", b""))
        if not event.get("more_body"):
            return b"".join(parts)


async def _wait_for_disconnect(receive: Any) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _build_content(
    connection: str, first: int, texts: list[bytes], closed: tuple[int, str] | None
) -> dict[str, object]:
    content: dict[str, object] = {
        "id": connection,
        "from": first,
        "messages": [orjson.Fragment(text) for text in texts],
    }
    if closed is not None:
        content["closed"] = {"code": closed[0], "reason": closed[1]}
    return content


async def _respond(send: Any, status: int, content: dict[str, object]) -> None:
    body = orjson.dumps(content)
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
    ]
    with contextlib.suppress(OSError):
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})
