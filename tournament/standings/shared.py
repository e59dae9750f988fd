"""Leaderboard lines that many pages need at the same moment, once per process.

When a round starts, all players' own pages reload within two seconds, and each shows a line of
the leaderboard.

The sockets of an event have their own board (web/live/consumers.py). A poke renews it
immediately, while a page may show data that is a second old.
"""

from dataclasses import dataclass
from threading import Lock
from time import monotonic

from django.utils.translation import get_language

from games.process import here
from games.process.components import Part
from tournament.models import Event
from tournament.results.shapes import LeaderRow
from tournament.standings.queries import leaderboard

SECONDS = 1.0


@dataclass(frozen=True)
class _Kept:
    shape: str
    made_at: float
    rows: dict[int, LeaderRow]


# By event and language: a line says in words what parts it from the one above.
Key = tuple[int, str | None]


class SharedRows(Part):
    """A process's lines of leaderboards, for a second each."""

    def __init__(self) -> None:
        self.making = Lock()
        self._kept: dict[Key, _Kept] = {}

    def fresh(self, key: Key, shape: str) -> dict[int, LeaderRow] | None:
        kept = self._kept.get(key)
        current = kept and kept.shape == shape and monotonic() - kept.made_at < SECONDS
        return kept.rows if kept and current else None

    def keep(self, key: Key, made: _Kept) -> None:
        old = [old for old, kept in self._kept.items() if made.made_at - kept.made_at > SECONDS]
        for each in old:
            del self._kept[each]
        self._kept[key] = made


def leader_rows(event: Event, shape: str) -> dict[int, LeaderRow]:
    """Return the lines of the event's leaderboard by registration.

    They are at most a second old. `shape`: what the requesting page knows of the event; the lines
    are never from before that.
    """
    shared, key = here().part(SharedRows), (event.pk, get_language())
    if (known := shared.fresh(key, shape)) is not None:
        return known
    # Who asks while they are made waits for them.
    with shared.making:
        if (known := shared.fresh(key, shape)) is not None:
            return known
        rows = {row.registration.pk: row for row in leaderboard(event).rows}
        shared.keep(key, _Kept(shape, monotonic(), rows))
        return rows
