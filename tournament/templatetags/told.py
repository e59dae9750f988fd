"""What the desk tells the reader of an event's page: `{% told event user as messages %}`."""

from typing import Any

from django import template

from tournament.models import DeskMessage, Event
from tournament.queries.told import told_to

register = template.Library()


@register.simple_tag
def told(event: Event, user: Any) -> list[DeskMessage]:
    """The messages that this person reads, the newest first."""
    return told_to(event, user)
