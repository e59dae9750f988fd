"""Figures that may be above or below nothing: `{{ 0.4|signed }}`, `{% bar 0.4 1.5 %}`."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.filter
def signed(value: float) -> str:
    """`+0.4`, `−3`, `0`: with the sign that is as wide as a figure."""
    return f"{value:+}".replace("-", "−") if value else "0"


@register.simple_tag
def bar(value: float, most: float) -> SafeString:
    """A bar to the right of the middle, or to its left for less than nothing; `most` fills it."""
    width = round(50 * abs(value) / most, 1) if most else 0.0
    return format_html(
        '<svg class="bar {}" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">'
        '<rect x="{}" width="{}" height="8"/><line x1="50" x2="50" y2="8"/></svg>',
        "less" if value < 0 else "more",
        50 - width if value < 0 else 50,
        width,
    )
