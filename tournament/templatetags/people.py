"""Names of an event's players in templates.

Usage: `{% person event registration name %}`.
"""

from django import template
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString

from games.process import process_cache
from tournament.models import Event, Registration

register = template.Library()

PERSON = "tournament/common/person.html"
# Enough for the players of a few large events.
CACHE_SIZE = 10_000


@register.simple_tag
def person(event: Event, registration: Registration | None, name: str) -> str:
    """Render the name with its avatar, linked to the player's page if there is one."""
    if registration is None:
        return show_name("", 0, name, None, "")
    slug = "" if registration.anonymous else event.slug
    account = registration.user_id, registration.look
    return show_name(slug, registration.queue_number, name, *account)


@process_cache(CACHE_SIZE)
def show_name(slug: str, number: int, name: str, account: int | None, look: str) -> str:
    """Render the same HTML as `person` from plain values.

    The name is a link if the slug of the event is not empty.
    """
    page = reverse("event-player", args=[slug, number]) if slug else ""
    context = {"name": name, "account": account, "look": look, "page": page}
    html = render_to_string(PERSON, context)
    return SafeString(html.strip())
