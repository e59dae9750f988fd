"""Tests of the badge that shows whether an event has free spots."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import make_event, make_players
from tournament.hall.sharing import make_event_preview
from tournament.models import Event

pytestmark = pytest.mark.django_db


def test_full_event_offers_the_waitlist() -> None:
    event = make_event()
    make_players(event, 2)
    for capacity, found in ((None, "Registration open"), (3, "Registration open"), (2, "Waitlist")):
        Event.objects.filter(pk=event.pk).update(capacity=capacity)
        for address in (
            reverse("event", args=[event.slug]),
            reverse("event-tables", args=[event.slug]),
        ):
            shown = Client().get(address).text
            assert f'">{found}</span>' in shown, (capacity, address)
        assert f'">{found}</span>' in Client().get(reverse("home")).text
        assert make_event_preview(Event.objects.get(pk=event.pk), None).text == f"{found}."
