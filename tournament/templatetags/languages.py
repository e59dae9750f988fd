"""Where a page finds the words of its scripts."""

from django import template
from django.urls import reverse
from django.utils.translation import get_language

from tournament.site.catalogues import version

register = template.Library()

WRITTEN_IN = "en"


@register.simple_tag
def catalogue_address() -> str:
    """The address of the scripts' catalogue; none in the language that they are written in."""
    language = get_language()
    if language == WRITTEN_IN:
        return ""
    return reverse("catalogue", args=[language, version(language)])
