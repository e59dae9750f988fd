"""A calendar file (iCalendar, RFC 5545) for one event. Pure."""

from dataclasses import dataclass
from datetime import UTC, datetime

import icalendar


@dataclass(frozen=True)
class CalendarEntry:
    """A calendar entry.

    * `key`: the permanent identifier, by which a later file updates the entry.
    * `changed`: the time of the last change.
    * `changes`: the number of changes. Calendars keep the version with the highest number.
    * `ends`: the end, if it is known.
    """

    key: str
    title: str
    starts: datetime
    changed: datetime
    changes: int = 0
    place: str = ""
    ends: datetime | None = None
    cancelled: bool = False


def calendar(entry: CalendarEntry, page: str, now: datetime) -> str:
    """Return the calendar file. `page` is the page with details, or "" if unknown."""
    event = icalendar.Event()
    event.add("uid", entry.key)
    event.add("dtstamp", now.astimezone(UTC))
    event.add("dtstart", entry.starts.astimezone(UTC))
    if entry.ends:
        event.add("dtend", entry.ends.astimezone(UTC))
    event.add("last-modified", entry.changed.astimezone(UTC))
    event.add("sequence", entry.changes)
    event.add("status", "CANCELLED" if entry.cancelled else "CONFIRMED")
    event.add("summary", _join_lines(entry.title))
    if entry.place:
        event.add("location", _join_lines(entry.place))
    if page:
        event.add("url", page)
    file = icalendar.Calendar()
    file.add("version", "2.0")
    file.add("prodid", "-//Lastcard//EN")
    file.add_component(event)
    text: str = file.to_ical().decode()
    return text


def _join_lines(text: str) -> str:
    """Convert all line breaks to the form that iCalendar can escape."""
    return "\n".join(text.splitlines())
