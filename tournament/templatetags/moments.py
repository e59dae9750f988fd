"""Times in templates.

* `{{ event.starts_at|moment }}`: date and time.
* `second`: date and time with seconds.
* `day`: only the date.
* `time_of_day`: only the time.
* `{% when event.starts_at %}`: a `<time>` element. On pages with several events, `{% when
  event.starts_at event.zone %}` uses each event's zone.

The default is the active time zone.
"""

from datetime import datetime, tzinfo

from django import template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _

from tournament.common.moments import day_text, moment_text, second_text, time_text

register = template.Library()
register.filter("day", day_text)
register.filter("moment", moment_text)
register.filter("second", second_text)
register.filter("time_of_day", time_text)


@register.simple_tag
def when(moment: datetime | None, zone: tzinfo | None = None) -> str:
    """Render a time as a `<time>` element, or a note if it is not known yet."""
    if moment is None:
        return _("to be announced")
    machine = timezone.localtime(moment, zone).isoformat()
    return format_html('<time datetime="{}">{}</time>', machine, moment_text(moment, zone))
