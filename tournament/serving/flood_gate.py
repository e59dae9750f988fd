"""A queue for expensive forms, used when one address sends too many.

All visitors in a hall may share one address. If posts above the limit were refused, a single phone
could lock everyone else out by sending wrong passwords or empty forms. Browsers therefore take
turns in a queue: a flood delays itself, and another visitor waits only a second or two.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.http.cookie import parse_cookie
from django.template.loader import render_to_string
from django.urls import Resolver404, resolve

from games.process import here
from games.process.asgi import App, Scope
from games.process.client_network import counting_network
from games.process.components import Component
from tournament.people.accounts import devices

logger = logging.getLogger("lastcard.security")

# Number of posts per minute from one address that are processed immediately. It is high because the
# students of a college share an address and arrive together. Further posts are processed one at a
# time, GAP seconds apart.
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
# Maximum number of posts in a lane. In a longer lane, the last browser would give up waiting.
MAX_WAITING = 300


Headers = Iterable[tuple[bytes, bytes]]
# Waiting posts by browser. The first browser in the lane has the next turn.
Lane = dict[str, deque[asyncio.Future[bool]]]


class FloodQueue:
    """Posts from one address to one page in one minute.

    Browsers take turns, however many posts each has waiting. Browsers in which someone has signed
    in before wait in a separate lane, because unsigned cookies are easily forged.
    """

    def __init__(self, minute: int) -> None:
        self.minute, self.posted = minute, 0
        self._lanes: dict[bool, Lane] = {True: {}, False: {}}
        self._admitting: asyncio.Task[None] | None = None

    @property
    def waiting(self) -> int:
        return sum(map(_count_posts, self._lanes.values()))

    async def wait_turn(self, immediate: int, headers: Headers) -> bool:
        """Wait for this post's turn, or return False if too many posts are waiting."""
        self.posted += 1
        if self.posted <= immediate:
            return True
        browser, known = _identify_browser(headers)
        lane, turn = self._lanes[known], asyncio.get_running_loop().create_future()
        lane.setdefault(browser, deque()).append(turn)
        if _count_posts(lane) > MAX_WAITING:
            _refuse_post(lane)
        if self._admitting is None or self._admitting.done():
            self._admitting = asyncio.create_task(self._admit_posts())
        admitted: bool = await turn
        return admitted

    async def _admit_posts(self) -> None:
        while self.waiting:
            await asyncio.sleep(GAP)
            for lane in self._lanes.values():
                _admit_post(lane)


def _count_posts(lane: Lane) -> int:
    return sum(map(len, lane.values()))


def _admit_post(lane: Lane) -> None:
    if lane:
        browser, posts = next(iter(lane.items()))
        _end_wait(posts.popleft(), admitted=True)
        del lane[browser]
        if posts:
            lane[browser] = posts  # behind all other browsers


def _refuse_post(lane: Lane) -> None:
    """Refuse the latest post of the browser with the most posts.

    If several browsers have the most, the last one in the lane loses its post.
    """
    browser, posts = max(reversed(lane.items()), key=lambda each: len(each[1]))
    _end_wait(posts.pop(), admitted=False)
    if not posts:
        del lane[browser]


def _end_wait(turn: asyncio.Future[bool], *, admitted: bool) -> None:
    if not turn.done():
        turn.set_result(admitted)


def _identify_browser(headers: Headers) -> tuple[str, bool]:
    """Return a key for the browser, and whether someone has signed in there before.

    The key is made from the accounts in the signed device cookie. Without that cookie, it is the
    session or CSRF cookie.
    """
    cookies = [value.decode("latin-1") for name, value in headers if name == b"cookie"]
    found = parse_cookie("; ".join(cookies))
    request = HttpRequest()
    request.COOKIES = found
    device = devices.read_device(request)
    if device is not None and device.marks:
        return " ".join(sorted(device.marks)), True
    return found.get(settings.SESSION_COOKIE_NAME) or found.get(
        settings.CSRF_COOKIE_NAME, ""
    ), False


class FloodQueues(Component):
    """The queues of the current minute, and earlier queues that are not yet empty."""

    def __init__(self) -> None:
        self._queues: dict[tuple[str, str], FloodQueue] = {}
        self._minute = 0

    def get_queue(self, page: str, address: str) -> FloodQueue:
        if self._minute != (now := current_minute()):
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
            if not await queue.wait_turn(IMMEDIATE_POSTS[page], scope["headers"]):
                logger.warning("refused 429 POST: from %s at %s", address, scope["path"])
                await _send_refusal(send)
                return
        await self.app(scope, receive, send)


def current_minute() -> int:
    return int(time.monotonic() // 60)


def _find_page(scope: Scope) -> str | None:
    """Return the URL name of the page if its posts are limited, or None."""
    if scope["method"] != "POST":
        return None
    try:
        name = resolve(scope["path"]).url_name
    except Resolver404:
        return None
    return name if name in IMMEDIATE_POSTS else None


async def _send_refusal(send: Any) -> None:
    body = render_to_string("429.html").encode()
    headers = [
        (b"content-type", b"text/html; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        (b"retry-after", b"60"),
    ]
    await send({"type": "http.response.start", "status": 429, "headers": headers})
    await send({"type": "http.response.body", "body": body})
