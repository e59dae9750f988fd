"""An organizer's desk for tests: its pages by name, and its buttons."""

import re
from typing import Any

from django.test import Client
from django.urls import reverse

from tournament.models import Event


def page(name: str, event: Event, *rest: int | str) -> str:
    """Return the address of a page of the event's desk."""
    return reverse(f"admin:event-{name}", args=[event.pk, *rest])


def do(client: Client, address: str, action: str, **fields: Any) -> str:
    """Press a button there, and what the page says afterwards."""
    response = client.post(address, {"action": action} | fields, follow=True)
    return str(response.content.decode())


def answer(client: Client, event: Event, action: str, **fields: Any) -> str:
    """Say so to the one step that waits for a second person, having looked at it."""
    address, asked = page("waiting", event), event.proposals.get(state="waiting")
    shown = client.get(address).text
    seen = re.search(r'name="seen" value="([^"]+)"', shown)
    sent = {"proposal": str(asked.pk), "seen": seen[1] if seen else ""}
    return do(client, address, action, **sent | fields)
