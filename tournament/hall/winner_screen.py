"""The winner's announcement on hall screens."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from tournament.models import Event, LogAction
from tournament.results.queries import rules_of
from tournament.results.stages import stage_results
from tournament.stages.places import places
from tournament.stages.winners import Podium, Winner, build_podium, find_winner, is_announced

# How long the announcement fills every screen, so that the winner can come to the front.
DISPLAY_TIME = timedelta(minutes=5)
SHAPE_COUNT = 24


@dataclass(frozen=True)
class WinnerAnnouncement:
    """The winner's announcement, which fills every screen.

    * `since`: the time at which the winner became public, or None if unknown.
    * `shapes`: a colour of the event's deck for each falling shape.
    """

    winner: Winner
    podium: Podium
    since: datetime | None
    shapes: Sequence[str]

    @property
    def longest_word(self) -> int:
        """The length of the longest word in the winners' names. It determines the text size."""
        return max(
            len(word) for registration in self.winner.shared for word in registration.name.split()
        )


def find_announcement(event: Event) -> WinnerAnnouncement | None:
    """Return the announcement of the winner by the current results, or None.

    Returns None before the winner is announced, while the leaderboard is frozen, or if a
    correction has left the event without a winner.
    """
    if not is_announced(event):
        return None
    results = stage_results(event)
    winner = find_winner(results)
    if winner is None:
        return None
    podium, since = build_podium(results, places(results)), find_winner_publication(event)
    return WinnerAnnouncement(winner, podium, since, shapes_of(event, SHAPE_COUNT))


def shapes_of(event: Event, count: int) -> list[str]:
    """Return `count` colours of the deck for shapes that alternate between two sides.

    Their order ensures that all colours appear on each side.
    """
    colors = rules_of(event).colors
    return [colors[(number + number // 2) % len(colors)] for number in range(count)]


def find_winner_publication(event: Event) -> datetime | None:
    """Return the time at which the winner became public.

    This is when the winner was announced or the leaderboard was unfrozen, whichever is later.
    """
    rows = event.audit.filter(action__in=(LogAction.WINNER, LogAction.THAW))
    return rows.order_by("-at").values_list("at", flat=True).first()


def count_seconds_left(event: Event, past: int) -> int:
    """Return the number of seconds for which the announcement still fills every screen.

    `past` is a Unix timestamp. The screen's operator has closed announcements up to that time.
    """
    since = find_winner_publication(event) if is_announced(event) else None
    if since is None or int(since.timestamp()) <= past:
        return 0
    return max(0, int((since + DISPLAY_TIME - timezone.now()).total_seconds()))
