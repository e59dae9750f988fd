"""An organizer's desk for tests: its pages by name, and its buttons."""

from typing import Any

from django.test import Client
from django.urls import reverse

from tournament.models import Event


def page(name: str, event: Event, *rest: int) -> str:
    """The address of a page of the event's desk."""
    return reverse(f"admin:event-{name}", args=[event.pk, *rest])


def do(client: Client, address: str, action: str, **fields: Any) -> str:
    """Press a button there, and what the page says afterwards."""
    response = client.post(address, {"action": action} | fields, follow=True)
    return str(response.content.decode())
