"""Delayed access of commentators to all cards of a match, and the log of its use.

At startup, the app registers `EventCommentary` with the code for live play, which must not import
from this app.
"""

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop

from tournament.common.language import translate_later
from tournament.models import AuditEntry, Event, LogAction, Registration, Table, TableSeat, User
from tournament.oversight.audit import record
from tournament.oversight.rights import is_staff
from tournament.people.accounts import assurance
from tournament.pure.rights_table import TABLE

# If a socket connects within this time, it belongs to a page view that is already logged.
SAME_VISIT = timedelta(minutes=10)


def commentator_since(event: Event, user: Any) -> datetime | None:
    """Return when this person's right to see hands began, or None if they have no such right.

    Hands dealt earlier remain hidden. The right requires a suitable role, and only staff who do
    not take part in the event can have it.
    """
    if not is_staff(user):
        return None
    role = event.roles.filter(user=user, role__in=TABLE["open_cards"]).first()
    return role.since if role and not is_participant(event, user) else None


def is_commentator(event: Event, user: Any) -> bool:
    """Return whether the user is one of the event's commentators."""
    return commentator_since(event, user) is not None


def is_participant(event: Event, user: User) -> bool:
    """Return whether the user is registered to play, or has ever had a seat in the event."""
    mine = event.registrations.filter(user=user)
    gone = (Registration.State.REFUSED, Registration.State.WITHDRAWN)
    seats = TableSeat.objects.filter(table__round__stage__event=event, registration__in=mine)
    return mine.exclude(state__in=gone).exists() or seats.exists()


class EventCommentary:
    """Implementation of games.sockets.entrance.access.Commentary for matches of events."""

    def commentator_since(self, match: int, user: Any) -> datetime | None:
        """Return when this person's right to see the match's hands began, or None."""
        event = Event.objects.filter(stages__rounds__tables__match=match).first()
        return commentator_since(event, user) if event else None

    def is_proven(self, user: Any, session_key: str) -> bool:
        """Return whether the session is strong enough for the admin."""
        return assurance.is_strong_session(user, session_key)

    def log_opening(self, match: int, user: Any, *, by_socket: bool) -> None:
        """Log that the user views the match's cards.

        A socket adds no entry if its page view is already logged.
        """
        table = Table.objects.select_related("round__stage__event").get(match=match)
        event = table.round.stage.event
        if by_socket and _was_view_logged_recently(event, match, user):
            return
        text = translate_later(gettext_noop("Viewed all cards at {table}."), table=table)
        with transaction.atomic():
            record(event, user, LogAction.COMMENTARY, text, match=match)


def _was_view_logged_recently(event: Event, match_id: int, user: User) -> bool:
    since = timezone.now() - SAME_VISIT
    entries = AuditEntry.objects.filter(
        event=event, actor=user, action=LogAction.COMMENTARY, at__gte=since
    )
    return entries.filter(data__match=match_id).exists()
