"""Template filters for text that people have written, and for stored reasons."""

from django import template
from django.utils.html import linebreaks
from django.utils.safestring import mark_safe

from tournament.common.reasons import reason_text

register = template.Library()
register.filter("why", reason_text)


@register.filter
def prose(text: str) -> str:
    """Render a text as paragraphs with individual text directions.

    For example, an Arabic paragraph is aligned to the right, even after a Bengali one.
    """
    paragraphs = linebreaks(text, autoescape=True)
    return mark_safe(paragraphs.replace("<p>", '<p dir="auto">'))  # noqa: S308 - escaped above
