"""Ticker of the site. It acts for players out of time, plays the bots and deals hands.

Every process has a ticker. It sleeps until the earliest due time in the database, but no longer
than half a second, so that other processes take over the matches of a process that has died. If
two processes act at the same time, the compare-and-swap lets only one of them make the change.
The ticker also records a heartbeat, so a ticker that is late or hangs counts as an outage, like
a dead process.
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
# A ticker round this long counts as hung. Without a heartbeat, the site counts as down.
HUNG_SECONDS = 10.0


async def run(process: Process) -> None:
    """Run the ticker until cancelled."""
    alone = get_channel_layer() is None
    process.alarm.start()
    process.part(Liveness).mark_turn()
    try:
        while True:
            # A hung round must not stop the clocks of all tables, so the ticker is restarted.
            async with asyncio.timeout(HUNG_SECONDS):
                await _tick(process, alone)
    finally:
        process.alarm.stop()


async def _tick(process: Process, alone: bool) -> None:
    """Handle everything due, sleep until the next look, and record the lateness of both."""
    began, lateness = time.monotonic(), process.part(Lateness)
    until = await _run_due_matches(process, alone)
    lateness.add(time.monotonic() - began)
    if until is not None:
        # The limit holds even if the clock is set back between the look and the sleep.
        left = min(LONGEST_SLEEP, until - timezone.now()).total_seconds()
        planned, began = max(0.0, left), time.monotonic()
        await process.alarm.sleep(until, planned)
        lateness.add(time.monotonic() - began - planned)


async def _run_due_matches(process: Process, alone: bool) -> datetime | None:
    """Do everything that is due, and return the time of the next look.

    None means to look again immediately.
    """
    beating = await _beat_if_due(process.part(Pulse))
    reading = Reading.take()
    if not process.part(Pulse).trusts(reading):
        return None  # the look took too long, as when SQLite is locked, so send a beat first
    now = reading.wall
    due, following = await run_in_database_thread(services.due_matches, now, AT_ONCE, alone=alone)
    process.part(Liveness).mark_answer()
    await asyncio.gather(
        *(run_in_database_thread(services.run_due, pk, version, now) for pk, version in due)
    )
    if not due and not services.is_owing():
        longest = now + min(LONGEST_SLEEP, beating)
        return min(following, longest) if following else longest
    return None


async def _beat_if_due(pulse: Pulse) -> timedelta:
    """Record a heartbeat if one is due, and return the time until the next one.

    The heartbeat comes before any action by the clock. Between two heartbeats, owed time is
    restored to matches.
    """
    now = Reading.take()
    if pulse.seconds_left(now) <= 0 or not pulse.regular(now):
        await run_in_database_thread(services.beat)
    elif services.is_owing():
        await run_in_database_thread(services.compensate_outages)
    return timedelta(seconds=max(0.0, pulse.seconds_left(Reading.take())))
