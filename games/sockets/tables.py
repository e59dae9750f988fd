"""Tables watched by windows of this process, and delivery of news to those windows.

A poke only marks a table, however many windows the table has and however many pokes arrive. One
task updates the windows of the marked tables in turn, and lets other tasks run every few
milliseconds. Under load, views become less frequent, but the process still responds. The part of a
view that is the same for everyone is built and encoded once (games/sockets/encoded_views.py).
"""

import asyncio
import logging
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import partial
from itertools import groupby, islice
from operator import attrgetter
from typing import TYPE_CHECKING

from games import language, store
from games.clocks.presence import PresenceBook
from games.process import Process, run_in_database_thread
from games.process.components import Component
from games.process.db import DATABASE_DOWN
from games.process.figures import ProcessFigures
from games.sockets.encoded_views import EncodedViews
from games.sockets.reactions import Reactions, reactions_topic
from games.tables.spectator_delay import Stream

if TYPE_CHECKING:
    from games.sockets.window import Window

logger = logging.getLogger(__name__)

# Maximum number of windows updated without a break (about 5 ms), and maximum time before other
# tasks run. With a break after every table, a busy process would answer immediately but show
# results seconds later, because reading messages takes longer than updating a table.
AT_A_STRETCH, STRETCH_SECONDS = 200, 0.005
RETRY_SECONDS = 1.0


def presence_topic(match: int) -> str:
    """Return the topic for changes of presence at the table.

    It is poked when a player arrives, leaves, or takes control of the seat in another window.
    """
    return f"people:{match}"


class TableWindows:
    """Windows of one match in this process."""

    def __init__(self, tables: "Tables", match: int) -> None:
        self.match = match
        self.windows: set[Window] = set()
        self.newest = 0
        self.reactions = Reactions(match, partial(_split_windows, self.windows))
        # Locked while a seat's share for a deal is being stored.
        self.sharing = asyncio.Lock()
        self._tables = tables
        self.unsubscribe: list[Callable[[], None]] = []
        self._texts: dict[Stream, EncodedViews] = {}

    def texts(self, stream: Stream) -> EncodedViews:
        """Return the encoded views for the windows of this stream."""
        return self._texts.setdefault(stream, EncodedViews())

    def receive_poke(self, version: int | None) -> None:
        """Record a poke with the match's version. None means that the version is not known."""
        if version is None or version > self.newest:
            self.newest = max(self.newest, version or 0)
            self._tables.mark(self)

    def accept_version(self, version: int, asked_version: int) -> None:
        """Accept the database's version as the newest, unless another poke has arrived meanwhile.

        The version can be lower than the poke's if the database was restored from a backup,
        or if the poke was wrong.
        """
        if self.newest == asked_version:
            self.newest = version

    def receive_presence_poke(self, version: int | None) -> None:
        self._tables.mark_presence(self)

    def window_groups(self) -> "Iterator[list[Window]]":
        """Return all windows in groups, players first.

        The groups are small, so that other tasks do not have to wait long.
        """
        return _split_windows(self.windows)

    def find_snapshot(self) -> store.Snapshot | None:
        """Return the newest version of the match from the cache, or None if it must be loaded."""
        live = store.find_cached(self.match)
        return None if live is None or live.version < self.newest else live

    def show_newest(self, windows: "Iterable[Window]") -> bool:
        """Send the newest version of the match to these windows.

        Returns False if the match has to be loaded first.
        """
        live = self.find_snapshot()
        if live is None:
            return False
        _send_to_each(windows, lambda window: window.show(live))
        return True


def _split_windows(windows: "Iterable[Window]") -> "Iterator[list[Window]]":
    some = sorted(windows, key=lambda window: (window.seat is None, window.language))
    return (some[at : at + AT_A_STRETCH] for at in range(0, len(some), AT_A_STRETCH))


def _send_to_each(windows: "Iterable[Window]", update: "Callable[[Window], None]") -> None:
    """Call `update` with each window, in the window's language.

    If the call fails for a window, an update of that window is scheduled, and the other windows are
    not affected.
    """
    for spoken, some in groupby(windows, attrgetter("language")):
        with language.use_language(spoken):
            for window in some:
                try:
                    update(window)
                except Exception:
                    logger.exception("A window of match %s was not updated", window.match_id)
                    window.mark_dirty()


class Tables(Component):
    """Tables with open windows in this process. Used only on the event loop."""

    def __init__(self) -> None:
        self._seen: dict[int, TableWindows] = {}
        # The tables with news, and the time at which the news arrived.
        self._marked: dict[TableWindows, float] = {}
        # Tables where a player may have arrived or left, and those where one has.
        self._people: set[TableWindows] = set()
        self._flipped: dict[TableWindows, None] = {}
        self._loading: dict[TableWindows, asyncio.Task[None]] = {}
        self._rang = asyncio.Event()
        self._busy_since = 0.0

    def join(self, window: "Window", match: int) -> TableWindows:
        """Send the news of this match to a window until the window is closed."""
        table = self._seen.get(match)
        if table is None:
            table = self._seen[match] = TableWindows(self, match)
        hub, first = window.process.hub, not table.windows
        table.windows.add(window)
        if first:
            pairs = (
                (store.match_topic, table.receive_poke),
                (presence_topic, table.receive_presence_poke),
                (reactions_topic, table.reactions.receive_poke),
            )
            table.unsubscribe = [hub.subscribe(topic(match), callback) for topic, callback in pairs]
            table.unsubscribe.append(table.reactions.stop)
        window.call_on_close(lambda: self._remove_window(table, window))
        return table

    def _remove_window(self, table: TableWindows, window: "Window") -> None:
        table.windows.discard(window)
        if not table.windows:
            while table.unsubscribe:
                table.unsubscribe.pop(0)()
            self._seen.pop(table.match, None)
            self._marked.pop(table, None)
            self._people.discard(table)
            self._flipped.pop(table, None)

    def matches(self) -> Collection[int]:
        """Return the matches that are open in a window of this process."""
        return list(self._seen)

    def windows(self, match: int) -> "list[Window]":
        """Return the open windows of this match."""
        table = self._seen.get(match)
        return [] if table is None else [window for window in table.windows if window.is_open]

    def mark(self, table: TableWindows) -> None:
        """Mark the table as having news."""
        self._marked.setdefault(table, time.monotonic())
        self._rang.set()

    def mark_presence(self, table: TableWindows) -> None:
        """Mark the table, because another process reported that a player has arrived or left."""
        self._people.add(table)
        self._rang.set()

    def notify_presence(self, matches: Iterable[int]) -> None:
        """Notify this process's windows that players have arrived at or left these matches."""
        for match in matches:
            if (table := self._seen.get(match)) is not None:
                self._flipped[table] = None
                self._rang.set()

    async def run(self, process: Process) -> None:
        """Process the marked tables in turn until cancelled."""
        self._rang.set()  # some tables may still be marked after an error
        try:
            while True:
                await self._rang.wait()
                self._rang.clear()
                self._busy_since = time.monotonic()
                while self._marked or self._flipped:
                    await self._process_next_table(process.part(ProcessFigures))
                await self._load_presence(process.part(PresenceBook))
        finally:
            for task in self._loading.values():
                task.cancel()

    async def _process_next_table(self, figures: ProcessFigures) -> None:
        """Send the news of one marked table, and the presence at one table where it has changed."""
        for table in [*islice(self._marked, 1)]:
            since = self._marked.pop(table)
            await self._send_news(table)
            figures.count_display(time.monotonic() - since)
        for table in [*islice(self._flipped, 1)]:
            del self._flipped[table]
            await self._send_presence(table)

    async def _send_news(self, table: TableWindows) -> None:
        for windows in table.window_groups():
            if not table.show_newest(windows):
                if table not in self._loading:
                    self._loading[table] = asyncio.create_task(self._load_match(table))
                return
            await self._yield_to_others()

    async def _send_presence(self, table: TableWindows) -> None:
        for windows in table.window_groups():
            _send_to_each(windows, lambda window: window.show_presence())
            await self._yield_to_others()

    async def _yield_to_others(self) -> None:
        """Let other tasks run if this task has run for more than STRETCH_SECONDS."""
        if time.monotonic() - self._busy_since > STRETCH_SECONDS:
            await asyncio.sleep(0)
            self._busy_since = time.monotonic()

    async def _load_match(self, table: TableWindows) -> None:
        version = table.newest
        try:
            live = await run_in_database_thread(store.current, table.match, version)
            if live.version < version:
                await asyncio.sleep(RETRY_SECONDS)
                table.accept_version(live.version, version)
        except DATABASE_DOWN:
            await asyncio.sleep(RETRY_SECONDS)
        except Exception:
            logger.exception("Match %s cannot be loaded", table.match)
            await asyncio.sleep(RETRY_SECONDS)
        finally:
            del self._loading[table]
            if table.windows:
                self.mark(table)

    async def _load_presence(self, presence: PresenceBook) -> None:
        tables, self._people = self._people, set()
        if tables:
            changed = await run_in_database_thread(
                presence.refresh, [table.match for table in tables]
            )
            self.notify_presence(changed)
