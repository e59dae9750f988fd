"""Which events everybody may see."""

from django.db.models import QuerySet

from tournament.models import Event


def shown_to_all() -> QuerySet[Event]:
    """Those that are `Event.public`: neither being prepared nor a rehearsal."""
    return Event.objects.filter(rehearsal_of=None).exclude(state=Event.State.DRAFT)
