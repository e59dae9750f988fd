"""Tests of the conversion between a match's seats and a hand's players.

The match has five seats, and three of them play in the hand.
"""

import copy
from typing import Any

import pytest

from games import seats
from games.rules.actions.actions import CALL, DRAW, Action, InvalidActionError
from games.seats import PlayerIndex, SeatNumber
from tests.games.helpers import seat_number

# Seats of the hand's players 0, 1 and 2.
PLAYERS = [SeatNumber(4), SeatNumber(1), SeatNumber(3)]
SEATS = 5


def test_each_player_has_a_seat_and_each_seat_at_most_one_player() -> None:
    assert [seats.seat_of(PLAYERS, PlayerIndex(player)) for player in range(3)] == [4, 1, 3]
    found = [seats.player_at(PLAYERS, seat_number(seat)) for seat in (0, 1, 2, 3, 4, None)]
    assert found == [None, 1, None, 2, 0, None]
    assert list(seats.enumerate_players(PLAYERS)) == [(0, 4), (1, 1), (2, 3)]


# --- actions


@pytest.mark.parametrize(
    ("named", "meant"),
    [
        (Action("catch", seat=4), Action("catch", seat=0)),
        (Action("catch", seat=1), Action("catch", seat=1)),
        (
            Action.play("BLANK", "R", uno=True, seat=3),
            Action.play("BLANK", "R", uno=True, seat=2),
        ),
        (Action.play("R5"), Action.play("R5")),
        (DRAW, DRAW),
        (CALL, CALL),
    ],
    ids=str,
)
def test_seat_in_an_action_is_translated_to_its_player(named: Action, meant: Action) -> None:
    assert seats.action_in_hand(named, PLAYERS) == meant


@pytest.mark.parametrize("seat", [0, 2, 5])
def test_seat_that_was_not_dealt_in_cannot_be_targeted(seat: int) -> None:
    with pytest.raises(InvalidActionError, match=f"Seat {seat} isn’t part of this hand"):
        seats.action_in_hand(Action("catch", seat=seat), PLAYERS)


@pytest.mark.parametrize(
    ("offered", "translated"),
    [
        ({"catch": 0}, {"catch": 4}),
        ({"catch": 2}, {"catch": 3}),
        ({"play": "BLANK", "color": "R", "with": 1}, {"play": "BLANK", "color": "R", "with": 1}),
        ({"play": "BLANK", "color": "R", "with": 0}, {"play": "BLANK", "color": "R", "with": 4}),
        ({"play": "R5", "uno": True}, {"play": "R5", "uno": True}),
        ({"draw": True}, {"draw": True}),
        ({"choose": "R"}, {"choose": "R"}),
    ],
)
def test_offered_action_names_the_target_seat(offered: Any, translated: dict[str, Any]) -> None:
    assert seats.action_for(offered, PLAYERS) == translated
    assert seats.action_in_hand(Action.from_json(translated), PLAYERS) == Action.from_json(offered)


# --- events


def make_event(kind: str, **fields: Any) -> Any:
    return {"event": kind, **fields}


@pytest.mark.parametrize(
    ("happened", "translated"),
    [
        (
            make_event("played", seat=0, card="R5", uno=False),
            make_event("played", seat=4, card="R5", uno=False),
        ),
        (make_event("skipped", seat=2), make_event("skipped", seat=3)),
        (make_event("reversed", direction=-1), make_event("reversed", direction=-1)),
        (make_event("caught", seat=0, by=2, cards=2), make_event("caught", seat=4, by=3, cards=2)),
        (
            make_event("wrong_catch", seat=2, of=0, cards=1),
            make_event("wrong_catch", seat=3, of=4, cards=1),
        ),
        (
            make_event("shielded", seat=1, of=0, cards=4),
            make_event("shielded", seat=1, of=4, cards=4),
        ),
        (
            make_event("shielded", seat=1, of=None, cards=4),
            make_event("shielded", seat=1, of=None, cards=4),
        ),
        (make_event("swapped", seat=0) | {"with": 2}, make_event("swapped", seat=4) | {"with": 3}),
        (
            make_event("over", winner=2, points=[0, 0, 25], blocked=False),
            make_event("over", winner=3, points=[0, 0, 0, 25, 0], blocked=False),
        ),
        (
            make_event("over", winner=None, points=[0, 0, 0], blocked=True),
            make_event("over", winner=None, points=[0, 0, 0, 0, 0], blocked=True),
        ),
    ],
)
def test_event_uses_match_seat_numbers(happened: Any, translated: Any) -> None:
    for seat in (None, 0, 4):
        assert seats.event_for(happened, PLAYERS, SEATS, seat_number(seat)) == translated


DREW_EVENT = make_event("drew", seat=1, cards=2, why="turn", private={"1": {"cards": ["R5", "R6"]}})
REVEALED_EVENT = make_event("revealed", seat=0, private={"0": {"cards": {"1": "R7", "2": "B2"}}})
CHALLENGED_EVENT = make_event(
    "challenged", seat=2, of=0, guilty=True, private={"2": {"cards": ["R7"]}}
)


@pytest.mark.parametrize(
    ("happened", "reader", "private"),
    [
        (DREW_EVENT, 1, {"cards": ["R5", "R6"]}),
        (REVEALED_EVENT, 4, {"cards": {"1": "R7", "3": "B2"}}),
        (CHALLENGED_EVENT, 3, {"cards": ["R7"]}),
    ],
)
def test_private_data_goes_only_to_its_seat(happened: Any, reader: int, private: object) -> None:
    for seat in (None, 0, 1, 2, 3, 4):
        message = seats.event_for(happened, PLAYERS, SEATS, seat_number(seat))
        assert message.get("private") == (private if seat == reader else None)
        assert ("private" in message) is (seat == reader)


def test_original_event_is_not_modified() -> None:
    before = copy.deepcopy(REVEALED_EVENT)
    seats.event_for(REVEALED_EVENT, PLAYERS, SEATS, SeatNumber(4))
    assert before == REVEALED_EVENT


def test_unexpected_private_data_is_removed_from_events() -> None:
    odd = make_event("passed", seat=1, private={"1": {"cards": ["R5"]}})
    assert seats.event_for(odd, PLAYERS, SEATS, SeatNumber(1)) == make_event("passed", seat=1)


# --- lists and objects by player


def test_object_keyed_by_player_is_rekeyed_by_seat() -> None:
    assert seats.renumber({"2": ["B2"], "0": ["R7"]}, PLAYERS) == {"3": ["B2"], "4": ["R7"]}
    assert seats.renumber({}, PLAYERS) == {}


def test_seat_that_was_not_dealt_in_gets_zero() -> None:
    assert seats.spread_over_seats([7, 8, 9], PLAYERS, SEATS) == [0, 8, 0, 9, 7]
    assert seats.spread_over_seats([7, 8, 9], PLAYERS, 6) == [0, 8, 0, 9, 7, 0]
    with pytest.raises(ValueError, match="shorter"):
        seats.spread_over_seats([7, 8], PLAYERS, SEATS)
