"""Points in time in templates.

`{{ event.starts_at|moment }}`, to the second with `second`, the day alone with `day`, the time
alone with `time_of_day`, `{% when event.starts_at %}`. All are in the active zone. On a page about
several events, `{% when event.starts_at event.zone %}` names the event's.
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
    """Return the point in time for people and for programs.

    None means a time that is not known yet.
    """
    if moment is None:
        return _("to be announced")
    machine = timezone.localtime(moment, zone).isoformat()
    return format_html('<time datetime="{}">{}</time>', machine, moment_text(moment, zone))
