"""Long-polling client of a socket, with the methods of a WebSocket client."""

import json
import queue
import ssl
import threading
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any, Self
from urllib.parse import urlsplit

from websockets.exceptions import ConnectionClosedError
from websockets.frames import Close

from games.models import Match
from tests.games.windows import Window, make_headers
from tests.live import Site
from tournament.models import User


def post_content(
    site: Site, path: str, content: object, headers: dict[str, str]
) -> tuple[int, Any]:
    """Post the content, and return the status and content of the response."""
    address = urlsplit(site.url)
    if address.scheme == "https":
        trusting = (
            ssl._create_unverified_context()
        )  # the test's proxy has a self-signed certificate
        connection: HTTPConnection = HTTPSConnection(address.netloc, timeout=60, context=trusting)
    else:
        connection = HTTPConnection(address.netloc, timeout=60)
    try:
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        connection.request("POST", path, body, headers)
        response = connection.getresponse()
        text = response.read()
        is_json = response.headers["content-type"] == "application/json"
        return response.status, json.loads(text) if is_json else text
    finally:
        connection.close()


class PollingClient:
    """Client that polls in a thread until the socket is closed."""

    def __init__(self, site: Site, path: str, headers: dict[str, str]) -> None:
        self.site, self.path = site, path
        self.headers = {"Origin": site.url, **headers}
        self.id, self.got, self.sent, self.polls = "", 0, 0, 0
        self._received: queue.Queue[str | Close] = queue.Queue()
        self._opened = threading.Event()
        self._over = False
        self._thread = threading.Thread(target=self._run, daemon=True, name="polling")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_exc: object) -> None:
        self._over = True

    def recv(self, timeout: float) -> str:
        """Return the next message.

        Raises TimeoutError if none arrives in time, and ConnectionClosed at the end.
        """
        try:
            message = self._received.get(timeout=timeout)
        except queue.Empty:
            raise TimeoutError from None
        if isinstance(message, Close):
            raise ConnectionClosedError(message, None)
        return message

    def send(self, text: str) -> None:
        assert self._opened.wait(60)
        sent = {"id": self.id, "got": self.got, "sent": self.sent, "messages": [text]}
        self.sent += 1
        post_content(self.site, self.path, sent, self.headers)

    def poll(self) -> dict[str, Any]:
        """Poll once and store new messages."""
        self.polls += 1
        status, content = post_content(
            self.site, self.path, {"id": self.id, "got": self.got, "wait": 2.0}, self.headers
        )
        if status != 200:
            return {"closed": {"code": 1006, "reason": str(status)}}
        self.id = content["id"]
        for message in content["messages"][self.got - content["from"] :]:
            self._received.put(json.dumps(message))
            self.got += 1
        self._opened.set()
        return dict(content)

    def _run(self) -> None:
        while not self._over:
            try:
                content = self.poll()
            except (OSError, HTTPException):
                content = {"closed": {"code": 1006, "reason": ""}}
            if closed := content.get("closed"):
                self._received.put(Close(closed["code"], closed["reason"]))
                return


def open_polling_window(
    site: Site, match: Match, user: User | None = None, query: str = ""
) -> Window:
    """Open a window that polls, as `user` or as a visitor."""
    path = f"/ws/match/{match.public_id}/{query}"
    return Window(PollingClient(site, path, make_headers(user)))  # type: ignore[arg-type]
