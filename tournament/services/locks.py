"""Who changes an event, takes its row first: two organizers are then one after the other."""

from django.db import connection
from django.utils.translation import gettext as _

from games.stored.asked import Asked
from tournament.models import Event
from tournament.services.errors import Refused


def lock_event(event: Event, *, settled: bool = False) -> Event:
    """The event as it is now, locked until the transaction ends.

    Refused with: away, while it is on another machine; locked, where the event is and what is
    asked for changes what it came to (what does not is `settled`).
    """
    event = row_of(event)
    if event.away_since:
        raise Refused("away", _("The event is on another machine now: here nothing changes."))
    if event.locked_at and not settled:
        text = _("The event is locked: its results stand. Unlock it first, under “Afterwards”.")
        raise Refused("locked", text)
    return event


_LOCKED = Asked(lambda key: Event.objects.select_for_update().filter(pk=key).order_by())


def row_of(event: Event) -> Event:
    """The same, wherever the event is and whatever is to be done."""
    assert connection.in_atomic_block, "a lock ends with its transaction"
    if (found := _LOCKED.first(event.pk)) is None:
        raise Event.DoesNotExist
    return found
