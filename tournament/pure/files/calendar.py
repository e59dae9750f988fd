"""One event as a file for calendars: iCalendar, RFC 5545. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

# Octets of a line, without its end (RFC 5545, 3.1).
LONGEST = 75


@dataclass(frozen=True)
class CalendarEntry:
    """An entry of a calendar.

    `key` identifies the entry permanently, so that a later file changes it. `ends` is set if the
    end is known.
    """

    key: str
    title: str
    starts: datetime
    place: str = ""
    ends: datetime | None = None


def calendar(entry: CalendarEntry, page: str) -> str:
    """Return the calendar file; `page` is the page with details, or "" if unknown."""
    moment = _format_moment(entry.starts)
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Lastcard//EN",
        "BEGIN:VEVENT",
        f"UID:{_escape_text(entry.key)}",
        f"DTSTAMP:{moment}",
        f"DTSTART:{moment}",
        *([f"DTEND:{_format_moment(entry.ends)}"] if entry.ends else []),
        f"SUMMARY:{_escape_text(entry.title)}",
        *([f"LOCATION:{_escape_text(entry.place)}"] if entry.place else []),
        *([f"URL:{page}"] if page else []),
        "END:VEVENT",
        "END:VCALENDAR",
    ]
    return "".join(f"{part}\r\n" for line in lines for part in _fold_line(line))


def _format_moment(when: datetime) -> str:
    return when.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _escape_text(text: str) -> str:
    for sign in "\\;,":
        text = text.replace(sign, f"\\{sign}")
    return "\\n".join(text.splitlines())


def _fold_line(line: str) -> Iterator[str]:
    """Split a long line so that each continuation starts with a space.

    No character is cut in two.
    """
    part = ""
    for sign in line:
        if len((part + sign).encode()) > LONGEST:
            yield part
            part = " "
        part += sign
    yield part
