"""Queue for expensive forms, used when one address sends too many.

All visitors in a hall may share one address. If posts above the limit were refused, a single
phone could keep everyone else there out by sending wrong passwords or empty forms. In a
first-come, first-served queue, a flood waits behind itself, and another visitor's correct
password waits a second or two.
"""

import asyncio
import logging
import time
from typing import Any

from django.template.loader import render_to_string
from django.urls import Resolver404, resolve

from games.process import here
from games.process.asgi import App, Scope
from games.process.client_network import counting_network
from games.process.components import Component

logger = logging.getLogger("lastcard.security")

# Posts of one address and minute that are served at once: a college's students share one and
# arrive together. After them, one each GAP seconds.
AT_ONCE = {
    "account_login": 600,
    "account_signup": 600,
    "account_request_login_code": 600,
    "college-sign-in": 600,
    "account_reset_password": 300,
    "desk-sign-in": 300,
    "practice": 120,
}
GAP = 0.1
# More than these would wait longer than browsers do.
MOST_WAITING = 300


class FloodQueue:
    """The posts from one address to one page in one minute."""

    def __init__(self, minute: int) -> None:
        self.minute = minute
        self.posted = self.waiting = 0
        self._turn = asyncio.Lock()

    async def wait_turn(self, at_once: int) -> bool:
        """Wait for this post's turn, or return False if too many posts are already waiting."""
        self.posted += 1
        if self.posted <= at_once:
            return True
        if self.waiting >= MOST_WAITING:
            return False
        self.waiting += 1
        try:
            async with self._turn:  # asyncio's locks are first come, first served
                await asyncio.sleep(GAP)
        finally:
            self.waiting -= 1
        return True


class FloodQueues(Component):
    """The queues of this minute, and earlier ones in which posts are still waiting."""

    def __init__(self) -> None:
        self._lines: dict[tuple[str, str], FloodQueue] = {}
        self._minute = 0

    def get_queue(self, page: str, address: str) -> FloodQueue:
        if self._minute != (now := minute()):
            self._minute = now
            self._lines = {key: line for key, line in self._lines.items() if line.waiting}
        line = self._lines.setdefault((page, address), FloodQueue(now))
        if line.minute != now:
            line.minute, line.posted = now, line.waiting
        return line


class FloodGate:
    """ASGI middleware that queues posts; 429 if too many from one address are waiting."""

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        page = _find_page(scope)
        if page is not None:
            address = counting_network(str((scope.get("client") or ("",))[0]))
            line = here().part(FloodQueues).get_queue(page, address)
            if not await line.wait_turn(AT_ONCE[page]):
                logger.warning("refused 429 POST: from %s at %s", address, scope["path"])
                await _refuse(send)
                return
        await self.app(scope, receive, send)


def minute() -> int:
    return int(time.monotonic() // 60)


def _find_page(scope: Scope) -> str | None:
    """Return the name of the page if its posts are counted."""
    if scope["method"] != "POST":
        return None
    try:
        name = resolve(scope["path"]).url_name
    except Resolver404:
        return None
    return name if name in AT_ONCE else None


async def _refuse(send: Any) -> None:
    body = render_to_string("429.html").encode()
    headers = [
        (b"content-type", b"text/html; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        (b"retry-after", b"60"),
    ]
    await send({"type": "http.response.start", "status": 429, "headers": headers})
    await send({"type": "http.response.body", "body": body})
