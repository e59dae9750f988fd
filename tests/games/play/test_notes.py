"""Tests of notes, the entries of a hand's log that are not actions."""

from typing import Any

from django.utils import timezone

from games.json_values.state import LiveState, LogNote
from games.play import notes
from games.store import MatchChange
from tests.games.unsaved import make_playing_snapshot, make_unsaved_hand, make_unsaved_snapshot
from tests.rules.table import make_position


def add_note(*notes_before: LogNote, code: str = "redone", **facts: Any) -> tuple[LogNote, ...]:
    table = make_position("uno-400", "R1 R2|G1 G2", top="R5")
    change = MatchChange.from_snapshots(
        make_playing_snapshot(table, state=LiveState(notes=notes_before)), timezone.now()
    )
    notes.add(change, code, **facts)
    return change.state.notes


def test_note_follows_earlier_actions_and_notes() -> None:
    first = LogNote(0, 0, "outage", {"seconds": 3})
    assert add_note(first, number=1, reason="why") == (
        first,
        LogNote(0, 1, "redone", {"number": 1, "reason": "why"}),
    )


def test_consecutive_outages_share_one_line_of_the_log() -> None:
    first, other = LogNote(0, 0, "outage", {"seconds": 3}), LogNote(0, 0, "played-on")
    assert add_note(first, code="outage", seconds=4) == (LogNote(0, 0, "outage", {"seconds": 7}),)
    assert add_note(other, code="outage", seconds=4) == (
        other,
        LogNote(0, 1, "outage", {"seconds": 4}),
    )


def test_notes_beyond_the_limit_are_dropped() -> None:
    many = tuple(LogNote(0, place, "played-on") for place in range(39))
    assert len(add_note(*many)) == 40
    assert add_note(*many, LogNote(0, 39, "played-on")) == (*many, LogNote(0, 39, "played-on"))


def test_notes_are_counted_separately_after_each_action() -> None:
    many = tuple(LogNote(7, place, "played-on") for place in range(40))
    assert add_note(*many)[-1] == LogNote(0, 0, "redone")


def test_notes_before_the_first_deal_are_discarded() -> None:
    change = MatchChange.from_snapshots(make_unsaved_snapshot(), timezone.now())
    notes.add(change, "played-on")
    assert change.match == {}
    dealt = MatchChange.from_snapshots(make_unsaved_snapshot([make_unsaved_hand()]), timezone.now())
    notes.add(dealt, "played-on")
    assert dealt.state.notes == (LogNote(0, 0, "played-on"),)
