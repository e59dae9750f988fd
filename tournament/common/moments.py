"""Formats of dates, times and durations. A time always includes its zone."""

from datetime import datetime, timedelta, tzinfo

from django.utils import timezone
from django.utils.dateformat import format as format_date

DAY = "j F Y"
STYLE = f"D {DAY}, H:i"


def day_text(moment: datetime, zone: tzinfo | None = None) -> str:
    """Format a date, such as "28 November 2026". The default zone is the active one."""
    return format_date(timezone.localtime(moment, zone), DAY)


def moment_text(moment: datetime, zone: tzinfo | None = None) -> str:
    """Format a date and time, such as "Sat 28 November 2026, 15:00 IST".

    The default zone is the active one. This is the event's zone on an event's pages and in emails
    about it, and otherwise the site's.
    """
    return _format_moment(moment, STYLE, zone)


def time_text(moment: datetime) -> str:
    """Format a time of day in the active zone, such as "21:40 IST"."""
    return _format_moment(moment, "H:i")


def second_text(moment: datetime) -> str:
    """Format a date and time with seconds, such as "Sat 28 November 2026, 15:00:07 IST"."""
    return _format_moment(moment, f"{STYLE}:s")


def clock(duration: timedelta) -> str:
    """Format a duration as on a clock, such as "0:07", "12:30" or "1:02:03"."""
    minutes, seconds = divmod(int(duration.total_seconds()), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def _format_moment(moment: datetime, style: str, zone: tzinfo | None = None) -> str:
    local = timezone.localtime(moment, zone)
    return f"{format_date(local, style)} {_format_zone(local)}"


def _format_zone(local_time: datetime) -> str:
    """Return the zone's abbreviation, or its UTC offset if it has none, as in Kathmandu."""
    name = local_time.tzname() or ""
    return name if name.isalpha() else f"UTC{local_time.isoformat()[-6:]}"
