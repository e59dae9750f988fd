"""Another format for an event that nobody has seen yet."""

from django.db import transaction
from django.utils.translation import gettext as _

from tournament.formats import READY, summary
from tournament.models import Event, Round, Stage, User
from tournament.services.audit import record
from tournament.services.errors import Refused
from tournament.services.events import make_stages
from tournament.services.locks import lock_event


@transaction.atomic
def set_format(event: Event, actor: User, key: str) -> Event:
    """Give the event the stages of a ready format, in the place of those that it has.

    Rules and settings stay. Once the event is published players have read its stages, and the keys
    of their lots are promised. Refused with: format, published.
    """
    event = lock_event(event)
    ready = READY.get(key)
    if ready is None:
        raise Refused("format", _("Choose a format first."))
    drawn = Round.objects.filter(stage__event=event).exists()
    if event.state != Event.State.DRAFT or drawn:
        raise Refused("published", _("The event is published: its stages stay as they are."))
    Stage.objects.filter(event=event).delete()
    make_stages(event, ready.stages)

    def text() -> str:
        return _("Set the format: {summary}.").format(summary=summary(ready.stages))

    record(event, actor, "format", text)
    return event
