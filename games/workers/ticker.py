"""Ticker, which acts for players who are out of time, plays the bots and deals hands.

Every process has a ticker. It sleeps until the earliest due time in the database, but for at most
half a second, so that it soon takes over the matches of a process that has died. If two processes
act at the same time, the compare-and-swap accepts only one change. The ticker also sends the
heartbeat, so a ticker that is late or hangs counts as an outage, as a dead process does.
"""

import asyncio
import time
from datetime import datetime, timedelta

from channels.layers import get_channel_layer
from django.utils import timezone

from games import services
from games.clocks.downtime import Pulse, Reading
from games.clocks.process_delay import Lateness
from games.process import Process, run_in_database_thread
from games.process.liveness import Liveness

LONGEST_SLEEP = timedelta(seconds=0.5)
AT_ONCE = 8
# A ticker cycle that takes this long counts as hung. Without a heartbeat, the site counts as down.
HUNG_SECONDS = 10.0


async def run(process: Process) -> None:
    """Run the ticker until cancelled."""
    alone = get_channel_layer() is None
    process.alarm.start()
    process.part(Liveness).mark_cycle()
    try:
        while True:
            # A cycle that hangs must not stop the clocks of all tables, so the ticker is restarted.
            async with asyncio.timeout(HUNG_SECONDS):
                await _tick(process, alone)
    finally:
        process.alarm.stop()


async def _tick(process: Process, alone: bool) -> None:
    """Carry out everything due, sleep until the next cycle, and record the delays of both."""
    began, lateness = time.monotonic(), process.part(Lateness)
    until = await _run_due_matches(process, alone)
    lateness.record_delay(time.monotonic() - began)
    if until is not None:
        # The limit applies even if the wall clock has been set back since `until` was computed.
        left = min(LONGEST_SLEEP, until - timezone.now()).total_seconds()
        planned, began = max(0.0, left), time.monotonic()
        await process.alarm.sleep(until, planned)
        lateness.record_delay(time.monotonic() - began - planned)


async def _run_due_matches(process: Process, alone: bool) -> datetime | None:
    """Carry out everything due, and return the time of the next cycle.

    None means that the next cycle must follow immediately.
    """
    beating = await _beat_if_due(process.part(Pulse))
    reading = Reading.take()
    if not process.part(Pulse).may_act(reading):
        # this cycle was slow, for example because SQLite was locked, so send another beat first
        return None
    now = reading.wall
    due, following = await run_in_database_thread(services.due_matches, now, AT_ONCE, alone=alone)
    process.part(Liveness).mark_answer()
    await asyncio.gather(
        *(run_in_database_thread(services.run_due_step, pk, version, now) for pk, version in due)
    )
    if not due and not services.has_uncompensated_matches():
        longest = now + min(LONGEST_SLEEP, beating)
        return min(following, longest) if following else longest
    return None


async def _beat_if_due(pulse: Pulse) -> timedelta:
    """Send a heartbeat if one is due, and return the time until the next one.

    It is sent before any action on a deadline. If none is due, matches are compensated for outages.
    """
    now = Reading.take()
    if pulse.seconds_until_beat(now) <= 0 or not pulse.is_reliable(now):
        await run_in_database_thread(services.beat)
    elif services.has_uncompensated_matches():
        await run_in_database_thread(services.compensate_outages)
    return timedelta(seconds=max(0.0, pulse.seconds_until_beat(Reading.take())))
