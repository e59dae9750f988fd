"""Tests of emails about seats, which organizers send from the round's page."""

import pytest
from django.core import mail
from django.test import Client
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from tests.tournament.organizing import page, press_button
from tournament.mail import letters
from tournament.models import Event, Letter, Round

pytestmark = pytest.mark.django_db

CHECKED_BOX = 'name="mails" value="yes" checked'


def test_publishing_emails_the_seats_unless_unticked(
    client: Client,
    event: Event,
    drafted_round: Round,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    address = page("round", event, drafted_round.pk)
    assert CHECKED_BOX in client.get(address).content.decode()
    with django_capture_on_commit_callbacks(execute=True):
        press_button(client, address, "publish", mails="yes")
    shown = client.get(address).content.decode()
    assert "8 seat emails sent" in shown
    assert f"http://testserver/e/{event.slug}/my-table/" in mail.outbox[0].body


def test_seats_published_without_emails_can_be_emailed_later(
    client: Client,
    event: Event,
    drafted_round: Round,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    address = page("round", event, drafted_round.pk)
    assert "Players haven’t been emailed their seats." in press_button(client, address, "publish")
    assert not Letter.objects.exists()
    with django_capture_on_commit_callbacks(execute=True):
        assert "Emailing 8 players their seats." in press_button(client, address, "mail")
    assert (
        "Every player with a seat has already been emailed or has no email address."
        in press_button(client, address, "mail")
    )


def test_email_option_is_unticked_without_a_mail_server(
    client: Client, event: Event, drafted_round: Round, settings: Settings
) -> None:
    settings.MAILERS = {"default": {"BACKEND": letters.PRINTING_BACKEND}}
    shown = client.get(page("round", event, drafted_round.pk)).content.decode()
    assert 'name="mails" value="yes">' in shown
    assert CHECKED_BOX not in shown
