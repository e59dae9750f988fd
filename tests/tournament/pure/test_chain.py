"""Tests of the hash chain of an event's history."""

import hashlib
import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from tournament.pure.chain import START, Link, find_first_invalid, seal_reason

MOMENT = datetime(2026, 11, 22, 14, 5, 6, 7, tzinfo=UTC)
REASON_SEAL = seal_reason("5a" * 16, "Misread")
FIRST_LINK = Link(
    7, 1, "correct", "organizer", {"table": 2, "points": [1, 0]}, REASON_SEAL, MOMENT, START
)
OLD_LINK = replace(FIRST_LINK, reason="Misread", version=1)


def make_chain(count: int) -> list[tuple[Link, str]]:
    rows = [(FIRST_LINK, FIRST_LINK.digest())]
    for number in range(2, count + 1):
        link = replace(FIRST_LINK, number=number, previous=rows[-1][1])
        rows.append((link, link.digest()))
    return rows


def test_hashed_bytes_are_compact_json_with_sorted_keys() -> None:
    text = (
        f'[2,7,1,"correct","organizer",{{"points":[1,0],"table":2}},"{REASON_SEAL}",'
        f'"2026-11-22T14:05:06.000007+00:00","{START}"]'
    )
    assert FIRST_LINK.text() == text
    assert FIRST_LINK.digest() == hashlib.sha256(text.encode()).hexdigest()


def test_row_of_version_1_contains_its_reason() -> None:
    assert OLD_LINK.text().startswith(
        '[1,7,1,"correct","organizer",{"points":[1,0],"table":2},"Misread",'
    )


def test_seal_of_a_reason_depends_on_the_salt() -> None:
    assert seal_reason("ab", "Misread") == hashlib.sha256(b"ab:Misread").hexdigest()
    assert seal_reason("ab", "Misread") != seal_reason("ac", "Misread")


def test_row_of_version_1_may_lose_its_reason() -> None:
    lost = replace(OLD_LINK, reason="", lost=True)
    after = replace(FIRST_LINK, number=2, previous=OLD_LINK.digest())
    rows = [(lost, OLD_LINK.digest()), (after, after.digest())]
    assert find_first_invalid(rows) is None
    assert find_first_invalid([(replace(lost, lost=False), OLD_LINK.digest()), rows[1]]) == 1
    assert find_first_invalid([(lost, "0" * 64), rows[1]]) == 2


def test_non_ascii_text_is_escaped() -> None:
    text = replace(FIRST_LINK, reason="Über Łódź").text()
    assert text.isascii()
    assert json.loads(text)[6] == "Über Łódź"


def test_digest_does_not_depend_on_the_time_zone() -> None:
    there = MOMENT.astimezone(timezone(timedelta(hours=5, minutes=30)))
    assert replace(FIRST_LINK, at=there).digest() == FIRST_LINK.digest()


def test_digest_does_not_depend_on_the_order_of_facts() -> None:
    turned = dict(reversed(list(FIRST_LINK.facts.items())))
    assert replace(FIRST_LINK, facts=turned).digest() == FIRST_LINK.digest()


def test_unchanged_chain_is_valid() -> None:
    assert find_first_invalid(make_chain(5)) is None
    assert find_first_invalid([]) is None


@pytest.mark.parametrize(
    "change",
    [
        {"event": 8},
        {"action": "undo"},
        {"role": "site"},
        {"facts": {"table": 2, "points": [2, 0]}},
        {"reason": "Misread it"},
        {"at": MOMENT + timedelta(microseconds=1)},
        {"previous": "1" * 64},
    ],
    ids=lambda change: next(iter(change)),
)
def test_change_to_any_field_is_reported_at_its_row(change: dict[str, object]) -> None:
    rows = make_chain(4)
    rows[1] = (replace(rows[1][0], **change), rows[1][1])  # type: ignore[arg-type]
    assert find_first_invalid(rows) == 2


def test_changed_row_with_a_new_digest_invalidates_the_next_row() -> None:
    rows = make_chain(4)
    forged = replace(rows[1][0], reason="Something else")
    rows[1] = (forged, forged.digest())
    assert find_first_invalid(rows) == 3


def test_deleted_inserted_or_swapped_row_is_reported() -> None:
    rows = make_chain(4)
    assert find_first_invalid([rows[0], *rows[2:]]) == 2
    assert find_first_invalid([rows[0], rows[0], *rows[1:]]) == 2
    assert find_first_invalid([rows[1], rows[0], *rows[2:]]) == 1
