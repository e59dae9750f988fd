"""Lines of a hand's log that are no action, as a change notes them."""

from typing import Any

from django.utils import timezone

from games.services import notes
from games.store import Change
from games.stored.state import LiveState, Note
from tests.games.unsaved import hand, playing, snapshot
from tests.rules.table import position


def noted(*notes_before: Note, code: str = "redone", **facts: Any) -> tuple[Note, ...]:
    table = position("uno-400", "R1 R2|G1 G2", top="R5")
    change = Change.of(playing(table, state=LiveState(notes=notes_before)), timezone.now())
    notes.add(change, code, **facts)
    return change.state.notes


def test_a_note_stands_after_the_actions_and_notes_before_it() -> None:
    first = Note(0, 0, "outage", {"seconds": 3})
    assert noted(first, number=1, reason="why") == (
        first,
        Note(0, 1, "redone", {"number": 1, "reason": "why"}),
    )


def test_of_more_notes_than_a_log_has_numbers_for_the_rest_are_not_told() -> None:
    many = tuple(Note(0, place, "played-on") for place in range(39))
    assert len(noted(*many)) == 40
    assert noted(*many, Note(0, 39, "played-on")) == (*many, Note(0, 39, "played-on"))


def test_notes_after_another_action_are_counted_for_themselves() -> None:
    many = tuple(Note(7, place, "played-on") for place in range(40))
    assert noted(*many)[-1] == Note(0, 0, "redone")


def test_before_the_first_deal_there_is_no_log_to_note_in() -> None:
    change = Change.of(snapshot(), timezone.now())
    notes.add(change, "played-on")
    assert change.match == {}
    dealt = Change.of(snapshot([hand()]), timezone.now())
    notes.add(dealt, "played-on")
    assert dealt.state.notes == (Note(0, 0, "played-on"),)
