"""Row locks that run organizers' changes to an event one at a time.

Code that changes an event locks the event's row first.
"""

from django.db import connection
from django.db.models import Model
from django.utils.translation import gettext as _

from tournament.common.refusals import RefusedError
from tournament.models import Event
from tournament.pure.codes import Code


def lock_event(event: Event, *rows: Model, settled: bool = False) -> Event:
    """Lock the event until the transaction ends and return its current state.

    The `rows`, which belong to the event, are reloaded. `settled` allows changes that do not affect
    the results of a locked event.

    Raises RefusedError with the code `away` while the event runs on another server, or `locked` if
    the event is locked and the change is not `settled`.
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
    """Lock the event's row like `lock_event`, even if the event is away or locked."""
    assert connection.in_atomic_block, "a lock ends with its transaction"
    return Event.objects.select_for_update().get(pk=event.pk)
