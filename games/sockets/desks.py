"""News from organizers' desks for the tables watched by sockets of this process."""

import asyncio
from collections.abc import Collection, Sequence

from django.apps import apps

from games.apps import DeskPort, GamesConfig
from games.process import run_in_database_thread
from games.process.components import Component
from games.protocol import desk as protocol
from games.seats import SeatNumber

NOTHING: protocol.Desk = {
    "type": "desk",
    "may_call": False,
    "may_react": False,
    "calls": [],
    "messages": [],
}


def desk() -> DeskPort:
    """Return the port through which live play reaches the desks of events."""
    games = apps.get_app_config("games")
    assert isinstance(games, GamesConfig)
    return games.desk


class Desks(Component):
    """News from the desks for this process's tables."""

    def __init__(self) -> None:
        self._news: dict[int, protocol.TableNews] = {}
        # The number of changes to a match's news, now and at the time of the last query.
        self._numbers: dict[int, int] = {}
        self._queried: dict[int, int] = {}
        # Matches whose news a window is waiting for, and the task that loads news now.
        self._awaited: set[int] = set()
        self._loading: asyncio.Task[None] | None = None

    def notify(self, match: int) -> None:
        """Record that the desk's news for this match has changed."""
        self._numbers[match] = self._numbers.get(match, 0) + 1

    def is_up_to_date(self, match: int) -> bool:
        """Return whether the news for this match is unchanged since it was last loaded."""
        return self._queried.get(match) == self._numbers.get(match, 0)

    def refresh(self, matches: Collection[int]) -> None:
        """Load the news for these matches, using a fixed number of queries."""
        numbers = {match: self._numbers.get(match, 0) for match in matches}
        news = desk().news(matches)
        for match, number in numbers.items():
            if number < self._queried.get(match, 0):
                continue  # a later query has already loaded this match
            self._queried[match] = number
            self._news.pop(match, None)
            if match in news:
                self._news[match] = news[match]

    async def ensure_loaded(self, match: int) -> None:
        """Load the news for this match, unless it is up to date.

        Windows that wait for news at the same time share a query, even for different matches.
        """
        while not self.is_up_to_date(match):
            self._awaited.add(match)
            if self._loading is None:
                self._loading = asyncio.create_task(self._load_awaited_news())
            await asyncio.shield(self._loading)

    async def _load_awaited_news(self) -> None:
        matches, self._awaited = self._awaited, set()
        try:
            await run_in_database_thread(self.refresh, matches)
        finally:
            self._loading = None

    def keep_only(self, matches: Collection[int]) -> None:
        """Forget all matches except these."""
        for cache in (self._news, self._numbers, self._queried):
            for match in cache.keys() - set(matches):
                cache.pop(match, None)

    def message(self, match: int, seat: SeatNumber | None) -> protocol.Desk:
        """Return the message for a window of this seat, or of a viewer if `seat` is None."""
        news = self._news.get(match)
        if news is None:
            return NOTHING
        if seat is None:
            return {**NOTHING, "messages": _list_announcements(news.viewers)}
        desk: protocol.Desk = {
            "type": "desk",
            "may_call": True,
            "may_react": news.reactions,
            "calls": news.calls,
            "messages": _list_announcements(news.players),
        }
        if (started := news.next.get(seat)) is not None:
            sentence = started.describe()
            desk["next"] = {"address": started.address, "text": sentence, "here": started.here}
        return desk


def _list_announcements(lines: Sequence[protocol.DeskLine]) -> list[protocol.Announcement]:
    """Return the announcements in the active language, the language of the window."""
    return [{"id": line.id, "text": str(line.said), "at": line.at} for line in lines]
