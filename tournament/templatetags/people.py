"""People in templates: `{% face name account %}`, `{% person event registration name %}`."""

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.protocol.faces import face_of
from tournament.models import Event, Registration

register = template.Library()


@register.simple_tag
def face(name: str, account: int | None = None) -> SafeString:
    """An initial on a colour; decoration beside the name."""
    shown = face_of(name, account)
    text = '<span class="face tone-{}" aria-hidden="true">{}</span>'
    return format_html(text, shown["tone"], shown["letter"])


@register.simple_tag
def person(event: Event, registration: Registration | None, name: str) -> SafeString:
    """The name with its face, as a link to the player's page where there is one."""
    account = registration.user_id if registration else None
    shown = format_html("{}<bdi>{}</bdi>", face(name, account), name)
    if registration is None or registration.anonymous:
        return format_html('<span class="person">{}</span>', shown)
    address = reverse("event-player", args=[event.slug, registration.queue_number])
    return format_html('<a class="person" href="{}">{}</a>', address, shown)
