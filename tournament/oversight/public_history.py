"""The public history: rows are only added, each holding the one before (common/chain.py)."""

import secrets

from django.utils import timezone

from tournament.common.chain import START, VERSION, Facts, seal
from tournament.common.locks import lock_event
from tournament.models import Event, HistoryEntry, Logged, User
from tournament.oversight import rights_table
from tournament.oversight.history_texts import link_of


def append(
    event: Event, actor: User | None, action: Logged, reason: str, facts: Facts
) -> HistoryEntry:
    """Add a row, in the caller's transaction."""
    # Rows have numbers, and hold one another: they are added one after the other.
    event = lock_event(event, settled=True)
    last = event.history.order_by("number").last()
    entry = HistoryEntry(
        event=event,
        number=last.number + 1 if last else 1,
        action=action,
        role=_role(event, actor),
        facts=dict(facts),
        reason=reason,
        at=timezone.now(),
        previous=last.digest if last else START,
        version=VERSION,
        salt=secrets.token_hex(16),
    )
    entry.seal = seal(entry.salt, reason)
    entry.digest = link_of(entry).digest()
    entry.save(force_insert=True)
    return entry


def _role(event: Event, actor: User | None) -> str:
    """By which right somebody did it; the public is not told who it was."""
    if actor is None:
        return "site"
    named = set(event.roles.filter(user=actor).values_list("role", flat=True))
    if rights_table.OWNER in named:
        return "organizer"
    if actor.is_superuser:
        return "superuser"
    return next((role for role in rights_table.ROLES if role in named), "player")
