"""Text typed by people: paragraphs, each with its own direction, and reasons."""

from django import template
from django.utils.html import linebreaks
from django.utils.safestring import mark_safe

from tournament.common.reasons import reason_text

register = template.Library()
register.filter("why", reason_text)


@register.filter
def prose(text: str) -> str:
    """Render text in paragraphs that each have their own direction.

    An Arabic paragraph after a Bengali one starts on the right.
    """
    paragraphs = linebreaks(text, autoescape=True)
    return mark_safe(paragraphs.replace("<p>", '<p dir="auto">'))  # noqa: S308 - escaped above
