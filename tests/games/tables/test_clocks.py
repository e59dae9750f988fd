"""Tests of the times in a view."""

from typing import Any

import pytest

from games.clocks.presence import PresentPlayer
from games.json_values.state import LiveState
from games.models import Seat
from games.seats import SeatNumber
from games.tables.clocks import absence_left_ms, clock
from tests.games.unsaved import (
    make_playing_snapshot,
    make_unsaved_hand,
    make_unsaved_seat,
    make_unsaved_snapshot,
    seconds_after_noon,
)
from tests.rules.table import make_position

PACE_FIELDS: dict[str, Any] = {"turn_seconds": 20, "bank_seconds": 30, "absence_seconds": 60}


def get_shown_clock(now: float, until: float | None = 50, **fields: Any) -> Any:
    """Return the clock of a turn of seat 0 that began at noon."""
    table = make_position("uno-400", "R1 R2|G1 G2", top="R5")
    ends = None if until is None else seconds_after_noon(until)
    return clock(
        make_playing_snapshot(table, **{**PACE_FIELDS, "turn_until": ends, **fields}),
        seconds_after_noon(now),
    )


def make_clock_view(remaining: int, total: int, bank: int) -> dict[str, int]:
    return {"left_ms": remaining, "total_ms": total, "bank_ms": bank, "bank_total_ms": 30_000}


@pytest.mark.parametrize(
    ("now", "times", "in_bank"),
    [
        (0, make_clock_view(20_000, 20_000, 30_000), False),
        (7.5, make_clock_view(12_500, 20_000, 30_000), False),
        (20, make_clock_view(0, 20_000, 30_000), False),
        (20.001, make_clock_view(0, 20_000, 29_999), True),
        (49.9994, make_clock_view(0, 20_000, 0), True),
        (50, make_clock_view(0, 20_000, 0), True),
        (80, make_clock_view(0, 20_000, 0), True),
    ],
)
def test_turn_time_runs_out_before_the_bank_starts(
    now: float, times: dict[str, int], in_bank: bool
) -> None:
    assert get_shown_clock(now) == {"seat": 0, "in_bank": in_bank, **times}


def test_used_bank_time_is_subtracted_only_once() -> None:
    state = LiveState(turn_seat=SeatNumber(0), banks={SeatNumber(0): 10_000})
    assert get_shown_clock(5, 30, state=state) == {
        "seat": 0,
        "in_bank": False,
        **make_clock_view(15_000, 20_000, 10_000),
    }


def test_seat_disconnected_by_the_site_may_get_more_than_a_full_turn() -> None:
    assert get_shown_clock(0, 62) == {
        "seat": 0,
        "in_bank": False,
        **make_clock_view(32_000, 32_000, 30_000),
    }


def test_extra_time_is_added_to_the_turn() -> None:
    slower = (make_unsaved_seat(0, extra_seconds=10), make_unsaved_seat(1))
    assert get_shown_clock(5, 60, seats=slower)["total_ms"] == 30_000


def test_clock_stops_during_a_pause() -> None:
    assert get_shown_clock(600, paused_at=seconds_after_noon(25)) == get_shown_clock(25)


def test_there_is_no_clock_between_turns() -> None:
    assert get_shown_clock(0, None) is None
    assert (
        clock(
            make_unsaved_snapshot([make_unsaved_hand()], turn_until=seconds_after_noon(50)),
            seconds_after_noon(0),
        )
        is None
    )
    assert (
        clock(make_unsaved_snapshot(turn_until=seconds_after_noon(50)), seconds_after_noon(0))
        is None
    )


def test_bot_turn_has_no_clock() -> None:
    assert (
        get_shown_clock(0, seats=(make_unsaved_seat(0, bot="plain"), make_unsaved_seat(1))) is None
    )
    assert (
        get_shown_clock(0, seats=(make_unsaved_seat(0), make_unsaved_seat(1, bot="plain")))
        is not None
    )


def test_clock_belongs_to_the_seat_to_act_if_some_seats_are_not_dealt_in() -> None:
    table = make_position("uno-400", "R1 R2|G1 G2", top="R5", turn=1)
    seats = [make_unsaved_seat(0), make_unsaved_seat(1), make_unsaved_seat(2, extra_seconds=5)]
    found = clock(
        make_unsaved_snapshot(
            [make_unsaved_hand(4, [0, 2])],
            seats=seats,
            position=table,
            **PACE_FIELDS,
            turn_until=seconds_after_noon(55),
        ),
        seconds_after_noon(1),
    )
    assert found == {"seat": 2, "in_bank": False, **make_clock_view(24_000, 25_000, 30_000)}


# --- absent players


def make_absent_clock(
    now: float, person: PresentPlayer | None, seat: Seat | None = None, **fields: Any
) -> int | None:
    state = LiveState(turn_seat=SeatNumber(0))
    table = make_position("uno-400", "R1 R2|G1 G2", top="R5")
    live = make_playing_snapshot(
        table, **{**PACE_FIELDS, "turn_until": seconds_after_noon(50), "state": state, **fields}
    )
    return absence_left_ms(live.match, seat or live.seats[0], person, seconds_after_noon(now))


ABSENT_PLAYER = PresentPlayer(100, seconds_after_noon(-100), "")
PRESENT_PLAYER = PresentPlayer(100, seconds_after_noon(-1), "", here="p1")


@pytest.mark.parametrize(
    ("now", "person", "fields", "remaining"),
    [
        (0, None, {}, 60_000),
        (0, ABSENT_PLAYER, {}, 60_000),
        (12.5, ABSENT_PLAYER, {}, 47_500),
        (12.5, None, {}, 47_500),
        (90, ABSENT_PLAYER, {}, 0),
        (12.5, PRESENT_PLAYER, {}, None),
        (12.5, ABSENT_PLAYER, {"absence_seconds": 0}, None),
        (12.5, ABSENT_PLAYER, {"turn_until": None}, None),
        (90, ABSENT_PLAYER, {"paused_at": seconds_after_noon(10)}, 50_000),
    ],
)
def test_table_waits_for_an_absent_player_until_the_limit(
    now: float, person: PresentPlayer | None, fields: dict[str, Any], remaining: int | None
) -> None:
    assert make_absent_clock(now, person, **fields) == remaining


def test_absence_time_does_not_run_during_other_players_turns() -> None:
    assert make_absent_clock(30, ABSENT_PLAYER, make_unsaved_seat(1)) == 60_000


def test_recently_seen_player_is_not_absent() -> None:
    assert make_absent_clock(12.5, PresentPlayer(100, seconds_after_noon(10), "")) is None
    assert make_absent_clock(25, PresentPlayer(100, seconds_after_noon(10), "")) == 60_000 - (
        25_000 - 19_000
    )


def test_bot_is_never_absent() -> None:
    assert make_absent_clock(12.5, None, make_unsaved_seat(1, bot="plain")) is None
