"""Tests of the sentence for each kind of note."""

from typing import Any

import pytest

from games.clocks.timing import DAMAGED
from games.json_values.state import LiveState, LogNote
from games.models import Match
from games.tables import notes
from tests.games.unsaved import (
    NOON,
    make_unsaved_hand,
    make_unsaved_match,
    make_unsaved_seat,
    make_unsaved_snapshot,
)

NO_ONE_HERE = "No one is here. The table is paused until someone comes back."
HAND_ON_HOLD = "The hand is on hold until an organizer has it dealt again."


@pytest.mark.parametrize(
    ("code", "facts", "expected"),
    [
        ("said", {"text": "Dealt {again}."}, "Dealt {again}."),
        ("deserted", {}, NO_ONE_HERE),
        (
            "damaged",
            {"number": 3},
            "Hand 3 is on hold: a contribution to its shuffle was changed or deleted in "
            "the database. An organizer needs to have the hand dealt again.",
        ),
        ("played-on", {}, "Someone is back. Play continues."),
        (
            "redone",
            {"number": 2, "reason": "A card lay open."},
            "An organizer had hand 2 dealt again: A card lay open.",
        ),
        (
            "outage",
            {"seconds": 119},
            "The site was down for 119 s. All clocks were stopped during that time.",
        ),
        (
            "outage",
            {"seconds": 120},
            "The site was down for 2 min. All clocks were stopped during that time.",
        ),
        (
            "outage",
            {"seconds": 149},
            "The site was down for 2 min. All clocks were stopped during that time.",
        ),
        (
            "outage",
            {"seconds": 155},
            "The site was down for 3 min. All clocks were stopped during that time.",
        ),
        (
            "clock-set",
            {"seconds": -40},
            "The site’s clock was adjusted by -40 s. No one gained or lost any time.",
        ),
        (
            "cut-off",
            {"seat": 1, "seconds": 15},
            "Ben was disconnected because of a problem with the site. The clock will wait "
            "up to 15 s.",
        ),
        (
            "time-for-one",
            {"seat": 0, "seconds": 10},
            "An organizer gave Asha 10 s extra per turn.",
        ),
        (
            "time-for-all",
            {"seconds": 10},
            "An organizer gave everyone 10 s extra per turn.",
        ),
        (
            "longer-turn",
            {"seat": 0, "seconds": 20},
            "An organizer gave Asha 20 s extra for this turn.",
        ),
        (
            "longer-round",
            {"seconds": 90},
            "An organizer extended the round at this table by 90 s.",
        ),
        (
            "longer-round",
            {"seconds": 300},
            "An organizer extended the round at this table by 5 min.",
        ),
        ("seat-changed", {"seat": 1, "place": 2}, "Ben is now playing in seat 2."),
        ("seat-bot", {"seat": 1}, "A bot is now playing for Ben."),
        (
            "seat-empty",
            {"seat": 1},
            "Ben is no longer playing. The site draws and passes for them.",
        ),
        ("ruling-caution", {"seat": 0}, "The referee cautioned Asha."),
        ("ruling-warning", {"seat": 0}, "The referee warned Asha."),
        ("ruling-points", {"seat": 0, "points": 25}, "The referee deducted 25 points from Asha."),
        ("ruling-points", {"seat": 0, "points": 1}, "The referee deducted 1 point from Asha."),
    ],
)
def test_note_has_a_sentence(code: str, facts: dict[str, Any], expected: str) -> None:
    assert notes.note_text(LogNote(0, 0, code, facts), make_unsaved_snapshot()) == expected


def test_unknown_note_is_an_error() -> None:
    with pytest.raises(KeyError, match="unheard-of"):
        notes.note_text(LogNote(0, 0, "unheard-of"), make_unsaved_snapshot())


def test_right_to_left_name_is_isolated() -> None:
    table = make_unsaved_snapshot(
        [make_unsaved_hand()], seats=[make_unsaved_seat(0, "דנה"), make_unsaved_seat(1)]
    )
    said = notes.note_text(LogNote(0, 0, "seat-bot", {"seat": 0}), table)
    assert said == "A bot is now playing for ⁨דנה⁩."


PLAYING, BETWEEN = Match.Phase.PLAYING, Match.Phase.BETWEEN
DAMAGED_NOTES = (LogNote(0, 0, DAMAGED),)


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({}, ""),
        ({"paused_at": NOON}, ""),
        ({"paused_at": NOON, "state": LiveState(deserted=True)}, NO_ONE_HERE),
        ({"state": LiveState(deserted=True)}, ""),
        (
            {"paused_at": NOON, "phase": PLAYING, "state": LiveState(notes=DAMAGED_NOTES)},
            HAND_ON_HOLD,
        ),
        ({"paused_at": NOON, "phase": BETWEEN, "state": LiveState(notes=DAMAGED_NOTES)}, ""),
        (
            {
                "paused_at": NOON,
                "phase": PLAYING,
                "state": LiveState(deserted=True, notes=DAMAGED_NOTES),
            },
            HAND_ON_HOLD,
        ),
    ],
)
def test_automatic_pause_has_a_reason(fields: dict[str, Any], reason: str) -> None:
    assert notes.describe_stop(make_unsaved_match(**fields)) == reason
