"""Tests of the delays that a process causes, each counted once for each step of a deal."""

import asyncio
import time
from datetime import timedelta

import pytest
from django.utils import timezone

from games import services
from games.clocks.process_delay import Lateness, Step
from games.process import Process
from games.workers import ticker

STEP: Step = (1, 1, 1, False)


@pytest.fixture
def monotonic_time(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return a list with the current time of the monotonic clock, which the test can change."""
    shown = [1000.0]
    monkeypatch.setattr("games.clocks.process_delay.time.monotonic", lambda: shown[0])
    return shown


def test_lateness_within_the_window_is_compensated_once_per_step(
    monotonic_time: list[float],
) -> None:
    late = Lateness()
    for moment, seconds in [(1000.0, 2.0), (1003.0, 0.05), (1004.0, 1.5)]:
        monotonic_time[0] = moment
        late.record_delay(seconds)
    monotonic_time[0] = 1005.0
    assert late.missed_seconds(STEP, 5.0) == 1.5
    assert late.missed_seconds(STEP, 5.0) == 0
    assert late.missed_seconds((2, 1, 1, False), 6.0) == 1.0 + 1.5
    monotonic_time[0] = 1007.0
    late.record_delay(3.0)
    assert late.missed_seconds(STEP, 60.0) == 2.0


def test_old_lateness_is_forgotten(monotonic_time: list[float]) -> None:
    late = Lateness()
    late.record_delay(5.0)
    monotonic_time[0] += 121
    late.record_delay(0.0)
    assert late.missed_seconds(STEP, 1000.0) == 0


def test_ticker_measures_a_busy_event_loop(
    monkeypatch: pytest.MonkeyPatch, process: Process
) -> None:
    async def beat(_pulse: object) -> timedelta:
        return timedelta(seconds=1)

    async def nothing_due(*_given: object, **_named: object) -> tuple[list[object], None]:
        return [], None

    async def tick_once() -> None:
        process.alarm.start()
        looking = asyncio.create_task(ticker._tick(process, alone=True))
        await asyncio.sleep(0.1)
        time.sleep(1.0)  # keeps the event loop busy
        await looking

    monkeypatch.setattr(ticker, "_beat_if_due", beat)
    monkeypatch.setattr(ticker, "run_in_database_thread", nothing_due)
    monkeypatch.setattr(services, "has_uncompensated_matches", lambda: False)
    monkeypatch.setattr("games.clocks.downtime.Pulse.may_act", lambda _pulse, _reading: True)
    asyncio.run(tick_once())
    # Half a second of this delay was planned sleep.
    assert 0.4 < process.part(Lateness).missed_seconds(STEP, 5.0) < 1.2


def test_changed_wall_clock_causes_no_lateness(
    monkeypatch: pytest.MonkeyPatch, process: Process
) -> None:
    async def move_wall_clock(_until: object, _seconds: float) -> None:
        now = timezone.now() + timedelta(hours=1)
        monkeypatch.setattr(timezone, "now", lambda: now)

    async def tick_once(*_given: object) -> object:
        return timezone.now() + timedelta(seconds=0.5)

    monkeypatch.setattr(process.alarm, "sleep", move_wall_clock)
    monkeypatch.setattr(ticker, "_run_due_matches", tick_once)
    asyncio.run(ticker._tick(process, alone=True))
    assert process.part(Lateness).missed_seconds(STEP, 60.0) == 0


def test_table_is_not_delayed_when_the_wall_clock_is_set_back(
    monkeypatch: pytest.MonkeyPatch, process: Process
) -> None:
    async def tick_once(*_given: object) -> object:
        # half a second ahead, as computed before the clock was set back by an hour
        return timezone.now() + timedelta(hours=1)

    monkeypatch.setattr(ticker, "_run_due_matches", tick_once)
    asyncio.run(asyncio.wait_for(ticker._tick(process, alone=True), timeout=5))
    assert process.part(Lateness).missed_seconds(STEP, 60.0) == 0
