"""Announcement of the winner on the hall's screens, and its time."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from tournament.models import Event, LogAction
from tournament.results.queries import rules_of
from tournament.results.stages import stage_results
from tournament.stages.places import places
from tournament.stages.winners import Podium, Winner, build_podium, find_winner, is_announced

# The winner stays on every screen this long, which is time enough to come to the front.
STANDS = timedelta(minutes=5)
SHAPES = 24


@dataclass(frozen=True)
class WinnersMoment:
    """Announcement of the winner that takes over every screen.

    `since` is when the winner became public, or None if that was not recorded. `shapes` has a
    colour of the event's deck for each falling shape.
    """

    winner: Winner
    podium: Podium
    since: datetime | None
    shapes: Sequence[str]

    @property
    def longest(self) -> int:
        """Number of letters in the longest word of the winners' names.

        The size of the text on the screen depends on it.
        """
        return max(len(word) for one in self.winner.shared for word in one.name.split())


def moment(event: Event) -> WinnersMoment | None:
    """Return the winner's announcement by the current results.

    The result is None before the winner is announced, while the leaderboard is frozen, and if
    a correction has left the event without a winner.
    """
    if not is_announced(event):
        return None
    results = stage_results(event)
    won = find_winner(results)
    if won is None:
        return None
    podium, since = build_podium(results, places(results)), winner_known_since(event)
    return WinnersMoment(won, podium, since, shapes_of(event, SHAPES))


def shapes_of(event: Event, count: int) -> list[str]:
    """Return `count` colours of the deck for shapes that alternate between two sides.

    They are arranged so that all colours appear on both sides.
    """
    colors = rules_of(event).colors
    return [colors[(number + number // 2) % len(colors)] for number in range(count)]


def winner_known_since(event: Event) -> datetime | None:
    """Return when the winner was announced or, if later, when the leaderboard was unfrozen."""
    rows = event.audit.filter(action__in=(LogAction.WINNER, LogAction.THAW))
    return rows.order_by("-at").values_list("at", flat=True).first()


def seconds_left(event: Event, past: int) -> int:
    """Return for how many more seconds the announcement fills every screen, or 0.

    Announcements up to `past` (seconds since 1970) were ended by the operator of the screen.
    """
    since = winner_known_since(event) if is_announced(event) else None
    if since is None or int(since.timestamp()) <= past:
        return 0
    return max(0, int((since + STANDS - timezone.now()).total_seconds()))
