"""One event as a file for calendars: iCalendar, RFC 5545. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

# Octets of a line, without its end (RFC 5545, 3.1).
LONGEST = 75


@dataclass(frozen=True)
class CalendarEntry:
    """`key` names the entry for good, so that a later file changes it. `ends` where somebody can
    tell."""

    key: str
    title: str
    starts: datetime
    place: str = ""
    ends: datetime | None = None


def calendar(entry: CalendarEntry, page: str) -> str:
    """The file; `page` is where people read more, "" where that is not known."""
    moment = _moment(entry.starts)
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Lastcard//EN",
        "BEGIN:VEVENT",
        f"UID:{_escaped(entry.key)}",
        f"DTSTAMP:{moment}",
        f"DTSTART:{moment}",
        *([f"DTEND:{_moment(entry.ends)}"] if entry.ends else []),
        f"SUMMARY:{_escaped(entry.title)}",
        *([f"LOCATION:{_escaped(entry.place)}"] if entry.place else []),
        *([f"URL:{page}"] if page else []),
        "END:VEVENT",
        "END:VCALENDAR",
    ]
    return "".join(f"{part}\r\n" for line in lines for part in _folded(line))


def _moment(when: datetime) -> str:
    return when.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _escaped(text: str) -> str:
    for sign in "\\;,":
        text = text.replace(sign, f"\\{sign}")
    return "\\n".join(text.splitlines())


def _folded(line: str) -> Iterator[str]:
    """A long line goes on in the next one, after a space; no letter is cut in two."""
    part = ""
    for sign in line:
        if len((part + sign).encode()) > LONGEST:
            yield part
            part = " "
        part += sign
    yield part
