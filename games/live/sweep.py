"""What heals by itself: lost pokes, ended sessions, players who left without a word.

Each process looks after its own sockets, with a few queries however many sockets there are.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import count

from django.utils import timezone
from django.utils.translation import gettext_lazy

from games import services, store
from games.clocks import presence, timing
from games.clocks.lag import RECENT_SECONDS
from games.clocks.presence import Attendance, Presence
from games.live import identity
from games.live.consumers import TableSocket
from games.live.desks import Desks
from games.live.places import Places
from games.live.sockets import SIGNED_OUT, OpenSockets
from games.live.tables import Tables, people_topic
from games.models import Match
from games.process import Process, in_database
from games.seats import SeatNumber
from games.stored.among import among

SWEEP_SECONDS = 0.5
# Every so many sweeps; who is there is read anew where no poke came, and checked in between.
PEOPLE_EVERY, PRESENCE_EVERY, SESSIONS_EVERY, PLACES_EVERY = 2, 8, 4, 40
# Matches in one query, and sockets that are looked at before anything else has its turn.
AT_ONCE, AT_A_STRETCH = 200, 100
DESKS_EVERY = 20
# As long as what a race counts of a line.
LINES_EVERY = int(RECENT_SECONDS / SWEEP_SECONDS)


def match_versions(topics: Collection[str]) -> dict[str, int]:
    """The versions of these `match:<pk>` topics, in one query."""
    keys = [int(topic.partition(":")[2]) for topic in topics]
    rows = Match.objects.filter(pk__in=among(keys)).values_list("pk", "version")
    return {f"match:{pk}": version for pk, version in rows}


async def run(process: Process) -> None:
    """Sweep until cancelled."""
    for number in count():
        await asyncio.sleep(SWEEP_SECONDS)
        process.part(Attendance).sweeps += 1
        await _versions(process)
        await process.part(Places).settle()
        if number % PRESENCE_EVERY == 0:
            await _read_people(process)
        if number % PEOPLE_EVERY == 0:
            await _people(process)
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


async def _read_people(process: Process) -> None:
    """Who is there, as all processes have written it; pokes tell most of it sooner."""
    people, matches = process.part(Presence), {socket.match_id for socket in _tables(process)}
    people.forget_others({socket.match_id for socket in _windows(process)})
    for some in _in_parts(sorted(matches)):
        process.part(Tables).changed(await in_database(people.refresh, some))


async def _people(process: Process) -> None:
    people, sockets = process.part(Presence), _tables(process)
    matches = {socket.match_id for socket in sockets}
    seated = [socket for socket in sockets if socket.seat_id]
    for some in _in_parts(sorted(matches)):
        process.part(Tables).changed(people.changed(some))
        await asyncio.sleep(0)
    await _come_and_gone(process, seated)
    await _wake(matches)
    await _back(seated)


async def _come_and_gone(process: Process, sockets: Collection[TableSocket]) -> None:
    """Write down who has left without a word, and who is here though another process has not
    heard of it."""
    attendance, silence = process.part(Attendance), int(presence.GONE_SECONDS / SWEEP_SECONDS)
    async for socket in _in_turns(sockets):
        silent = socket.silent_for
        attendance.note(socket.match_id, socket.seat_id, silent)
        if socket.check_seat() and silent <= silence:
            await socket.arrive()
    if gone := attendance.silent(silence):
        await _leave(process, gone)
        attendance.forget(gone)


async def _leave(process: Process, gone: Mapping[int, int]) -> None:
    matches = set(gone.values())
    people = process.part(Presence)
    process.part(Tables).changed(await in_database(people.leave, gone, process.key, matches))
    for match in matches:
        process.hub.poke_others(people_topic(match))


async def _in_turns(sockets: Iterable[TableSocket]) -> AsyncIterator[TableSocket]:
    """These, while between some of them players are served; not who has left meanwhile."""
    for number, socket in enumerate(sockets):
        if number % AT_A_STRETCH == AT_A_STRETCH - 1:
            await asyncio.sleep(0)
        if socket.opened:
            yield socket


def _in_parts(keys: Sequence[int]) -> Iterator[Sequence[int]]:
    """So that no query holds up what players wait for."""
    return (keys[at : at + AT_ONCE] for at in range(0, len(keys), AT_ONCE))


async def _back(sockets: Collection[TableSocket]) -> None:
    """Players whose process has died, and who are here by now, are waited for no longer."""
    waited = {match for match in {socket.match_id for socket in sockets} if _lent(match)}
    for socket in [each for each in sockets if each.match_id in waited]:
        seat = socket.seat
        if seat is not None and seat in _lent(socket.match_id) and socket.controls:
            await in_database(services.back, socket.match_id, seat, timezone.now())


def _lent(match: int) -> Collection[SeatNumber]:
    """The seats there that were lent time when their process died, as far as this one knows."""
    snapshot = store.cached(match)
    return () if snapshot is None else snapshot.match.state.lost


async def _wake(matches: Collection[int]) -> None:
    """Tables that paused because nobody was there go on with whoever has come meanwhile."""
    for match in matches:
        snapshot = store.cached(match)
        if snapshot is not None and timing.deserted(snapshot.match):
            await in_database(services.wake, match, timezone.now())


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
    async for socket in _in_turns(_tables(process)):
        socket.check_told()


async def _sessions(process: Process) -> None:
    sockets = process.part(OpenSockets)
    known = {socket: socket.identity for socket in sockets if socket.identity is not None}
    if not known:
        return
    valid = await in_database(identity.still_valid, known.values())
    for socket, one in known.items():
        if one.session_key not in valid:
            socket.end(SIGNED_OUT, gettext_lazy("You are signed out."))
