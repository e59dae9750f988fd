"""A queue for expensive forms, used when one address sends too many.

All visitors in a hall may share one address. If excess posts were refused, a single phone could
lock everyone out with wrong passwords or empty forms. With a queue, a flood mostly delays itself,
and another visitor's correct password waits for a second or two.
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

# Number of posts per minute from one address that are processed immediately. Students of a college
# share an address and arrive together. Further posts are processed one at a time, with GAP seconds
# between them.
IMMEDIATE_POSTS = {
    "account_login": 600,
    "account_signup": 600,
    "account_request_login_code": 600,
    "college-sign-in": 600,
    "account_reset_password": 300,
    "desk-sign-in": 300,
    "practice": 120,
}
GAP = 0.1
# Browsers would not wait as long as the last post of a longer queue.
MAX_WAITING = 300


class FloodQueue:
    """The posts from one address to one page within a minute."""

    def __init__(self, minute: int) -> None:
        self.minute = minute
        self.posted = self.waiting = 0
        self._turn = asyncio.Lock()

    async def wait_turn(self, immediate: int) -> bool:
        """Wait for this post's turn. Return False if too many posts are already waiting."""
        self.posted += 1
        if self.posted <= immediate:
            return True
        if self.waiting >= MAX_WAITING:
            return False
        self.waiting += 1
        try:
            async with self._turn:  # asyncio's locks are fair: first come, first served.
                await asyncio.sleep(GAP)
        finally:
            self.waiting -= 1
        return True


class FloodQueues(Component):
    """The queues of the current minute, and earlier ones that are not empty yet."""

    def __init__(self) -> None:
        self._queues: dict[tuple[str, str], FloodQueue] = {}
        self._minute = 0

    def get_queue(self, page: str, address: str) -> FloodQueue:
        if self._minute != (now := minute()):
            self._minute = now
            self._queues = {key: queue for key, queue in self._queues.items() if queue.waiting}
        queue = self._queues.setdefault((page, address), FloodQueue(now))
        if queue.minute != now:
            queue.minute, queue.posted = now, queue.waiting
        return queue


class FloodGate:
    """ASGI middleware that queues posts.

    Responds with 429 if too many posts from one address are waiting.
    """

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        page = _find_page(scope)
        if page is not None:
            address = counting_network(str((scope.get("client") or ("",))[0]))
            queue = here().part(FloodQueues).get_queue(page, address)
            if not await queue.wait_turn(IMMEDIATE_POSTS[page]):
                logger.warning("refused 429 POST: from %s at %s", address, scope["path"])
                await _refuse(send)
                return
        await self.app(scope, receive, send)


def minute() -> int:
    return int(time.monotonic() // 60)


def _find_page(scope: Scope) -> str | None:
    """Return the name of the page if its posts are limited, else None."""
    if scope["method"] != "POST":
        return None
    try:
        name = resolve(scope["path"]).url_name
    except Resolver404:
        return None
    return name if name in IMMEDIATE_POSTS else None


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
