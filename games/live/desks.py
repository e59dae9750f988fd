"""What whoever leads the events has to tell the tables that sockets of this process look at."""

from collections.abc import Collection

from django.apps import apps

from games.apps import Desk, GamesConfig
from games.process.parts import Part
from games.protocol import desk as protocol
from games.seats import SeatNumber

NOTHING: protocol.Desk = {
    "type": "desk",
    "may_call": False,
    "may_react": False,
    "calls": [],
    "messages": [],
}


def desk() -> Desk:
    """Who leads events, as far as live play knows."""
    games = apps.get_app_config("games")
    assert isinstance(games, GamesConfig)
    return games.desk


class Desks(Part):
    """The news of a process's tables by match; `refresh` uses the database, `told` does not."""

    def __init__(self) -> None:
        self._known: dict[int, protocol.TableNews] = {}

    def refresh(self, matches: Collection[int]) -> None:
        """Ask for these matches anew, in a fixed number of queries."""
        found = desk().news(matches)
        for match in matches:
            self._known.pop(match, None)
        self._known |= found

    def forget_others(self, matches: Collection[int]) -> None:
        self._known = {pk: news for pk, news in self._known.items() if pk in matches}

    def told(self, match: int, seat: SeatNumber | None) -> protocol.Desk:
        """The message for a window of this seat (None: a viewer)."""
        news = self._known.get(match)
        if news is None:
            return NOTHING
        if seat is None:
            return {**NOTHING, "messages": news.viewers}
        return {
            "type": "desk",
            "may_call": True,
            "may_react": news.reactions,
            "calls": news.calls,
            "messages": news.players,
        }
