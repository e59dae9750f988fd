"""Template tags for signed figures: `{{ 0.4|format_signed }}`, `{% bar 0.4 1.5 %}`."""

from django import template

register = template.Library()


@register.filter
def format_signed(value: float, digits: int | None = None) -> str:
    """Return a number with its sign, such as `+0.4`, `−3` or `0`.

    The minus sign is as wide as a digit. `digits` is the number of digits after the decimal point.
    """
    if not value:
        return "0"
    amount = str(abs(value)) if digits is None else f"{abs(value):.{digits}f}"
    return f"+{amount}" if value > 0 else f"−{amount}"


@register.inclusion_tag("games/bar.html")
def bar(value: float, most: float) -> dict[str, float | bool]:
    """Draw a bar from the middle to the right, or to the left if the value is negative.

    A bar for the value `most` reaches the edge.
    """
    width = round(50 * abs(value) / most, 1) if most else 0.0
    return {"less": value < 0, "x": 50 - width if value < 0 else 50.0, "width": width}
