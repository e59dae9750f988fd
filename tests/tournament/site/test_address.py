"""Tests of links in emails, which use the site address from the request."""

import pytest
from django.core import mail
from django.core.management import call_command
from django.urls import reverse
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from tests.factories import make_user
from tests.tournament.helpers import make_organized_event
from tests.tournament.second_factor import give_app
from tournament.models import Registration
from tournament.registration.services import approve
from tournament.site.address import absolute_url, use_site_address

pytestmark = pytest.mark.django_db


def test_absolute_url_exists_only_inside_its_context() -> None:
    with use_site_address("https://cards.example/"):
        assert absolute_url("/e/cup/") == "https://cards.example/e/cup/"
    assert absolute_url("/e/cup/") == ""


def make_pending_registration() -> Registration:
    event, _organizer = make_organized_event(1)
    Registration.objects.update(state=Registration.State.PENDING)
    return event.registrations.get()


def test_email_links_to_the_event_page(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    one = make_pending_registration()
    with (
        use_site_address("https://cards.example/"),
        django_capture_on_commit_callbacks(execute=True),
    ):
        approve(one, one.event.organizers.get())
    address = reverse("event", args=[one.event.slug])
    assert f"Event page: https://cards.example{address}" in mail.outbox[-1].body


def test_email_outside_a_request_uses_the_configured_site_address(
    settings: Settings, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    settings.SITE_ADDRESS = "https://cards.example/"
    one = make_pending_registration()
    with django_capture_on_commit_callbacks(execute=True):
        approve(one, one.event.organizers.get())
    address = reverse("event", args=[one.event.slug])
    assert f"Event page: https://cards.example{address}" in mail.outbox[-1].body
    with use_site_address("http://10.0.0.7:8000/"):
        assert absolute_url("/e/cup/") == "http://10.0.0.7:8000/e/cup/"


def test_email_from_a_command_links_to_the_site(
    settings: Settings, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    settings.SITE_ADDRESS = "https://cards.example/"
    user = make_user("Odile", is_staff=True)
    give_app(user)
    with django_capture_on_commit_callbacks(execute=True):
        call_command("take_off_second_factor", user.email, reason="Phone lost.")
    assert "\n    https://cards.example/accounts/2fa/\n" in mail.outbox[-1].body


def test_email_without_a_known_site_address_has_no_link(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    one = make_pending_registration()
    with django_capture_on_commit_callbacks(execute=True):
        approve(one, one.event.organizers.get())
    assert "page: http" not in mail.outbox[-1].body
