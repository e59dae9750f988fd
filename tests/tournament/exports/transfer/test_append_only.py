"""Tests of the append-only history and log of an event that moves between machines."""

import io
import json
from typing import Any

import pytest

from tests.tournament.exports.transfer.test_contents import (  # fmt: skip
    delete_event,
    event,
    play_round_elsewhere,
    superuser,
    transferred_event_key,
    write_event_file,
)
from tests.tournament.exports.transfer.test_contents_forged import (
    LOG,
    change_and_reseal,
    change_part,
)
from tournament.exports.transfer.append_only import remove_text
from tournament.exports.transfer.importing import import_event
from tournament.models import AuditEntry, Event, User
from tournament.oversight.desk_log import check_log
from tournament.oversight.history_texts import history
from tournament.pure.bundle import MANIFEST

__all__ = ["event", "superuser", "transferred_event_key"]
pytestmark = [pytest.mark.django_db, pytest.mark.sql]

CHAIN_FIELDS = ("number", "account", "previous", "digest", "seal", "salt", "redacted")


def strip_log_chain(file: io.BytesIO) -> io.BytesIO:
    """Return the file as a site without chained logs would have written it."""

    def strip_chain_fields(content: bytes) -> bytes:
        rows = [json.loads(line) for line in content.splitlines()]
        message = [{key: row[key] for key in row.keys() - set(CHAIN_FIELDS)} for row in rows]
        return b"".join(json.dumps(row).encode() + b"\n" for row in message)

    def remove_log_head(content: bytes) -> bytes:
        head = json.loads(content)
        return json.dumps({key: head[key] for key in head.keys() - {"log"}}).encode()

    return change_part(change_and_reseal(file, LOG, strip_chain_fields), MANIFEST, remove_log_head)


def list_audit_texts(event: Event) -> list[str]:
    return list(event.audit.order_by("number").values_list("text", flat=True))


def is_log_intact(event: Event) -> bool:
    found = check_log(event)
    return (found.broken, found.cut) == (None, []) and history(event).broken is None


def test_imported_log_ends_with_the_same_hash(event: Event, superuser: User) -> None:
    before, file = check_log(event), write_event_file(event)
    delete_event(event)
    there = import_event(file, superuser)
    assert is_log_intact(there)
    assert there.audit.get(number=before.rows).digest == before.head
    assert there.audit.latest("number").action == "carry-in"


def test_returned_event_includes_the_remote_log(event: Event, superuser: User) -> None:
    back = play_round_elsewhere(event, superuser, [])
    before = list_audit_texts(event)
    home = import_event(back, superuser)
    assert is_log_intact(home)
    assert list_audit_texts(home)[: len(before)] == before
    assert len(list_audit_texts(home)) > len(before) + 3


def test_older_log_gets_a_hash_chain_on_import(event: Event, superuser: User) -> None:
    before, file = list_audit_texts(event), strip_log_chain(write_event_file(event))
    delete_event(event)
    there = import_event(file, superuser)
    assert is_log_intact(there)
    assert list_audit_texts(there)[:-1] == before


def test_remote_redaction_is_applied_on_return(event: Event) -> None:
    message = history(event).head
    reasons = [row.number for row in event.history.exclude(reason="")]
    last = event.audit.latest("number")
    theirs: Any = list(event.audit.order_by("number"))
    theirs[-1].text, theirs[-1].redacted = "Player 1 is Zara now.", True
    numbers = [{"number": number, "redacted": True} for number in reasons]
    remove_text(event, numbers, theirs)
    assert reasons
    assert not event.history.exclude(reason="").exists()
    assert AuditEntry.objects.get(pk=last.pk).text == "Player 1 is Zara now."
    assert check_log(event).redacted == [last.number]
    assert is_log_intact(event)
    assert history(event).head == message


def test_history_counts_rows_changed_while_the_event_was_away(
    event: Event, superuser: User
) -> None:
    back = play_round_elsewhere(event, superuser, [])
    home = import_event(back, superuser)
    row = home.history.latest("number")
    # Two tables were entered on the other server, and the importer is already an organizer.
    assert {key: row.facts[key] for key in ("results", "points", "roles")} == {
        "results": 2,
        "points": 0,
        "roles": 0,
    }
    assert "Changes made there: 2 to entered results, 0 to" in history(home).rows[0].text


def test_forged_points_and_roles_are_counted(event: Event, superuser: User) -> None:
    back = play_round_elsewhere(event, superuser, [])
    [owner] = event.roles.values_list("pk", flat=True)

    def add_row(content: bytes) -> bytes:
        rows = [json.loads(line) for line in content.splitlines()]
        one = {**rows[0], "id": owner + 10**9, "role": "desk"}
        return b"".join(json.dumps(row).encode() + b"\n" for row in [*rows, one])

    def change_points(content: bytes) -> bytes:
        first, *others = content.splitlines()
        row = json.loads(first)
        row["points"] = [each + 9000 for each in row["points"]]
        return b"\n".join([json.dumps(row).encode(), *others]) + b"\n"

    file = change_and_reseal(
        change_and_reseal(back, "tournament.eventrole", add_row), "games.hand", change_points
    )
    facts = import_event(file, superuser).history.latest("number").facts
    assert (facts["points"], facts["roles"]) == (1, 1)
