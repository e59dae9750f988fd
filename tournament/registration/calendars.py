"""An event as a file for calendars: the same behind its link and with the letter about a place."""

from urllib.parse import urlsplit

from django.urls import reverse

from tournament.models import Event
from tournament.pure.files.calendar import CalendarEntry, calendar
from tournament.site.address import absolute
from tournament.stages.lengths import planned_end


def event_calendar(event: Event) -> str:
    """Return the calendar file, "" for an event without a date."""
    if event.starts_at is None:
        return ""
    page = absolute(reverse("event", args=[event.slug]))
    key = f"{event.slug}@{urlsplit(page).netloc}"
    entry = CalendarEntry(key, event.title, event.starts_at, event.place, planned_end(event))
    return calendar(entry, page)
