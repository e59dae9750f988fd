"""Tests of the ticker's sleep, which ends early when something is due."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from games.process.ticker_wakeup import Alarm

FAR, A_DAY = timedelta(days=1), 86_400.0


def is_woken_by(note: Callable[[Alarm], object], sleep: timedelta = FAR) -> bool:
    """Return whether a ticker that sleeps for `sleep` wakes up when `note` is called."""

    async def run_steps() -> bool:
        alarm = Alarm()
        alarm.start()
        sleeping = asyncio.create_task(alarm.sleep(timezone.now() + sleep, A_DAY))
        await let_tasks_run()
        note(alarm)
        await let_tasks_run()
        awake = sleeping.done()
        sleeping.cancel()
        return awake

    return asyncio.run(run_steps())


async def let_tasks_run() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


@pytest.mark.parametrize(
    ("due", "wakes"),
    [
        (timedelta(0), True),
        (timedelta(hours=23), True),
        (timedelta(days=2), False),
        (None, False),
    ],
)
def test_only_an_earlier_due_time_wakes_the_ticker(due: timedelta | None, wakes: bool) -> None:
    assert (
        is_woken_by(
            lambda alarm: alarm.note_due_time(None if due is None else timezone.now() + due)
        )
        is wakes
    )


def test_stopped_ticker_is_not_woken() -> None:
    def stop_then_note(alarm: Alarm) -> None:
        alarm.stop()
        alarm.note_due_time(timezone.now())

    assert not is_woken_by(stop_then_note)


def test_due_time_noted_before_the_ticker_starts_is_ignored() -> None:
    Alarm().note_due_time(timezone.now())


def has_ended(work: Callable[[Alarm], Awaitable[None]]) -> bool:
    async def run() -> bool:
        alarm = Alarm()
        alarm.start()
        await work(alarm)
        return True

    return asyncio.run(run())


def test_sleep_duration_does_not_depend_on_the_wall_clock() -> None:
    async def sleep_repeatedly(alarm: Alarm) -> None:
        await alarm.sleep(timezone.now() + FAR, 0.02)
        await alarm.sleep(timezone.now() - FAR, 0.0)

    assert has_ended(sleep_repeatedly)


def test_due_time_noted_before_the_sleep_ends_it_immediately() -> None:
    async def note_then_sleep(alarm: Alarm) -> None:
        alarm.note_due_time(timezone.now())
        await let_tasks_run()
        await alarm.sleep(timezone.now() + FAR, A_DAY)

    assert has_ended(note_then_sleep)


def test_noted_due_time_ends_only_one_sleep() -> None:
    async def note_and_sleep_twice(alarm: Alarm) -> None:
        alarm.note_due_time(timezone.now())
        await let_tasks_run()
        await alarm.sleep(timezone.now() + FAR, A_DAY)
        second = asyncio.create_task(alarm.sleep(timezone.now() + FAR, A_DAY))
        await let_tasks_run()
        assert not second.done()
        second.cancel()

    assert has_ended(note_and_sleep_twice)
