"""The socket of an event's pages, for the leaderboard after each hand and other changes."""

import asyncio
import time
from collections.abc import Callable

from django.utils.translation import gettext as _

from games.process import Process, run_in_database_thread
from games.process.components import Component
from games.protocol import ClientMessage
from games.services import PlayCode
from games.sockets.base import UNKNOWN, Socket, SocketClosedError, encode
from tournament.attendance.services import note_seen
from tournament.web.live import boards
from tournament.web.live.messages import EventMessage
from tournament.web.live.rows import ShownLeaderboard, list_changes

# At most two leaderboards a second for an event and process, however many hands end.
PAUSE_SECONDS = 0.5
# A poke may be lost: while anybody looks, news are never older than this and a client's ping.
OLDEST_SECONDS = 15.0
# A client whose board is up to this many versions old gets only the changes.
EARLIER = 8


class Board:
    """The sockets that follow an event in one language, and the messages they are sent.

    The messages are built once after a poke, for all waiting sockets. `version` counts the news
    sent here; it means nothing in another process.
    """

    def __init__(self, process: Process, event_pk: int, language: str, topic: str) -> None:
        self.process = process
        self.event_pk = event_pk
        self.language = language
        self.topic = topic
        self.version = 0
        self.sockets: set[EventSocket] = set()
        self._read_at = float("-inf")
        self._news: boards.News | None = None
        # Boards that clients may still show, by hash, and the messages for those clients.
        self._earlier: dict[str, ShownLeaderboard] = {}
        self._texts: dict[str, bytes] = {}
        self._making = asyncio.Lock()

    def join(self, socket: "EventSocket") -> Callable[[], None]:
        """Wake the socket after every poke, until the returned function is called."""
        if not self.sockets:
            self.process.part(WatchedBoards).seen[self.event_pk, self.language] = self
            self._unsubscribe = self.process.hub.subscribe(self.topic, self._handle_poke)
        self.sockets.add(socket)
        return lambda: self._leave(socket)

    def _leave(self, socket: "EventSocket") -> None:
        self.sockets.discard(socket)
        if not self.sockets:
            self._unsubscribe()
            self.process.part(WatchedBoards).seen.pop((self.event_pk, self.language), None)

    def _handle_poke(self, version: int | None) -> None:
        for socket in self.sockets:
            socket.mark_dirty()

    @property
    def old(self) -> bool:
        return time.monotonic() - self._read_at > OLDEST_SECONDS

    async def fresh(self) -> boards.News:
        """Return the news, read again after a poke or when it is old."""
        async with self._making:
            version = self.process.hub.version(self.topic)
            if self._news is None or self._news.version != version or self.old:
                await asyncio.sleep(self._read_at + PAUSE_SECONDS - time.monotonic())
                self._news = await self._read()
            return self._news

    async def _read(self) -> boards.News:
        """Read the news, and increase its version if sockets have to be sent something."""
        news = await run_in_database_thread(boards.event_news, self.event_pk)
        before, self._read_at = self._news, time.monotonic()
        self.version += before is None or _is_news(news, before)
        self._texts.clear()
        shown = news.shown
        self._earlier[shown.hash] = self._earlier.pop(shown.hash, shown)
        for old in [*self._earlier][:-EARLIER]:
            del self._earlier[old]
        return news

    def text(self, has: str) -> bytes:
        """Return the newest leaderboard for a window that shows the one with this hash.

        "" means that it shows none. The message is built once for all windows. It contains the
        changes if they are known and smaller, otherwise the whole leaderboard.
        """
        assert self._news is not None
        has = has if has in self._earlier else ""
        if has not in self._texts:
            before = self._earlier.get(has)
            told = before and list_changes(before, self._news.shown, self.version)
            changes, whole = encode(told), self._texts.get("") or self._encode_whole_board()
            small = told is not None and len(changes) < len(whole)
            self._texts[has] = changes if small else whole
        return self._texts[has]

    def _encode_whole_board(self) -> bytes:
        assert self._news is not None
        whole: EventMessage = {
            "type": "leaderboard",
            "html": self._news.html,
            "hash": self._news.shown.hash,
            "version": self.version,
        }
        return encode(whole)


def _is_news(news: boards.News, before: boards.News) -> bool:
    """Return whether there was a poke, or something looks different without one.

    A poke about something that viewers see later is not news yet.
    """
    poked = news.version != before.version and not news.late
    return poked or (news.shown.hash, news.shape) != (before.shown.hash, before.shape)


class WatchedBoards(Component):
    """The boards that a process's sockets follow, by event and language.

    Only the process's event loop uses them.
    """

    def __init__(self) -> None:
        self.seen: dict[tuple[int, str], Board] = {}


class EventSocket(Socket[EventMessage]):
    """Socket of one window on an event.

    `?rows` asks for the leaderboard; without it, the window is only notified that there is news.
    With `?rows=` and the hash of the board that it shows, if any, the window gets only the
    changes.
    """

    __slots__ = ("_changes", "_news_sent", "_takes_part", "board", "rows")

    # Socket events

    async def open(self) -> None:
        found = await run_in_database_thread(boards.public_event, self.arrival.named["slug"])
        if found is None:
            raise SocketClosedError(UNKNOWN, _("This event doesn’t exist."))
        pk, topic = found
        rows, changes, has = self.arrival.query.decode("latin-1").partition("=")
        self.rows, self._changes = rows == "rows", bool(changes)
        seen = self.process.part(WatchedBoards).seen.get((pk, self.language))
        self.board = seen or Board(self.process, pk, self.language, topic)
        self._news_sent: tuple[object, ...] = (has,)
        # Assumed until checked; the site records nothing about people who only watch.
        self._takes_part = True
        self.call_on_close(self.board.join(self))
        await self._note_seen()

    # Commands

    async def command(self, message: ClientMessage) -> None:
        match message["type"]:
            case "ping":
                await self.say(self.pong())
                await self._note_seen()
                if self.board.old:
                    self.mark_dirty()
            case "sync":
                self._news_sent = ()
                self.mark_dirty()
            case _:
                sentence = _("This connection only carries event news. To play, go to your table.")
                client_id = message["id"] if message["type"] == "action" else None
                await self.refuse(client_id, PlayCode.NOT_SEATED, sentence, self.version)

    # News

    async def flush(self) -> None:
        news = await self.board.fresh()
        told = (news.shown.hash,) if self.rows else (news.shape, self.version)
        if told != self._news_sent:
            has, self._news_sent = self._news_sent, told
            await self.send(self._choose_text(news, has))

    # Inner workings

    async def _note_seen(self) -> None:
        """Organizers see who is there before a round starts."""
        limits = (None, self.board.event_pk)
        if self.identity is None or self.identity.limit not in limits:
            return
        if not self.identity.guest and self._takes_part:
            user = self.identity.user.pk
            self._takes_part = await run_in_database_thread(note_seen, self.board.event_pk, user)

    def _choose_text(self, news: boards.News, has: tuple[object, ...]) -> bytes:
        if self.rows:
            return self.board.text(str(has[0]) if has and self._changes else "")
        version = self.version
        changed: EventMessage = {
            "type": "changed",
            "shape": news.shape,
            "count": version,
            "version": version,
        }
        return encode(changed)

    @property
    def version(self) -> int:
        return self.board.version
