"""Points in time in templates.

`moment`, as in `{{ event.starts_at|moment }}`, formats a date and time, `second` adds the seconds,
`day` formats the date alone and `time_of_day` the time alone. `{% when event.starts_at %}` renders
a `<time>` element. All of them use the active time zone. On a page with several events, `{% when
event.starts_at event.zone %}` uses the zone of each event.
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
    """Render a point in time as a `<time>` element.

    None stands for a time that is not known yet.
    """
    if moment is None:
        return _("to be announced")
    machine = timezone.localtime(moment, zone).isoformat()
    return format_html('<time datetime="{}">{}</time>', machine, moment_text(moment, zone))
