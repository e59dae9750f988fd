"""Moving an event to another machine, or continuing it here (docs/moving-an-event.md)."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games.models import Match
from tournament.common.language import translate_later
from tournament.common.locks import lock_event, lock_row
from tournament.common.refusals import RefusedError, check_reason
from tournament.models import Event, LogAction, Table, User
from tournament.oversight.audit import record
from tournament.oversight.export_requests import may_export
from tournament.oversight.second_person import check_nothing_pending
from tournament.pure.codes import Code

# The key of the whole event in `export_requests.FILES`.
WHOLE_EVENT = "event"


def check_no_match_in_progress(event: Event) -> None:
    """Check that no match is in progress, because the file would include its secrets.

    Raises RefusedError with the code `playing`.
    """
    tables = Table.objects.filter(round__stage__event=event, match__isnull=False)
    unfinished = tables.exclude(match__phase=Match.Phase.OVER).select_related("round__stage")
    if names := [str(table) for table in unfinished.order_by("round", "number")]:
        text = _(
            "Matches are still being played: {tables}. The file would contain their cards, "
            "so let these matches end first."
        )
        raise RefusedError(Code.PLAYING, text.format(tables="; ".join(names)))


@transaction.atomic
def move_event_away(event: Event, actor: User) -> Event:
    """Hand the event over to another machine.

    Until it returns, the event is read-only here. Raises RefusedError with the code `not-granted`,
    `away`, `playing` or `waiting`.
    """
    event = lock_event(event, settled=True)
    if not may_export(event, actor, WHOLE_EVENT):
        raise RefusedError(Code.NOT_GRANTED, _("Request the event file first."))
    check_no_match_in_progress(event)
    check_nothing_pending(event)
    event.journey += 1
    event.save(update_fields=["journey"])
    text = translate_later(
        gettext_noop("Moved the event to another server (move {n})."), n=event.journey
    )
    record(event, actor, LogAction.CARRY_OUT, text, journey=event.journey)
    event.away_since = timezone.now()
    event.save(update_fields=["away_since"])
    return event


@transaction.atomic
def resume_locally(event: Event, actor: User, reason: str) -> Event:
    """Continue the event here, and ignore all changes on the other machine.

    This needs no second organizer, because a read-only event accepts no requests. Instead, it is
    recorded in the public history. Raises RefusedError with the code `no-reason` or `state`.
    """
    event = lock_row(event)
    if not event.away_since:
        raise RefusedError(Code.STATE, _("The event has not been moved to another server."))
    check_reason(reason, _("Give a reason. The reason stays on record, and everyone can read it."))
    event.away_since, event.journey = None, event.journey + 1
    event.save(update_fields=["away_since", "journey"])
    text = translate_later(
        gettext_noop("Continued the event here, without the server it had been moved to.")
    )
    record(event, actor, LogAction.CARRY_BREAK, text, reason, journey=event.journey)
    return event
