"""Tests of how the server measures, credits and limits lag."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.clocks.lag import (
    MAX_GRACE,
    MAX_RACE_CREDIT,
    MAX_TURNS,
    NO_LAG,
    RECENT_SECONDS,
    Lag,
    LagEstimate,
    Meter,
    Quota,
)
from tests.typed import sure

seconds = st.floats(0, 30, allow_nan=False)
turns = st.integers(5, 300)
Trips = Sequence[tuple[float, float]]


def estimate_steady_lag(lag: float, times: int = 50) -> LagEstimate:
    estimate = LagEstimate()
    for _ in range(times):
        estimate = estimate.record(lag)
    return estimate


def test_no_lag_is_credited_before_the_first_measurement() -> None:
    assert LagEstimate().lag == 0
    assert Meter().lag(0) == NO_LAG


@given(st.floats(0.05, 7))
def test_steady_round_trip_is_credited_almost_in_full(lag: float) -> None:
    assert lag - 0.001 < estimate_steady_lag(lag).lag <= lag


@given(st.lists(seconds, min_size=1))
def test_credit_never_exceeds_the_longest_round_trip(trips: list[float]) -> None:
    estimate = LagEstimate()
    for trip in trips:
        estimate = estimate.record(trip)
    assert 0 <= estimate.lag <= min(max(trips), 7) + 1e-9


def test_few_long_round_trips_are_soon_forgotten() -> None:
    estimate = estimate_steady_lag(0.1)
    late = estimate.record(3).record(3)
    assert late.lag < 0.9
    for _ in range(20):
        late = late.record(0.1)
    assert late.lag < 0.15


def test_meter_measures_from_probe_to_echo() -> None:
    meter = Meter()
    number = sure(meter.start_probe(10.0))
    assert meter.start_probe(11.0) is None
    meter.record_echo(number, 10.5)
    assert meter.echoes.estimate.mean == 0.5
    assert meter.start_probe(12.5) == number + 1


def test_echo_counts_once_and_only_for_the_pending_probe() -> None:
    meter = Meter()
    number = sure(meter.start_probe(0))
    meter.record_echo(number + 1, 5)
    meter.record_echo(0, 5)
    assert meter.lag(6) == NO_LAG
    meter.record_echo(number, 0.2)
    before = meter.echoes.estimate
    meter.record_echo(number, 7)
    assert meter.echoes.estimate == before


def test_echo_is_needed_while_there_are_too_few_recent_ones() -> None:
    meter = Meter()
    for at in (10.0, 12.5):
        assert meter.needs_echo(at)
        meter.record_echo(sure(meter.start_probe(at)), at + 0.1)
    assert (meter.needs_echo(20.0), meter.needs_echo(20.2)) == (False, True)


def test_cancelled_probe_measures_nothing() -> None:
    meter = Meter()
    number = sure(meter.start_probe(0))
    meter.cancel_probe()
    meter.record_echo(number, 6)
    assert meter.lag(6) == NO_LAG
    assert meter.start_probe(7) not in (None, number)


def test_quota_for_turns_of_25_seconds_matches_the_formula() -> None:
    quota = Quota.for_turn(25)
    assert (quota.gain, quota.left, quota.grace) == (1.0, 3.0, 2.0)
    for _ in range(9):
        quota = quota.charge_for_turn(0)
    assert quota.left == 7.0


def test_short_turn_adds_less_to_the_quota() -> None:
    assert Quota.for_turn(5).gain == 0.35


@given(turns, st.lists(st.tuples(seconds, seconds), max_size=40))
def test_quota_always_stays_within_its_bounds(turn: int, played: list[tuple[float, float]]) -> None:
    quota = Quota.for_turn(turn)
    for lag, overdue in played:
        assert 0 <= quota.credit(lag) <= min(lag, quota.left)
        assert 0 <= quota.grace <= min(quota.left, MAX_GRACE)
        quota = quota.charge_for_turn(lag, overdue)
        assert 0 <= quota.left <= MAX_TURNS * quota.gain


@given(turns, st.integers(1, 60))
def test_deliberate_delays_gain_at_most_the_initial_quota_and_its_refills(
    turn: int, times: int
) -> None:
    quota, gained = Quota.for_turn(turn), 0.0
    start = quota.left
    for _ in range(times):
        gained += quota.credit(30)
        quota = quota.charge_for_turn(30)
    assert gained <= start + times * quota.gain + 1e-9


def test_used_grace_is_deducted_from_the_quota() -> None:
    quota = Quota.for_turn(25)
    graces = []
    for _ in range(5):
        graces.append(quota.grace)
        quota = quota.charge_for_turn(0, overdue=quota.grace)
    assert graces == [2.0, 2.0, 1.0, 1.0, 1.0]


def make_meter(echoes: Trips, pongs: Trips = ()) -> Meter:
    """Return a meter that has measured these round trips, given as pairs of end and duration."""
    meter = Meter()
    for now, seconds in echoes:
        number = sure(meter.start_probe(now - seconds))
        meter.record_echo(number, now)
    for now, seconds in pongs:
        meter.pongs.record(seconds, now)
    return meter


def test_smallest_round_trip_covers_the_last_ten_seconds() -> None:
    meter = make_meter([(1, 0.05), (5, 0.3), (9, 0.2)])
    assert meter.lag(10).smallest == pytest.approx(0.05)
    assert meter.lag(1 + RECENT_SECONDS).smallest == pytest.approx(0.05)
    assert meter.lag(1.01 + RECENT_SECONDS).smallest == pytest.approx(0.2)
    assert meter.lag(30).smallest == 0, "a client that no longer answers gets no credit"


def test_smaller_round_trip_of_echo_and_ping_counts() -> None:
    assert make_meter([(1, 0.9)], [(1, 0.03)]).lag(2).smallest == pytest.approx(0.03)
    assert make_meter([(1, 0.03)], [(1, 0.9)]).lag(2).smallest == pytest.approx(0.03)


def test_pings_without_echoes_give_no_credit() -> None:
    assert make_meter([], [(1, 0.1)]).lag(2) == NO_LAG


def test_turn_credit_uses_the_smaller_of_both_measures() -> None:
    late, quick = [(n, 0.5) for n in range(1, 9)], [(n, 0.1) for n in range(1, 9)]
    assert make_meter(late, quick).lag(9).usual == pytest.approx(0.1, abs=0.04)
    assert make_meter(quick, late).lag(9).usual == pytest.approx(0.1, abs=0.04)
    assert make_meter(late).lag(9).usual == pytest.approx(0.5, abs=0.04)


@given(seconds, turns)
def test_race_credit_is_limited_by_the_cap_and_the_quota(lag: float, turn: int) -> None:
    quota = Quota.for_turn(turn)
    credit = quota.race_credit(Lag.steady(lag))
    assert credit == min(lag, MAX_RACE_CREDIT)
    assert Quota.for_turn(turn, 0.02).race_credit(Lag.steady(lag)) == min(lag, 0.02)


@given(st.lists(seconds, max_size=30))
def test_races_use_the_quota_without_refilling_it(lags: list[float]) -> None:
    quota, credited = Quota.for_turn(25), 0.0
    for lag in lags:
        credit = quota.race_credit(Lag.steady(lag))
        credited, quota = credited + credit, quota.charge_for_race(credit)
        assert quota.left == pytest.approx(3.0 - credited)
