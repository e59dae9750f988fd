"""Retention periods of events' personal data. The site's own period is the maximum."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Max

from tournament.models import Event, Round


def retention_days(event: Event) -> int | None:
    """Return the event's retention period or the site's, whichever is shorter, in days.

    None means that the data is kept until it is deleted by hand.
    """
    periods = [days for days in (event.keep_days, settings.KEEP_EVENT_DAYS or None) if days]
    return min(periods, default=None)


def due_at(event: Event) -> datetime | None:
    """Return the time at which the event's personal data will be deleted automatically.

    Returns None if the time is not known yet, or if the data is kept. An event that was never
    finished is considered over after its last activity.
    """
    finished = event.state == Event.State.FINISHED
    days = retention_days(event) if finished else settings.KEEP_EVENT_DAYS
    ended = _find_end(event) if finished else _find_last_activity(event)
    return ended + timedelta(days=days) if days and ended else None


def _find_end(event: Event) -> datetime | None:
    rounds = Round.objects.filter(stage__event=event).aggregate(last=Max("closed_at"))
    return event.locked_at or rounds["last"] or _find_last_activity(event)


def _find_last_activity(event: Event) -> datetime | None:
    """Return the latest activity or planned date of the event. During a round, return None."""
    rounds = Round.objects.filter(stage__event=event)
    if rounds.filter(state=Round.State.RUNNING).exists():
        return None
    activity: list[datetime | None] = [
        rounds.aggregate(last=Max("closed_at"))["last"],
        event.audit.aggregate(last=Max("at"))["last"],
        event.registrations.aggregate(last=Max("registered_at"))["last"],
    ]
    planned: list[datetime | None] = [event.created_at, event.starts_at, event.registration_closes]
    return max(moment for moment in (*planned, *activity) if moment)
