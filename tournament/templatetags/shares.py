"""Figures of forecasts in templates: `{{ 0.25|percent }}`, `{{ 95|hours }}`."""

from django import template
from django.utils.translation import gettext as _

register = template.Library()


@register.filter
def percent(share: float) -> str:
    """Format a share as a whole percentage.

    Very small and very large shares are shown as "under 1%" and "over 99%".
    """
    if 0 < share < 0.01:
        return _("under 1%")
    if 0.99 < share < 1:
        return _("over 99%")
    return _("{share}%").format(share=round(share * 100))


@register.filter
def hours(minutes: float) -> str:
    """Format a number of minutes as hours and minutes."""
    whole, rest = divmod(round(minutes), 60)
    if not whole:
        return _("{minutes} min").format(minutes=rest)
    return _("{hours} h {minutes:02} min").format(hours=whole, minutes=rest)
