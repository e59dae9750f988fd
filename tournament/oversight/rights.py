"""A person's roles in an event, and the rights that they give (rights_table.py)."""

from typing import Any

from django.db.models import QuerySet

from tournament.models import Event, EventRole, User
from tournament.pure import rights_table


def is_staff(user: Any) -> bool:
    """Return whether the account may enter the desk at all."""
    return isinstance(user, User) and user.is_active and user.is_staff


def roles_of(user: Any, event: Event) -> frozenset[str]:
    """Return the person's roles in the event; superusers own every event."""
    if not is_staff(user):
        return frozenset()
    named = frozenset(
        EventRole.objects.filter(event=event, user=user).values_list("role", flat=True)
    )
    return named | {rights_table.OWNER} if user.is_superuser else named


def roles_by_event(user: Any) -> dict[int, frozenset[str]]:
    """Return all roles that the person has been given, by event key."""
    found: dict[int, frozenset[str]] = {}
    if is_staff(user):
        for event, role in EventRole.objects.filter(user=user).values_list("event", "role"):
            found[event] = found.get(event, frozenset()) | {role}
    return found


def may(user: Any, event: Event, deed: str) -> bool:
    """Return whether the person may do this in the event."""
    return rights_table.may(roles_of(user, event), deed)


def events_for(user: Any, deed: str) -> QuerySet[Event]:
    """Return the events in which the person may do this."""
    events = Event.objects.all()
    if not is_staff(user):
        return events.none()
    if user.is_superuser and rights_table.may({rights_table.OWNER}, deed):
        return events
    mine = EventRole.objects.filter(user=user, role__in=rights_table.TABLE[deed])
    return events.filter(pk__in=mine.values("event"))


def people_for(event: Event, deed: str) -> QuerySet[User]:
    """Return the staff whose role in the event allows them to do this."""
    named = EventRole.objects.filter(event=event, role__in=rights_table.TABLE[deed])
    return User.objects.filter(is_active=True, is_staff=True, pk__in=named.values("user"))
