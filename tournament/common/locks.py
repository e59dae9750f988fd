"""Who changes an event, takes its row first: two organizers are then one after the other."""

from django.db import connection
from django.db.models import Model
from django.utils.translation import gettext as _

from tournament.common.codes import Code
from tournament.common.refusals import Refused
from tournament.models import Event


def lock_event(event: Event, *rows: Model, settled: bool = False) -> Event:
    """The event as it is now, locked until the transaction ends; these rows of it are read anew.

    Refused with: away, while it is on another machine; locked, where the event is and what is
    asked for changes what it came to (what does not is `settled`).
    """
    event = row_of(event)
    if event.away_since:
        raise Refused(
            Code.AWAY,
            _("The event is currently run on another server. You can’t change anything here."),
        )
    if event.locked_at and not settled:
        text = _(
            "The event is locked and its results are final. Unlock it first, under “Afterwards”."
        )
        raise Refused(Code.LOCKED, text)
    for row in rows:
        row.refresh_from_db()
    return event


def row_of(event: Event) -> Event:
    """The same, wherever the event is and whatever is to be done."""
    assert connection.in_atomic_block, "a lock ends with its transaction"
    return Event.objects.select_for_update().get(pk=event.pk)
