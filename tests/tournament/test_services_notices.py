"""What people are told by mail about their registrations."""

import logging
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime

import pytest
from django.core import mail
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.core.mail.backends.locmem import EmailBackend
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import translation
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from tests.factories import make_registrations, make_user
from tests.tournament.helpers import organized
from tournament.models import Event, Registration, User
from tournament.services import (
    Refused,
    approve,
    approve_all,
    refuse,
    refuse_all,
    register,
    withdraw,
)
from tournament.services.events import change_event
from tournament.services.notices import nothing_sent, outbox

pytestmark = pytest.mark.django_db

HERE = "tests.tournament.test_services_notices"

Happens = Callable[[], AbstractContextManager[object]]


class Unreachable(BaseEmailBackend):
    def open(self) -> None:
        raise ConnectionRefusedError("no mail server here")


class Picky(EmailBackend):
    """Takes mail, but not for the first address of the test."""

    refused = ""

    def send_messages(self, messages: Sequence[EmailMessage]) -> int:
        if messages[0].to == [self.refused]:
            raise OSError("no such mailbox")
        return super().send_messages(messages)


@pytest.fixture
def happens(django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks) -> Happens:
    """Tests run in a transaction of their own: what is due after a commit happens in here."""
    return lambda: django_capture_on_commit_callbacks(execute=True)


def mails() -> list[tuple[str, str]]:
    return [(message.to[0], str(message.subject)) for message in mail.outbox]


@pytest.fixture
def event() -> Event:
    return organized(0, requires_approval=True, capacity=2, title="Chem & Fest")[0]


def test_an_approval_is_told_once(happens: Happens, event: Event, organizer: User) -> None:
    (row,) = make_registrations(event, 1)
    with happens():
        approve(row, organizer)
    assert mails() == [(row.user.email, "You have a place in Chem & Fest")]
    body = mail.outbox[0].body
    assert body.startswith(f"Hello {row.name},\n\nthe organizers have approved")
    assert "Chem & Fest" in body
    assert body.endswith("\nLastcard\n")


def test_a_mail_is_not_in_the_language_of_whoever_causes_it(
    happens: Happens, event: Event, organizer: User
) -> None:
    event.starts_at = datetime(2026, 11, 29, 15, tzinfo=UTC)
    event.save()
    (row,) = make_registrations(event, 1)
    with translation.override("de"), happens():
        approve(row, organizer)
    assert "Sun 29 November 2026" in mail.outbox[0].body


def test_a_refusal_is_told_with_its_reason(happens: Happens, event: Event, organizer: User) -> None:
    (row,) = make_registrations(event, 1)
    with happens():
        refuse(row, organizer, "You're on another team's list.")
    assert mails() == [(row.user.email, "Your registration for Chem & Fest")]
    assert "\n    You're on another team's list.\n" in mail.outbox[0].body


def test_who_moves_up_from_the_waiting_list_is_told(
    happens: Happens, event: Event, organizer: User
) -> None:
    first, _second, third = make_registrations(event, 3)
    with happens():
        withdraw(first, first.user)
    assert mails() == [(third.user.email, "A place in Chem & Fest is free for you")]
    assert "The organizers now look at your registration" in mail.outbox[0].body


def test_who_is_refused_with_others_does_not_get_their_place_first(
    happens: Happens, event: Event, organizer: User
) -> None:
    *placed, waiting, next_in_line = make_registrations(event, 4)
    with happens():
        assert refuse_all([*placed[:1], waiting], organizer, "Not of this college.") == 2
    refused = "Your registration for Chem & Fest"
    assert sorted(mails()) == sorted(
        [
            (placed[0].user.email, refused),
            (waiting.user.email, refused),
            (next_in_line.user.email, "A place in Chem & Fest is free for you"),
        ]
    )


def test_nobody_gets_a_mail_about_what_was_not_done(
    happens: Happens, event: Event, organizer: User
) -> None:
    first, second = make_registrations(event, 2)
    refuse(second, organizer, "Not of this college.")
    with happens(), pytest.raises(Refused):
        refuse_all([first, second], organizer, "Not of this college.")
    assert mails() == []


def test_where_nobody_approves_who_moves_up_has_the_place(happens: Happens) -> None:
    event, organizer = organized(0, capacity=2, title="Cup")
    *_rows, third = make_registrations(event, 3)
    event.capacity = 3
    with happens():
        change_event(event, organizer, ["capacity"])
    assert mails() == [(third.user.email, "You have a place in Cup")]


def test_registering_and_withdrawing_oneself_is_not_told(happens: Happens) -> None:
    event, _ = organized(0)
    with happens():
        row = register(event, make_user(), name="Asha")
        withdraw(row, row.user)
    assert mails() == []


def test_nothing_is_told_that_was_not_committed(
    happens: Happens, event: Event, organizer: User
) -> None:
    rows = make_registrations(event, 2)

    def approved_and_undone() -> None:
        with transaction.atomic():
            approve_all(rows, organizer)
            raise ConnectionError

    with happens(), pytest.raises(ConnectionError):
        approved_and_undone()
    assert mails() == []


def test_a_mail_server_that_is_away_undoes_nothing(
    happens: Happens,
    event: Event,
    organizer: User,
    settings: Settings,
    caplog: pytest.LogCaptureFixture,
) -> None:
    settings.EMAIL_BACKEND = f"{HERE}.Unreachable"
    rows = make_registrations(event, 2)
    with caplog.at_level(logging.ERROR), outbox() as box, happens():
        approve_all(rows, organizer)
    assert box.sentence == (
        "The mail server has not taken 2 mails yet. They are tried again for a day and a half; "
        "“Mails” on the desk shows what becomes of them."
    )
    assert caplog.messages == [
        "A mail to @college.example was not sent and is tried again: ConnectionRefusedError."
    ]
    assert set(event.registrations.values_list("state", flat=True)) == {"approved"}


def test_one_mailbox_that_is_refused_does_not_keep_the_others_from_theirs(
    happens: Happens,
    event: Event,
    organizer: User,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings.EMAIL_BACKEND = f"{HERE}.Picky"
    first, second = make_registrations(event, 2)
    monkeypatch.setattr(Picky, "refused", first.user.email)
    with outbox() as box, happens():
        approve_all([first, second], organizer)
    assert mails() == [(second.user.email, "You have a place in Chem & Fest")]
    assert box.sentence.startswith("The mail server has not taken 1 mail yet. It is tried again")
    assert [(letter.name, letter.error) for letter in event.letters.exclude(error="")] == [
        (first.name, "OSError")
    ]


def test_where_every_mail_goes_out_nobody_is_told_of_mails(
    happens: Happens, event: Event, organizer: User
) -> None:
    with outbox() as box, happens():
        approve_all(make_registrations(event, 2), organizer)
    assert (len(mails()), box.sentence) == (2, "")


def test_invented_people_get_no_mail(happens: Happens, event: Event, organizer: User) -> None:
    (row,) = make_registrations(event, 1)
    with nothing_sent(), happens():
        approve(row, organizer)
    assert mails() == []


@pytest.mark.django_db(transaction=True)
def test_the_organizer_is_told_of_mails_that_did_not_go_out(settings: Settings) -> None:
    settings.EMAIL_BACKEND = f"{HERE}.Unreachable"
    event, organizer = organized(0, requires_approval=True)
    (row,) = make_registrations(event, 1)
    client = Client()
    client.force_login(organizer)
    data = {"action": "approve", "_selected_action": [str(row.pk)]}
    address = reverse("admin:tournament_registration_changelist")
    shown = client.post(address, data, follow=True).content.decode()
    assert "1 approved." in shown
    assert "The mail server has not taken 1 mail yet." in shown
    assert Registration.objects.get().state == "approved"
