"""What heals by itself: lost pokes, ended sessions, players who left without a word.

Each process looks after its own sockets, with a few queries however many sockets there are.
"""

import asyncio
import time
from collections.abc import Callable, Collection
from itertools import count

from django.utils import timezone
from django.utils.translation import gettext_lazy

from games import services, store
from games.clocks import presence, timing
from games.live import identity, sockets
from games.live.consumers import TableSocket
from games.models import Match
from games.process import hub
from games.process.db import in_database

SWEEP_SECONDS = 0.5
# Every so many sweeps.
PEOPLE_EVERY, HEARTBEAT_EVERY, SESSIONS_EVERY = 2, 6, 4

Versions = Callable[[Collection[str]], dict[str, int]]


def match_versions(topics: Collection[str]) -> dict[str, int]:
    """The versions of these `match:<pk>` topics, in one query."""
    keys = [int(topic.partition(":")[2]) for topic in topics]
    rows = Match.objects.filter(pk__in=keys).values_list("pk", "version")
    return {f"match:{pk}": version for pk, version in rows}


# By the kind of topic: where its version can be asked.
sources: dict[str, Versions] = {"match": match_versions}


async def run() -> None:
    """Sweep until cancelled."""
    for number in count():
        await asyncio.sleep(SWEEP_SECONDS)
        await _versions()
        if number % PEOPLE_EVERY == 0:
            await _people()
        if number % HEARTBEAT_EVERY == 0:
            await _heartbeat()
        if number % SESSIONS_EVERY == 0:
            await _sessions()


async def _versions() -> None:
    for kind, versions in sources.items():
        topics = [topic for topic in hub.topics() if topic.partition(":")[0] == kind]
        if topics:
            for topic, version in (await in_database(versions, topics)).items():
                hub.deliver(topic, version)


def _tables() -> list[TableSocket]:
    return [socket for socket in sockets.OPEN if isinstance(socket, TableSocket) and socket.opened]


async def _people() -> None:
    matches = {socket.match_id for socket in _tables()}
    for match in await in_database(presence.refresh, matches):
        hub.deliver(f"match:{match}", None)
    await _wake(matches)
    presence.forget_others({s.match_id for s in sockets.OPEN if isinstance(s, TableSocket)})
    for socket in _tables():
        socket.check_seat()


async def _wake(matches: Collection[int]) -> None:
    """Tables that paused because nobody was there go on with whoever has come meanwhile."""
    for match in matches:
        snapshot = store.cached(match)
        if snapshot is not None and timing.deserted(snapshot.match):
            await in_database(services.wake, match, timezone.now())


async def _heartbeat() -> None:
    since = time.monotonic() - HEARTBEAT_EVERY * SWEEP_SECONDS - 1
    seats = {socket.seat_id for socket in _tables() if socket.seat_id and socket.heard > since}
    await in_database(presence.heard, seats)


async def _sessions() -> None:
    known = {socket: socket.identity for socket in sockets.OPEN if socket.identity is not None}
    if not known:
        return
    valid = await in_database(identity.still_valid, known.values())
    for socket, one in known.items():
        if one.session_key not in valid:
            socket.end(sockets.SIGNED_OUT, gettext_lazy("You are signed out."))
