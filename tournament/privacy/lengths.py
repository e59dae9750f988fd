"""Retention periods for an event's personal data, never longer than the site's own."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Max

from tournament.models import Event, Round


def retention_days(event: Event) -> int | None:
    """Return the shorter of the event's and the site's retention period, in days.

    None means that the data is kept until someone deletes it.
    """
    said = [days for days in (event.keep_days, settings.KEEP_EVENT_DAYS or None) if days]
    return min(said, default=None)


def due_at(event: Event) -> datetime | None:
    """Return when the data is deleted automatically, None if never or not known yet.

    An event that is never finished counts as over once nothing has happened in it for the
    site's number of days.
    """
    finished = event.state == Event.State.FINISHED
    days = retention_days(event) if finished else settings.KEEP_EVENT_DAYS
    ended = _find_end(event) if finished else _find_last_touched(event)
    return ended + timedelta(days=days) if days and ended else None


def _find_end(event: Event) -> datetime | None:
    rounds = Round.objects.filter(stage__event=event).aggregate(last=Max("closed_at"))
    return event.locked_at or rounds["last"] or _find_last_touched(event)


def _find_last_touched(event: Event) -> datetime | None:
    """Return the latest activity or planned date of the event, None while a round is played."""
    rounds = Round.objects.filter(stage__event=event)
    if rounds.filter(state=Round.State.RUNNING).exists():
        return None
    found: list[datetime | None] = [
        rounds.aggregate(last=Max("closed_at"))["last"],
        event.audit.aggregate(last=Max("at"))["last"],
        event.registrations.aggregate(last=Max("registered_at"))["last"],
    ]
    told: list[datetime | None] = [event.created_at, event.starts_at, event.registration_closes]
    return max(moment for moment in (*told, *found) if moment)
