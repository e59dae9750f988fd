"""Guard against changes in the JSON of live play's columns (see tests/golden.py)."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from games.json_values.deals import DEALT, VOID, Attempt, Deals
from games.json_values.event_context import Occasion
from games.json_values.race import Claim, Race, Races, TimedClaim, Timing
from games.json_values.reviewed import MatchReview, ReviewedHand, ReviewedMove, ReviewedPlayer
from games.json_values.seat_history import Sitter, Sitters
from games.json_values.state import LiveState, LogNote
from games.json_values.submitted_action import SubmittedAction
from games.models.serving import SampledFigures
from games.rules.actions.actions import CALL, Action
from games.rules.fair.deal import NO_BEFORE, NO_BOT, NO_FAILED, NO_NONE, DealKey, ShareList
from games.rules.fair.signatures import DeviceSignature
from games.seats import PlayerIndex, SeatNumber
from tests.golden import Golden

FOLDER = Path(__file__).parent / "golden"
HEX, OTHER, SITE = "ab" * 32, "0f" * 32, "04" + "cd" * 64
ONE, TWO, NINE = SeatNumber(1), SeatNumber(2), SeatNumber(9)
FIRST, THIRD = PlayerIndex(0), PlayerIndex(2)
MOMENT = 1_764_201_600_123

LISTS = ShareList(
    DealKey("m-1é", 3, 1),
    2,
    ("R5", "W+4", "10H"),
    HEX,
    ((0, HEX), (1, NO_BOT), (2, NO_NONE), (3, NO_FAILED), (4, NO_BEFORE)),
)
CALL_CLAIM = Claim(SubmittedAction(THIRD, CALL, "id “7”", ""), MOMENT, 150)
CATCH_CLAIM = Claim(SubmittedAction(FIRST, Action("catch", seat=2), "", "bot"), MOMENT + 5, 0)
RACE = Race(THIRD, MOMENT, MOMENT + 400, MOMENT - 20, MOMENT + 200, (CALL_CLAIM, CATCH_CLAIM))
REVIEWED_MATCH = MatchReview(
    [
        ReviewedHand(
            2,
            [ONE, NINE],
            [ReviewedPlayer(0.5, 0.1123, 0.4, -0.01, 0.0004, [0.6123, 1.0]),
             ReviewedPlayer(0.5, -0.1, -0.4, 0.0, 0.0, [0.4, 0.0])],
            [ReviewedMove(FIRST, 4, {"play": "R5", "uno": True}, None, 0.02, 0.01),
             ReviewedMove(FIRST, 5, {"draw": True}, {"play": "W+4", "color": "G"}, 0.3, 0.0)],
        ),
        ReviewedHand(3, [], [], []),
    ]
)  # fmt: skip

SAMPLES: Mapping[type[Any], Mapping[str, Any]] = {
    LiveState: {
        "empty": LiveState(),
        "typical": LiveState(
            position={"turn": 1, "hands": [["R5", "W+4"], []], "opened": {"0": 12.5}, "o": None},
            hand=3,
            dealt=50,
            turn_seat=ONE,
            banks={ONE: 1500, NINE: 0},
            lag={SeatNumber(0): 10},
            quiet=(51, 52),
            notes=(LogNote(1, 0, "paused"), LogNote(2, 1, "given", {"why": "é\n\u2028", "n": 3})),
        ),
        "every field": LiveState({}, 1, 0, SeatNumber(0), {TWO: 1}, {TWO: 2}, {TWO: 3}, MOMENT,
                                 True, {TWO: 4}, (5,), ready=(ONE, TWO),
                                 notes=(LogNote(0, 0, "said", {"text": "!"}),)),
        "a sentence": LiveState(notes=(LogNote(1, 0, "said", {"text": "Dealt again."}),)),
    },
    Deals: {
        "empty": Deals(),
        "open": Deals((Attempt(1, bytes(96), HEX, None),)),
        "typical": Deals(
            (
                Attempt(1, bytes(range(96)), HEX, ONE, {ONE: HEX}, LISTS, {}, VOID, {}, "", (TWO,)),
                Attempt(2, b"\xff" * 96, OTHER, NINE, {ONE: HEX, NINE: OTHER}, LISTS, {ONE: OTHER},
                        DEALT,
                        {1: DeviceSignature(OTHER, "ee" * 64), 9: DeviceSignature(SITE, "ee" * 64)},
                        SITE),
            )
        ),
    },
    Occasion: {
        "empty": Occasion(),
        "round": Occasion(4, 2),
        "final": Occasion(1),
        "semi": Occasion(1, 3, "semi"),
    },
    Races: {
        "empty": Races(),
        "typical": Races((RACE, Race(FIRST, 0, 0, 0, 0))),
    },
    Timing: {
        "empty": Timing(),
        "typical": Timing(
            THIRD, 400,
            (TimedClaim(CALL_CLAIM, MOMENT - 150), TimedClaim(CATCH_CLAIM, MOMENT + 5))),
        "no claims": Timing(FIRST, 400),
    },
    Sitters: {
        "empty": Sitters(),
        "typical": Sitters((Sitter("Asha", "", 1, 0), Sitter("Bot", "plain", 2, 5))),
    },
    MatchReview: {"empty": MatchReview([]), "typical": REVIEWED_MATCH},
    SampledFigures: {
        "empty": SampledFigures(),
        "typical": SampledFigures({'a{b="c"}': 1.5, "n": 3.0}, {"x": 0.0}),
    },
}  # fmt: skip
GOLDEN = [Golden(FOLDER, kind, samples) for kind, samples in SAMPLES.items()]


def get_kind_name(golden: Golden) -> str:
    return golden.kind.__name__


@pytest.mark.parametrize("golden", GOLDEN, ids=get_kind_name)
def test_values_are_written_byte_for_byte_as_in_the_golden_files(golden: Golden) -> None:
    assert golden.list_changed_writes() == []


@pytest.mark.parametrize("golden", GOLDEN, ids=get_kind_name)
def test_values_are_read_from_all_their_stored_forms(golden: Golden) -> None:
    assert golden.list_changed_reads() == []
