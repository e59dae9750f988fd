"""Mails lead back to the site as the visitor has it."""

import pytest
from django.core import mail
from django.urls import reverse
from pytest_django import DjangoCaptureOnCommitCallbacks

from tests.tournament.helpers import organized
from tournament.models import Registration
from tournament.services.registering import approve
from tournament.services.site_address import absolute, used_at

pytestmark = pytest.mark.django_db


def test_an_address_is_known_inside_and_not_outside() -> None:
    with used_at("https://cards.example/"):
        assert absolute("/e/cup/") == "https://cards.example/e/cup/"
    assert absolute("/e/cup/") == ""


def waiting() -> Registration:
    event, _organizer = organized(1)
    Registration.objects.update(state=Registration.State.PENDING)
    return event.registrations.get()


def test_a_mail_has_the_address_of_the_event(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    one = waiting()
    with used_at("https://cards.example/"), django_capture_on_commit_callbacks(execute=True):
        approve(one, one.event.organizers.get())
    address = reverse("event", args=[one.event.slug])
    assert f"The event’s page: https://cards.example{address}" in mail.outbox[-1].body


def test_where_no_address_is_known_the_mail_has_none(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    one = waiting()
    with django_capture_on_commit_callbacks(execute=True):
        approve(one, one.event.organizers.get())
    assert "page: http" not in mail.outbox[-1].body
