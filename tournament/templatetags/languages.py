"""Address of the catalogue of script texts, for templates."""

from django import template
from django.urls import reverse
from django.utils.translation import get_language

from tournament.site.catalogues import version

register = template.Library()

WRITTEN_IN = "en"


@register.simple_tag
def catalogue_address() -> str:
    """Return the address of the scripts' catalogue.

    Return "" for the language that the scripts are written in.
    """
    language = get_language()
    if language == WRITTEN_IN:
        return ""
    return reverse("catalogue", args=[language, version(language)])
