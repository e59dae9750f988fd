"""Template filter for several people in a sentence: `{{ winners|named }}`."""

from collections.abc import Sequence
from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

register = template.Library()


@register.filter
def join_people(people: Sequence[Any]) -> SafeString:
    """Return names as `a`, `a and b`, `a, b and c`, each in its own writing direction."""
    *first, last = (format_html("<bdi>{}</bdi>", each.name) for each in people)
    if not first:
        return last
    names = format_html_join(", ", "{}", ((name,) for name in first))
    return format_html(_("{first} and {last}"), first=names, last=last)
