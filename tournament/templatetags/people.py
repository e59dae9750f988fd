"""Somebody of an event in templates: `{% person event registration name %}`."""

from django import template
from django.urls import reverse

from tournament.models import Event, Registration

register = template.Library()


@register.inclusion_tag("tournament/includes/person.html")
def person(event: Event, registration: Registration | None, name: str) -> dict[str, object]:
    """The name with its face, as a link to the player's page where there is one."""
    account = registration.user_id if registration else None
    return {"name": name, "account": account, "page": _page(event, registration)}


def _page(event: Event, registration: Registration | None) -> str:
    if registration is None or registration.anonymous:
        return ""
    return reverse("event-player", args=[event.slug, registration.queue_number])
