"""F75: an event's history or log is emptied in the database.

Either the database refuses the statement, or the site reports the change. Like an attacker, the
tests use SQL and may bypass the triggers.
"""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.urls import reverse

from tests.factories import make_user
from tests.guards import open_unguarded_cursor
from tests.tournament.helpers import make_organized_event
from tournament.models import Event, LogAction
from tournament.oversight.chains import HISTORY
from tournament.oversight.public_history import append_entry

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

TABLES = ["tournament_historyentry", "tournament_auditentry"]


@pytest.fixture
def published_event() -> Event:
    return make_organized_event(4)[0]


def get_check_error(event: Event) -> str:
    with pytest.raises(CommandError) as wrong:
        call_command("check_history", event.slug, stdout=StringIO())
    return str(wrong.value)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("statement", ["DELETE FROM {}", "UPDATE {} SET action = 'nothing'"])
def test_database_refuses_to_change_history_rows(
    published_event: Event, table: str, statement: str
) -> None:
    refused = pytest.raises(DatabaseError, match="never changed")
    with refused, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement.format(table) + " WHERE event_id = %s", [published_event.pk])


def test_published_event_without_a_history_is_reported(published_event: Event) -> None:
    with open_unguarded_cursor() as cursor:
        cursor.execute(f"DELETE FROM {TABLES[0]} WHERE event_id = %s", [published_event.pk])
    assert "published, and the row that tells so is gone" in get_check_error(published_event)


def test_restarted_history_is_reported(published_event: Event) -> None:
    with open_unguarded_cursor() as cursor:
        cursor.execute(f"DELETE FROM {TABLES[0]} WHERE event_id = %s", [published_event.pk])
    append_entry(published_event, make_user(), LogAction.REOPEN, "", {})
    assert (
        published_event.history.get().digest
        == HISTORY.make_link(published_event.history.get()).digest()
    )
    assert "published, and the row that tells so is gone" in get_check_error(published_event)


@pytest.mark.parametrize("facts", ["{}", "7", '{"lots": [], "site": "none"}'])
def test_unreadable_row_is_reported_by_command_and_page(
    published_event: Event, client: Client, facts: str
) -> None:
    with open_unguarded_cursor() as cursor:
        cursor.execute(
            f"UPDATE {TABLES[0]} SET facts = %s WHERE event_id = %s", [facts, published_event.pk]
        )
    message = get_check_error(published_event)
    assert "row 1 or one before it was changed" in message
    page = client.get(reverse("event-history", args=[published_event.slug]))
    assert page.status_code == 200


def test_rewritten_rows_with_a_rebuilt_chain_are_reported(
    published_event: Event, client: Client
) -> None:
    entry = published_event.history.get()
    entry.facts = {"lots": {}, "site": "none"}
    entry.digest = HISTORY.make_link(entry).digest()
    with open_unguarded_cursor() as cursor:
        cursor.execute(
            f"UPDATE {TABLES[0]} SET facts = %s, digest = %s WHERE event_id = %s",
            [json.dumps(entry.facts), entry.digest, published_event.pk],
        )
    assert (
        get_check_error(published_event)
        == f"{published_event.slug}: what row 1 says cannot be read."
    )
    page = client.get(reverse("event-history", args=[published_event.slug]))
    assert "This entry can’t be read." in page.content.decode()


def test_log_without_its_first_rows_is_reported(published_event: Event) -> None:
    with open_unguarded_cursor() as cursor:
        cursor.execute(
            f"DELETE FROM {TABLES[1]} WHERE event_id = %s AND number = 1", [published_event.pk]
        )
    assert "row 1 of the log or one before it was changed" in get_check_error(published_event)
