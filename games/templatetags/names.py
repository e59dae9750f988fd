"""Template filter for a list of people in a sentence: `{{ winners|join_people }}`."""

from collections.abc import Sequence
from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

register = template.Library()


@register.filter
def join_people(people: Sequence[Any]) -> SafeString:
    """Return the names as `a`, `a and b` or `a, b and c`, isolating their writing directions."""
    *first, last = (format_html("<bdi>{}</bdi>", person.name) for person in people)
    if not first:
        return last
    names = format_html_join(", ", "{}", ((name,) for name in first))
    return format_html(_("{first} and {last}"), first=names, last=last)
