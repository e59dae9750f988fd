"""Footer of printed pages: the time, the page's URL and the last entry of the history."""

from functools import lru_cache

from django import template
from django.template import Context
from django.utils import timezone
from django.utils.html import format_html

from tournament.common.moments import moment_text
from tournament.oversight.public_history import find_public_head
from tournament.site.canonical import canonical_address
from tournament.site.qr import data_uri

register = template.Library()
# Cached, because every public page contains the QR code of its URL.
code = lru_cache(maxsize=200)(data_uri)


@register.inclusion_tag("tournament/rounds/printed.html", takes_context=True)
def print_line(context: Context) -> dict[str, str | int]:
    """Return the context for the footer of a printed public page.

    The time is that of rendering. A script replaces it with the time of printing.
    """
    address = canonical_address(context["request"])
    zone = timezone.get_current_timezone_name()
    rendered_at = format_html('<span data-zone="{}">{}</span>', zone, moment_text(timezone.now()))
    rows, last_hash = find_public_head(context["event"])
    texts = {"moment": rendered_at, "address": address, "code": code(address)}
    return {**texts, "rows": rows, "head": last_hash}
