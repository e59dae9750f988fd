"""Tests of patience with the database: an absent one is reported soon, a busy one waited for."""

import asyncio
import time

import pytest

from games.process.liveness import Liveness
from games.sockets.line.database_timeout import limit_wait


async def measure_wait(seconds: float, work: float, answered_every: float | None) -> float:
    """Return how long it took to wait for `work` seconds of work."""
    pulse, begun = Liveness(), time.monotonic()

    async def tick(every: float) -> None:
        while True:
            pulse.mark_answer()
            await asyncio.sleep(every)

    ticking = asyncio.create_task(tick(answered_every)) if answered_every else None
    try:
        async with limit_wait(seconds, pulse):
            await asyncio.sleep(work)
    finally:
        if ticking:
            ticking.cancel()
    return time.monotonic() - begun


def test_what_is_done_in_time_is_left_alone() -> None:
    assert asyncio.run(measure_wait(0.2, 0.01, None)) < 0.2


def test_while_the_database_answers_nobody_is_sent_away() -> None:
    assert asyncio.run(measure_wait(0.1, 0.6, answered_every=0.02)) >= 0.6


def test_while_it_does_not_answer_it_ends() -> None:
    begun = time.monotonic()
    with pytest.raises(TimeoutError):
        asyncio.run(measure_wait(0.1, 20, None))
    assert time.monotonic() - begun < 10


def test_it_ends_too_when_the_database_goes_away_meanwhile() -> None:
    async def lose_database() -> None:
        pulse = Liveness()
        async with limit_wait(0.1, pulse):
            for _ in range(5):
                pulse.mark_answer()
                await asyncio.sleep(0.05)
            await asyncio.sleep(20)

    with pytest.raises(TimeoutError):
        asyncio.run(lose_database())


def test_a_pulse_tells_the_ticker_from_the_database() -> None:
    pulse = Liveness()
    time.sleep(0.05)
    pulse.mark_turn()
    assert pulse.still_for < 0.05 <= pulse.unanswered_for
    pulse.mark_answer()
    assert pulse.unanswered_for < 0.05
