"""What everybody asks for at the same moment, computed once in each process.

When a round starts, all players' own pages are fetched anew within two seconds, and each tells a
line of the leaderboard.
"""

from dataclasses import dataclass
from threading import Lock
from time import monotonic

from django.utils.translation import get_language

from tournament.models import Event
from tournament.queries.shapes import LeaderRow
from tournament.queries.standings import leaderboard

SECONDS = 1.0


@dataclass(frozen=True)
class _Kept:
    shape: str
    made_at: float
    rows: dict[int, LeaderRow]


# By event and language: a line says in words what parts it from the one above.
Key = tuple[int, str | None]
_kept: dict[Key, _Kept] = {}
_making = Lock()


def leader_rows(event: Event, shape: str) -> dict[int, LeaderRow]:
    """The lines of the event's leaderboard by registration, at most a second old.

    `shape`: what the asking page knows of the event; the lines are never from before that.
    """
    key = event.pk, get_language()
    if (known := _fresh(key, shape)) is not None:
        return known
    # Who asks while they are made waits for them.
    with _making:
        if (known := _fresh(key, shape)) is not None:
            return known
        rows = {row.registration.pk: row for row in leaderboard(event).rows}
        _keep(key, _Kept(shape, monotonic(), rows))
        return rows


def _fresh(key: Key, shape: str) -> dict[int, LeaderRow] | None:
    kept = _kept.get(key)
    current = kept and kept.shape == shape and monotonic() - kept.made_at < SECONDS
    return kept.rows if kept and current else None


def _keep(key: Key, made: _Kept) -> None:
    for old in [old for old, kept in _kept.items() if made.made_at - kept.made_at > SECONDS]:
        del _kept[old]
    _kept[key] = made


def forget_all() -> None:
    """For tests, whose events have the same keys again."""
    _kept.clear()
