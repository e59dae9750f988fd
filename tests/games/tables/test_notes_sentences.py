"""Each note on a match as a sentence."""

from typing import Any

import pytest

from games.clocks.timing import DAMAGED
from games.models import Match
from games.stored.state import LiveState, LogNote
from games.tables import notes
from tests.games.unsaved import NOON, hand, match, seat, snapshot

NOBODY = "Nobody is here: the table is paused until somebody comes back."
STILL = "The hand stands still until an organizer has it dealt again."


@pytest.mark.parametrize(
    ("code", "facts", "said"),
    [
        ("said", {"text": "Dealt {again}."}, "Dealt {again}."),
        ("deserted", {}, NOBODY),
        (
            "damaged",
            {"number": 3},
            "Hand 3 stands still: a share that its cards come from was changed or deleted in the "
            "database. An organizer has the hand dealt again.",
        ),
        ("played-on", {}, "Somebody is here again: play goes on."),
        (
            "redone",
            {"number": 2, "reason": "A card lay open."},
            "The organizer has hand 2 dealt again: A card lay open.",
        ),
        ("outage", {"seconds": 119}, "The site was down for 119 s; the clocks stood still."),
        ("outage", {"seconds": 120}, "The site was down for 2 min; the clocks stood still."),
        ("outage", {"seconds": 149}, "The site was down for 2 min; the clocks stood still."),
        ("outage", {"seconds": 155}, "The site was down for 3 min; the clocks stood still."),
        (
            "clock-set",
            {"seconds": -40},
            "The site's clock was set by -40 s; nobody's time has changed.",
        ),
        (
            "cut-off",
            {"seat": 1, "seconds": 15},
            "Ben was cut off by a fault of the site: the clock waits, at most 15 s.",
        ),
        (
            "time-for-one",
            {"seat": 0, "seconds": 10},
            "The organizer gives Asha 10 s more for each turn.",
        ),
        (
            "time-for-all",
            {"seconds": 10},
            "The organizer gives everybody 10 s more for each turn.",
        ),
        (
            "longer-turn",
            {"seat": 0, "seconds": 20},
            "The organizer gives Asha 20 s more for this turn.",
        ),
        (
            "longer-round",
            {"seconds": 90},
            "The organizer gives this table 90 s more until the end of the round.",
        ),
        (
            "longer-round",
            {"seconds": 300},
            "The organizer gives this table 5 min more until the end of the round.",
        ),
        ("seat-changed", {"seat": 1, "place": 2}, "From now on Ben plays at seat 2."),
        ("seat-bot", {"seat": 1}, "From now on a bot plays in the place of Ben."),
        ("seat-empty", {"seat": 1}, "Ben plays no longer: the seat draws and passes."),
        ("ruling-caution", {"seat": 0}, "Asha is cautioned by the referee."),
        ("ruling-warning", {"seat": 0}, "Asha is warned by the referee."),
        ("ruling-points", {"seat": 0, "points": 25}, "The referee takes 25 points off Asha."),
        ("ruling-points", {"seat": 0, "points": 1}, "The referee takes 1 point off Asha."),
    ],
)
def test_a_note_is_a_sentence_about_whom_it_concerns(
    code: str, facts: dict[str, Any], said: str
) -> None:
    assert notes.note_text(LogNote(0, 0, code, facts), snapshot()) == said


def test_a_note_nobody_has_words_for_is_an_error() -> None:
    with pytest.raises(KeyError, match="unheard-of"):
        notes.note_text(LogNote(0, 0, "unheard-of"), snapshot())


def test_a_name_with_letters_that_run_to_the_left_is_set_apart() -> None:
    table = snapshot([hand()], seats=[seat(0, "דנה"), seat(1)])
    said = notes.note_text(LogNote(0, 0, "seat-bot", {"seat": 0}), table)
    assert said == "From now on a bot plays in the place of ⁨דנה⁩."


PLAYING, BETWEEN = Match.Phase.PLAYING, Match.Phase.BETWEEN
BROKEN = (LogNote(0, 0, DAMAGED),)


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({}, ""),
        ({"paused_at": NOON}, ""),
        ({"paused_at": NOON, "state": LiveState(deserted=True)}, NOBODY),
        ({"state": LiveState(deserted=True)}, ""),
        ({"paused_at": NOON, "phase": PLAYING, "state": LiveState(notes=BROKEN)}, STILL),
        ({"paused_at": NOON, "phase": BETWEEN, "state": LiveState(notes=BROKEN)}, ""),
        (
            {"paused_at": NOON, "phase": PLAYING, "state": LiveState(deserted=True, notes=BROKEN)},
            STILL,
        ),
    ],
)
def test_why_a_table_has_paused_by_itself(fields: dict[str, Any], why: str) -> None:
    assert notes.stopped(match(**fields)) == why
