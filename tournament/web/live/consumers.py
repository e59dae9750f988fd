"""Socket that sends the leaderboard and notices of changes to an event's pages."""

import asyncio
import time
from collections.abc import Callable

from django.utils.translation import gettext as _

from games.process import Process, run_in_database_thread
from games.process.components import Component
from games.protocol import ClientMessage
from games.services import PlayCode
from games.sockets.base import UNKNOWN, Socket, SocketClosedError, encode
from tournament.attendance.services import record_seen
from tournament.web.live import boards
from tournament.web.live.messages import EventMessage
from tournament.web.live.rows import ShownLeaderboard, list_changes

# Minimum seconds between two updates of an event's leaderboard, however many hands end.
PAUSE_SECONDS = 0.5
# If a poke is lost, news is at most this old, plus the interval of the client's pings.
OLDEST_SECONDS = 15.0
# Clients whose board is at most this many versions old get only the changes.
KEPT_VERSIONS = 8


class Board:
    """The sockets that follow an event in one language, and the messages for them.

    After a poke, each message is built once for all waiting sockets. `version` counts the messages
    of this process, and has no meaning in other processes.
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
        # Leaderboards that clients may still show, and messages that update them, by hash.
        self._earlier: dict[str, ShownLeaderboard] = {}
        self._texts: dict[str, bytes] = {}
        self._read_lock = asyncio.Lock()

    def join(self, socket: "EventSocket") -> Callable[[], None]:
        """Mark the socket as dirty after every poke, until the returned function is called."""
        if not self.sockets:
            self.process.part(WatchedBoards).seen[self.event_pk, self.language] = self
            self._unsubscribe = self.process.hub.subscribe(self.topic, self._handle_poke)
        self.sockets.add(socket)
        return lambda: self._remove_socket(socket)

    def _remove_socket(self, socket: "EventSocket") -> None:
        self.sockets.discard(socket)
        if not self.sockets:
            self._unsubscribe()
            self.process.part(WatchedBoards).seen.pop((self.event_pk, self.language), None)

    def _handle_poke(self, version: int | None) -> None:
        for socket in self.sockets:
            socket.mark_dirty()

    @property
    def needs_reload(self) -> bool:
        return time.monotonic() - self._read_at > OLDEST_SECONDS

    async def load_news(self) -> boards.News:
        """Return the news. It is read again after a poke, or when it is too old."""
        async with self._read_lock:
            version = self.process.hub.version(self.topic)
            if self._news is None or self._news.version != version or self.needs_reload:
                await asyncio.sleep(self._read_at + PAUSE_SECONDS - time.monotonic())
                self._news = await self._read_news()
            return self._news

    async def _read_news(self) -> boards.News:
        """Read the news, and increase the version if the sockets have to be notified."""
        news = await run_in_database_thread(boards.load_event_news, self.event_pk)
        previous, self._read_at = self._news, time.monotonic()
        self.version += previous is None or _must_notify(news, previous)
        self._texts.clear()
        shown = news.shown
        self._earlier[shown.hash] = self._earlier.pop(shown.hash, shown)
        for old_hash in [*self._earlier][:-KEPT_VERSIONS]:
            del self._earlier[old_hash]
        return news

    def get_message(self, shown_hash: str) -> bytes:
        """Return a message that updates a client to the newest leaderboard.

        `shown_hash` is the hash of the leaderboard that the client shows, or "" if it shows none.
        The message has only the changes if they are known and shorter than the whole board. Each
        message is built once for all clients.
        """
        assert self._news is not None
        shown_hash = shown_hash if shown_hash in self._earlier else ""
        if shown_hash not in self._texts:
            shown = self._earlier.get(shown_hash)
            message = shown and list_changes(shown, self._news.shown, self.version)
            changes, whole = encode(message), self._texts.get("") or self._encode_whole_board()
            is_smaller = message is not None and len(changes) < len(whole)
            self._texts[shown_hash] = changes if is_smaller else whole
        return self._texts[shown_hash]

    def _encode_whole_board(self) -> bytes:
        assert self._news is not None
        whole: EventMessage = {
            "type": "leaderboard",
            "html": self._news.html,
            "hash": self._news.shown.hash,
            "version": self.version,
        }
        return encode(whole)


def _must_notify(news: boards.News, previous: boards.News) -> bool:
    """Return whether the sockets have to be notified of the news.

    They are notified if the pages look different, and after a poke. A poke alone is ignored if
    viewers see play with a delay.
    """
    was_poked = news.version != previous.version and not news.late
    return was_poked or (news.shown.hash, news.shape) != (previous.shown.hash, previous.shape)


class WatchedBoards(Component):
    """The boards that this process's sockets follow, by event and language.

    They are used only in the event loop.
    """

    def __init__(self) -> None:
        self.seen: dict[tuple[int, str], Board] = {}


class EventSocket(Socket[EventMessage]):
    """Socket of a browser window for an event.

    The query determines what the window receives:

    * no query: a notice after each change of the event.
    * `?rows`: the whole leaderboard after each change.
    * `?rows=HASH`: the changes to the leaderboard with that hash. Without a hash, the first
      message has the whole leaderboard.
    """

    __slots__ = ("_changes", "_news_sent", "_takes_part", "board", "rows")

    # Socket events

    async def open(self) -> None:
        event = await run_in_database_thread(boards.find_public_event, self.arrival.named["slug"])
        if event is None:
            raise SocketClosedError(UNKNOWN, _("This event doesn’t exist."))
        pk, topic = event
        rows, changes, shown_hash = self.arrival.query.decode("latin-1").partition("=")
        self.rows, self._changes = rows == "rows", bool(changes)
        watched_board = self.process.part(WatchedBoards).seen.get((pk, self.language))
        self.board = watched_board or Board(self.process, pk, self.language, topic)
        self._news_sent: tuple[object, ...] = (shown_hash,)
        # Assumed until the first check. Presence is recorded only for people who take part.
        self._takes_part = True
        self.call_on_close(self.board.join(self))
        await self._record_presence()

    # Commands

    async def carry_out(self, message: ClientMessage) -> None:
        match message["type"]:
            case "ping":
                await self.say(self.build_pong())
                await self._record_presence()
                if self.board.needs_reload:
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
        news = await self.board.load_news()
        current = (news.shown.hash,) if self.rows else (news.shape, self.version)
        if current != self._news_sent:
            previous, self._news_sent = self._news_sent, current
            await self.send(self._build_message(news, previous))

    # Helpers

    async def _record_presence(self) -> None:
        """Record that the player is present. Organizers see this before a round starts."""
        allowed_limits = (None, self.board.event_pk)
        if self.identity is None or self.identity.limit not in allowed_limits:
            return
        if not self.identity.is_guest and self._takes_part:
            user = self.identity.user.pk
            self._takes_part = await run_in_database_thread(record_seen, self.board.event_pk, user)

    def _build_message(self, news: boards.News, previous: tuple[object, ...]) -> bytes:
        if self.rows:
            return self.board.get_message(str(previous[0]) if previous and self._changes else "")
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
