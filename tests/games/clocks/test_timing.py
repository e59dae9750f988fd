"""Arithmetic on the clocks of a match."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from games.clocks import timing
from games.clocks.lag import MOST_GRACE
from games.clocks.presence import GONE_SECONDS, PresentPlayer
from games.clocks.timing import milliseconds
from games.json_values.state import LiveState, LogNote
from games.models import Match, Seat
from games.seats import SeatNumber
from tests.games.unsaved import NOON, add_seconds_to_noon, seat

ASHA, BOT = seat(0, extra_seconds=4), seat(1, bot="plain")


def stamp(seconds: float) -> int:
    return milliseconds(add_seconds_to_noon(seconds))


def seconds(number: float) -> timedelta:
    return timedelta(seconds=number)


def match(**fields: Any) -> Match:
    """One of 20 s for each turn, a bank of 30 s and a minute away for each hand, as it may be."""
    paces = {"turn_seconds": 20, "bank_seconds": 30, "absence_seconds": 60, "bot_seconds": 1.5}
    return Match(**{**paces, **fields})


def test_a_millisecond_later_is_one_later_whatever_stands_behind_it() -> None:
    for microseconds in range(2000):
        moment = NOON + timedelta(microseconds=microseconds)
        assert milliseconds(moment + timedelta(milliseconds=1)) == milliseconds(moment) + 1


def test_what_is_counted_is_the_time_since_1970() -> None:
    assert milliseconds(NOON + timedelta(microseconds=1999)) == NOON.timestamp() * 1000 + 1


def test_a_turn_takes_what_everybody_has_and_what_the_seat_has_more() -> None:
    plain = seat(2)
    found = [timing.turn_time(match(), who) for who in (ASHA, plain, BOT)]
    assert found == [seconds(24), seconds(20), seconds(1.5)]


@pytest.mark.parametrize(
    ("who", "banks", "left"),
    [
        (ASHA, {}, 30),
        (ASHA, {SeatNumber(0): 12_345}, 12.345),
        (ASHA, {SeatNumber(0): 0}, 0),
        (ASHA, {SeatNumber(1): 5_000}, 30),
        (BOT, {}, 0),
        (BOT, {SeatNumber(1): 5_000}, 0),
    ],
)
def test_a_bank_is_full_until_it_is_used_and_a_bot_has_none(
    who: Seat, banks: dict[SeatNumber, int], left: float
) -> None:
    assert timing.bank(match(), LiveState(banks=banks), who) == seconds(left)


@pytest.mark.parametrize(
    ("who", "limit", "away", "left"),
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
def test_how_long_somebody_may_still_be_away(
    who: Seat, limit: int, away: dict[SeatNumber, int], left: float | None
) -> None:
    found = timing.absence(match(absence_seconds=limit), LiveState(away=away), who)
    assert found == (None if left is None else seconds(left))


@pytest.mark.parametrize(
    ("lag", "left"),
    [
        ({}, 2.85),
        ({SeatNumber(0): 1_200}, 1.2),
        ({SeatNumber(0): 0}, 0.0),
        ({SeatNumber(1): 9}, 2.85),
    ],
)
def test_a_quota_is_what_its_turn_gives_until_some_of_it_is_used(
    lag: dict[SeatNumber, int], left: float
) -> None:
    quota = timing.quota(match(), LiveState(lag=lag), ASHA)
    assert [quota.gain, quota.left] == pytest.approx([0.95, left])


def test_a_late_action_is_waited_for_as_long_as_the_quota_lasts() -> None:
    used = LiveState(lag={SeatNumber(0): 700})
    assert timing.grace(match(), LiveState(), ASHA) == seconds(MOST_GRACE)
    assert timing.grace(match(), used, ASHA) == seconds(0.7)
    assert timing.grace(match(), used, BOT) == timing.NONE


@pytest.mark.parametrize(
    ("lost", "now", "left"),
    [
        ({}, 0, 0),
        ({SeatNumber(0): stamp(0)}, 0, 15),
        ({SeatNumber(0): stamp(0)}, 6, 9),
        ({SeatNumber(0): stamp(0)}, 15, 0),
        ({SeatNumber(0): stamp(0)}, 20, 0),
        ({SeatNumber(1): stamp(0)}, 6, 0),
    ],
)
def test_who_was_cut_off_by_us_is_lent_fifteen_seconds_from_then_on(
    lost: dict[SeatNumber, int], now: float, left: float
) -> None:
    assert timing.remaining_grace(LiveState(lost=lost), ASHA, add_seconds_to_noon(now)) == seconds(
        left
    )


# --- the turn that runs


def test_a_turn_began_its_time_and_its_bank_before_its_end() -> None:
    used = LiveState(banks={SeatNumber(0): 10_000})
    assert timing.began(match(turn_until=add_seconds_to_noon(54)), ASHA) == add_seconds_to_noon(0)
    assert timing.began(
        match(turn_until=add_seconds_to_noon(54), state=used), ASHA
    ) == add_seconds_to_noon(20)
    assert timing.began(match(turn_until=add_seconds_to_noon(54)), BOT) == add_seconds_to_noon(52.5)


def person(seen: float | None, here: str = "") -> PresentPlayer:
    return PresentPlayer(1, None if seen is None else add_seconds_to_noon(seen), "", here)


@pytest.mark.parametrize(
    ("seen", "resumed", "since"),
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
def test_somebody_is_away_in_a_turn_from_its_begin_a_pause_s_end_or_the_last_word_of_them(
    seen: float | None, resumed: float | None, since: float
) -> None:
    state = LiveState(resumed=None if resumed is None else stamp(resumed))
    playing = match(turn_until=add_seconds_to_noon(54), state=state)
    assert timing.away_from(playing, ASHA, person(seen)) == add_seconds_to_noon(since)
    if seen is None:
        assert timing.away_from(playing, ASHA, None) == add_seconds_to_noon(since)


TURN = {"turn_until": add_seconds_to_noon(54), "state": LiveState(turn_seat=SeatNumber(0))}


@pytest.mark.parametrize(
    ("fields", "now", "left"),
    [
        (TURN, -1, 60),
        (TURN, 0, 60),
        (TURN, 25, 35),
        (TURN, 60, 0),
        (TURN, 75, 0),
        (TURN | {"paused_at": add_seconds_to_noon(10)}, 25, 50),
        (TURN | {"turn_until": None}, 25, 60),
        (TURN | {"state": LiveState(turn_seat=SeatNumber(1))}, 25, 60),
        (TURN | {"state": LiveState(turn_seat=SeatNumber(0), away={SeatNumber(0): 5_000})}, 25, 30),
        (TURN | {"absence_seconds": 0}, 25, None),
    ],
)
def test_what_is_left_of_an_absence_runs_in_the_own_turn_alone(
    fields: dict[str, Any], now: float, left: float | None
) -> None:
    found = timing.remaining_absence(match(**fields), ASHA, None, add_seconds_to_noon(now))
    assert found == (None if left is None else seconds(left))


def test_who_is_gone_since_the_middle_of_a_turn_is_away_since_then() -> None:
    found = timing.remaining_absence(match(**TURN), ASHA, person(10), add_seconds_to_noon(30))
    assert found == seconds(60 - (30 - 10 - GONE_SECONDS))


@pytest.mark.parametrize(
    ("between", "lead"), [(0, 0), (1, 0.25), (3, 0.75), (4, 1), (12, 1), (600, 1)]
)
def test_the_list_of_a_deal_is_closed_a_second_or_a_quarter_of_the_pause_before(
    between: int, lead: float
) -> None:
    assert timing.lead(match(between_seconds=between)) == seconds(lead)


# --- automatically paused tables


PLAYING, BETWEEN = Match.Phase.PLAYING, Match.Phase.BETWEEN
DAMAGED = (LogNote(0, 0, "damaged"),)


@pytest.mark.parametrize(
    ("phase", "paused", "notes", "damaged"),
    [
        (PLAYING, NOON, DAMAGED, True),
        (PLAYING, NOON, (LogNote(0, 0, "outage"), *DAMAGED), True),
        (PLAYING, None, DAMAGED, False),
        (BETWEEN, NOON, DAMAGED, False),
        (PLAYING, NOON, (LogNote(0, 0, "outage"),), False),
        (PLAYING, NOON, (), False),
    ],
)
def test_a_hand_stands_still_where_its_deal_is_damaged(
    phase: str, paused: datetime | None, notes: tuple[LogNote, ...], damaged: bool
) -> None:
    state = LiveState(notes=notes)
    assert timing.is_damaged(match(phase=phase, paused_at=paused, state=state)) is damaged


@pytest.mark.parametrize(
    ("paused", "noted", "deserted"),
    [(NOON, True, True), (NOON, False, False), (None, True, False), (None, False, False)],
)
def test_a_table_is_deserted_while_it_has_paused_for_that(
    paused: datetime | None, noted: bool, deserted: bool
) -> None:
    state = LiveState(deserted=noted)
    assert timing.is_deserted(match(paused_at=paused, state=state)) is deserted
