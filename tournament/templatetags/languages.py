"""The URL of the message catalogue for scripts."""

from django import template
from django.urls import reverse
from django.utils.translation import get_language

from tournament.site.catalogues import version

register = template.Library()

SOURCE_LANGUAGE = "en"


@register.simple_tag
def catalogue_address() -> str:
    """Return the URL of the scripts' message catalogue.

    Returns "" for English, which is the language in the scripts.
    """
    language = get_language()
    if language == SOURCE_LANGUAGE:
        return ""
    return reverse("catalogue", args=[language, version(language)])
