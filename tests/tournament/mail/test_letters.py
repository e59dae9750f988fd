"""Tests that emails in the database are sent once, even after repeated failures."""

import logging
import smtplib
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.core.mail.backends.locmem import EmailBackend
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from pytest_django import Settings

from tests.tournament.helpers import make_organized_event
from tournament.mail import letters
from tournament.models import Event, Letter
from tournament.settings import TASKS

pytestmark = [pytest.mark.django_db, pytest.mark.sql, pytest.mark.event(players=0)]

THIS_MODULE = "tests.tournament.mail.test_letters"
ADDRESS = "asha@college.example"


class UnreachableServer(BaseEmailBackend):
    """An email backend whose mail server is unreachable. It counts connection attempts."""

    attempts = 0

    def open(self) -> None:
        type(self).attempts += 1
        raise ConnectionRefusedError(f"no mail server here for {ADDRESS}")


class RejectingServer(EmailBackend):
    """An email backend whose mail server has no mailbox for one address."""

    def send_messages(self, messages: Sequence[EmailMessage]) -> int:
        if messages[0].to == ["nobody@college.example"]:
            raise smtplib.SMTPRecipientsRefused({"nobody@college.example": (550, b"unknown")})
        return super().send_messages(messages)


@pytest.fixture(autouse=True)
def queued_tasks(settings: Settings) -> None:
    """Store tasks for a worker, as on a real site, instead of running them."""
    settings.TASKS = TASKS


@pytest.fixture
def unreachable_server(settings: Settings) -> type[UnreachableServer]:
    settings.MAILERS = {"default": {"BACKEND": f"{THIS_MODULE}.UnreachableServer"}}
    UnreachableServer.attempts = 0
    return UnreachableServer


def make_message(subject: str, address: str = ADDRESS) -> EmailMessage:
    return EmailMessage(subject, f"About {subject}", to=[address])


def send_letter(subject: str, address: str = ADDRESS, **about: Any) -> Letter:
    letter = letters.write_letter(make_message(subject, address), **about)
    letters.queue_letters([letter])
    return Letter.objects.latest("pk")


def send_due_letters() -> None:
    letters.send_due.call()


def list_sent_subjects() -> list[str]:
    return [str(each.subject) for each in mail.outbox]


def travel_forward(**span: float) -> Any:
    return time_machine.travel(timezone.now() + timedelta(**span), tick=False)


def test_new_email_is_queued_with_a_task() -> None:
    send_letter("one")
    task = DBTaskResult.objects.get()
    assert (task.queue_name, task.task_path) == ("mail", "tournament.mail.letters.send_due")
    assert task.args_kwargs == {"args": [], "kwargs": {}}, "no address waits in the queue"
    assert Letter.objects.get().state == "waits"
    assert list_sent_subjects() == []


def test_email_is_sent_as_written() -> None:
    send_letter("one")
    send_due_letters()
    [sent] = mail.outbox
    assert (sent.subject, sent.body, sent.to) == ("one", "About one", [ADDRESS])
    assert sent.from_email == "Lastcard <lastcard@localhost>"


def test_subject_is_always_a_single_line() -> None:
    """Check that line breaks are removed from the subject of an email.

    Titles used to be unchecked, and an email with a line break in a header is never sent.
    """
    send_letter("You have a spot in Fest\r\nBcc: everybody@college.example")
    send_due_letters()
    assert list_sent_subjects() == ["You have a spot in Fest Bcc: everybody@college.example"]


def test_email_without_an_event_is_deleted_after_sending() -> None:
    send_letter("code", urgent=True)
    send_due_letters()
    assert not Letter.objects.exists()


def test_sent_event_email_keeps_neither_address_nor_text(event: Event) -> None:
    send_letter("place", event=event, name="Asha")
    send_due_letters()
    letter = Letter.objects.get()
    assert (letter.state, letter.name, letter.subject) == ("sent", "Asha", "place")
    assert (letter.address, letter.body, letter.due, letter.error) == ("", "", None, "")


def test_sent_email_is_not_sent_again(event: Event) -> None:
    send_letter("place", event=event)
    for _ in range(3):
        send_due_letters()
    with travel_forward(hours=3):
        send_due_letters()
    assert list_sent_subjects() == ["place"]


def test_server_outage_delays_all_mail_but_a_bad_mailbox_does_not(
    settings: Settings,
) -> None:
    settings.MAILERS = {"default": {"BACKEND": f"{THIS_MODULE}.RejectingServer"}}
    send_letter("first", "nobody@college.example")
    send_due_letters()
    assert not letters.is_delivery_delayed()
    settings.MAILERS = {"default": {"BACKEND": f"{THIS_MODULE}.UnreachableServer"}}
    send_letter("second")
    assert not letters.is_delivery_delayed()
    send_due_letters()
    assert letters.is_delivery_delayed()


def test_codes_are_sent_before_notices_and_notices_in_order() -> None:
    for subject in ("first", "second"):
        send_letter(subject)
    send_letter("code", urgent=True)
    send_due_letters()
    assert list_sent_subjects() == ["code", "first", "second"]


def test_each_task_sends_ten_emails_and_queues_the_rest() -> None:
    letters.queue_letters([letters.write_letter(make_message(f"{number}")) for number in range(12)])
    DBTaskResult.objects.all().delete()
    send_due_letters()
    assert (len(mail.outbox), DBTaskResult.objects.count()) == (10, 1)
    send_due_letters()
    assert (len(mail.outbox), DBTaskResult.objects.count()) == (12, 1)


def test_unavailable_mail_server_is_contacted_once_per_batch(
    unreachable_server: type[UnreachableServer],
) -> None:
    for number in range(5):
        send_letter(f"{number}")
    send_due_letters()
    assert unreachable_server.attempts == 1
    assert {letter.state for letter in Letter.objects.all()} == {"tried"}
    assert {letter.error for letter in Letter.objects.all()} == {"ConnectionRefusedError"}


def test_delayed_email_is_sent_once_when_the_server_returns(
    unreachable_server: type[UnreachableServer], settings: Settings, event: Event
) -> None:
    send_letter("place", event=event, name="Asha")
    send_due_letters()
    settings.MAILERS = {"default": {"BACKEND": "django.core.mail.backends.locmem.EmailBackend"}}
    send_due_letters()
    assert list_sent_subjects() == [], "not before its pause is over"
    with travel_forward(seconds=6):
        send_due_letters()
        send_due_letters()
    assert list_sent_subjects() == ["place"]
    assert Letter.objects.get().state == "sent"


def test_retry_is_scheduled_as_a_later_task(unreachable_server: type[UnreachableServer]) -> None:
    letter = send_letter("one")
    DBTaskResult.objects.all().delete()
    send_due_letters()
    letter.refresh_from_db()
    assert [task.run_after for task in DBTaskResult.objects.all()] == [letter.due]


@pytest.mark.parametrize(
    ("urgent", "seconds"),
    [
        (False, [5, 10, 20, 40, 80, 160, 320, 640, 900, 900]),
        (True, [5, 10, 10, 10, 10, 10, 10, 10, 10, 10]),
    ],
    ids=["a notice", "a code"],
)
def test_retry_intervals_grow(urgent: bool, seconds: list[int]) -> None:
    pauses = [letters.retry_delay(Letter(tries=tries, urgent=urgent)) for tries in range(1, 11)]
    assert [pause.total_seconds() for pause in pauses] == seconds


def test_notice_is_retried_for_over_a_day_before_giving_up(
    unreachable_server: type[UnreachableServer], event: Event, caplog: pytest.LogCaptureFixture
) -> None:
    letter = send_letter("place", event=event)
    assert letter.until - letter.written_at == timedelta(hours=36)
    with travel_forward(hours=35):
        send_due_letters()
        letter.refresh_from_db()
        assert letter.state == "tried"
    with travel_forward(hours=37), caplog.at_level(logging.ERROR):
        send_due_letters()
    letter.refresh_from_db()
    assert (letter.state, letter.body) == ("failed", "About place")
    assert caplog.messages[-1] == (
        "A mail to @college.example was not sent in time: ConnectionRefusedError."
    )


def test_expired_code_is_neither_sent_nor_kept() -> None:
    send_letter("code", urgent=True, patience=letters.CODE_SEND_LIMIT)
    with travel_forward(seconds=601):
        send_due_letters()
    assert (list_sent_subjects(), Letter.objects.count()) == ([], 0)


def test_refused_mailbox_does_not_block_other_recipients(settings: Settings) -> None:
    settings.MAILERS = {"default": {"BACKEND": f"{THIS_MODULE}.RejectingServer"}}
    refused = send_letter("first", "nobody@college.example")
    send_letter("second")
    send_due_letters()
    refused.refresh_from_db()
    assert (list_sent_subjects(), refused.error) == (["second"], "refused 550")


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (smtplib.SMTPRecipientsRefused({ADDRESS: (550, b"unknown")}), "refused 550"),
        (smtplib.SMTPSenderRefused(553, b"not you", ADDRESS), "refused 553"),
        (smtplib.SMTPAuthenticationError(535, b"no"), "refused 535"),
        (TimeoutError(ADDRESS), "TimeoutError"),
    ],
)
def test_failure_reason_contains_no_address(error: Exception, expected: str) -> None:
    assert letters.describe_error_code(error) == expected


def test_log_contains_only_the_mail_domain(
    unreachable_server: type[UnreachableServer], caplog: pytest.LogCaptureFixture
) -> None:
    send_letter("one")
    with caplog.at_level(logging.ERROR):
        send_due_letters()
    assert "@college.example" in caplog.text
    assert "asha" not in caplog.text


def test_concurrent_workers_send_an_email_once(monkeypatch: pytest.MonkeyPatch) -> None:
    send_letter("one")
    first = Letter.objects.get()
    Letter.objects.update(due=timezone.now() + letters.CLAIM_DURATION)  # another worker was quicker
    monkeypatch.setattr(Letter.objects, "filter", make_stale_filter(first))
    send_due_letters()
    assert list_sent_subjects() == []


def make_stale_filter(stale: Letter) -> Any:
    """Return a `filter` that first finds the letter as it was before another worker claimed it."""
    real, given = Letter.objects.filter, []

    class StaleQuery:
        def order_by(self, *_fields: str) -> "StaleQuery":
            return self

        def first(self) -> Letter:
            return stale

    def filter(**wanted: Any) -> Any:
        given.append(wanted)
        return StaleQuery() if len(given) == 1 else real(**wanted)

    return filter


def test_email_of_a_killed_worker_is_resent_with_the_same_id() -> None:
    letter = send_letter("one")
    Letter.objects.update(due=timezone.now() + letters.CLAIM_DURATION, tries=1)
    DBTaskResult.objects.all().delete()
    send_due_letters()
    letters.tidy()
    assert (list_sent_subjects(), DBTaskResult.objects.count()) == ([], 0)
    with travel_forward(seconds=letters.CLAIM_DURATION.seconds + 11):
        letters.tidy()
        assert DBTaskResult.objects.count() == 1
        send_due_letters()
    [sent] = mail.outbox
    name = f"<{letter.written_at:%Y%m%d%H%M%S%f}.{letter.pk}@localhost>"
    assert sent.extra_headers["Message-ID"] == name


def test_abandoned_email_can_be_resent_manually(
    unreachable_server: type[UnreachableServer], settings: Settings
) -> None:
    event = make_organized_event(0)[0]
    letter = send_letter("place", event=event)
    with travel_forward(hours=37):
        send_due_letters()
        settings.MAILERS = {"default": {"BACKEND": "django.core.mail.backends.locmem.EmailBackend"}}
        assert letters.send_again([letter]) == 1
        send_due_letters()
    assert list_sent_subjects() == ["place"]


def test_manual_retry_skips_sent_and_in_progress_emails(event: Event) -> None:
    send_letter("sent", event=event)
    send_due_letters()
    send_letter("in hand", event=event)
    assert letters.send_again(Letter.objects.all()) == 0


def test_unsent_texts_are_deleted_after_a_week(event: Event) -> None:
    letter = send_letter("place", event=event)
    Letter.objects.update(due=None)
    for days, body in ((8, "About place"), (9, "")):
        with travel_forward(days=days):
            letters.tidy()
        letter.refresh_from_db()
        assert (letter.body, bool(letter.address)) == (body, bool(body))
    assert letters.send_again([letter]) == 0


def test_records_of_sent_emails_are_deleted_after_ninety_days(event: Event) -> None:
    send_letter("place", event=event)
    send_due_letters()
    now = timezone.now()
    assert not letters.select_expired(now + timedelta(days=89)).exists()
    assert letters.select_expired(now + timedelta(days=91)).count() == 1
