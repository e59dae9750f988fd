"""Points in time in words, with a consistent style and always with their zone."""

from datetime import datetime, timedelta, tzinfo

from django.utils import timezone
from django.utils.dateformat import format as format_date

DAY = "j F Y"
STYLE = f"D {DAY}, H:i"


def day_text(moment: datetime, zone: tzinfo | None = None) -> str:
    """Format a date in `zone`, or else the active zone, such as "28 November 2026"."""
    return format_date(timezone.localtime(moment, zone), DAY)


def moment_text(moment: datetime, zone: tzinfo | None = None) -> str:
    """Such as "Sat 28 November 2026, 15:00 IST".

    In the zone of the event, or in the active one: the site's, or that of the event whose page or
    email it is.
    """
    return _format_moment(moment, STYLE, zone)


def time_text(moment: datetime) -> str:
    """Such as "21:40 IST", for a time of today in the active zone."""
    return _format_moment(moment, "H:i")


def second_text(moment: datetime) -> str:
    """Format a time to the second for a log, such as "Sat 28 November 2026, 15:00:07 IST"."""
    return _format_moment(moment, f"{STYLE}:s")


def clock(time: timedelta) -> str:
    """Format a duration as on a clock: "0:07", "12:30", "1:02:03"."""
    minutes, seconds = divmod(int(time.total_seconds()), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def _format_moment(moment: datetime, style: str, zone: tzinfo | None = None) -> str:
    local = timezone.localtime(moment, zone)
    return f"{format_date(local, style)} {_format_zone(local)}"


def _format_zone(local: datetime) -> str:
    """Return the zone's short name, or its offset from UTC if it has none, as in Kathmandu."""
    name = local.tzname() or ""
    return name if name.isalpha() else f"UTC{local.isoformat()[-6:]}"
