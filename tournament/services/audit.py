"""The log of what organizers did."""

from typing import Any

from tournament.models import AuditEntry, Event, User


def record(
    event: Event, actor: User | None, action: str, text: str, reason: str = "", **data: Any
) -> AuditEntry:
    """Write down one action; call it inside the action's own transaction."""
    return AuditEntry.objects.create(
        event=event, actor=actor, action=action, text=text[:300], reason=reason[:300], data=data
    )
