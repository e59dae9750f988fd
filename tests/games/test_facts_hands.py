"""Tests of facts about a match's hands, which need no database."""

from collections.abc import Sequence
from typing import Any

import pytest

from games import facts
from games.facts import PlayedHand
from games.json_values.state import LiveState
from games.models import Hand, Match
from games.seats import SeatNumber
from tests.games.unsaved import (
    make_committed_hand,
    make_ended_hand,
    make_unsaved_hand,
    make_unsaved_match,
    make_unsaved_seat,
    seconds_after_noon,
)

Hands = Sequence[Hand]
VOID_FIELDS = {"void": True}
OVER, IN_PLAY, NEXT = make_ended_hand(1, [5, 0], 0), make_unsaved_hand(2), make_committed_hand(3)
REPLAY_LINK = "/m/abc/hands/{}/"


@pytest.mark.parametrize(
    ("hands", "latest_hand", "in_play"),
    [
        ([], None, None),
        ([make_committed_hand(1)], None, None),
        ([make_unsaved_hand(1)], 1, 1),
        ([OVER, make_committed_hand(2)], 1, None),
        ([OVER, IN_PLAY], 2, 2),
        ([IN_PLAY, OVER], 2, 2),
        ([OVER, make_ended_hand(2, None, None, **VOID_FIELDS), make_committed_hand(3)], 1, None),
        ([OVER, make_ended_hand(2, None, None, **VOID_FIELDS), make_unsaved_hand(3)], 3, 3),
    ],
)
def test_latest_hand_is_the_last_dealt_hand_that_counts(
    hands: Hands, latest_hand: int | None, in_play: int | None
) -> None:
    known = make_unsaved_match(hands=hands)
    assert (facts.latest_hand(known), facts.hand_in_play(known)) == (latest_hand, in_play)


@pytest.mark.parametrize(
    ("phase", "seat_to_act", "expected"),
    [
        ("playing", 1, 1),
        ("playing", 0, 0),
        ("playing", None, None),
        ("between", 1, None),
        ("waiting", 1, None),
        ("over", 1, None),
    ],
)
def test_seat_to_act_exists_only_during_a_hand(
    phase: str, seat_to_act: int | None, expected: int | None
) -> None:
    number = None if seat_to_act is None else SeatNumber(seat_to_act)
    known = make_unsaved_match(phase=phase, state=LiveState(turn_seat=number))
    assert facts.turn_seat(known) == expected


@pytest.mark.parametrize(
    ("fields", "began"),
    [
        ({}, 5),
        ({"turn_until": None}, None),
        ({"phase": "between"}, None),
        ({"state": LiveState()}, None),
        ({"state": LiveState(turn_seat=SeatNumber(0))}, 15),
    ],
)
def test_running_turn_has_its_start_time(fields: dict[str, Any], began: float | None) -> None:
    turn = {
        "phase": "playing",
        "state": LiveState(turn_seat=SeatNumber(1)),
        "turn_until": seconds_after_noon(65),
    }
    seats = [make_unsaved_seat(0), make_unsaved_seat(1, extra_seconds=10)]
    known = make_unsaved_match(seats=seats, turn_seconds=20, bank_seconds=30, **turn | fields)
    assert facts.turn_start(known) == (None if began is None else seconds_after_noon(began))


HANDS = [
    OVER,
    make_ended_hand(2, None, None, **VOID_FIELDS),
    make_ended_hand(3, [0, 0], None),
    make_unsaved_hand(4),
    make_committed_hand(5),
]


def test_only_hands_that_count_have_an_end_time() -> None:
    assert facts.hand_end_times(make_unsaved_match(hands=HANDS)) == [
        seconds_after_noon(60),
        seconds_after_noon(180),
    ]


@pytest.mark.parametrize(
    ("fields", "replays"),
    [
        ({"replays": "hand"}, [REPLAY_LINK.format(1), REPLAY_LINK.format(3)]),
        ({"replays": "over"}, ["", ""]),
        ({"replays": "over", "phase": "over"}, [REPLAY_LINK.format(1), REPLAY_LINK.format(3)]),
        ({"replays": "never"}, ["", ""]),
        ({"replays": "never", "phase": "over"}, [REPLAY_LINK.format(1), REPLAY_LINK.format(3)]),
    ],
)
def test_played_hands_list_their_winner_and_replay_link(
    fields: dict[str, Any], replays: list[str]
) -> None:
    first, third = replays
    assert facts.played_hands(make_unsaved_match(hands=HANDS, **{"phase": "playing"} | fields)) == [
        PlayedHand(1, SeatNumber(0), first),
        PlayedHand(3, None, third),
    ]


def test_points_cover_counted_hands_in_order() -> None:
    unordered = [
        make_ended_hand(3, [0, 7], 1),
        make_ended_hand(2, [9, 9], 0, **VOID_FIELDS),
        OVER,
        make_unsaved_hand(4),
        make_committed_hand(5),
    ]
    assert facts.points_by_hand(make_unsaved_match(hands=unordered)) == [[5, 0], [0, 7]]


def test_result_link_leads_to_the_result_page() -> None:
    assert facts.result_link(make_unsaved_match()) == "/m/abc/result/"


@pytest.mark.parametrize(
    ("paused", "deserted"), [(seconds_after_noon(1), True), (None, False)], ids=["paused", "going"]
)
def test_deserted_table_is_reported_while_it_is_paused(paused: Any, deserted: bool) -> None:
    known = make_unsaved_match(
        paused_at=paused, phase=Match.Phase.PLAYING, state=LiveState(deserted=True)
    )
    assert (facts.is_deserted(known), facts.is_damaged(known)) == (deserted, False)
