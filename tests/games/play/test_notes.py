"""Lines of a hand's log that are no action, as a change notes them."""

from typing import Any

from django.utils import timezone

from games.json_values.state import LiveState, LogNote
from games.play import notes
from games.store import MatchChange
from tests.games.unsaved import hand, make_playing_snapshot, snapshot
from tests.rules.table import position


def add_note(*notes_before: LogNote, code: str = "redone", **facts: Any) -> tuple[LogNote, ...]:
    table = position("uno-400", "R1 R2|G1 G2", top="R5")
    change = MatchChange.from_snapshots(
        make_playing_snapshot(table, state=LiveState(notes=notes_before)), timezone.now()
    )
    notes.add(change, code, **facts)
    return change.state.notes


def test_a_note_stands_after_the_actions_and_notes_before_it() -> None:
    first = LogNote(0, 0, "outage", {"seconds": 3})
    assert add_note(first, number=1, reason="why") == (
        first,
        LogNote(0, 1, "redone", {"number": 1, "reason": "why"}),
    )


def test_of_more_notes_than_a_log_has_numbers_for_the_rest_are_not_told() -> None:
    many = tuple(LogNote(0, place, "played-on") for place in range(39))
    assert len(add_note(*many)) == 40
    assert add_note(*many, LogNote(0, 39, "played-on")) == (*many, LogNote(0, 39, "played-on"))


def test_notes_after_another_action_are_counted_for_themselves() -> None:
    many = tuple(LogNote(7, place, "played-on") for place in range(40))
    assert add_note(*many)[-1] == LogNote(0, 0, "redone")


def test_before_the_first_deal_there_is_no_log_to_note_in() -> None:
    change = MatchChange.from_snapshots(snapshot(), timezone.now())
    notes.add(change, "played-on")
    assert change.match == {}
    dealt = MatchChange.from_snapshots(snapshot([hand()]), timezone.now())
    notes.add(dealt, "played-on")
    assert dealt.state.notes == (LogNote(0, 0, "played-on"),)
