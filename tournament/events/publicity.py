"""Which events are visible to everyone."""

from django.db.models import QuerySet

from tournament.models import Event


def shown_to_all() -> QuerySet[Event]:
    """Return the events that are `Event.public`: neither in preparation nor rehearsals."""
    return Event.objects.filter(rehearsal_of=None).exclude(state=Event.State.DRAFT)
