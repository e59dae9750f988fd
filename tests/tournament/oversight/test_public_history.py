"""Tests of copies of the history's last digest, and of records of deletions."""

from io import StringIO

import pytest
from django.core import mail
from django.core.management import CommandError, call_command
from django.db import DatabaseError, transaction
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from games.queries import site_key
from tests.factories import make_organizer, make_user
from tests.guards import open_unguarded_cursor
from tests.tournament.events.closing.test_locking import make_finished_event
from tests.tournament.exports.transfer.test_contents import write_event_file
from tests.tournament.helpers import get_refusal_code, make_organized_event
from tests.tournament.oversight.test_history_texts import list_texts, make_corrected_event
from tournament.events.closing.locking import lock_results
from tournament.exports.transfer.importing import import_event
from tournament.models import DeletedEvent, Event, LogAction
from tournament.oversight.history_texts import history
from tournament.oversight.public_history import (
    email_history_head,
    find_public_head,
    record_deletion,
)
from tournament.planning.rehearsal import create_rehearsal, end_rehearsal
from tournament.pure.chain import START

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def test_locking_the_event_emails_the_history_head_to_its_owners(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks, settings: Settings
) -> None:
    settings.SITE_ADDRESS = "https://play.example"
    event, organizer = make_finished_event(4)
    second = make_organizer(event)
    with django_capture_on_commit_callbacks(execute=True):
        lock_results(event, organizer, sure=True)
    assert [each.to for each in mail.outbox] == [[organizer.email], [second.email]]
    body = str(mail.outbox[0].body)
    assert mail.outbox[0].subject == f"The results of {event.title} are locked"
    assert (
        f"later changes to the event history of {event.title}, even changes made on the server."
        in body
    )
    assert f"\n    {history(event).head}\n" in body
    assert reverse("event-history", args=[event.slug]) in body


def test_locking_a_rehearsal_sends_no_email(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    event, organizer = make_organized_event(4)
    with django_capture_on_commit_callbacks(execute=True):
        email_history_head(create_rehearsal(event, organizer))
    assert mail.outbox == []


def test_printed_leaderboard_and_api_include_the_history_head() -> None:
    event, _organizer = make_organized_event(4)
    rows, end = find_public_head(event)
    printed = Client().get(reverse("event-leaderboard", args=[event.slug]))
    assert f"The event history has {rows} entr" in printed.text
    assert end in printed.text
    found = Client().get(f"/api/v1/events/{event.slug}").json()["history"]
    address = reverse("event-history-file", args=[event.slug])
    assert found == {"rows": rows, "head": end, "url": f"http://testserver{address}"}


def test_event_can_be_deleted_only_after_the_deletion_is_recorded() -> None:
    event, _organizer = make_organized_event(0)
    rows, end = find_public_head(event)
    with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
        event.delete()
    record_deletion(event)
    with pytest.raises(CommandError, match=f"{event.slug}: noted as deleted, and it is there"):
        call_command("check_history", stdout=StringIO())
    event.delete()
    message = StringIO()
    call_command("check_history", stdout=message)
    assert f"{event.slug}: deleted on " in message.getvalue()
    assert f"; {rows} rows to {end}, log " in message.getvalue()


def test_deletion_record_cannot_be_changed() -> None:
    event, _organizer = make_organized_event(0)
    record_deletion(event)
    for step in (
        lambda: DeletedEvent.objects.update(rows=0),
        lambda: DeletedEvent.objects.all().delete(),
    ):
        with pytest.raises(DatabaseError, match="stays noted"), transaction.atomic():
            step()


def test_end_of_a_rehearsal_is_recorded_as_a_deletion() -> None:
    event, organizer = make_organized_event(4)
    made = create_rehearsal(event, organizer)
    number, slug = made.pk, made.slug
    end_rehearsal(made)
    assert DeletedEvent.objects.get().number == number
    assert DeletedEvent.objects.get().slug == slug
    assert not Event.objects.filter(pk=number).exists()


def test_imported_event_cannot_reuse_a_deleted_number() -> None:
    event, _organizer = make_organized_event(0)
    root, file = make_user(is_superuser=True), write_event_file(event)
    record_deletion(event)
    event.delete()
    assert get_refusal_code(import_event, file, root) == "taken"


def test_history_includes_the_site_key() -> None:
    """Check that the history includes the site's key, except in older events."""
    event, _organizer = make_organized_event(2)
    first = event.history.earliest("number")
    assert (first.action, first.facts["site"]) == (LogAction.PUBLISH_EVENT, site_key())
    event, _organizer = make_organized_event(2)
    with open_unguarded_cursor():
        entry = event.history.earliest("number")
        entry.facts = {"lots": entry.facts["lots"]}
        entry.save()
    assert list_texts(event)[-1] == "The event was published."


def test_history_rows_are_numbered_and_chained() -> None:
    event, _organizer, _table = make_corrected_event()
    entries = list(event.history.order_by("number"))
    assert [entry.number for entry in entries] == list(range(1, len(entries) + 1))
    assert [entry.previous for entry in entries] == [
        START,
        *(entry.digest for entry in entries[:-1]),
    ]


def test_digests_can_be_computed_from_the_history_file() -> None:
    import hashlib

    event, _organizer, _table = make_corrected_event()
    message = Client().get(reverse("event-history-file", args=[event.slug])).json()
    digests = [hashlib.sha256(row["text"].encode()).hexdigest() for row in message["rows"]]
    assert digests == [row["digest"] for row in message["rows"]]
    assert digests[-1] == history(event).head
