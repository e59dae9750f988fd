"""The events that the public can see."""

from django.db.models import QuerySet

from tournament.models import Event


def public_events() -> QuerySet[Event]:
    """Return the public events, which are neither drafts nor rehearsals."""
    return Event.objects.filter(rehearsal_of=None).exclude(state=Event.State.DRAFT)
