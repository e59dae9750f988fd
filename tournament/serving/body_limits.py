"""Limits on request bodies, applied while a body arrives.

Django reads a whole body, to a file if it is long, before a view can reject it. With these limits,
no excess data reaches memory or disk. A proxy in front of the site may limit bodies too.
"""

import asyncio
import logging
import re
import tempfile
import time
from typing import Any

from csp.utils import build_policy
from django.template.loader import render_to_string

from games.process.asgi import App, AsgiEvent, Scope
from games.process.client_network import counting_network
from tournament.pure.bundle import MOST_UPLOADED
from tournament.pure.lists.sheets import MAX_BYTES
from tournament.site.transient_errors import is_temporary

logger = logging.getLogger(__name__)

# Maximum body sizes in bytes. The first matching pattern applies. In this order: a list of students
# and its form, a whole event, other forms of organizers (some have an input for each of several
# hundred rows), and all other forms.
LIMITS = (
    (re.compile(r"/admin/tournament/event/\d+/list/$"), MAX_BYTES + 100_000),
    (re.compile(r"/admin/tournament/event/bring/$"), MOST_UPLOADED),
    (re.compile(r"/admin/"), 1_000_000),
    (re.compile(r""), 64_000),
)
# Maximum seconds between two parts of a body.
PATIENCE = 10.0
# Maximum seconds for a whole body, so that a slow sender cannot occupy a connection forever.
WHOLE_SECONDS = 120.0
# Limits on reading the rest of a refused body. The rest is read because browsers show a response
# only after they have sent everything.
DISCARD_SECONDS, DISCARD_BYTES = 5.0, 50_000_000
DISCONNECTED: AsgiEvent = {"type": "http.disconnect"}


def get_body_limit(path: str) -> int:
    """Return the maximum number of bytes in a request to this path."""
    return next(most for pattern, most in LIMITS if pattern.match(path))


class BodyLimits:
    """ASGI middleware that limits request bodies.

    Responds with 413 if a body is too long, 408 if it does not arrive in time, and 503 if there is
    no room for it on the disk.
    """

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        body = LimitedBody(receive, get_body_limit(scope["path"]))
        if get_declared_length(scope) > body.most:
            body.refused = 413
        else:
            await self._run_app(body, scope, send)
        if body.refused:
            address = counting_network(str((scope.get("client") or ("",))[0]))
            logger.warning(
                "Body refused with %s: from %s at %s", body.refused, address, scope["path"]
            )
            await _send_refusal(body, send)

    async def _run_app(self, body: "LimitedBody", scope: Scope, send: Any) -> None:
        try:
            await self.app(scope, body.receive, send)
        except OSError as error:
            # Django writes long bodies to a file before any view could report a full disk.
            if not is_temporary(error):
                raise
            logger.error("A body cannot be kept in %s: %s", tempfile.gettempdir(), error)
            body.refused = 503


class LimitedBody:
    """The body of a request while it arrives.

    To the app, a refused body looks like a disconnect.
    """

    def __init__(self, receive: Any, most: int) -> None:
        self._receive = receive
        self.most = most
        self.refused = 0
        self._received = 0
        self._is_complete = False
        self._deadline = time.monotonic() + WHOLE_SECONDS

    async def receive(self) -> AsgiEvent:
        """Implement ASGI's `receive` with the limits."""
        if self.refused:
            return DISCONNECTED
        if self._is_complete:
            event: AsgiEvent = await self._receive()
            return event
        try:
            async with asyncio.timeout(min(PATIENCE, self._deadline - time.monotonic())):
                event = await self._receive()
        except TimeoutError:
            self.refused = 408
            return DISCONNECTED
        return self._check_limit(event)

    def _check_limit(self, event: AsgiEvent) -> AsgiEvent:
        self._received += len(event.get("body", b""))
        self._is_complete = not event.get("more_body", False)
        if self._received > self.most:
            self.refused = 413
            return DISCONNECTED
        return event

    async def discard_body(self) -> None:
        """Read and discard the rest of the body, for a limited time."""
        received = 0
        try:
            async with asyncio.timeout(DISCARD_SECONDS):
                while not self._is_complete and received < DISCARD_BYTES:
                    event = await self._receive()
                    received += len(event.get("body", b""))
                    self._is_complete = not event.get("more_body", False)
        except TimeoutError:
            pass


def get_declared_length(scope: Scope) -> int:
    """Return the request's Content-Length, or 0 if it is missing or invalid."""
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit():
            return int(value)
    return 0


async def _send_refusal(body: LimitedBody, send: Any) -> None:
    """Send the error page for a refused body, and close the connection."""
    page = render_to_string(f"{body.refused}.html").encode()
    headers = [
        (b"content-type", b"text/html; charset=utf-8"),
        (b"content-length", str(len(page)).encode()),
        (b"cache-control", b"no-store"),
        (b"content-security-policy", build_policy().encode()),
        (b"x-content-type-options", b"nosniff"),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": body.refused, "headers": headers})
    await send({"type": "http.response.body", "body": page, "more_body": True})
    if body.refused != 408:
        await body.discard_body()
    await send({"type": "http.response.body", "body": b""})
