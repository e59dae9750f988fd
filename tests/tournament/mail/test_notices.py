"""Tests of emails to players about their registrations."""

import logging
import re
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.core import mail
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.core.mail.backends.locmem import EmailBackend
from django.db import transaction
from django.template import TemplateSyntaxError
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from tests.factories import make_registrations, make_user
from tests.tournament.helpers import make_organized_event
from tests.typed import sure
from tournament.common.refusals import RefusedError
from tournament.events.services import change_event
from tournament.mail import notices
from tournament.mail.notices import MailKind, notify, outbox, suppress_emails
from tournament.models import Event, Invitation, Registration, User
from tournament.registration.services import (
    approve,
    approve_all,
    refuse,
    refuse_all,
    register,
    withdraw,
)
from tournament.stages.lengths import estimate_event_end

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.event(players=0, requires_approval=True, capacity=2, title="Chem & Fest"),
]

THIS_MODULE = "tests.tournament.mail.test_notices"

Commits = Callable[[], AbstractContextManager[object]]


class UnreachableBackend(BaseEmailBackend):
    def open(self) -> None:
        raise ConnectionRefusedError("no mail server here")


class OneAddressRejectingBackend(EmailBackend):
    """An email backend that accepts all emails except those to one address."""

    refused = ""

    def send_messages(self, messages: Sequence[EmailMessage]) -> int:
        if messages[0].to == [self.refused]:
            raise OSError("no such mailbox")
        return super().send_messages(messages)


@pytest.fixture
def run_commit_callbacks(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> Commits:
    """Provide a context manager that runs the callbacks due after a commit.

    Django does not run them in tests, because tests never commit their transactions.
    """
    return lambda: django_capture_on_commit_callbacks(execute=True)


def list_mails() -> list[tuple[str, str]]:
    return [(message.to[0], str(message.subject)) for message in mail.outbox]


def test_approval_is_emailed_once(
    run_commit_callbacks: Commits, event: Event, organizer: User
) -> None:
    (row,) = make_registrations(event, 1)
    with run_commit_callbacks():
        approve(row, organizer)
    assert list_mails() == [(row.user.email, "You have a spot in Chem & Fest")]
    body = mail.outbox[0].body
    assert body.startswith(f"Hello {row.name},\n\nThe organizers have approved")
    assert "Chem & Fest" in body
    assert body.endswith("\nLastcard\n")


def test_email_language_does_not_depend_on_the_acting_user(
    run_commit_callbacks: Commits, event: Event, organizer: User
) -> None:
    event.starts_at = datetime(2026, 11, 29, 15, tzinfo=UTC)
    event.save()
    (row,) = make_registrations(event, 1)
    with translation.override("de"), run_commit_callbacks():
        approve(row, organizer)
    assert "Sun 29 November 2026" in mail.outbox[0].body


def test_refusal_email_includes_the_reason(
    run_commit_callbacks: Commits, event: Event, organizer: User
) -> None:
    (row,) = make_registrations(event, 1)
    with run_commit_callbacks():
        refuse(row, organizer, "You're on another team's list.")
    assert list_mails() == [(row.user.email, "Your registration for Chem & Fest was rejected")]
    assert "\n    You're on another team's list.\n" in mail.outbox[0].body


def test_player_moving_up_from_the_waitlist_is_notified(
    run_commit_callbacks: Commits, event: Event, organizer: User
) -> None:
    first, _second, third = make_registrations(event, 3)
    with run_commit_callbacks():
        withdraw(first, first.user)
    assert list_mails() == [(third.user.email, "A spot in Chem & Fest has opened up for you")]
    assert (
        ", and a spot has opened up. You don’t have to do anything: the organizers will "
        "review your registration and let you know." in mail.outbox[0].body
    )


def test_waitlisted_player_refused_with_others_does_not_move_up_first(
    run_commit_callbacks: Commits, event: Event, organizer: User
) -> None:
    *placed, waiting, next_in_line = make_registrations(event, 4)
    with run_commit_callbacks():
        assert refuse_all([*placed[:1], waiting], organizer, "Not of this college.") == 2
    refused = "Your registration for Chem & Fest was rejected"
    assert sorted(list_mails()) == sorted(
        [
            (placed[0].user.email, refused),
            (waiting.user.email, refused),
            (next_in_line.user.email, "A spot in Chem & Fest has opened up for you"),
        ]
    )


def test_rolled_back_action_sends_no_email(
    run_commit_callbacks: Commits, event: Event, organizer: User
) -> None:
    first, second = make_registrations(event, 2)
    refuse(second, organizer, "Not of this college.")
    with run_commit_callbacks(), pytest.raises(RefusedError):
        refuse_all([first, second], organizer, "Not of this college.")
    assert list_mails() == []


def test_player_moving_up_gets_the_spot_if_no_approval_is_needed(
    run_commit_callbacks: Commits,
) -> None:
    event, organizer = make_organized_event(0, capacity=2, title="Cup")
    *_rows, third = make_registrations(event, 3)
    event.capacity = 3
    with run_commit_callbacks():
        change_event(event, organizer, ["capacity"])
    assert list_mails() == [(third.user.email, "You have a spot in Cup")]


def test_own_withdrawal_sends_no_email(run_commit_callbacks: Commits, event: Event) -> None:
    (row,) = make_registrations(event, 1)
    with run_commit_callbacks():
        withdraw(row, row.user)
    assert list_mails() == []


STARTS_AT = datetime(2026, 11, 29, 15, tzinfo=UTC)


def read_calendar_lines(message: EmailMessage) -> list[str]:
    """Return the lines of the calendar file attached to an email, without line endings."""
    [part] = [part for part in message.message().walk() if part.get_filename()]
    assert (part.get_filename(), part.get_content_type()) == ("event.ics", "text/calendar")
    return bytes(part.get_payload(decode=True)).decode().splitlines()


def test_registration_email_includes_date_venue_and_calendar_file(
    run_commit_callbacks: Commits,
) -> None:
    event, _ = make_organized_event(
        0, title="Cup", place="Hall 3", starts_at=STARTS_AT, round_minutes=30
    )
    with run_commit_callbacks():
        row = register(event, make_user(), name="Asha")
    assert list_mails() == [(row.user.email, "You have a spot in Cup")]
    [sent] = mail.outbox
    assert (
        "The first round starts on Sun 29 November 2026, 15:00 UTC. Venue: Hall 3.\n" in sent.body
    )
    assert "Open the attached file to add the event to your calendar.\n" in sent.body
    file = read_calendar_lines(sent)
    assert "DTSTART:20261129T150000Z" in file
    assert f"DTEND:{sure(estimate_event_end(event)):%Y%m%dT%H%M%SZ}" in file
    assert "LOCATION:Hall 3" in file


def test_attached_calendar_matches_the_event_link(
    run_commit_callbacks: Commits, client: Client, settings: Settings
) -> None:
    settings.SITE_ADDRESS = "http://testserver/"
    event, _ = make_organized_event(0, starts_at=STARTS_AT)
    with run_commit_callbacks():
        register(event, make_user(), name="Asha")
    linked = client.get(reverse("event-calendar", args=[event.slug])).content.decode()
    files = read_calendar_lines(mail.outbox[0]), linked.splitlines()
    mailed, shown = ([line for line in file if "DTSTAMP" not in line] for file in files)
    assert mailed == shown


@pytest.mark.parametrize(
    ("fields", "subject", "expected"),
    [
        (
            {"requires_approval": True},
            "We’ve received your registration for Cup",
            ". You don’t have to do anything else: the organizers will review it and let you know.",
        ),
        ({"capacity": 2}, "You’re on the waitlist for Cup", "All spots in Cup are taken"),
    ],
)
def test_waitlist_email_has_no_calendar_file(
    run_commit_callbacks: Commits, fields: dict[str, Any], subject: str, expected: str
) -> None:
    event, _ = make_organized_event(0, title="Cup", starts_at=STARTS_AT, **fields)
    make_registrations(event, 2)
    with run_commit_callbacks():
        register(event, make_user(), name="Asha")
    [sent] = mail.outbox
    assert (sent.subject, sent.attachments) == (subject, [])
    assert expected in sent.body
    assert "The first round starts on" in sent.body


def test_approval_email_includes_the_calendar_file(run_commit_callbacks: Commits) -> None:
    event, organizer = make_organized_event(0, requires_approval=True, starts_at=STARTS_AT)
    waiting = register(event, make_user(), name="Asha")
    with run_commit_callbacks():
        approve(waiting, organizer)
    assert "BEGIN:VCALENDAR" in read_calendar_lines(mail.outbox[0])


def test_sent_email_keeps_no_attachment(run_commit_callbacks: Commits) -> None:
    event, _ = make_organized_event(0, starts_at=STARTS_AT)
    with run_commit_callbacks():
        register(event, make_user(), name="Asha")
    assert [(letter.body, letter.calendar) for letter in event.letters.all()] == [("", "")]


def test_uncommitted_changes_are_not_emailed(
    run_commit_callbacks: Commits, event: Event, organizer: User
) -> None:
    rows = make_registrations(event, 2)

    def approve_and_roll_back() -> None:
        with transaction.atomic():
            approve_all(rows, organizer)
            raise ConnectionError

    with run_commit_callbacks(), pytest.raises(ConnectionError):
        approve_and_roll_back()
    assert list_mails() == []


def test_unavailable_mail_server_does_not_roll_back_changes(
    run_commit_callbacks: Commits,
    event: Event,
    organizer: User,
    settings: Settings,
    caplog: pytest.LogCaptureFixture,
) -> None:
    settings.MAILERS = {"default": {"BACKEND": f"{THIS_MODULE}.UnreachableBackend"}}
    rows = make_registrations(event, 2)
    with caplog.at_level(logging.ERROR), outbox() as box, run_commit_callbacks():
        approve_all(rows, organizer)
    assert box.sentence == (
        "The mail server has not accepted 2 emails yet. The site keeps trying for a "
        "day and a half; the “Emails” page shows their progress."
    )
    assert caplog.messages == [
        "A mail to @college.example was not sent and will be tried again: ConnectionRefusedError."
    ]
    assert set(event.registrations.values_list("state", flat=True)) == {"approved"}


def test_refused_mailbox_does_not_block_other_notices(
    run_commit_callbacks: Commits,
    event: Event,
    organizer: User,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings.MAILERS = {"default": {"BACKEND": f"{THIS_MODULE}.OneAddressRejectingBackend"}}
    first, second = make_registrations(event, 2)
    monkeypatch.setattr(OneAddressRejectingBackend, "refused", first.user.email)
    with outbox() as box, run_commit_callbacks():
        approve_all([first, second], organizer)
    assert list_mails() == [(second.user.email, "You have a spot in Chem & Fest")]
    assert box.sentence.startswith(
        "The mail server has not accepted 1 email yet. The site keeps trying"
    )
    assert [(letter.name, letter.error) for letter in event.letters.exclude(error="")] == [
        (first.name, "OSError")
    ]


def test_mail_warning_is_absent_when_all_emails_are_sent(
    run_commit_callbacks: Commits, event: Event, organizer: User
) -> None:
    rows = make_registrations(event, 2)
    with outbox() as box, run_commit_callbacks():
        approve_all(rows, organizer)
    assert (len(list_mails()), box.sentence) == (2, "")


def test_fictional_people_get_no_email(
    run_commit_callbacks: Commits, event: Event, organizer: User
) -> None:
    (row,) = make_registrations(event, 1)
    with suppress_emails(), run_commit_callbacks():
        approve(row, organizer)
    assert list_mails() == []


@pytest.mark.django_db(transaction=True)
def test_organizer_sees_undelivered_emails(settings: Settings) -> None:
    settings.MAILERS = {"default": {"BACKEND": f"{THIS_MODULE}.UnreachableBackend"}}
    event, organizer = make_organized_event(0, requires_approval=True)
    with suppress_emails():
        (row,) = make_registrations(event, 1)
    client = Client()
    client.force_login(organizer)
    data = {"action": "approve", "_selected_action": [str(row.pk)]}
    address = reverse("admin:tournament_registration_changelist")
    shown = client.post(address, data, follow=True).content.decode()
    assert "1 approved." in shown
    assert "The mail server has not accepted 1 email yet." in shown
    assert Registration.objects.get().state == "approved"


def test_rendering_failure_does_not_block_changes_or_other_emails(
    run_commit_callbacks: Commits,
    event: Event,
    organizer: User,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    first, second = make_registrations(event, 2)

    def render(template: str, context: dict[str, Any]) -> str:
        if context["registration"] == first:
            raise TemplateSyntaxError("a slip of the pen")
        return render_to_string(template, context)

    monkeypatch.setattr(notices, "render_to_string", render)
    with run_commit_callbacks():
        approve_all([first, second], organizer)
    assert list_mails() == [(second.user.email, "You have a spot in Chem & Fest")]
    assert set(event.registrations.values_list("state", flat=True)) == {"approved"}
    assert "a slip of the pen" in caplog.text


def test_email_describes_the_committed_state(
    run_commit_callbacks: Commits, event: Event, organizer: User
) -> None:
    (row,) = make_registrations(event, 1)
    with run_commit_callbacks(), transaction.atomic(), translation.override("hi"):
        approve(row, organizer)
        row.name = "Asha Rao"
        row.save()
    assert mail.outbox[0].body.startswith("Hello Asha Rao,")


def test_notice_kinds_and_templates_match() -> None:
    folder = Path(django_settings.BASE_DIR, "templates/tournament/email")
    written = {path.name for path in folder.iterdir()} - {"base.txt"}
    assert written == {Path(kind.template).name for kind in MailKind}


@pytest.mark.parametrize("language", [code for code, _name in django_settings.LANGUAGES])
@pytest.mark.parametrize("kind", MailKind)
def test_every_notice_has_a_subject_and_text_in_every_language(
    kind: MailKind, language: str, event: Event, settings: Settings, run_commit_callbacks: Commits
) -> None:
    settings.LANGUAGE_CODE = language
    (row,) = make_registrations(event, 1)
    with run_commit_callbacks():
        found = {"user": row.user, "invitation": Invitation(event=event), "rows": 3}
        notify(row, kind, at=timezone.now(), **found)
    subject, body = (str(part) for part in (mail.outbox[0].subject, mail.outbox[0].body))
    assert subject
    assert len(body.splitlines()) > 3
    assert "\n" not in subject
    assert (re.search(r"[\u0900-\u09ff]", subject + body) is None) is (language == "en")
