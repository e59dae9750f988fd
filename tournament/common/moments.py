"""Points in time in words, everywhere in the same style and never without their zone."""

from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.dateformat import format as format_date

DAY = "j F Y"
STYLE = f"D {DAY}, H:i"


def day_text(moment: datetime) -> str:
    """Such as "28 November 2026", as it stands under a winner: in the site's zone."""
    return format_date(timezone.localtime(moment), DAY)


def moment_text(moment: datetime) -> str:
    """Such as "Sat 28 November 2026, 15:00 IST": in the site's zone, with its name."""
    return _format_moment(moment, STYLE)


def second_text(moment: datetime) -> str:
    """The same to the second, for a log: "Sat 28 November 2026, 15:00:07 IST"."""
    return _format_moment(moment, f"{STYLE}:s")


def clock(time: timedelta) -> str:
    """A length of time as a clock shows it: "0:07", "12:30", "1:02:03"."""
    minutes, seconds = divmod(int(time.total_seconds()), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def _format_moment(moment: datetime, style: str) -> str:
    local = timezone.localtime(moment)
    return f"{format_date(local, style)} {_format_zone(local)}"


def _format_zone(local: datetime) -> str:
    """The zone's short name; where it has none, such as Kathmandu's, its distance from UTC."""
    name = local.tzname() or ""
    return name if name.isalpha() else f"UTC{local.isoformat()[-6:]}"
