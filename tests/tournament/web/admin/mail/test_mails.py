"""Tests of the page that shows and retries the delivery of emails."""

from datetime import timedelta

import pytest
from django.core import mail
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from tests.factories import make_organizer
from tests.tournament.helpers import make_organized_event
from tests.tournament.organizing import page
from tournament.mail import letters
from tournament.mail.deliveries import delivery_text, mail_counts
from tournament.models import Event, Letter

pytestmark = [pytest.mark.django_db, pytest.mark.event(players=0)]


class UnreachableMailServer(BaseEmailBackend):
    def open(self) -> None:
        raise ConnectionRefusedError


@pytest.fixture
def organizer_client(client: Client, event: Event) -> Client:
    client.force_login(event.organizers.get())
    return client


def queue_email(event: Event, name: str) -> Letter:
    message = EmailMessage("You have a spot", "Hello", to=["asha@college.example"])
    letters.queue_letters([letters.write_letter(message, event=event, name=name)])
    return Letter.objects.latest("pk")


@pytest.fixture
def failed_email(settings: Settings, event: Event) -> Letter:
    """Provide an email that the server did not accept."""
    mailers, settings.MAILERS = (
        settings.MAILERS,
        {"default": {"BACKEND": f"{__name__}.UnreachableMailServer"}},
    )
    letter = queue_email(event, "Ben")
    settings.MAILERS = mailers
    return letter


def get_mail_page(desk: Client, event: Event, name: str = "mails") -> str:
    return desk.get(page(name, event)).content.decode()


def test_desk_does_not_mention_emails_if_none_exist(organizer_client: Client, event: Event) -> None:
    assert "View emails" not in get_mail_page(organizer_client, event, "desk")
    assert "No emails yet." in get_mail_page(organizer_client, event)


def test_sent_email_is_listed_with_its_time(organizer_client: Client, event: Event) -> None:
    queue_email(event, "Asha")
    text = get_mail_page(organizer_client, event)
    assert '<bdi>Asha</bdi></strong> <span class="badge good">sent</span>' in text
    assert "</small>" in text[text.index(" Sent ") :]
    assert "asha@college.example" not in text
    assert "Retry now" not in text
    assert "Sent: 1. Waiting to be sent: 0. Failed: 0." in get_mail_page(
        organizer_client, event, "desk"
    )


def test_retried_email_is_listed_with_reason_and_next_attempt(
    organizer_client: Client, event: Event, failed_email: Letter
) -> None:
    text = get_mail_page(organizer_client, event)
    assert '<span class="badge live">will be retried</span>' in text
    assert "The mail server could not be reached (ConnectionRefusedError). Next attempt:" in text
    assert "The mail server is not accepting emails right now." in get_mail_page(
        organizer_client, event, "desk"
    )


def test_long_delayed_email_can_be_sent_immediately(
    organizer_client: Client, event: Event, failed_email: Letter
) -> None:
    Letter.objects.update(due=timezone.now() + timedelta(minutes=10))
    answer = organizer_client.post(
        page("mails", event), {"action": "again", "mail": failed_email.pk}, follow=True
    )
    assert "1 email is waiting to be sent." in answer.content.decode()
    assert [message.to for message in mail.outbox] == [["asha@college.example"]]


def test_abandoned_email_is_sent_with_all_others(
    organizer_client: Client, event: Event, failed_email: Letter
) -> None:
    Letter.objects.update(due=None)
    assert "The site will not try again." in get_mail_page(organizer_client, event)
    answer = organizer_client.post(page("mails", event), {"action": "all-again"}, follow=True)
    assert "1 email is waiting to be sent." in answer.content.decode()
    assert mail_counts(event) == (1, 0, 0, 0)


def test_email_due_soon_is_not_sent_early(
    organizer_client: Client, event: Event, failed_email: Letter
) -> None:
    answer = organizer_client.post(page("mails", event), {"action": "all-again"}, follow=True)
    assert "Unsent emails will be retried within two minutes" in answer.content.decode()
    assert mail.outbox == []


def test_email_of_another_event_is_not_found(organizer_client: Client, event: Event) -> None:
    other = queue_email(make_organized_event(0)[0], "Chen")
    assert (
        organizer_client.post(
            page("mails", event), {"action": "again", "mail": other.pk}
        ).status_code
        == 404
    )


def test_sign_in_codes_are_not_listed(
    organizer_client: Client, event: Event, settings: Settings
) -> None:
    settings.MAILERS = {"default": {"BACKEND": f"{__name__}.UnreachableMailServer"}}
    message = EmailMessage("Your code", "123456", to=["asha@college.example"])
    letters.queue_letters([letters.write_letter(message, urgent=True)])
    assert "Your code" not in get_mail_page(organizer_client, event)


def test_only_organizers_of_the_event_see_its_emails(client: Client, event: Event) -> None:
    client.force_login(make_organizer())
    assert client.get(page("mails", event)).status_code == 404


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        ("", "The email will be sent within seconds."),
        ("refused 550", "The mail server rejected the email (550). Next attempt:"),
        ("TimeoutError", "The mail server could not be reached (TimeoutError). Next attempt:"),
    ],
)
def test_each_email_state_has_a_description(error: str, sentence: str) -> None:
    letter = Letter(due=timezone.now(), error=error)
    assert delivery_text(letter).startswith(sentence)


def test_email_that_could_not_be_attempted_is_reported() -> None:
    assert (
        delivery_text(Letter(due=None))
        == "The email was not sent in time. The site will not try again."
    )
