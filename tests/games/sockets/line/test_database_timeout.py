"""Tests of the timeout for a database that does not respond, as opposed to a busy one."""

import asyncio
import time

import pytest

from games.process.liveness import Liveness
from games.sockets.line.database_timeout import limit_wait


async def measure_wait(seconds: float, work: float, answered_every: float | None) -> float:
    """Return the number of seconds spent waiting for work that takes `work` seconds."""
    liveness, begun = Liveness(), time.monotonic()

    async def tick(every: float) -> None:
        while True:
            liveness.mark_answer()
            await asyncio.sleep(every)

    ticking = asyncio.create_task(tick(answered_every)) if answered_every else None
    try:
        async with limit_wait(seconds, liveness):
            await asyncio.sleep(work)
    finally:
        if ticking:
            ticking.cancel()
    return time.monotonic() - begun


def test_fast_work_is_not_interrupted() -> None:
    assert asyncio.run(measure_wait(0.2, 0.01, None)) < 0.2


def test_waiting_continues_while_the_database_answers() -> None:
    assert asyncio.run(measure_wait(0.1, 0.6, answered_every=0.02)) >= 0.6


def test_unresponsive_database_times_out() -> None:
    begun = time.monotonic()
    with pytest.raises(TimeoutError):
        asyncio.run(measure_wait(0.1, 20, None))
    assert time.monotonic() - begun < 10


def test_database_that_stops_responding_midway_times_out() -> None:
    async def lose_database() -> None:
        liveness = Liveness()
        async with limit_wait(0.1, liveness):
            for _ in range(5):
                liveness.mark_answer()
                await asyncio.sleep(0.05)
            await asyncio.sleep(20)

    with pytest.raises(TimeoutError):
        asyncio.run(lose_database())


def test_liveness_tracks_ticker_and_database_separately() -> None:
    liveness = Liveness()
    time.sleep(0.05)
    liveness.mark_cycle()
    assert liveness.seconds_since_cycle < 0.05 <= liveness.seconds_since_answer
    liveness.mark_answer()
    assert liveness.seconds_since_answer < 0.05
