"""A window at a table, connected over a real socket."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Any, Self, cast

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from games.client.views import Views
from games.models import Match
from games.process import Process, here
from games.protocol.messages import Changes, View
from games.sockets.consumers import TableSocket
from games.sockets.open_sockets import OpenSockets
from tests.live import Site, make_session_cookie
from tests.protocol import validate
from tournament.models import User

# Long enough that tests do not fail on a busy machine.
SECONDS = 60.0


class Window:
    """Window that stores the newest view and all messages that it has read."""

    def __init__(self, connecting: AbstractContextManager[ClientConnection]) -> None:
        self._stack = ExitStack()
        self.socket: ClientConnection = self._stack.enter_context(connecting)
        self.view: dict[str, Any] = {}
        self._views = Views()
        self.version = -1
        self.heard: list[dict[str, Any]] = []
        self._ids = iter(range(1, 10_000))

    def read(self, seconds: float = SECONDS) -> dict[str, Any]:
        """Return the next message.

        Raises TimeoutError if none arrives within `seconds`.
        """
        message: dict[str, Any] = json.loads(self.socket.recv(timeout=seconds))
        validate("ServerMessage", message)
        self.heard.append(message)
        if message["type"] in ("view", "changes"):
            assert self._views.apply(cast(View | Changes, message)), "changes of another view"
            self.view, self.version = dict(self._views.view or {}), self._views.version
        if message["type"] == "here" and self.view:
            text = zip(self.view["seats"], message["seats"], strict=True)
            self.view["seats"] = [{**seat, **now} for seat, now in text]
        return message

    def read_all(self, seconds: float = SECONDS) -> Iterator[dict[str, Any]]:
        """Yield each message as it arrives.

        Raises TimeoutError after `seconds`, even if messages still arrive.
        """
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            yield self.read(left)
        raise TimeoutError

    def wait_for(self, kind: str, seconds: float = SECONDS, **fields: Any) -> dict[str, Any]:
        """Read until a message of this type with these fields arrives."""
        return next(
            message
            for message in self.read_all(seconds)
            if message["type"] == kind and fields.items() <= message.items()
        )

    def wait_for_view(self, seconds: float = SECONDS, **fields: Any) -> dict[str, Any]:
        """Read until the view has these top-level values, and return the view."""
        messages = self.read_all(seconds)
        while not (self.view and fields.items() <= self.view.items()):
            next(messages)
        return self.view

    def send(self, message: Any) -> None:
        self.socket.send(message if isinstance(message, str | bytes) else json.dumps(message))

    def act(self, action: dict[str, Any], **changes: Any) -> dict[str, Any]:
        """Send an action, read until its answer, and return the answer.

        If the action is accepted, read on until the view shows its effect.
        """
        message: dict[str, Any] = {
            "type": "action",
            "id": f"w{next(self._ids)}-{id(self)}",
            "version": self.version,
            "action": action,
        } | changes
        self.send(message)
        answer = self.read_answer(message["id"])
        if answer["type"] == "ack":
            self.catch_up(answer["version"])
        return answer

    def catch_up(self, version: int) -> None:
        """Read until the view has this version or a newer one.

        The view arrives after the answer.
        """
        messages = self.read_all()
        while self.version < version:
            next(messages)

    def read_answer(self, client_id: str | None) -> dict[str, Any]:
        return next(
            message
            for message in self.read_all()
            if message["type"] in ("ack", "refused") and message["id"] == client_id
        )

    def read_close_code(self, seconds: float = SECONDS) -> int:
        """Read to the end of the connection, and return the close code."""
        try:
            for _message in self.read_all(seconds):
                pass
        except ConnectionClosed as error:
            return error.rcvd.code if error.rcvd else 1006
        raise AssertionError("read_all ends with an exception")

    def close(self) -> None:
        self._stack.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()


def make_headers(user: User | None) -> dict[str, str]:
    if user is None:
        return {}
    cookie = make_session_cookie(user)
    return {"Cookie": f"{cookie['name']}={cookie['value']}"}


def open_window(site: Site, match: Match | str, user: User | None = None, **changes: Any) -> Window:
    """Open a window as `user`, or as a visitor without an account.

    `query` is appended to the address. All other arguments are passed to `connect`.
    """
    query = changes.pop("query", "")
    public_id = match.public_id if isinstance(match, Match) else match
    options: dict[str, Any] = {
        "origin": site.url,
        "additional_headers": make_headers(user),
        "compression": None,
        "max_size": None,
    } | changes
    return Window(connect(f"{site.ws_url}/ws/match/{public_id}/{query}", **options))


def list_table_sockets(process: Process | None = None) -> list[TableSocket]:
    """Return the server's side of all windows connected to a process, by default this one."""
    sockets = (process or here()).part(OpenSockets)
    return [one for one in sockets if isinstance(one, TableSocket)]


@contextmanager
def open_windows(site: Site, match: Match) -> Iterator[list[Window]]:
    """Open a window for each human player of the match, in seat order."""
    seats = match.seats.filter(user__isnull=False).order_by("number")
    opened = [open_window(site, match, seat.user) for seat in seats]
    try:
        for window in opened:
            window.wait_for("view")
        yield opened
    finally:
        for window in opened:
            window.close()


def wait_for_condition(condition: Callable[[], Any], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "the condition did not become true in time"
        time.sleep(0.05)
