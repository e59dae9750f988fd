"""Tests of the activity log, whose rows are chained and cannot be changed or deleted."""

from functools import partial
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, transaction

from tests.factories import make_user
from tests.guards import open_unguarded_cursor
from tests.tournament.helpers import make_organized_event
from tournament.models import AuditEntry, Event, LogAction, User
from tournament.oversight.audit import record
from tournament.oversight.desk_log import check_log
from tournament.privacy.services import anonymize_person

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture
def event_with_log() -> tuple[Event, User]:
    """Provide an event whose last log entries are about renamed players, and its organizer."""
    event, organizer = make_organized_event(4)
    for text in ("Ben is now called Bela.", "Chen is now called Chan."):
        record(event, organizer, LogAction.RENAME, partial(str, text), "Misspelt.", user=9)
    return event, organizer


def get_check_error(event: Event) -> str:
    with pytest.raises(CommandError) as wrong:
        call_command("check_history", event.slug, stdout=StringIO())
    return str(wrong.value)


def test_unchanged_log_passes_the_check(event_with_log: tuple[Event, User]) -> None:
    event, _organizer = event_with_log
    found = check_log(event)
    assert (found.broken, found.others, found.redacted, found.cut) == (None, [], [], [])
    assert found.rows == event.audit.count()
    assert found.head == event.audit.latest("number").digest


def test_database_refuses_to_update_or_delete_log_rows(
    event_with_log: tuple[Event, User],
) -> None:
    event, _organizer = event_with_log
    for step in (
        lambda: event.audit.update(text="Something nicer."),
        lambda: event.audit.update(**AuditEntry.personal.redaction_values, action="close"),
        lambda: event.audit.latest("number").delete(),
        lambda: event.audit.all().delete(),
    ):
        with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
            step()
    assert check_log(event).broken is None


@pytest.mark.parametrize(
    "change",
    ["text = 'Nicer.'", "reason = ''", "action = 'close'", "data = '{}'", "at = '2020-01-01'"],
)
def test_changed_log_row_is_reported(event_with_log: tuple[Event, User], change: str) -> None:
    event, organizer = event_with_log
    record(event, organizer, LogAction.RENAME, lambda: "Once more.", points=[1.5, 2])
    number = event.audit.count()
    with open_unguarded_cursor() as cursor:
        sql = f"UPDATE tournament_auditentry SET {change} WHERE event_id = %s AND number = %s"
        cursor.execute(sql, [event.pk, number if "data" in change else number - 1])
    assert "of the log or one before it was changed" in get_check_error(event)


def test_changed_actor_is_reported(event_with_log: tuple[Event, User]) -> None:
    event, _organizer = event_with_log
    last = event.audit.latest("number")
    with open_unguarded_cursor():
        AuditEntry.objects.filter(pk=last.pk).update(actor=make_user())
    assert f"row {last.number} of the log names another than who did it" in get_check_error(event)


def test_log_rows_missing_before_the_last_anchor_are_reported(
    event_with_log: tuple[Event, User],
) -> None:
    event, organizer = event_with_log
    number = event.audit.count()
    record(event, organizer, LogAction.LOCK, lambda: "Locked.")
    with open_unguarded_cursor():
        event.audit.filter(number__gte=number).delete()
    assert f"row {number} of the log, of which the history tells, is gone" in get_check_error(event)


def test_anonymizing_a_person_does_not_break_the_chain(event_with_log: tuple[Event, User]) -> None:
    event, organizer = event_with_log
    one = event.registrations.all()[0]
    record(event, one.user, LogAction.REPORT, lambda: "Points were entered.")
    record(event, organizer, LogAction.RENAME, lambda: f"{one.name} is Zara now.")
    written = event.audit.count()
    anonymize_person(one, organizer, "Wishes to be forgotten.")
    found = check_log(event)
    assert (found.broken, found.others) == (None, [])
    assert found.redacted[-2:] == [written - 1, written]
    own, about = event.audit.filter(number__in=found.redacted[-2:]).order_by("number")
    assert (own.account, own.salt, own.text) == (None, "", "Points were entered.")
    assert own.actor is not None
    assert own.actor != one.user
    assert about.text == "Player 1 is Zara now."
    message = StringIO()
    call_command("check_history", event.slug, stdout=message)
    assert f"without names: {found.redacted}" in message.getvalue()


def test_text_changed_without_anonymization_is_reported(
    event_with_log: tuple[Event, User],
) -> None:
    event, _organizer = event_with_log
    event.audit.filter(number=2).update(
        text="Something nicer.", **AuditEntry.personal.redaction_values
    )
    assert "words of the log were changed, and nobody was made nameless" in get_check_error(event)


def test_nothing_is_logged_here_while_the_event_is_on_another_machine(
    event_with_log: tuple[Event, User], caplog: pytest.LogCaptureFixture
) -> None:
    event, organizer = event_with_log
    Event.objects.filter(pk=event.pk).update(away_since=event.created_at)
    before = event.audit.count()
    record(event, organizer, LogAction.COMMENTARY, lambda: "Opened all cards.")
    assert event.audit.count() == before
    assert "is elsewhere: commentary by account" in caplog.text
