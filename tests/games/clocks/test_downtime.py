"""Tests of downtime and clock adjustments, which are detected from heartbeats."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.clocks import downtime
from games.clocks.downtime import (
    BEAT_SECONDS,
    LATE_SECONDS,
    SILENT_SECONDS,
    LastBeat,
    MissedSeconds,
    Pulse,
    Reading,
    find_missed_time,
)

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
HERE, THERE = "this machine", "another machine"
READING_NOW = Reading(NOON, 5000.0)


def make_reading(seconds: float, step: float = 0.0) -> Reading:
    """Return a reading `seconds` after READING_NOW, with the wall clock set forward by `step`."""
    return Reading(NOON + timedelta(seconds=seconds + step), READING_NOW.steady + seconds)


def make_beat(
    seconds_ago: float, machine: str = HERE, database_age: float | None = None
) -> LastBeat:
    return LastBeat(
        machine, make_reading(-seconds_ago), seconds_ago if database_age is None else database_age
    )


def test_no_time_is_missed_without_any_heartbeat() -> None:
    assert not find_missed_time([], HERE, READING_NOW)


@pytest.mark.parametrize("ago", [0, BEAT_SECONDS, SILENT_SECONDS])
def test_recent_heartbeat_means_no_missed_time(ago: float) -> None:
    assert find_missed_time([make_beat(ago)], HERE, READING_NOW) == MissedSeconds()


@pytest.mark.parametrize("ago", [2.5, 23, 90_000])
def test_downtime_is_measured_from_the_newest_heartbeat(ago: float) -> None:
    assert find_missed_time(
        [make_beat(ago), make_beat(ago + 40)], HERE, READING_NOW
    ) == MissedSeconds(away=ago)
    assert find_missed_time([make_beat(ago)], HERE, READING_NOW).deadline_shift == timedelta(
        seconds=ago
    )


def test_recent_heartbeat_of_one_process_rules_out_downtime() -> None:
    assert not find_missed_time(
        [make_beat(40), make_beat(0.5, THERE), make_beat(9)], HERE, READING_NOW
    )


@pytest.mark.parametrize("step", [30, -30, 3600, -3600, 0.6])
def test_clock_change_is_detected_with_the_steady_clock(step: float) -> None:
    found = find_missed_time([make_beat(1)], HERE, make_reading(0, step))
    assert found.away == 0.0
    assert found.step == pytest.approx(step)
    assert found.deadline_shift.total_seconds() == pytest.approx(step)


def test_clock_drift_is_not_a_clock_change() -> None:
    assert not find_missed_time([make_beat(1)], HERE, make_reading(0, 0.4))
    assert not find_missed_time([make_beat(1)], HERE, make_reading(0, -0.4))


@given(st.floats(2.1, 1e5), st.floats(-1e5, 1e5).filter(lambda step: abs(step) > 0.51))
def test_outage_and_clock_change_are_added_up(away: float, step: float) -> None:
    found = find_missed_time([make_beat(away)], HERE, make_reading(0, step))
    passed = make_reading(0, step).wall - make_reading(-away).wall
    assert found.deadline_shift.total_seconds() == pytest.approx(passed.total_seconds(), abs=1e-3)


def test_database_clock_measures_the_silence_of_another_machine() -> None:
    far = LastBeat(THERE, Reading(NOON, 17.0), ago=23.0)
    assert find_missed_time([far], HERE, READING_NOW) == MissedSeconds(away=23.0)


def test_change_of_the_database_clock_has_no_effect() -> None:
    assert not find_missed_time([make_beat(1, database_age=3600)], HERE, READING_NOW)
    assert not find_missed_time([make_beat(1, database_age=-3600)], HERE, READING_NOW)


def test_database_clock_is_used_after_a_reboot() -> None:
    before = LastBeat("the boot before", Reading(NOON, 90_000.0), ago=75.0)
    assert find_missed_time([before], HERE, Reading(NOON, 20.0)) == MissedSeconds(away=75.0)


def test_steady_time_in_the_future_is_ignored() -> None:
    ahead = LastBeat(HERE, Reading(NOON, READING_NOW.steady + 50), ago=4.0)
    assert find_missed_time([ahead], HERE, READING_NOW) == MissedSeconds(away=4.0)


def test_clock_change_counts_from_the_latest_heartbeat_of_this_machine() -> None:
    """Guard against counting a clock change again after an earlier heartbeat has found it."""
    stepped = LastBeat(HERE, make_reading(-0.5, 30), 0.5)
    assert not find_missed_time([make_beat(1), stepped], HERE, make_reading(0, 30))


def test_machine_id_stays_the_same() -> None:
    assert downtime.read_machine_id() == downtime.read_machine_id() != ""


def test_machine_without_a_boot_id_gets_a_random_id_each_time(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(downtime, "BOOT_ID", tmp_path / "missing")
    assert downtime.read_machine_id() != downtime.read_machine_id()


def test_process_without_a_heartbeat_is_not_reliable() -> None:
    new = Pulse()
    assert not new.is_reliable(READING_NOW)
    assert new.seconds_until_beat(READING_NOW) == 0


def test_process_is_reliable_until_its_heartbeat_is_late() -> None:
    one = Pulse()
    one.record_beat(READING_NOW)
    assert one.is_reliable(make_reading(LATE_SECONDS - 0.01))
    assert not one.is_reliable(make_reading(LATE_SECONDS + 0.01))


@pytest.mark.parametrize("step", [30, -30])
def test_process_with_an_adjusted_clock_is_not_reliable(step: float) -> None:
    one = Pulse()
    one.record_beat(READING_NOW)
    assert not one.is_reliable(make_reading(0.1, step))


@pytest.mark.parametrize(
    ("seconds", "step", "allowed"),
    [(0, 0, True), (SILENT_SECONDS, 0, True), (SILENT_SECONDS + 0.1, 0, False), (0.1, 30, False)],
)
def test_process_may_act_only_if_it_has_missed_no_time(
    seconds: float, step: float, allowed: bool
) -> None:
    own = Pulse()
    assert not own.may_act(READING_NOW)
    own.record_beat(READING_NOW)
    assert own.may_act(make_reading(seconds, step)) is allowed


def test_next_heartbeat_is_due_one_interval_after_the_last() -> None:
    one = Pulse()
    one.record_beat(READING_NOW)
    assert one.seconds_until_beat(make_reading(0.3)) == pytest.approx(BEAT_SECONDS - 0.3)
    assert one.seconds_until_beat(make_reading(3)) < 0


def test_late_heartbeat_is_detected_before_the_site_counts_as_silent() -> None:
    assert BEAT_SECONDS < LATE_SECONDS < SILENT_SECONDS
    assert SILENT_SECONDS - BEAT_SECONDS > 1, "the ticker may be late by a second"
