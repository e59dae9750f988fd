"""People's roles in events, and the rights that follow from them (pure/rights_table.py)."""

from typing import Any

from django.db.models import QuerySet

from tournament.models import Event, EventRole, User
from tournament.pure import rights_table


def is_staff(user: Any) -> bool:
    """Return whether the account may enter the desk."""
    return isinstance(user, User) and user.is_active and user.is_staff


def find_roles(user: Any, event: Event) -> frozenset[str]:
    """Return the person's roles in the event.

    Superusers are owners of every event.
    """
    if not is_staff(user):
        return frozenset()
    roles = frozenset(
        EventRole.objects.filter(event=event, user=user).values_list("role", flat=True)
    )
    return roles | {rights_table.OWNER} if user.is_superuser else roles


def roles_by_event(user: Any) -> dict[int, frozenset[str]]:
    """Return the roles that the person has been given, by the event's key."""
    roles: dict[int, frozenset[str]] = {}
    if is_staff(user):
        for event, role in EventRole.objects.filter(user=user).values_list("event", "role"):
            roles[event] = roles.get(event, frozenset()) | {role}
    return roles


def has_right(user: Any, event: Event, right: str) -> bool:
    """Return whether the person has this right in the event."""
    return rights_table.may(find_roles(user, event), right)


def events_for(user: Any, right: str) -> QuerySet[Event]:
    """Return the events in which the person has this right."""
    events = Event.objects.all()
    if not is_staff(user):
        return events.none()
    if user.is_superuser and rights_table.may({rights_table.OWNER}, right):
        return events
    roles = EventRole.objects.filter(user=user, role__in=rights_table.TABLE[right])
    return events.filter(pk__in=roles.values("event"))


def people_for(event: Event, right: str) -> QuerySet[User]:
    """Return the staff members with a role in the event that includes this right."""
    roles = EventRole.objects.filter(event=event, role__in=rights_table.TABLE[right])
    return User.objects.filter(is_active=True, is_staff=True, pk__in=roles.values("user"))
