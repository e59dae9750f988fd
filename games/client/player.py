"""Client that signs in over HTTP and plays over a socket, like a browser.

The client does not know the rules and only chooses from the view's `actions`. The play_bots
command and the tests use it.
"""

import asyncio
import json
import random
import re
import secrets
import time
from collections import Counter
from dataclasses import dataclass, field
from http.cookiejar import CookieJar
from urllib.error import HTTPError
from urllib.parse import urlencode, urlsplit
from urllib.request import HTTPCookieProcessor, Request, build_opener

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from games.client.shares import Shares
from games.client.views import Views
from games.protocol import ServerMessage, WindowView
from games.protocol.messages import AckMessage, Act, Changes, RefusedMessage, View
from games.rules.actions.moves import Move

PING_SECONDS = 2.5
RESEND_SECONDS = 2.5
# A connection counts as dead after this long without a message, as in the browser's client.
SILENCE_SECONDS = 7.0
FIRST_WAIT, LONGEST_WAIT = 0.5, 8.0
# Refusals that are not errors: the match had changed, or another player was faster.
HARMLESS = {"stale", "paused", "not-playing", "nothing-to-catch", "nothing-to-call", "too-early"}
HARMLESS |= {"call-first", "catch-first"}


class SignInError(Exception):
    """The site rejected this email address and password."""


SIGN_IN = "/accounts/login/"


class Visitor:
    """HTTP client that keeps cookies and submits forms like a browser."""

    def __init__(self, url: str) -> None:
        if urlsplit(url).scheme not in ("http", "https"):
            raise ValueError(
                f"{url!r} is not the address of a site, which begins with http:// or https://."
            )
        self.url = url.rstrip("/")
        self.jar = CookieJar()
        self._opener = build_opener(HTTPCookieProcessor(self.jar))

    @property
    def cookies(self) -> str:
        """Value of the Cookie header."""
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.jar)

    def sign_in(self, email: str, password: str) -> None:
        """Sign in with an email address and a password.

        Raises SignInError if the site rejects them.
        """
        address = self.post(SIGN_IN, login=email, password=password)
        if urlsplit(address).path == SIGN_IN:
            raise SignInError(f"{email} cannot sign in: check address and password.")

    def practice(self, ruleset: str, seats: int, strength: str = "plain") -> str:
        """Start a practice match against bots of this strength, and return its id."""
        address = self.post("/practice/", ruleset=ruleset, seats=str(seats), strength=strength)
        if match := re.search(r"/m/([\w-]+)/", address):
            return match.group(1)
        raise ValueError(f"No practice table for {seats} players of {ruleset!r}.")

    def post(self, path: str, **fields: str) -> str:
        """Submit a form, and return the address of the page to which the site redirects."""
        self.get(path)
        tokens = [cookie.value for cookie in self.jar if cookie.name.endswith("csrftoken")]
        data = urlencode({**fields, "csrfmiddlewaretoken": tokens[0] if tokens else ""})
        return self._open(path, data.encode())

    def get(self, path: str) -> str:
        return self._open(path)

    def _open(self, path: str, data: bytes | None = None) -> str:
        headers = {"Referer": self.url + path, "Origin": self.url} if data else {}
        request = Request(self.url + path, data, headers)  # noqa: S310 - __init__ checks the scheme
        try:
            with self._opener.open(request, timeout=60) as answer:
                answer.read()
                address: str = answer.geturl()
                return address
        except HTTPError as error:
            if error.code == 400:  # the form is shown again with its errors
                return request.full_url
            raise


@dataclass
class Stats:
    """Statistics about all players of a client.

    `latencies` are the numbers of seconds from sending an action to its acknowledgement.
    """

    latencies: list[float] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    reconnects: int = 0
    finished: int = 0

    def percentile(self, share: float) -> float:
        """Return this percentile of the latencies in milliseconds, or 0 if there are none.

        `share` is between 0 and 1.
        """
        ordered = sorted(self.latencies)
        return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


class ClientPlayer:
    """Player at one seat of a match, connected by a socket.

    It sends pings, chooses moves, resends unanswered messages and reconnects.
    """

    def __init__(
        self,
        url: str,
        match: str,
        cookies: str,
        stats: Stats,
        *,
        delay: float = 0.3,
        rng: random.Random | None = None,
    ) -> None:
        self.origin = url.rstrip("/")
        self.address = f"{self.origin.replace('http', 'ws', 1)}/ws/match/{match}/?protocol=2"
        self.headers = {"Cookie": cookies}
        self.stats = stats
        self.delay = delay
        self.rng = rng or random.SystemRandom()
        self.version = 0
        self.view: WindowView | None = None
        self._pending: tuple[Act, float, float] | None = None
        self._acted_on = -1
        self.shares = Shares()
        self._views = Views()

    async def play(self) -> None:
        """Play until the match is over, and count errors in `stats`."""
        wait = FIRST_WAIT
        while not self.over:
            try:
                async with connect(
                    self.address,
                    origin=self.origin,  # type: ignore[arg-type]
                    additional_headers=self.headers,
                    compression=None,
                    open_timeout=SILENCE_SECONDS,
                    close_timeout=1,
                ) as socket:
                    wait = FIRST_WAIT
                    self._views = Views()
                    await self._stay_connected(socket)
            except (OSError, WebSocketException, TimeoutError) as error:
                if self._is_permanently_closed(error):
                    return
                self.stats.reconnects += 1
                await asyncio.sleep(wait * (0.5 + self.rng.random() / 2))
                wait = min(LONGEST_WAIT, wait * 2)
        self.stats.finished += 1
        self.stats.errors.update(self.shares.complaints)

    @property
    def over(self) -> bool:
        return self.view is not None and self.view["match"]["phase"] == "over"

    def _is_permanently_closed(self, error: Exception) -> bool:
        """Return whether the server has closed the connection for good.

        The server does so if the player is signed out, the match is unknown, or the client broke
        the protocol.
        """
        code = error.rcvd.code if isinstance(error, ConnectionClosed) and error.rcvd else 0
        if code in (4401, 4404, 1003, 1008, 1009):
            self.stats.errors[f"closed {code}"] += 1
            return True
        return False

    async def _stay_connected(self, socket: ClientConnection) -> None:
        if self._pending is not None:
            await self._send_pending(socket)
        pings = asyncio.create_task(self._send_pings(socket))
        try:
            while not self.over:
                async with asyncio.timeout(SILENCE_SECONDS):
                    text = await socket.recv()
                await self._handle_message(json.loads(text), socket)
        finally:
            pings.cancel()

    async def _send_pings(self, socket: ClientConnection) -> None:
        while True:
            await asyncio.sleep(PING_SECONDS)
            await socket.send(json.dumps({"type": "ping", "version": self.version}))
            if self._pending is not None and time.monotonic() - self._pending[2] > RESEND_SECONDS:
                await self._send_pending(socket)

    async def _handle_message(self, message: ServerMessage, socket: ClientConnection) -> None:
        match message["type"]:
            case "view" | "changes":
                await self._handle_view(message, socket)
            case "ack" | "refused":
                self._handle_answer(message)
            case "probe":
                await socket.send(json.dumps({"type": "echo", "n": message["n"]}))
        if self._pending is None and self._acted_on != self.version:
            await self._act(socket)

    async def _handle_view(self, message: View | Changes, socket: ClientConnection) -> None:
        if not self._views.apply(message):
            await socket.send(json.dumps({"type": "sync"}))
        elif self._views.view is not None and self._views.version >= self.version:
            self.version, self.view = self._views.version, self._views.view
            for sent in self.shares.messages_for(self.view):
                await socket.send(json.dumps(sent))

    def _handle_answer(self, message: AckMessage | RefusedMessage) -> None:
        if message["type"] == "ack":
            self.shares.acknowledge(message["id"])
        if self._pending is None or message["id"] != self._pending[0]["id"]:
            return
        if message["type"] == "ack":
            self.stats.latencies.append(time.monotonic() - self._pending[1])
        elif message["code"] in HARMLESS:
            self.stats.refused[message["code"]] += 1
        else:
            self.stats.errors[f"refused {message['code']}: {message['message']}"] += 1
        self._pending = None

    async def _act(self, socket: ClientConnection) -> None:
        action = self._choose_move()
        if action is None:
            return
        self._acted_on = self.version
        seen = self.version
        await asyncio.sleep(self.delay * (0.5 + self.rng.random()))
        now = time.monotonic()
        message: Act = {
            "type": "action",
            "id": secrets.token_hex(8),
            "version": seen,
            "action": action,
        }
        self._pending = (message, now, now)
        await self._send_pending(socket)

    async def _send_pending(self, socket: ClientConnection) -> None:
        assert self._pending is not None
        message, first, _ = self._pending
        self._pending = (message, first, time.monotonic())
        await socket.send(json.dumps(message))

    def _choose_move(self) -> Move | None:
        """Return one of the moves that the view offers, or None if there is none.

        Prefers plays with a UNO call, then other plays, then any other action.
        """
        if self.view is None:
            return None
        actions = self.view["actions"]
        if self.view["turn"] != self.view["you"]:
            actions = [action for action in actions if "catch" in action or "call" in action]
        if not actions:
            return None
        plays = [action for action in actions if "play" in action]
        calling = [action for action in plays if action.get("uno")]
        return self.rng.choice(calling or plays or actions)
