"""Tests of how a change affects a match's clocks, without a database.

Seat 0's turn began at noon, with 20 s of turn time and a time bank of 30 s.
"""

from datetime import timedelta
from typing import Any

import pytest

from games.clocks.timing import milliseconds_since_epoch
from games.json_values.race import Race, Races
from games.json_values.state import LiveState
from games.play import deadlines
from games.rules.hand.position import Position
from games.seats import PlayerIndex, SeatNumber
from games.store import MatchChange
from tests.games.unsaved import (
    make_playing_snapshot,
    make_unsaved_hand,
    make_unsaved_seat,
    seconds_after_noon,
)
from tests.rules.table import make_position, run_actions

PACE_FIELDS: dict[str, Any] = {
    "turn_seconds": 20,
    "bank_seconds": 30,
    "turn_until": seconds_after_noon(50),
}
FIRST, SECOND = SeatNumber(0), SeatNumber(1)
# A turn of 20 s adds 0.95 s to the lag quota, which starts at three times this amount. The site
# waits for a late action for at most 2 s.
QUOTA, GAIN, GRACE = 2_850, 950, 2.0


def to_milliseconds(seconds: float) -> int:
    return milliseconds_since_epoch(seconds_after_noon(seconds))


def make_table_position(**options: Any) -> Position:
    return make_position("uno-400", "R1 R2 R3|G1 G2|Y1 Y2", top="R5", draw="B1 B2", **options)


def make_change(now: float, position: Position | None = None, **fields: Any) -> MatchChange:
    state = LiveState(turn_seat=FIRST, **fields.pop("state", {}))
    return MatchChange.from_snapshots(
        make_playing_snapshot(
            position or make_table_position(), **PACE_FIELDS | {"state": state} | fields
        ),
        seconds_after_noon(now),
    )


def get_deadlines(match_change: MatchChange) -> tuple[Any, Any]:
    return match_change.match.get("turn_until"), match_change.match.get("due")


# --- the start of a turn


@pytest.mark.parametrize(
    ("fields", "until", "due"),
    [
        ({}, 50, 50 + GRACE),
        (
            {
                "seats": [
                    make_unsaved_seat(0, extra_seconds=7),
                    make_unsaved_seat(1),
                    make_unsaved_seat(2),
                ]
            },
            57,
            57 + GRACE,
        ),
        ({"state": {"banks": {FIRST: 4_000}}}, 24, 24 + GRACE),
        ({"state": {"lag": {FIRST: 300}}}, 50, 50.3),
        ({"state": {"lost": {FIRST: to_milliseconds(-5)}}}, 60, 60 + GRACE),
        ({"state": {"lost": {SECOND: to_milliseconds(-5)}}}, 50, 50 + GRACE),
        ({"absence_seconds": 60}, 50, 50 + GRACE),
        ({"absence_seconds": 10}, 50, 10),
        ({"absence_seconds": 10, "state": {"away": {FIRST: 7_000}}}, 50, 3),
        ({"absence_seconds": 10, "state": {"away": {FIRST: 10_000}}}, 50, 1),
    ],
)
def test_turn_has_its_full_time_and_an_earlier_check_for_absence(
    fields: dict[str, Any], until: float, due: float
) -> None:
    found = make_change(0, **fields)
    deadlines.start_turn(found, make_unsaved_hand(1, [0, 1, 2]))
    assert get_deadlines(found) == (seconds_after_noon(until), seconds_after_noon(due))
    assert found.state.turn_seat == 0


def test_bot_takes_its_configured_time_without_grace() -> None:
    seats = [make_unsaved_seat(0, bot="plain"), make_unsaved_seat(1), make_unsaved_seat(2)]
    found = make_change(0, seats=seats, bot_seconds=1.4, version=7)
    deadlines.start_turn(found, make_unsaved_hand(1, [0, 1, 2]))
    until = seconds_after_noon(1.4 * deadlines.vary_bot_time(7))
    assert get_deadlines(found) == (until, until)


def test_turn_belongs_to_the_seat_of_the_player_to_act() -> None:
    found = make_change(
        0, make_table_position(turn=2), seats=[make_unsaved_seat(n) for n in range(4)]
    )
    deadlines.start_turn(found, make_unsaved_hand(1, [3, 0, 1]))
    assert found.state.turn_seat == 1


@pytest.mark.parametrize(
    ("bots", "options", "due"),
    [
        ([], {}, 50 + GRACE),
        ([2], {}, 3.5),
        ([2], {"bot_seconds": 0.5}, 1.5),
        ([1], {}, 50 + GRACE),
    ],
)
def test_bot_out_of_turn_may_catch_before_the_turn_ends(
    bots: list[int], options: dict[str, Any], due: float
) -> None:
    hands = make_position("uno-400", "R1 R2|G1 G2|Y1 Y2", top="R5", draw="B1 B2")
    run_actions(hands, "0: R1")
    assert hands.turn == 1
    seats = [make_unsaved_seat(n, bot="plain" if n in bots else "") for n in range(3)]
    found = make_change(0, hands, seats=seats, **{"bot_seconds": 2.5} | options)
    deadlines.schedule_next_check(found, make_unsaved_hand(1, [0, 1, 2]))
    person = 1 not in bots
    assert found.match["due"] == seconds_after_noon(due if person else 50)
    assert found.state.turn_seat == 1


# --- charges for a turn


@pytest.mark.parametrize(
    ("seconds_taken", "lag", "banks", "quota"),
    [
        (10, 0.0, {}, QUOTA + GAIN),
        (10, 0.5, {}, QUOTA + GAIN - 500),
        (20, 0.0, {}, QUOTA + GAIN),
        (25, 0.0, {FIRST: 25_000}, QUOTA + GAIN),
        (25, 0.5, {FIRST: 25_500}, QUOTA + GAIN - 500),
        (20.4, 0.5, {}, QUOTA + GAIN - 500),
        (20.4, 0.3, {FIRST: 29_900}, QUOTA + GAIN - 300),
        (50, 0.0, {FIRST: 0}, QUOTA + GAIN),
        (51, 0.0, {FIRST: 0}, QUOTA + GAIN - 1_000),
        (51, 2.0, {FIRST: 1_000}, QUOTA + GAIN - 2_000),
        (40, 9.0, {FIRST: 12_850}, GAIN),
    ],
)
def test_bank_pays_for_time_beyond_the_turn_and_lag_credit(
    seconds_taken: float, lag: float, banks: dict[SeatNumber, int], quota: int
) -> None:
    found = make_change(seconds_taken)
    deadlines.charge_turn(found, lag)
    assert (found.state.banks, found.state.lag) == (banks, {FIRST: quota})


def test_remaining_time_of_other_seats_is_unchanged() -> None:
    others = {"banks": {SECOND: 5_000}, "lag": {SECOND: 700}}
    found = make_change(25, state=others)
    deadlines.charge_turn(found, 0.0)
    assert found.state.banks == {FIRST: 25_000, SECOND: 5_000}
    assert found.state.lag == {FIRST: QUOTA + GAIN, SECOND: 700}


def test_bot_is_not_charged() -> None:
    found = make_change(
        60, seats=[make_unsaved_seat(0, bot="plain"), make_unsaved_seat(1), make_unsaved_seat(2)]
    )
    deadlines.charge_turn(found, 0.5)
    assert (found.state.banks, found.state.lag) == ({}, {})


@pytest.mark.parametrize(
    ("credits", "lag"),
    [
        ({}, {}),
        ({FIRST: 150}, {FIRST: QUOTA - 150}),
        ({FIRST: 150, SECOND: 0}, {FIRST: QUOTA - 150}),
        ({FIRST: 40, SECOND: 60}, {FIRST: QUOTA - 40, SECOND: QUOTA - 60}),
    ],
)
def test_race_is_charged_to_the_credited_seat(
    credits: dict[SeatNumber, int], lag: dict[SeatNumber, int]
) -> None:
    found = make_change(0)
    deadlines.charge_race(found, credits)
    assert found.state.lag == lag


@pytest.mark.parametrize(
    ("limit", "before", "away", "after"),
    [
        (60, {}, 7, {FIRST: 7_000}),
        (60, {FIRST: 10_000}, 7, {FIRST: 17_000}),
        (60, {FIRST: 10_000}, 0, {FIRST: 10_000}),
        (60, {FIRST: 55_000}, 30, {FIRST: 60_000}),
        (60, {SECOND: 5_000}, 7, {FIRST: 7_000, SECOND: 5_000}),
        (0, {}, 7, {}),
    ],
)
def test_absence_counts_up_to_the_limit(
    limit: int, before: dict[SeatNumber, int], away: float, after: dict[SeatNumber, int]
) -> None:
    found = make_change(30, absence_seconds=limit, state={"away": before})
    deadlines.charge_absence(found, timedelta(seconds=away))
    assert found.state.away == after


# --- pauses


ROUND_FIELDS: dict[str, Any] = {"due": seconds_after_noon(52), "ends_at": seconds_after_noon(600)}


def test_no_seat_is_to_act_between_turns() -> None:
    found = make_change(10)
    deadlines.clear_turn(found, seconds_after_noon(99))
    assert (get_deadlines(found), found.state.turn_seat) == ((None, seconds_after_noon(99)), None)
    deadlines.clear_turn(found)
    assert get_deadlines(found) == (None, None)


def test_deadlines_move_by_the_length_of_the_pause() -> None:
    state = {"resumed": to_milliseconds(2), "lost": {SECOND: to_milliseconds(5)}}
    found = make_change(40, paused_at=seconds_after_noon(10), state=state, **ROUND_FIELDS)
    deadlines.resume_clocks(found)
    assert get_deadlines(found) == (seconds_after_noon(80), seconds_after_noon(82))
    assert (found.match["ends_at"], found.match["paused_at"]) == (seconds_after_noon(630), None)
    assert (found.state.resumed, found.state.lost) == (
        to_milliseconds(40),
        {SECOND: to_milliseconds(35)},
    )


def test_deserted_table_resumes_with_a_new_turn_and_the_same_round_end() -> None:
    found = make_change(
        40, paused_at=seconds_after_noon(10), state={"deserted": True}, **ROUND_FIELDS
    )
    deadlines.resume_clocks(found)
    assert get_deadlines(found) == (seconds_after_noon(90), seconds_after_noon(90 + GRACE))
    assert "ends_at" not in found.match
    assert (found.state.deserted, found.state.resumed) == (False, to_milliseconds(40))


def test_pause_between_hands_postpones_the_next_deal() -> None:
    waiting: dict[str, Any] = {
        "phase": "between",
        "turn_until": None,
        "due": seconds_after_noon(12),
        "ends_at": None,
    }
    found = make_change(40, paused_at=seconds_after_noon(10), **waiting)
    deadlines.resume_clocks(found)
    assert (*get_deadlines(found), found.match["ends_at"]) == (None, seconds_after_noon(42), None)


@pytest.mark.parametrize(
    ("fields", "state", "until", "end", "paused"),
    [
        ({}, {}, 63, 613, None),
        ({"paused_at": seconds_after_noon(10)}, {}, 53, 603, 13),
        ({"paused_at": seconds_after_noon(10)}, {"deserted": True}, 53, 613, 13),
    ],
)
def test_outage_and_clock_change_are_compensated(
    fields: dict[str, Any], state: dict[str, Any], until: float, end: float, paused: float | None
) -> None:
    found = make_change(40, state={"resumed": to_milliseconds(2)} | state, **ROUND_FIELDS | fields)
    deadlines.restore_time(found, timedelta(seconds=10), timedelta(seconds=3))
    assert get_deadlines(found) == (seconds_after_noon(until), seconds_after_noon(until + 2))
    assert found.match["ends_at"] == seconds_after_noon(end)
    assert found.match["paused_at"] == (None if paused is None else seconds_after_noon(paused))
    assert found.state.resumed == to_milliseconds(2 + until - 50)


def test_race_and_respectful_pause_stop_during_an_outage() -> None:
    race = Race(
        PlayerIndex(0),
        to_milliseconds(1),
        to_milliseconds(2),
        to_milliseconds(0),
        to_milliseconds(1),
    )
    hands = make_position("ocho-cards", "3S 4S|3H 4H|3D 4D", top="5S")
    run_actions(hands, "0: 3S", now=100.0)
    found = make_change(40, hands, race=Races((race,)))
    deadlines.restore_time(found, timedelta(seconds=10), timedelta(0))
    assert found.match["race"] == Races((race.shift(10_000),))
    assert found.position is not None
    assert (hands.opened, found.position.opened) == ({0: 100.0}, {0: 110.0})


# --- players cut off by the site


@pytest.mark.parametrize(
    ("since", "until"),
    [(-5, 60), (0, 65), (4, 65), (-20, 50)],
)
def test_turn_of_a_cut_off_player_is_extended(since: float, until: float) -> None:
    found = make_change(5, due=seconds_after_noon(52))
    deadlines.lend_time(found, {FIRST: seconds_after_noon(since)})
    assert found.state.lost == {FIRST: to_milliseconds(since)}
    assert found.match["turn_until"] == seconds_after_noon(until)


def test_cutting_off_a_player_out_of_turn_changes_no_deadline() -> None:
    found = make_change(
        5, due=seconds_after_noon(52), state={"lost": {SeatNumber(2): to_milliseconds(1)}}
    )
    deadlines.lend_time(found, {SECOND: seconds_after_noon(4)})
    assert get_deadlines(found) == (None, None)
    assert found.state.lost == {SECOND: to_milliseconds(4), SeatNumber(2): to_milliseconds(1)}


@pytest.mark.parametrize(
    ("now", "fields", "until"),
    [
        (4, {}, 59),
        (10, {}, 65),
        (30, {}, 65),
        (30, {"paused_at": seconds_after_noon(4)}, 59),
    ],
)
def test_reconnected_player_gets_only_the_remaining_turn_time(
    now: float, fields: dict[str, Any], until: float
) -> None:
    lost = {"lost": {FIRST: to_milliseconds(-5), SECOND: to_milliseconds(-5)}}
    found = make_change(
        now, turn_until=seconds_after_noon(65), due=seconds_after_noon(67), state=lost, **fields
    )
    deadlines.end_loan(found, FIRST)
    assert found.match["turn_until"] == seconds_after_noon(until)
    assert found.state.lost == {SECOND: to_milliseconds(-5)}


def test_reconnecting_out_of_turn_changes_no_deadline() -> None:
    found = make_change(
        4, due=seconds_after_noon(52), state={"lost": {SECOND: to_milliseconds(-5)}}
    )
    deadlines.end_loan(found, SECOND)
    assert (get_deadlines(found), found.state.lost) == ((None, None), {})


def test_running_race_remains_the_next_step_due() -> None:
    race = Race(
        PlayerIndex(0),
        to_milliseconds(1),
        to_milliseconds(2),
        to_milliseconds(0),
        to_milliseconds(1),
    )
    found = make_change(5, due=seconds_after_noon(2), race=Races((race,)))
    deadlines.lend_time(found, {FIRST: seconds_after_noon(0)})
    assert get_deadlines(found) == (seconds_after_noon(65), seconds_after_noon(2))
    assert found.match["race"] == Races((race,))
