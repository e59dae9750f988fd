"""Template tag for the URL of the message catalogue for scripts."""

from django import template
from django.urls import reverse
from django.utils.translation import get_language

from tournament.site.catalogues import catalogue_version

register = template.Library()

SOURCE_LANGUAGE = "en"


@register.simple_tag
def catalogue_address() -> str:
    """Return the URL of the message catalogue in the active language.

    Returns "" for English, because the scripts contain the English texts.
    """
    language = get_language()
    if language == SOURCE_LANGUAGE:
        return ""
    return reverse("catalogue", args=[language, catalogue_version(language)])
