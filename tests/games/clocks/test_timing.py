"""Tests of the clock values of a match."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from games.clocks import timing
from games.clocks.lag import MAX_GRACE
from games.clocks.presence import GONE_SECONDS, PresentPlayer
from games.clocks.timing import milliseconds_since_epoch
from games.json_values.state import LiveState, LogNote
from games.models import Match, Seat
from games.seats import SeatNumber
from tests.games.unsaved import NOON, make_unsaved_seat, seconds_after_noon

ASHA, BOT = make_unsaved_seat(0, extra_seconds=4), make_unsaved_seat(1, bot="plain")


def to_milliseconds(seconds: float) -> int:
    return milliseconds_since_epoch(seconds_after_noon(seconds))


def to_timedelta(number: float) -> timedelta:
    return timedelta(seconds=number)


def make_match(**fields: Any) -> Match:
    """Return a match with 20 s for each turn, a 30 s bank and 60 s of absence for each hand.

    `fields` override these values.
    """
    defaults = {"turn_seconds": 20, "bank_seconds": 30, "absence_seconds": 60, "bot_seconds": 1.5}
    return Match(**{**defaults, **fields})


def test_adding_a_millisecond_increases_the_number_by_one() -> None:
    for microseconds in range(2000):
        moment = NOON + timedelta(microseconds=microseconds)
        assert (
            milliseconds_since_epoch(moment + timedelta(milliseconds=1))
            == milliseconds_since_epoch(moment) + 1
        )


def test_milliseconds_count_from_1970() -> None:
    assert (
        milliseconds_since_epoch(NOON + timedelta(microseconds=1999)) == NOON.timestamp() * 1000 + 1
    )


def test_turn_time_is_the_common_time_plus_the_extra_time_of_the_seat() -> None:
    plain = make_unsaved_seat(2)
    found = [timing.turn_time(make_match(), who) for who in (ASHA, plain, BOT)]
    assert found == [to_timedelta(24), to_timedelta(20), to_timedelta(1.5)]


@pytest.mark.parametrize(
    ("who", "banks", "expected"),
    [
        (ASHA, {}, 30),
        (ASHA, {SeatNumber(0): 12_345}, 12.345),
        (ASHA, {SeatNumber(0): 0}, 0),
        (ASHA, {SeatNumber(1): 5_000}, 30),
        (BOT, {}, 0),
        (BOT, {SeatNumber(1): 5_000}, 0),
    ],
)
def test_bank_is_full_until_used_and_bots_have_none(
    who: Seat, banks: dict[SeatNumber, int], expected: float
) -> None:
    assert timing.remaining_bank(make_match(), LiveState(banks=banks), who) == to_timedelta(
        expected
    )


@pytest.mark.parametrize(
    ("who", "limit", "away", "expected"),
    [
        (ASHA, 60, {}, 60),
        (ASHA, 60, {SeatNumber(0): 15_500}, 44.5),
        (ASHA, 60, {SeatNumber(0): 60_000}, 0),
        (ASHA, 60, {SeatNumber(0): 75_000}, 0),
        (ASHA, 60, {SeatNumber(2): 15_500}, 60),
        (ASHA, 0, {SeatNumber(0): 15_500}, None),
        (BOT, 60, {}, None),
    ],
)
def test_allowed_absence_is_the_limit_minus_the_time_away(
    who: Seat, limit: int, away: dict[SeatNumber, int], expected: float | None
) -> None:
    found = timing.allowed_absence(make_match(absence_seconds=limit), LiveState(away=away), who)
    assert found == (None if expected is None else to_timedelta(expected))


@pytest.mark.parametrize(
    ("lag", "expected"),
    [
        ({}, 2.85),
        ({SeatNumber(0): 1_200}, 1.2),
        ({SeatNumber(0): 0}, 0.0),
        ({SeatNumber(1): 9}, 2.85),
    ],
)
def test_lag_quota_is_full_until_it_is_used(lag: dict[SeatNumber, int], expected: float) -> None:
    quota = timing.quota(make_match(), LiveState(lag=lag), ASHA)
    assert [quota.gain, quota.left] == pytest.approx([0.95, expected])


def test_grace_for_a_late_action_is_limited_by_the_quota() -> None:
    used = LiveState(lag={SeatNumber(0): 700})
    assert timing.grace(make_match(), LiveState(), ASHA) == to_timedelta(MAX_GRACE)
    assert timing.grace(make_match(), used, ASHA) == to_timedelta(0.7)
    assert timing.grace(make_match(), used, BOT) == timing.NO_TIME


@pytest.mark.parametrize(
    ("lost", "now", "expected"),
    [
        ({}, 0, 0),
        ({SeatNumber(0): to_milliseconds(0)}, 0, 15),
        ({SeatNumber(0): to_milliseconds(0)}, 6, 9),
        ({SeatNumber(0): to_milliseconds(0)}, 15, 0),
        ({SeatNumber(0): to_milliseconds(0)}, 20, 0),
        ({SeatNumber(1): to_milliseconds(0)}, 6, 0),
    ],
)
def test_cut_off_player_is_lent_up_to_fifteen_seconds(
    lost: dict[SeatNumber, int], now: float, expected: float
) -> None:
    assert timing.remaining_loan(
        LiveState(lost=lost), ASHA, seconds_after_noon(now)
    ) == to_timedelta(expected)


# --- the current turn


def test_turn_starts_one_turn_time_and_bank_before_its_end() -> None:
    used = LiveState(banks={SeatNumber(0): 10_000})
    assert timing.turn_start(
        make_match(turn_until=seconds_after_noon(54)), ASHA
    ) == seconds_after_noon(0)
    assert timing.turn_start(
        make_match(turn_until=seconds_after_noon(54), state=used), ASHA
    ) == seconds_after_noon(20)
    assert timing.turn_start(
        make_match(turn_until=seconds_after_noon(54)), BOT
    ) == seconds_after_noon(52.5)


def make_present_player(last_seen: float | None, here: str = "") -> PresentPlayer:
    return PresentPlayer(1, None if last_seen is None else seconds_after_noon(last_seen), "", here)


@pytest.mark.parametrize(
    ("last_seen", "resumed", "since"),
    [
        (None, None, 0),
        (-60, None, 0),
        (5, None, 5 + GONE_SECONDS),
        (None, 12, 12),
        (-60, -5, 0),
        (5, 12, 5 + GONE_SECONDS),
        (1, 12, 12),
    ],
)
def test_absence_starts_at_the_latest_of_turn_resumption_and_departure(
    last_seen: float | None, resumed: float | None, since: float
) -> None:
    state = LiveState(resumed=None if resumed is None else to_milliseconds(resumed))
    playing = make_match(turn_until=seconds_after_noon(54), state=state)
    assert timing.away_since(playing, ASHA, make_present_player(last_seen)) == seconds_after_noon(
        since
    )
    if last_seen is None:
        assert timing.away_since(playing, ASHA, None) == seconds_after_noon(since)


TURN_FIELDS = {"turn_until": seconds_after_noon(54), "state": LiveState(turn_seat=SeatNumber(0))}


@pytest.mark.parametrize(
    ("fields", "now", "expected"),
    [
        (TURN_FIELDS, -1, 60),
        (TURN_FIELDS, 0, 60),
        (TURN_FIELDS, 25, 35),
        (TURN_FIELDS, 60, 0),
        (TURN_FIELDS, 75, 0),
        (TURN_FIELDS | {"paused_at": seconds_after_noon(10)}, 25, 50),
        (TURN_FIELDS | {"turn_until": None}, 25, 60),
        (TURN_FIELDS | {"state": LiveState(turn_seat=SeatNumber(1))}, 25, 60),
        (
            TURN_FIELDS
            | {"state": LiveState(turn_seat=SeatNumber(0), away={SeatNumber(0): 5_000})},
            25,
            30,
        ),
        (TURN_FIELDS | {"absence_seconds": 0}, 25, None),
    ],
)
def test_remaining_absence_decreases_only_during_the_turn_of_the_seat(
    fields: dict[str, Any], now: float, expected: float | None
) -> None:
    found = timing.remaining_absence(make_match(**fields), ASHA, None, seconds_after_noon(now))
    assert found == (None if expected is None else to_timedelta(expected))


def test_absence_that_begins_during_a_turn_counts_from_that_moment() -> None:
    found = timing.remaining_absence(
        make_match(**TURN_FIELDS), ASHA, make_present_player(10), seconds_after_noon(30)
    )
    assert found == to_timedelta(60 - (30 - 10 - GONE_SECONDS))


@pytest.mark.parametrize(
    ("between", "lead"), [(0, 0), (1, 0.25), (3, 0.75), (4, 1), (12, 1), (600, 1)]
)
def test_share_list_closes_at_most_one_second_before_the_deal(between: int, lead: float) -> None:
    assert timing.closing_lead(make_match(between_seconds=between)) == to_timedelta(lead)


# --- automatically paused tables


PLAYING, BETWEEN = Match.Phase.PLAYING, Match.Phase.BETWEEN
DAMAGED_NOTE = (LogNote(0, 0, "damaged"),)


@pytest.mark.parametrize(
    ("phase", "paused", "notes", "damaged"),
    [
        (PLAYING, NOON, DAMAGED_NOTE, True),
        (PLAYING, NOON, (LogNote(0, 0, "outage"), *DAMAGED_NOTE), True),
        (PLAYING, None, DAMAGED_NOTE, False),
        (BETWEEN, NOON, DAMAGED_NOTE, False),
        (PLAYING, NOON, (LogNote(0, 0, "outage"),), False),
        (PLAYING, NOON, (), False),
    ],
)
def test_table_is_damaged_only_while_paused_for_that_reason(
    phase: str, paused: datetime | None, notes: tuple[LogNote, ...], damaged: bool
) -> None:
    state = LiveState(notes=notes)
    assert timing.is_damaged(make_match(phase=phase, paused_at=paused, state=state)) is damaged


@pytest.mark.parametrize(
    ("paused", "noted", "deserted"),
    [(NOON, True, True), (NOON, False, False), (None, True, False), (None, False, False)],
)
def test_table_is_deserted_only_while_paused_for_that_reason(
    paused: datetime | None, noted: bool, deserted: bool
) -> None:
    state = LiveState(deserted=noted)
    assert timing.is_deserted(make_match(paused_at=paused, state=state)) is deserted
