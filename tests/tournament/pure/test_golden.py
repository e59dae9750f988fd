"""Tests that the JSON in an event's data does not change. See tests/golden.py."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from tests.golden import Golden
from tournament.pure.arrangement.stored_seating import AcceptedViolations, RoundSeating
from tournament.pure.lists.sheets import FileNote
from tournament.pure.lists.verdicts import (
    ListedStudent,
    StoredReport,
    Verdict,
    VerdictKind,
)
from tournament.pure.ranking.freeze import Freeze
from tournament.pure.sentences import Sentence
from tournament.pure.simulation.answers import PlanAnswer
from tournament.pure.simulation.chances import Standing, TableProgress
from tournament.pure.simulation.matches import MatchProgress
from tournament.pure.simulation.questions import Question
from tournament.pure.simulation.rounds import HumanPace
from tournament.pure.simulation.scenarios import PlannedEvent, PlannedStage

FOLDER = Path(__file__).parent / "golden"

SENTENCE = Sentence("by_lot", {"count": 3, "names": ["Asha", "Ben"], "rest": None})
NESTED_SENTENCE = Sentence(
    "rows", {"all": [SENTENCE, Sentence()], "one": SENTENCE, "each": [[1, True], "é"]}
)
MOMENT = datetime(2026, 11, 27, 20, 0, 0, 123, tzinfo=UTC)
STARTED = MatchProgress(((5, 0), (0, 120)), 12.5, 30.0)
COURSE_PARTS = (
    PlannedStage("rounds", 3, True, True, "share", 25, "16: 8", "lots", 1, 2),
    PlannedStage("bracket"),
)
COURSE = PlannedEvent(
    "Plan é", 40, "uno-500", {"stacking": True, "hand": 7, "end": "it"}, 5, 3, 45, COURSE_PARTS
)
STUDENT = ListedStudent("BT-07", "Asha", "a@b.example", "CSE", "B.Tech", "2")

SAMPLES: Mapping[type[Any], Mapping[str, Any]] = {
    Sentence: {
        "empty": Sentence(),
        "typical": SENTENCE,
        "nested": NESTED_SENTENCE,
        "bare": Sentence("bare"),
        "words": Sentence("written", {"text": "Said “before”."}),
    },
    Freeze: {
        "empty": Freeze(),
        "typical": Freeze(MOMENT, frozenset({30, 4, 17}), frozenset({9}), 3),
        "bare": Freeze(datetime(2026, 1, 2, 3, tzinfo=timezone(timedelta(hours=5, minutes=30)))),
    },
    RoundSeating: {
        "empty": RoundSeating(),
        "drawn": RoundSeating(
            (1,), (2, 3), True, AcceptedViolations(("Two “friends”.",), "No time"), "key",
                              "d1", {"met": 2}, {"met": 1}, (4, 5)),
        "bracket": RoundSeating(seeds=(3, 1, 2), plan=NESTED_SENTENCE,
                                why=((3, SENTENCE), (1, Sentence())),
                                playoff=((1, 2), (), (3,)), drawn_from="d2"),
        "words": RoundSeating(plan=Sentence("written", {"text": "Two tables."}),
                              why=((1, Sentence("written", {"text": "First."})),)),
    },
    PlanAnswer: {
        "typical": PlanAnswer("Plan", 95.25, 120.0, 0.1, 0.02, 0.9, 0.25, ((90, 3), (95, 1))),
        "bare": PlanAnswer("", 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, ()),
    },
    PlannedEvent: {"bare": PlannedEvent("", 2, "ocho"), "typical": COURSE},
    Question: {
        "bare": Question((PlannedEvent("", 2, "ocho"),), 60.0),
        "typical": Question((COURSE, PlannedEvent("", 2, "ocho")), 240.0, HumanPace(4.5, 20.0), 7.5,
                            ((4, STARTED), (2, MatchProgress())), 1),
    },
    Standing: {
        "bare": Standing(PlannedEvent("", 2, "ocho"), {}, {}),
        "typical": Standing(COURSE, {7: 120, 12: 0}, {7: 1, 12: 2},
                            (TableProgress((7, None, 12), STARTED, (2,)),
                             TableProgress((), MatchProgress())), 2,
                            (((7, 12), (1, 2, 3)), ()), 1, HumanPace(1.0, 2.0)),
    },
    Verdict: {
        "new": Verdict(2, VerdictKind.NEW, STUDENT, "new"),
        "changed": Verdict(3, VerdictKind.CHANGED, STUDENT, "changed", {"a": "b"},
                           (("name", "Asha", "Asha é"), ("year", "", "2"))),
        "faulty": Verdict(4, VerdictKind.FAULTY, None, "no_roll", {"column": "name"}, (), 2,
                          "Ben BT-8", (("roll_number", "8.0", "8"),)),
    },
    StoredReport: {
        "empty": StoredReport([], (), 0, 0),
        "typical": StoredReport(
            [Verdict(2, VerdictKind.NEW, STUDENT, "new").to_json()],
            (FileNote("encoding", "cp1252"), FileNote("empty")), 3, 1,
            (("Roll No.", "roll_number"), ("Remark", "")), "Choose.",
        ),
    },
}  # fmt: skip
GOLDEN = [Golden(FOLDER, kind, samples) for kind, samples in SAMPLES.items()]


def get_kind_name(golden: Golden) -> str:
    return golden.kind.__name__


@pytest.mark.parametrize("golden", GOLDEN, ids=get_kind_name)
def test_values_are_serialized_to_the_same_bytes(golden: Golden) -> None:
    assert golden.list_changed_writes() == []


@pytest.mark.parametrize("golden", GOLDEN, ids=get_kind_name)
def test_values_are_read_from_every_stored_form(golden: Golden) -> None:
    assert golden.list_changed_reads() == []
