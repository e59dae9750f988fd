"""The clock of the site: acts for who does not, plays the bots, deals the next hand.

Every process has one. It sleeps until the earliest due time in the database, half a second at
most, so the matches of a process that died are taken over by the others. Two that act at once
meet in the compare-and-swap, and one of them has done nothing.
"""

import asyncio
from datetime import timedelta

from channels.layers import get_channel_layer
from django.utils import timezone

from games import services
from games.process import Process, in_database
from games.process.pulse import Pulse

LONGEST_SLEEP = timedelta(seconds=0.5)
AT_ONCE = 8


async def run(process: Process) -> None:
    """Tick until cancelled."""
    alone = get_channel_layer() is None
    process.alarm.start()
    process.part(Pulse).turned()
    try:
        while True:
            await _tick(process, alone)
    finally:
        process.alarm.stop()


async def _tick(process: Process, alone: bool) -> None:
    now = timezone.now()
    due, following = await in_database(services.due_matches, now, AT_ONCE, alone=alone)
    process.part(Pulse).answered()
    await asyncio.gather(*(in_database(services.run_due, pk, version) for pk, version in due))
    if not due:
        longest = now + LONGEST_SLEEP
        await process.alarm.sleep(min(following, longest) if following else longest)
