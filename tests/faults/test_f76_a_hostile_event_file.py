"""F76: a forged event file is refused with a reason, and none of it is stored.

Each test replaces a value of a row or of the manifest with an edge case, and updates the digests.
"""

import io
import json
import random
import zipfile
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction

from tests.faults.cases import TryCounter
from tests.tournament.exports.transfer.test_contents import (
    delete_event,
    event,
    superuser,
    transferred_event_key,
    write_event_file,
)
from tests.tournament.exports.transfer.test_contents_forged import (
    change_and_rechain,
    change_and_reseal,
    change_part,
)
from tournament.common.refusals import RefusedError
from tournament.exports.transfer.importing import import_event
from tournament.models import Event, User
from tournament.pure.bundle import MANIFEST

__all__ = ["event", "superuser", "transferred_event_key"]
pytestmark = [pytest.mark.django_db, pytest.mark.sql]

DEEP_VALUE = "DEEP"
EDGE_VALUES: list[Any] = [
    *(None, True, False, 0, -1, 1.5, 1e308, float("nan"), float("inf")),
    *(2**15, 2**31, 2**63 - 1, 2**63, -(2**63) - 1, 10**30, 10**400),
    *("", " ", "x", "x" * 5000, "0", "-1", "1e9", "\x00", "\ud800", "‮", "é" * 300, "%s", "{}"),
    *(
        "2026-11-25",
        "2026-13-45T99:99:99",
        "9999-12-31T23:59:59+14:00",
        "0001-01-01T00:00:00-14:00",
    ),
    *(
        [],
        {},
        [[]],
        {"": None},
        [None],
        {"user": 10**30},
        {"user": "x"},
        {"version": 99},
        DEEP_VALUE,
    ),
]


def dump_row(row: Any) -> bytes:
    deep = "[" * 60_000 + "]" * 60_000
    return json.dumps(row).replace(f'"{DEEP_VALUE}"', deep).encode()


def replace_value(content: bytes, number: int, name: str, value: Any) -> bytes:
    """Return the rows with the value in column `name` of row `number` replaced."""
    lines = content.splitlines()
    lines[number] = dump_row({**json.loads(lines[number]), name: value})
    return b"\n".join(lines) + b"\n"


def list_parts(file: io.BytesIO) -> dict[str, list[dict[str, Any]]]:
    with zipfile.ZipFile(file) as archive:
        names = [name for name in archive.namelist() if name != MANIFEST]
        read = {name: archive.read(name).splitlines() for name in names}
    return {name.removesuffix(".jsonl"): [*map(json.loads, lines)] for name, lines in read.items()}


def get_import_refusal(file: io.BytesIO, root: User) -> str:
    """Import the file without storing it, and return the code of the refusal, or "".

    Return "no sentence" for a refusal without a sentence.
    """
    try:
        with transaction.atomic():
            import_event(file, root)
            transaction.set_rollback(True)
    except RefusedError as refused:
        return refused.code if refused.sentence else "no sentence"
    return ""


@pytest.fixture
def hostile_file(event: Event) -> Iterator[io.BytesIO]:
    """Provide an event file of an event that this site does not have."""
    file = write_event_file(event)
    delete_event(event)
    yield file
    assert not Event.objects.filter(identity=event.identity).exists()


def test_column_with_any_edge_value_is_accepted_or_refused(
    hostile_file: io.BytesIO, superuser: User, tries: TryCounter
) -> None:
    rows = list_parts(hostile_file)
    named = [(part, name) for part, found in rows.items() if found for name in found[0]]
    random.shuffle(named)
    for n in tries(20, 1000):
        part, name = named[n % len(named)]
        what = (random.randrange(len(rows[part])), name, random.choice(EDGE_VALUES))
        code = get_import_refusal(
            change_and_reseal(hostile_file, part, lambda old, what=what: replace_value(old, *what)),
            superuser,
        )
        assert code in ("", "damaged", "forged", "newer", "taken", "slug"), (part, what)


@pytest.mark.parametrize(
    ("part", "name", "value"),
    [
        ("tournament.event", "round_minutes", 10**30),
        ("tournament.event", "identity", "another"),
        ("tournament.event", "check_in_opens", "2026-11-25"),
        ("tournament.tableseat", "number", 2**63),
        ("games.seat", "extra_seconds", 1e308),
        ("games.match", "id", float("inf")),
        ("games.loggedaction", "player", -(2**63) - 1),
        ("tournament.registration", "name", "x" * 500),
        ("tournament.registration", "name", "Asha\0"),
        ("tournament.registration", "anonymous", "yes"),
        ("tournament.stage", "rounds_planned", True),
        ("tournament.stage", "title", None),
        ("tournament.auditentry", "data", DEEP_VALUE),
    ],
)
def test_value_that_does_not_fit_its_column_counts_as_damage(
    hostile_file: io.BytesIO, superuser: User, part: str, name: str, value: object
) -> None:
    file = change_and_reseal(hostile_file, part, lambda old: replace_value(old, 0, name, value))
    assert get_import_refusal(file, superuser) == "damaged"


KEY = "ab" * 32


@pytest.mark.parametrize(
    ("action", "facts"),
    [
        ("publish-event", {"lots": {}, "site": 7}),
        ("publish-event", {"lots": {}, "site": "none"}),
        ("correct", 0),
        ("correct", {"stage": 1, "points": 7, "before": [], "players": []}),
        ("change-settings", {"settings": {"colour": [1, 2]}}),
        ("devices", {"stage": 1, "again": []}),
        ("devices", {"stage": 1, "again": [], "keys": {"x": [KEY]}}),
        ("devices", {"stage": 1, "again": [], "keys": {"5": ["none"]}}),
        ("devices", {"stage": 1, "again": [], "keys": {"5": [[KEY]]}}),
        ("qualify", {"through": []}),
        ("commentator", {"user": []}),
    ],
)
def test_rechained_history_with_invalid_actions_is_damaged(
    hostile_file: io.BytesIO, superuser: User, action: str, facts: object
) -> None:
    """Check that unreadable actions are refused even if the history's chain is valid.

    They would break the history page forever, because rows of a history never change.
    """
    number = 1 if action == "publish-event" else 2
    file = change_and_rechain(hostile_file, number, action=action, facts=facts)
    assert get_import_refusal(file, superuser) == "damaged"


def test_rechained_history_with_valid_actions_is_accepted(
    hostile_file: io.BytesIO, superuser: User
) -> None:
    facts = {"stage": 1, "round": 1, "again": [], "keys": {"5": [KEY]}}
    assert (
        get_import_refusal(
            change_and_rechain(hostile_file, 2, action="devices", facts=facts), superuser
        )
        == ""
    )


@pytest.mark.parametrize("name", ["identity", "journey", "event", "slug", "head", "log", "parts"])
def test_manifest_with_any_edge_value_is_accepted_or_refused(
    hostile_file: io.BytesIO, superuser: User, name: str
) -> None:
    values: list[object] = [None, 10**30, -1, "", "\0", [], {}, True, {"people": 1}]
    for value in values:

        def replace_manifest_value(old: bytes, value: object = value) -> bytes:
            return json.dumps({**json.loads(old), name: value}).encode()

        code = get_import_refusal(
            change_part(hostile_file, MANIFEST, replace_manifest_value), superuser
        )
        assert code in ("", "damaged", "forged", "foreign", "taken"), value
