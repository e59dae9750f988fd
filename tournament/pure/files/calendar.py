"""Calendar files (iCalendar, RFC 5545)."""

from dataclasses import dataclass
from datetime import UTC, datetime

import icalendar


@dataclass(frozen=True)
class CalendarEntry:
    """A calendar entry.

    * `key`: a permanent identifier. A later file with the same key updates the entry.
    * `changed`: the time of the last change.
    * `changes`: the number of changes. Calendars keep the version with the highest number.
    * `ends`: the end, or None if it is unknown.
    """

    key: str
    title: str
    starts: datetime
    changed: datetime
    changes: int = 0
    place: str = ""
    ends: datetime | None = None
    cancelled: bool = False


def build_calendar(entry: CalendarEntry, page: str, now: datetime) -> str:
    """Return a calendar file with one entry.

    `page` is the address of a page about the event, or "". `now` is the time of the download.
    """
    event = icalendar.Event()
    event.add("uid", entry.key)
    event.add("dtstamp", now.astimezone(UTC))
    event.add("dtstart", entry.starts.astimezone(UTC))
    if entry.ends:
        event.add("dtend", entry.ends.astimezone(UTC))
    event.add("last-modified", entry.changed.astimezone(UTC))
    event.add("sequence", entry.changes)
    event.add("status", "CANCELLED" if entry.cancelled else "CONFIRMED")
    event.add("summary", _normalize_line_breaks(entry.title))
    if entry.place:
        event.add("location", _normalize_line_breaks(entry.place))
    if page:
        event.add("url", page)
    file = icalendar.Calendar()
    file.add("version", "2.0")
    file.add("prodid", "-//Lastcard//EN")
    file.add_component(event)
    text: str = file.to_ical().decode()
    return text


def _normalize_line_breaks(text: str) -> str:
    """Convert all line breaks to line feeds, which icalendar can escape."""
    return "\n".join(text.splitlines())
