"""Descriptions of stored setting values."""

from datetime import datetime

from django.utils.translation import gettext as _

from tournament.common.moments import moment_text


def describe_value(value: object) -> str:
    """Describe a stored value in words. It may be a list or an object."""
    match value:
        case bool():
            return _("yes") if value else _("no")
        case datetime():
            return moment_text(value)
        case list():
            return ", ".join(map(describe_value, value)) or "–"
        case dict():
            return " = ".join(map(describe_value, value.values()))
    return "–" if value is None or value == "" else str(value)
