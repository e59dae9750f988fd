"""People in templates: `{{ winners|named }}` in a sentence, `{% face name account %}` at a name."""

from collections.abc import Sequence
from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.protocol.faces import face_of

register = template.Library()


@register.filter
def named(people: Sequence[Any]) -> SafeString:
    """The names of people as `a`, `a and b`, `a, b and c`, each in its own direction of writing."""
    *first, last = (format_html("<bdi>{}</bdi>", each.name) for each in people)
    if not first:
        return last
    names = format_html_join(", ", "{}", ((name,) for name in first))
    return format_html(_("{first} and {last}"), first=names, last=last)


@register.simple_tag
def face(name: str, account: int | None = None) -> SafeString:
    """The face of this account (None: it has none), as at the table; its name stands beside it."""
    looks = face_of(name, account)
    return format_html(
        '<span class="face tone-{}" aria-hidden="true">{}</span>', looks["tone"], looks["letter"]
    )
