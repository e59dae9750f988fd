"""Figures that may be above or below nothing: `{{ 0.4|signed }}`, `{% bar 0.4 1.5 %}`."""

from django import template

register = template.Library()


@register.filter
def format_signed(value: float, digits: int | None = None) -> str:
    """`+0.4`, `−3`, `0`: with the sign that is as wide as a figure; with so many digits behind the
    point, if asked."""
    if not value:
        return "0"
    amount = str(abs(value)) if digits is None else f"{abs(value):.{digits}f}"
    return f"+{amount}" if value > 0 else f"−{amount}"


@register.inclusion_tag("games/bar.html")
def bar(value: float, most: float) -> dict[str, float | bool]:
    """A bar to the right of the middle, or to its left for less than nothing; `most` fills it."""
    width = round(50 * abs(value) / most, 1) if most else 0.0
    return {"less": value < 0, "x": 50 - width if value < 0 else 50.0, "width": width}
