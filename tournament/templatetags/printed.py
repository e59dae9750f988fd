"""Additions to printed pages: the time, the page's address and the end of the history."""

from functools import lru_cache

from django import template
from django.template import Context
from django.utils import timezone
from django.utils.html import format_html

from tournament.common.moments import moment_text
from tournament.oversight.public_history import head
from tournament.site.canonical import canonical_address
from tournament.site.qr import data_uri

register = template.Library()
# Everybody's page has its code, also where it is made for one person alone.
code = lru_cache(maxsize=200)(data_uri)


@register.inclusion_tag("tournament/rounds/printed.html", takes_context=True)
def print_line(context: Context) -> dict[str, str | int]:
    """Return the context of a printed public page's footer.

    The moment is that of rendering, until the page is printed.
    """
    address = canonical_address(context["request"])
    zone = timezone.get_current_timezone_name()
    made = format_html('<span data-zone="{}">{}</span>', zone, moment_text(timezone.now()))
    rows, end = head(context["event"])
    told = {"moment": made, "address": address, "code": code(address)}
    return {**told, "rows": rows, "head": end}
