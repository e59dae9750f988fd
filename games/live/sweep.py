"""What heals by itself: lost pokes, ended sessions, players who left without a word.

Each process looks after its own sockets, with a few queries however many sockets there are.
"""

import asyncio
import time
from collections.abc import Collection
from itertools import count

from django.utils import timezone
from django.utils.translation import gettext_lazy

from games import services, store
from games.clocks import presence, timing
from games.clocks.lag import RECENT_SECONDS
from games.clocks.presence import Presence
from games.live import identity
from games.live.consumers import TableSocket
from games.live.desks import Desks
from games.live.places import Places
from games.live.sockets import SIGNED_OUT, OpenSockets
from games.models import Match
from games.process import Process, in_database

SWEEP_SECONDS = 0.5
# Every so many sweeps.
PEOPLE_EVERY, HEARTBEAT_EVERY, SESSIONS_EVERY, PLACES_EVERY = 2, 6, 4, 40
DESKS_EVERY = 20
# As long as what a race counts of a line.
LINES_EVERY = int(RECENT_SECONDS / SWEEP_SECONDS)


def match_versions(topics: Collection[str]) -> dict[str, int]:
    """The versions of these `match:<pk>` topics, in one query."""
    keys = [int(topic.partition(":")[2]) for topic in topics]
    rows = Match.objects.filter(pk__in=keys).values_list("pk", "version")
    return {f"match:{pk}": version for pk, version in rows}


async def run(process: Process) -> None:
    """Sweep until cancelled."""
    for number in count():
        await asyncio.sleep(SWEEP_SECONDS)
        await _versions(process)
        await process.part(Places).settle()
        if number % PEOPLE_EVERY == 0:
            await _people(process)
        if number % HEARTBEAT_EVERY == 0:
            await _heartbeat(process)
        if number % SESSIONS_EVERY == 0:
            await _sessions(process)
        if (number + 1) % LINES_EVERY == 0:
            await _lines(process)
        if number % DESKS_EVERY == 0:
            await _desks(process)
        if number % PLACES_EVERY == 0:
            await process.part(Places).renew()


async def _versions(process: Process) -> None:
    topics = [topic for topic in process.hub.topics() if topic.startswith("match:")]
    if topics:
        for topic, version in (await in_database(match_versions, topics)).items():
            process.hub.deliver(topic, version)


def _windows(process: Process) -> list[TableSocket]:
    return [each for each in process.part(OpenSockets) if isinstance(each, TableSocket)]


def _tables(process: Process) -> list[TableSocket]:
    return [socket for socket in _windows(process) if socket.opened]


async def _people(process: Process) -> None:
    people, matches = process.part(Presence), {socket.match_id for socket in _tables(process)}
    for match in await in_database(people.refresh, matches):
        process.hub.deliver(f"match:{match}", None)
    await _wake(matches)
    await _back(_tables(process))
    people.forget_others({socket.match_id for socket in _windows(process)})
    for socket in _tables(process):
        socket.check_seat()


async def _back(sockets: Collection[TableSocket]) -> None:
    """Players whose process has died, and who are here by now, are waited for no longer."""
    for socket in sockets:
        snapshot, seat = store.cached(socket.match_id), socket.seat
        if snapshot is None or seat is None or not socket.controls:
            continue
        if seat in snapshot.match.state.lost:
            await in_database(services.back, socket.match_id, seat, timezone.now())


async def _wake(matches: Collection[int]) -> None:
    """Tables that paused because nobody was there go on with whoever has come meanwhile."""
    for match in matches:
        snapshot = store.cached(match)
        if snapshot is not None and timing.deserted(snapshot.match):
            await in_database(services.wake, match, timezone.now())


async def _heartbeat(process: Process) -> None:
    since = time.monotonic() - HEARTBEAT_EVERY * SWEEP_SECONDS - 1
    seats = {
        socket.seat_id for socket in _tables(process) if socket.seat_id and socket.heard > since
    }
    await in_database(presence.heard, seats)


async def _lines(process: Process) -> None:
    """Keep what the lines of players took, for organizers."""
    now = time.monotonic()
    trips = {
        socket.seat_id: socket.line.smallest(now)
        for socket in _tables(process)
        if socket.seat_id and socket.controls
    }
    if trips:
        await in_database(services.note_round_trips, trips)


async def _desks(process: Process) -> None:
    """What the desk says ends by itself, and a poke about it may be lost."""
    known, matches = process.part(Desks), {socket.match_id for socket in _windows(process)}
    known.forget_others(matches)
    if matches:
        await in_database(known.refresh, matches)
    for socket in _tables(process):
        socket.look_again()


async def _sessions(process: Process) -> None:
    sockets = process.part(OpenSockets)
    known = {socket: socket.identity for socket in sockets if socket.identity is not None}
    if not known:
        return
    valid = await in_database(identity.still_valid, known.values())
    for socket, one in known.items():
        if one.session_key not in valid:
            socket.end(SIGNED_OUT, gettext_lazy("You are signed out."))
