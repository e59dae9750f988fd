"""An event's calendar file, for download and for emails."""

from urllib.parse import urlsplit

from django.db.models import Count, Max
from django.urls import reverse
from django.utils import timezone

from tournament.models import AuditEntry, Event, Round
from tournament.pure.files.calendar import CalendarEntry, build_calendar
from tournament.site.address import absolute_url
from tournament.stages.lengths import estimate_event_end


def event_calendar(event: Event) -> str:
    """Return the event's calendar file, or "" if the event has no date.

    The number of log entries is the file's sequence number, so calendars accept each new version
    of the file. An event that ended without a round is marked as cancelled.
    """
    if event.starts_at is None:
        return ""
    page = absolute_url(reverse("event", args=[event.slug]))
    log = AuditEntry.objects.filter(event=event).aggregate(changes=Count("pk"), last=Max("at"))
    entry = CalendarEntry(
        key=f"{event.slug}@{urlsplit(page).netloc}",
        title=event.title,
        starts=event.starts_at,
        changed=log["last"] or event.created_at,
        changes=log["changes"],
        place=event.place,
        ends=estimate_event_end(event),
        cancelled=event.state == Event.State.FINISHED and not _was_played(event),
    )
    return build_calendar(entry, page, timezone.now())


def _was_played(event: Event) -> bool:
    return Round.objects.filter(stage__event=event).exists()
