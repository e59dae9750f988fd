"""Sentences about viewers and replays for an event's pages."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import facts
from games import queries as games
from games.models import Match
from tournament.models import Event, Round

REPLAYS = {
    Match.Replays.HAND: gettext_lazy(
        "Each hand’s cards become public as soon as the hand is over."
    ),
    Match.Replays.OVER: gettext_lazy(
        "The cards of all hands become public when the match is over."
    ),
    Match.Replays.NEVER: gettext_lazy("Other players’ cards stay hidden, even after the match."),
}


def describe_viewers(event: Event) -> str:
    """Describe in a sentence when viewers see what happens at a table."""
    if delay := describe_delay(event):
        return _("Viewers see every move with a delay of {time}.").format(time=delay)
    if event.viewers == Match.Viewers.HAND:
        return _("Viewers see each hand after it is over.")
    return _("Viewers see every move live, but no one’s cards.")


def describe_view(event: Event) -> str:
    """Describe what viewers see, as a verb phrase such as "see each hand after it is over"."""
    if delay := describe_delay(event):
        return _("see every move with a delay of {time}").format(time=delay)
    if event.viewers == Match.Viewers.HAND:
        return _("see each hand after it is over")
    return _("see every move live, but no one’s cards")


def describe_delay(event: Event) -> str:
    """Return the delay of moves and points in words, or "" without a delay."""
    delayed = event.viewers == Match.Viewers.DELAYED
    return games.delay_text(event.viewer_delay_seconds) if delayed else ""


def public_until(event: Event) -> datetime:
    """Return the time up to which moves may be public now."""
    delayed = event.viewers == Match.Viewers.DELAYED
    shown_until = timezone.now() - timedelta(seconds=event.viewer_delay_seconds * delayed)
    return min(shown_until, event.freeze.at) if event.freeze.at else shown_until


def find_newest_replay(event: Event) -> str:
    """Return a link to the latest public replay of a hand, or ""."""
    matches = Match.objects.filter(event_table__round__stage__event=event)
    published = matches.exclude(event_table__round__state=Round.State.DRAFT)
    return facts.newest_replay(published, public_until(event))


def add_replays(events: Sequence[Any]) -> Sequence[Any]:
    """Set each event's `replay` to a link to its latest replay.

    The link is "" if there is no replay, or if a table is in play. `events` must be from
    `with_tables_in_play`.
    """
    for event in events:
        event.replay = "" if event.in_play else find_newest_replay(event)
    return events


def describe_replays(event: Event) -> str:
    """Describe in a sentence when the cards of a hand become public."""
    return str(REPLAYS[Match.Replays(event.replays)])
