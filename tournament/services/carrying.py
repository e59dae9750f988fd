"""An event leaves for another machine, and is gone on with here: docs/moving-an-event.md."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.models import Match
from tournament.models import Event, Table, User
from tournament.services.audit import record
from tournament.services.errors import Refused
from tournament.services.exporting import may_export
from tournament.services.locks import lock_event, row_of
from tournament.services.second import check_nothing_waits

# The name in services.exporting.FILES of the whole event.
WHOLE = "event"


def check_at_rest(event: Event) -> None:
    """Refuse while a match runs: the file would hold cards and secrets of it. Refused with:
    playing."""
    tables = Table.objects.filter(round__stage__event=event, match__isnull=False)
    going = tables.exclude(match__phase=Match.Phase.OVER).select_related("round__stage")
    if names := [str(table) for table in going.order_by("round", "number")]:
        text = _(
            "Cards are in play at {tables}: the file would hold them. Let these matches end first."
        )
        raise Refused("playing", text.format(tables="; ".join(names)))


@transaction.atomic
def take_away(event: Event, actor: User) -> Event:
    """From now on the event is led on another machine: here it is read only until it comes back.

    Refused with: not-granted, away, playing, waiting.
    """
    event = lock_event(event, settled=True)
    if not may_export(event, actor, WHOLE):
        raise Refused("not-granted", _("Ask to take the whole event along first."))
    check_at_rest(event)
    check_nothing_waits(event)
    event.journey += 1
    event.save(update_fields=["journey"])

    def text() -> str:
        return _("Took the event to another machine (journey {n}).").format(n=event.journey)

    record(event, actor, "carry-out", text, journey=event.journey)
    event.away_since = timezone.now()
    event.save(update_fields=["away_since"])
    return event


@transaction.atomic
def go_on_here(event: Event, actor: User, reason: str) -> Event:
    """Do without the other machine: what was done there is never let in any more.

    No second person is asked, since nothing can be written here before it is done, not even that
    something waits; the public history tells it. Refused with: no-reason, state.
    """
    event = row_of(event)
    if not event.away_since:
        raise Refused("state", _("The event is here."))
    if not reason.strip():
        raise Refused("no-reason", _("Please say why; the reason is kept, and everybody reads it."))
    event.away_since, event.journey = None, event.journey + 1
    event.save(update_fields=["away_since", "journey"])

    def text() -> str:
        return _("Went on here, without the machine that had the event.")

    record(event, actor, "carry-break", text, reason, journey=event.journey)
    return event
