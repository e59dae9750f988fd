"""Tests of the exact texts and digests in the chains of the event history and activity log."""

import hashlib
from datetime import UTC, datetime

import pytest

from tournament.models import AuditEntry, HistoryEntry
from tournament.oversight.chains import HISTORY, LOG
from tournament.pure.chain import START

MOMENT = datetime(2026, 11, 22, 14, 5, 6, 7, tzinfo=UTC)
MOMENT_TEXT = "2026-11-22T14:05:06.000007+00:00"
LAST_DIGEST = "1f" * 32


def compute_digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def make_history_entry() -> HistoryEntry:
    return HistoryEntry(
        event_id=7,
        action="undo",
        role="scorer",
        facts={"table": 2, "round": 1},
        reason="Misread",
        at=MOMENT,
        version=2,
    )


def make_audit_entry() -> AuditEntry:
    return AuditEntry(
        event_id=7,
        action="undo",
        text="Undid an entry.",
        reason="Misread",
        data={"user": 9, "result": 3},
        at=MOMENT,
        account=5,
    )


def test_history_digest_covers_the_facts_and_a_seal_of_the_reason() -> None:
    entry = make_history_entry()
    HISTORY.append(entry, (4, LAST_DIGEST))
    assert (entry.number, entry.previous, len(entry.salt)) == (5, LAST_DIGEST, 32)
    assert entry.seal == compute_digest(f"{entry.salt}:Misread")
    assert entry.digest == compute_digest(
        f'[2,7,5,"undo","scorer",{{"round":1,"table":2}},"{entry.seal}","{MOMENT_TEXT}","{LAST_DIGEST}"]'
    )


def test_log_digest_covers_a_seal_of_the_whole_entry() -> None:
    entry = make_audit_entry()
    LOG.append(entry, (0, START))
    said = '[5, "Undid an entry.", "Misread", {"result": 3}]'
    assert (entry.number, entry.seal) == (1, compute_digest(f"{entry.salt}:{said}"))
    assert entry.digest == compute_digest(
        f'[2,7,1,"undo","log",{{}},"{entry.seal}","{MOMENT_TEXT}","{START}"]'
    )


def test_digest_of_version_1_covers_the_reason_itself() -> None:
    entry = make_history_entry()
    entry.version, entry.number, entry.previous = 1, 5, LAST_DIGEST
    text = (
        f'[1,7,5,"undo","scorer",{{"round":1,"table":2}},"Misread","{MOMENT_TEXT}","{LAST_DIGEST}"]'
    )
    assert HISTORY.make_link(entry).text() == text


@pytest.mark.parametrize(("version", "lost"), [(1, True), (2, False)])
def test_row_with_a_removed_reason_remains_valid(version: int, lost: bool) -> None:
    entry = make_history_entry()
    entry.version = version
    HISTORY.append(entry, (0, START))
    entry.reason, entry.salt, entry.redacted = "", "", True
    assert HISTORY.make_link(entry).lost == lost
    assert HISTORY.find_broken_row([entry]) is None


def test_anonymized_log_row_remains_valid_but_a_changed_one_does_not() -> None:
    first, second = make_audit_entry(), make_audit_entry()
    LOG.append(first, (0, START))
    LOG.append(second, (first.number, first.digest))
    first.text, first.salt, first.account, first.redacted = "–", "", None, True
    assert LOG.find_broken_row([first, second]) is None
    second.reason = "Another one"
    assert LOG.find_broken_row([first, second]) == 2
