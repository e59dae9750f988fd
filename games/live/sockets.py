"""The base of every socket of the site: limits, who is there, and news without a queue.

A socket never queues news. A poke marks it, its own task then sends what is true now; a client
that does not read is dropped after SEND_SECONDS and has cost one frame of memory.
"""

import asyncio
import json
import logging
import secrets
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Generic, TypeVar

from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from games import protocol
from games.live import messages
from games.live.crowd import Crowd, address_of
from games.live.identity import Identity
from games.live.patience import within
from games.live.places import MOST, Places
from games.process import Process
from games.process.asgi import AsgiEvent
from games.process.db import DATABASE_AWAY
from games.process.liveness import Liveness
from games.process.parts import Part
from games.protocol.messages import Notice, NoticeCode, Pong, Refused

logger = logging.getLogger(__name__)

MAX_MESSAGES, PER_SECONDS = 100, 20.0
SEND_SECONDS = 10.0
# Whoever acts while the database is away is told so after this.
PATIENCE_SECONDS = 1.5
RETRY_SECONDS = 1.0

SIGNED_OUT, SEAT_LOST, UNKNOWN, SEAT_FOUND = 4401, 4403, 4404, 4409
BINARY, MISUSE, TOO_BIG, FULL = 1003, 1008, 1009, 1013
# Our own pages do nothing that is answered so.
ABUSED = {BINARY, MISUSE, TOO_BIG}

HANDLERS = {
    "websocket.connect": "websocket_connect",
    "websocket.receive": "websocket_receive",
    "websocket.disconnect": "websocket_disconnect",
}
# What one kind of socket says, besides what all of them do.
Said = TypeVar("Said", bound=Mapping[str, object])
# Lazy where it is said to sockets of several languages.
Text = str | Promise


class OpenSockets(Part):
    """A process's sockets; only its event loop touches them."""

    def __init__(self) -> None:
        self._sockets: set[Socket[Any]] = set()
        # Notices on their way; the loop itself would forget them.
        self._notices: set[asyncio.Task[None]] = set()

    def __iter__(self) -> "Iterator[Socket[Any]]":
        return iter(list(self._sockets))

    def add(self, socket: "Socket[Any]") -> None:
        self._sockets.add(socket)

    def discard(self, socket: "Socket[Any]") -> None:
        self._sockets.discard(socket)

    def notice_all(self, code: NoticeCode, sentence: Text) -> None:
        """Tell all of them; does not wait."""
        for socket in self:
            task = asyncio.ensure_future(socket.notice(code, sentence))
            self._notices.add(task)
            task.add_done_callback(self._notices.discard)


class Closed(Exception):
    """Ends the socket with this code."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


class Socket(AsyncWebsocketConsumer, Generic[Said]):  # type: ignore[misc]
    """Subclasses say how to open, what to send when something is new, and what commands do."""

    # No channel of its own: pokes come through games/process/hub.py, one subscription per process.
    channel_layer_alias = "none"

    # What subclasses have to say

    async def open(self) -> None:
        """Authorise and `listen`; raise Closed to refuse."""
        raise NotImplementedError

    async def update(self) -> None:
        """Send what is new; called after a poke, never twice at a time."""
        raise NotImplementedError

    async def command(self, message: protocol.ClientMessage) -> None:
        """Carry out a message that the protocol allows."""
        raise NotImplementedError

    def poked(self, version: int | None) -> None:
        """Something that this socket listens to has a new version (None: not known which)."""
        self.look_again()

    # Socket events

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.process: Process = scope["process"]
        self.identity: Identity | None = scope["identity"]
        self.language: str = scope["language"]
        self.key = self.process.key + secrets.token_hex(5)
        self.heard = time.monotonic()
        self._received: deque[float] = deque(maxlen=MAX_MESSAGES)
        self._may_send: Callable[[int], bool] = lambda sent: True
        self._news = asyncio.Event()
        self._unsubscribe: list[Callable[[], None]] = []
        self._updates: asyncio.Task[None] | None = None
        self._closing: asyncio.Task[None] | None = None
        self._task = asyncio.current_task()
        self._ended = False
        try:
            await super().__call__(scope, receive, send)
        except asyncio.CancelledError:
            if not self._ended:
                raise
        finally:
            self._clean_up()

    async def dispatch(self, message: AsgiEvent) -> None:
        # Channels' own would clean up connections for every message; games/process/db.py does.
        await getattr(self, HANDLERS[message["type"]])(message)

    async def connect(self) -> None:
        await self.accept()
        self.process.part(OpenSockets).add(self)
        try:
            await self._check_arrival()
            await self.open()
        except Closed as closed:
            self.end(closed.code, closed.reason)
        else:
            self._updates = asyncio.create_task(self._send_updates())
            self.look_again()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self._ended:
            return
        if text_data is None:
            self.end(BINARY, _("Send text."))
        elif len(text_data.encode(errors="replace")) > messages.MAX_BYTES:
            text = _("A message may have {count} bytes.")
            self.end(TOO_BIG, text.format(count=messages.MAX_BYTES))
        elif self._too_many():
            text = _("At most {count} messages in {seconds:g} seconds.")
            self.end(MISUSE, text.format(count=MAX_MESSAGES, seconds=PER_SECONDS))
        else:
            self.heard = time.monotonic()
            await self._read(text_data)

    async def websocket_disconnect(self, message: AsgiEvent) -> None:
        await self.disconnect(message.get("code"))
        raise StopConsumer

    # For subclasses and the sweep

    def listen(self, topic: str) -> None:
        self.until_closed(self.process.hub.subscribe(topic, self.poked))

    def until_closed(self, unsubscribe: Callable[[], None]) -> None:
        """Have this called when the socket ends."""
        self._unsubscribe.append(unsubscribe)

    def look_again(self) -> None:
        """Have `update` called soon."""
        self._news.set()

    async def say(self, message: Said | Refused | Notice | Pong) -> None:
        """Send one message; a client that does not take it in time is dropped."""
        if self._ended:
            return
        try:
            async with asyncio.timeout(SEND_SECONDS):
                await self.send(text_data=json.dumps(message, separators=(",", ":")))
        except TimeoutError:
            self._drop()
        except OSError:
            pass  # the client has gone; its disconnect is on the way

    async def refuse(self, client_id: str | None, code: str, sentence: str, version: int) -> None:
        await self.say(
            {
                "type": "refused",
                "id": client_id,
                "code": code,
                "message": sentence,
                "version": version,
            }
        )

    async def pong(self) -> None:
        """The answer to a ping, with the server's clock."""
        await self.say({"type": "pong", "version": self.version, "now": int(time.time() * 1000)})

    async def notice(self, code: NoticeCode, sentence: Text) -> None:
        await self.say({"type": "notice", "code": code, "message": self._told(sentence)})

    def end(self, code: int, reason: Text) -> None:
        """Close from our side; nothing is sent or carried out after it. Does not wait."""
        if not self._ended:
            if code in ABUSED:
                self._write_down(code)
            self._ended = True
            self._closing = asyncio.create_task(self._close(code, self._told(reason)))

    # Inner workings

    def _told(self, sentence: Text) -> str:
        """A lazy text in this socket's language: sweep and server speak to sockets of many."""
        with translation.override(self.language):
            return str(sentence)

    def _write_down(self, code: int) -> None:
        """That this socket is closed for what it sent; "-" is a visitor."""
        who = self.identity.user.pk if self.identity else "-"
        given = (code, who, address_of(self.scope), self.scope["path"])
        logger.warning("Socket closed with %s: account %s from %s at %s", *given)

    @property
    def version(self) -> int:
        """The version of what this socket has sent; refusals name it."""
        return 0

    async def _check_arrival(self) -> None:
        if self.scope["session_gone"]:
            raise Closed(SIGNED_OUT, _("You are signed out."))
        if self.identity is None:
            self._arrive_as_visitor(address_of(self.scope))
        else:
            await self._take_place(self.identity.user.pk)

    def _arrive_as_visitor(self, address: str) -> None:
        crowd = self.process.part(Crowd)
        room = crowd.arrive(address)
        self.until_closed(lambda: crowd.leave(address))
        self._may_send = partial(crowd.may_send, address)
        if not room:
            text = _("Many people from your network are watching. There will be room in a while.")
            raise Closed(FULL, text)

    async def _take_place(self, account: int) -> None:
        places = self.process.part(Places)
        place = await places.take(account, self.key)
        if place is None:
            text = _("At most {count} open windows for one account.")
            raise Closed(MISUSE, text.format(count=MOST))
        self.until_closed(lambda: places.leave(place))

    def _too_many(self) -> bool:
        now = time.monotonic()
        full = len(self._received) == MAX_MESSAGES and now - self._received[0] < PER_SECONDS
        self._received.append(now)
        return full or not self._may_send(sum(at > now - PER_SECONDS for at in self._received))

    async def _read(self, text: str) -> None:
        try:
            message = messages.read(text)
        except messages.BadMessage as error:
            await self.refuse(error.client_id, "malformed", str(error), self.version)
            return
        try:
            async with within(PATIENCE_SECONDS, self.process.part(Liveness)):
                await self.command(message)
        except Closed as closed:
            self.end(closed.code, closed.reason)
        except (*DATABASE_AWAY, TimeoutError) as error:
            # No answer to the command itself: clients send what is unanswered again.
            logger.error("Command not carried out: %s", error)
            sentence = _("The server cannot save at the moment. It will be tried again.")
            await self.notice("unavailable", sentence)

    async def _send_updates(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            try:
                await self.update()
            except DATABASE_AWAY as error:
                logger.error("Update not sent: %s", error)
                self._news.set()
                await asyncio.sleep(RETRY_SECONDS)
            except Closed as closed:
                self.end(closed.code, closed.reason)
            except Exception:
                logger.exception("Update failed, socket dropped")
                self._drop()

    async def _close(self, code: int, reason: str) -> None:
        try:
            async with asyncio.timeout(SEND_SECONDS):
                await self.close(code, reason)
        except TimeoutError:
            self._drop()
        except OSError:
            pass  # it has gone by itself

    def _drop(self) -> None:
        self._ended = True
        if self._task is not None:
            self._task.cancel()

    def _clean_up(self) -> None:
        self._ended = True
        self.process.part(OpenSockets).discard(self)
        for unsubscribe in self._unsubscribe:
            unsubscribe()
        if self._updates is not None:
            self._updates.cancel()
