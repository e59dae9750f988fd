"""Points in time in templates: `{{ event.starts_at|moment }}`."""

from django import template

from tournament.moments import moment_text

register = template.Library()
register.filter("moment", moment_text)
