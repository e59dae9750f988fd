"""Mails lead back to the site as the visitor has it."""

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
from tournament.site.address import absolute, used_at

pytestmark = pytest.mark.django_db


def test_an_address_is_known_inside_and_not_outside() -> None:
    with used_at("https://cards.example/"):
        assert absolute("/e/cup/") == "https://cards.example/e/cup/"
    assert absolute("/e/cup/") == ""


def make_pending_registration() -> Registration:
    event, _organizer = make_organized_event(1)
    Registration.objects.update(state=Registration.State.PENDING)
    return event.registrations.get()


def test_a_mail_has_the_address_of_the_event(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    one = make_pending_registration()
    with used_at("https://cards.example/"), django_capture_on_commit_callbacks(execute=True):
        approve(one, one.event.organizers.get())
    address = reverse("event", args=[one.event.slug])
    assert f"Event page: https://cards.example{address}" in mail.outbox[-1].body


def test_where_nobody_asked_by_a_page_the_site_s_own_address_is_meant(
    settings: Settings, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    settings.SITE_ADDRESS = "https://cards.example/"
    one = make_pending_registration()
    with django_capture_on_commit_callbacks(execute=True):
        approve(one, one.event.organizers.get())
    address = reverse("event", args=[one.event.slug])
    assert f"Event page: https://cards.example{address}" in mail.outbox[-1].body
    with used_at("http://10.0.0.7:8000/"):
        assert absolute("/e/cup/") == "http://10.0.0.7:8000/e/cup/"


def test_a_mail_that_a_command_writes_leads_to_the_site(
    settings: Settings, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    settings.SITE_ADDRESS = "https://cards.example/"
    user = make_user("Odile", is_staff=True)
    give_app(user)
    with django_capture_on_commit_callbacks(execute=True):
        call_command("take_off_second_factor", user.email, reason="Phone lost.")
    assert "\n    https://cards.example/accounts/2fa/\n" in mail.outbox[-1].body


def test_where_no_address_is_known_the_mail_has_none(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    one = make_pending_registration()
    with django_capture_on_commit_callbacks(execute=True):
        approve(one, one.event.organizers.get())
    assert "page: http" not in mail.outbox[-1].body
