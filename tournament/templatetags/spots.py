"""Template filter for events without free spots: `{{ event|is_full }}`."""

from django import template

from tournament.models import Event
from tournament.registration.services import count_free_spots

register = template.Library()


@register.filter
def is_full(event: Event) -> bool:
    """Return whether new players would join the waitlist.

    Lists of events annotate the number of players, to save a query per event.
    """
    if event.capacity is None:
        return False
    players: int | None = getattr(event, "players", None)
    return count_free_spots(event) == 0 if players is None else players >= event.capacity
