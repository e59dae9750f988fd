"""Who changes an event, takes its row first: two organizers are then one after the other."""

from tournament.models import Event


def lock_event(event: Event) -> Event:
    """The event as it is now, locked until the transaction ends."""
    return Event.objects.select_for_update().get(pk=event.pk)
