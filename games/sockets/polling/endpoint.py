"""Endpoint for sockets by long polling: a POST request to the address of the socket.

docs/protocol.md describes the requests. The sockets themselves are those of
`games.sockets.entrance`, and know nothing of this.
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
from games.sockets.polling.polled_line import RESTART, PolledLine

logger = logging.getLogger(__name__)

PREFIX = "/ws/"
# Where a page learns what to say of a network that blocks WebSockets, and that requests pass.
ADVICE_PATH = "/ws/advice/"
BLOCKED = gettext_lazy(
    "This network blocks live connections. Switch to mobile data or another Wi-Fi network,"
    " or ask the desk."
)
SLOW = gettext_lazy(
    "This network blocks live connections, so you’re playing on over a slower one."
    " Mobile data or another Wi-Fi network would be faster."
)
# Many proxies end a request without a response after 30 seconds.
MOST_SECONDS = 25.0
# The first response waits no longer, so that a client soon knows that it is connected.
OPENING_SECONDS = 3.0
BROKEN = 1011

# What runs the socket of a line.
Serve = Callable[[PolledLine], Awaitable[None]]
Number = Annotated[int, Field(ge=0, le=MAX_VERSION)]


@dataclass(frozen=True)
class Poll:
    """Request of a client; `docs/protocol.md` describes the fields."""

    id: str
    got: Number = 0
    sent: Number = 0
    messages: list[str] = field(default_factory=list)
    wait: Annotated[float, Field(ge=0, le=MOST_SECONDS)] = MOST_SECONDS


_poll: TypeAdapter[Poll] = TypeAdapter(Poll)


class PolledLines(Component):
    """Lines of a process's polling clients by id; only the event loop uses it."""

    def __init__(self) -> None:
        self._lines: dict[str, PolledLine] = {}
        self._tasks = set[asyncio.Task[None]]()

    def find(self, line: str, session: str) -> PolledLine | None:
        """Return the line with this id, if this session opened it."""
        found = self._lines.get(line)
        return found if found is not None and found.session == session else None

    def open(self, process: Process, session: str, serve: Serve) -> PolledLine:
        """Open a line, whose socket is run by `serve`."""

        def forget(line: PolledLine) -> None:
            self._lines.pop(line.id, None)
            self._count(process)

        line = PolledLine(session, forget)
        self._lines[line.id] = line
        self._count(process)
        task = asyncio.create_task(_run(line, serve))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return line

    def _count(self, process: Process) -> None:
        process.part(ProcessFigures).polled.set(len(self._lines))


async def _run(line: PolledLine, serve: Serve) -> None:
    try:
        await serve(line)
    except Exception:
        logger.exception("Polled socket failed")
    finally:
        line.close(BROKEN)


class Polling:
    """ASGI application for polling clients, in front of the application for WebSockets.

    The scope must have "process".
    """

    def __init__(self, sockets: App) -> None:
        self._sockets = sockets

    @staticmethod
    def takes(scope: Scope) -> bool:
        """Return whether this application answers the request."""
        path, method = scope["path"], scope["method"]
        return bool(path.startswith(PREFIX) and (method == "POST" or path == ADVICE_PATH))

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        if scope["path"] == ADVICE_PATH:
            scope["process"].part(ProcessFigures).blocked.inc()
            await _respond(send, 200, _make_advice(language_of(scope)))
            return
        opening = _make_socket_scope(scope)
        if origin.foreign(opening):
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
        line = self._find_line(poll, opening)
        if line is None:
            await _respond(send, 200, _make_content(poll.id, 0, [], (RESTART, "")))
            return
        line.begin_request()
        try:
            await self._serve(line, poll, scope, receive, send)
        finally:
            line.end_request()

    def _find_line(self, poll: Poll, opening: Scope) -> PolledLine | None:
        process: Process = opening["process"]
        lines, session = process.part(PolledLines), session_key(opening)
        if poll.id:
            return lines.find(poll.id, session)

        async def serve(line: PolledLine) -> None:
            opening["extensions"] = {EXTENSION: line}
            await self._sockets(opening, line.receive, line.send)

        return lines.open(process, session, serve)

    async def _serve(
        self, line: PolledLine, poll: Poll, scope: Scope, receive: Any, send: Any
    ) -> None:
        line.confirm(poll.got)
        if poll.messages:
            line.take(poll.sent, poll.messages)
            await _respond(send, 200, _make_content(line.id, poll.got, [], None))
            return
        scope.setdefault("extensions", {})[SHUTDOWN] = line.shut_down
        gone = asyncio.ensure_future(_wait_until_gone(receive))
        try:
            await line.wait(poll.wait if poll.id else min(poll.wait, OPENING_SECONDS), gone)
            if gone.done():
                return
        finally:
            gone.cancel()
        if line.closed is not None and not line.accepted:
            await _respond(send, 403, {})
            return
        first, texts = line.batch()
        await _respond(send, 200, _make_content(line.id, first, texts, line.closed))


def _make_advice(language: str) -> dict[str, object]:
    with translation.override(language):
        return {"blocked": str(BLOCKED), "slow": str(SLOW)}


def _make_socket_scope(scope: Scope) -> Scope:
    """Return the scope of the WebSocket that would be opened instead of this request."""
    kept = ("path", "query_string", "headers", "client", "server", "process")
    scheme = "wss" if scope["scheme"] == "https" else "ws"
    return {"type": "websocket", "scheme": scheme, **{key: scope[key] for key in kept}}


async def _read_body(receive: Any) -> bytes | None:
    """Return the request's body, or None if the client has gone."""
    parts = []
    while True:
        event = await receive()
        if event["type"] == "http.disconnect":
            return None
        parts.append(event.get("body", b""))
        if not event.get("more_body"):
            return b"".join(parts)


async def _wait_until_gone(receive: Any) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _make_content(
    line: str, first: int, texts: list[bytes], closed: tuple[int, str] | None
) -> dict[str, object]:
    content: dict[str, object] = {
        "id": line,
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
