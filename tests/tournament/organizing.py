"""The organizer's desk for tests: its pages by name, and its buttons."""

import re
from typing import Any

from django.test import Client
from django.urls import reverse

from tournament.models import Event


def page(name: str, event: Event, *rest: int | str) -> str:
    """Return the address of a page of the event's desk."""
    return reverse(f"admin:event-{name}", args=[event.pk, *rest])


def press_button(client: Client, address: str, action: str, **fields: Any) -> str:
    """Press a button on the page at `address`, and return the page shown afterwards."""
    response = client.post(address, {"action": action} | fields, follow=True)
    return str(response.content.decode())


def answer_waiting_step(client: Client, event: Event, action: str, **fields: Any) -> str:
    """Answer the only request that waits for a second organizer with `action`."""
    address, asked = page("waiting", event), event.proposals.get(state="waiting")
    shown = client.get(address).text
    seen = re.search(r'name="seen" value="([^"]+)"', shown)
    sent = {"proposal": str(asked.pk), "seen": seen[1] if seen else ""}
    return press_button(client, address, action, **sent | fields)
