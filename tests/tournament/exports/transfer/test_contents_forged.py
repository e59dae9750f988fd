"""Tests of altered event files, and of files that are not event files."""

import hashlib
import io
import json
import zipfile
from datetime import datetime
from typing import Any

import pytest

from tests.tournament.exports.transfer.test_contents import (
    delete_event,
    event,
    superuser,
    transferred_event_key,
    write_event_file,
)
from tests.tournament.helpers import get_refusal_code, make_organized_event
from tournament.exports.transfer.importing import import_event
from tournament.models import Event, User
from tournament.pure.bundle import MANIFEST
from tournament.pure.chain import START, Link, seal_reason

__all__ = ["event", "superuser", "transferred_event_key"]
pytestmark = pytest.mark.django_db


def change_part(file: io.BytesIO, name: str, change: Any) -> io.BytesIO:
    """Return the file with one of its parts changed."""
    out = io.BytesIO()
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(out, "w") as new:
        for each in old.namelist():
            new.writestr(each, change(old.read(each)) if each == name else old.read(each))
    return out


def change_and_reseal(file: io.BytesIO, part: str, change: Any) -> io.BytesIO:
    with zipfile.ZipFile(file) as old:
        content = change(old.read(f"{part}.jsonl"))
    file = change_part(file, f"{part}.jsonl", lambda _old: content)

    def change_digest(old: bytes) -> bytes:
        data = json.loads(old)
        data["parts"][part]["sha256"] = hashlib.sha256(content).hexdigest()
        return json.dumps(data).encode()

    return change_part(file, MANIFEST, change_digest)


HISTORY, STAGE = "tournament.historyentry", "tournament.stage"


def change_and_rechain(file: io.BytesIO, number: int, **fields: Any) -> io.BytesIO:
    """Return the file with changed fields in one row of the history, and a valid hash chain."""
    ends = [START]

    def reseal_rows(content: bytes) -> bytes:
        rows = [json.loads(line) for line in content.splitlines()]
        for row in rows:
            row |= fields if row["number"] == number else {}
            row["previous"] = ends[-1]
            row["digest"] = make_chain_link(row).digest()
            ends.append(row["digest"])
        return b"".join(json.dumps(row).encode() + b"\n" for row in rows)

    file = change_and_reseal(file, HISTORY, reseal_rows)
    return change_part(file, MANIFEST, lambda old: set_manifest_head(old, ends[-1]))


def make_chain_link(row: dict[str, Any]) -> Link:
    sealed = row["seal"] if row["redacted"] else seal_reason(row["salt"], row["reason"])
    at, more = datetime.fromisoformat(row["at"]), {"reason": sealed, "event": row["event_id"]}
    same = {key: row[key] for key in ("number", "action", "role", "facts", "previous", "version")}
    return Link(at=at, **same, **more)


def set_manifest_head(manifest: bytes, head: str) -> bytes:
    return json.dumps({**json.loads(manifest), "head": head}).encode()


@pytest.mark.parametrize(
    ("part", "old", "new", "code"),
    [
        (HISTORY, b'"action":"correct"', b'"action":"abandon"', "forged"),
        (STAGE, b'"number":1', b'"number":1,"colour":"red"', "newer"),
        (STAGE, b'"number":1', b'"number":"one"', "damaged"),
        (STAGE, b'"event_id":', b'"event_id":99', "damaged"),
        ("tournament.registration", b'"registered_at":"2', b'"registered_at":"x', "damaged"),
    ],
)
def test_tampered_file_is_refused_entirely(
    event: Event, superuser: User, part: str, old: bytes, new: bytes, code: str
) -> None:
    file = change_and_reseal(
        write_event_file(event), part, lambda content: content.replace(old, new, 1)
    )
    delete_event(event)
    assert get_refusal_code(import_event, file, superuser) == code
    assert not Event.objects.filter(identity=event.identity).exists()


def test_rows_of_another_event_are_refused(event: Event, superuser: User) -> None:
    other, _organizer = make_organized_event(0)
    stages = other.stages.count()

    def add_row_of_other_event(content: bytes) -> bytes:
        row = json.loads(content.splitlines()[0])
        more = {**row, "id": 10**9, "number": 9, "event_id": other.pk}
        return content + json.dumps(more).encode() + b"\n"

    file = change_and_reseal(write_event_file(event), STAGE, add_row_of_other_event)
    delete_event(event)
    assert get_refusal_code(import_event, file, superuser) == "damaged"
    assert other.stages.count() == stages


@pytest.mark.parametrize(
    ("content", "code"), [(b"", "damaged"), (b"PK", "damaged"), (b"hello" * 99, "damaged")]
)
def test_invalid_archive_is_refused(superuser: User, content: bytes, code: str) -> None:
    assert get_refusal_code(import_event, io.BytesIO(content), superuser) == code


LOG = "tournament.auditentry"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"action":"seat"', b'"action":"close"'),
        (b'"text":"', b'"text":"Not so: '),
        (b'"account":', b'"account":9'),
    ],
)
def test_tampered_log_is_refused(event: Event, superuser: User, old: bytes, new: bytes) -> None:
    file = change_and_reseal(
        write_event_file(event), LOG, lambda content: content.replace(old, new, 1)
    )
    delete_event(event)
    assert get_refusal_code(import_event, file, superuser) == "forged"


def test_truncated_log_is_refused(event: Event, superuser: User) -> None:
    def drop_last_row(content: bytes) -> bytes:
        return b"".join(content.splitlines(keepends=True)[:-1])

    file = change_and_reseal(write_event_file(event), LOG, drop_last_row)
    delete_event(event)
    assert get_refusal_code(import_event, file, superuser) == "forged"
