"""People of an event in templates: `{% person event registration name %}`."""

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.templatetags.cards import face
from tournament.models import Event, Registration

register = template.Library()


@register.simple_tag
def person(event: Event, registration: Registration | None, name: str) -> SafeString:
    """The name with its face, as a link to the player's page where there is one."""
    account = registration.user_id if registration else None
    shown = format_html("{}<bdi>{}</bdi>", face(name, account), name)
    if registration is None or registration.anonymous:
        return format_html('<span class="person">{}</span>', shown)
    address = reverse("event-player", args=[event.slug, registration.queue_number])
    return format_html('<a class="person" href="{}">{}</a>', address, shown)
