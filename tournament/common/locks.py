"""Row locks that serialize changes to an event.

Code that changes an event first locks the event's row.
"""

from django.db import connection
from django.db.models import Model
from django.utils.translation import gettext as _

from tournament.common.refusals import RefusedError
from tournament.models import Event
from tournament.pure.codes import Code


def lock_event(event: Event, *rows: Model, settled: bool = False) -> Event:
    """Lock an event until the end of the transaction, and return its current state.

    * `rows`: rows of the event, which are reloaded.
    * `settled`: allow the change although the results are locked, because it does not affect them.

    Raises RefusedError with the code `away` if the event is on another machine, or `locked` if its
    results are locked and the change is not `settled`.
    """
    event = lock_row(event)
    if event.away_since:
        raise RefusedError(
            Code.AWAY,
            _(
                "The event is currently being run on another server. You can’t change anything "
                "here."
            ),
        )
    if event.locked_at and not settled:
        text = _(
            "The event is locked and its results are final. Unlock it first, under “Afterwards”."
        )
        raise RefusedError(Code.LOCKED, text)
    for row in rows:
        row.refresh_from_db()
    return event


def lock_row(event: Event) -> Event:
    """Lock and return the event's row, even if the event is away or its results are locked."""
    assert connection.in_atomic_block, "a lock ends with its transaction"
    return Event.objects.select_for_update().get(pk=event.pk)
