"""Names of an event's players in templates.

Usage: `{% person event registration name %}`.
"""

from collections.abc import Mapping

from django import template
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString

from games.process import process_cache
from tournament.models import Event, Registration

register = template.Library()

PERSON = "tournament/common/person.html"
CAREER = "tournament/common/career_link.html"
# Enough names for several large events.
KEPT = 10_000


@register.simple_tag
def person(event: Event, registration: Registration | None, name: str) -> str:
    """Render a name with its avatar, and with a link if the player has a page."""
    if registration is None:
        return render_name("", 0, name, None, "")
    slug = "" if registration.anonymous else event.slug
    account = registration.user_id, registration.look
    return render_name(slug, registration.queue_number, name, *account)


@register.simple_tag
def career_link(registration: Registration | None, pages: Mapping[int, str]) -> str:
    """Return a small link to the player's public page, or "" if there is none.

    `pages` has the URLs of public pages by registration id.
    """
    page = pages.get(registration.pk) if registration else None
    if registration is None or page is None:
        return ""
    return SafeString(render_to_string(CAREER, {"page": page, "name": registration.name}).strip())


@process_cache(KEPT)
def render_name(slug: str, number: int, name: str, account: int | None, look: str) -> str:
    """Render a name like `person`, but from plain values, which can be cache keys.

    The name is a link if `slug` is not empty.
    """
    page = reverse("event-player", args=[slug, number]) if slug else ""
    context = {"name": name, "account": account, "look": look, "page": page}
    html = render_to_string(PERSON, context)
    return SafeString(html.strip())
