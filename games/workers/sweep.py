"""Regular checks for lost pokes, ended sessions, and players who have left without notice.

Each process checks only its own sockets, with few queries however many sockets there are.
"""

import asyncio
import logging
import time
from collections.abc import (
    AsyncIterator,
    Callable,
    Collection,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from dataclasses import dataclass

from django.utils import timezone
from django.utils.translation import gettext_lazy

from games import services, store
from games.clocks import presence, timing
from games.clocks.lag import RECENT_SECONDS
from games.clocks.presence import Attendance, PresenceBook
from games.json_values.key_lists import match_any
from games.liveness.viewer_counts import StoredCounts
from games.models import Match
from games.process import Process, run_in_database_thread
from games.process.db import DATABASE_DOWN
from games.seats import SeatNumber
from games.sockets.base import SIGNED_OUT
from games.sockets.desks import Desks
from games.sockets.entrance import identity
from games.sockets.entrance.connection_slots import ConnectionSlots
from games.sockets.open_sockets import OpenSockets
from games.sockets.tables import Tables, presence_topic
from games.sockets.window import Window

logger = logging.getLogger(__name__)

SWEEP_SECONDS = 0.5
# Number of sweeps in which each check covers everything. One sweep checks only a portion, because a
# complete check would delay players in a large event. Presence is read in case a poke was lost.
PEOPLE_EVERY, PRESENCE_EVERY, SESSIONS_EVERY, DESKS_EVERY = 2, 8, 4, 20
# Round trips are stored once in the period for which a race uses them.
LINES_EVERY = int(RECENT_SECONDS / SWEEP_SECONDS)
SLOTS_EVERY = 40
VIEWERS_EVERY = 8
# Pages ping every 2.5 s. In a hidden page, browsers run timers only once a minute but still deliver
# messages. A window that has been silent for this many sweeps is therefore sent a probe.
PROBE_SWEEPS = int(3.0 / SWEEP_SECONDS)
# Maximum number of matches in one query, and of sockets checked before other tasks can run.
AT_ONCE, AT_A_STRETCH = 200, 100


@dataclass(frozen=True, slots=True)
class Portion:
    """The keys that one sweep checks. All keys are checked within `every` sweeps."""

    number: int
    every: int

    def __contains__(self, key: object) -> bool:
        # Hash the key, because all keys may be even if two processes share the matches evenly.
        return hash((key,)) % self.every == self.number % self.every


def load_match_versions(topics: Collection[str]) -> dict[str, int]:
    """Return the current versions of the matches with these topics, using one query."""
    keys = [int(topic.partition(":")[2]) for topic in topics]
    rows = Match.objects.filter(pk__in=match_any(keys)).values_list("pk", "version")
    return {store.match_topic(pk): version for pk, version in rows}


async def run(process: Process) -> None:
    """Sweep until cancelled.

    After a restart, the sweep continues with the next portion. Otherwise a persistent error in one
    portion would prevent all later checks.
    """
    attendance = process.part(Attendance)
    while True:
        await asyncio.sleep(SWEEP_SECONDS)
        attendance.sweeps += 1
        number = attendance.sweeps
        await _check_versions(process)
        await process.part(ConnectionSlots).remove_released()
        await _load_presence(process, Portion(number, PRESENCE_EVERY))
        await _check_presence(process, Portion(number, PEOPLE_EVERY))
        await _check_sessions(process, Portion(number, SESSIONS_EVERY))
        await _store_round_trips(process, Portion(number, LINES_EVERY))
        await _check_desks(process, Portion(number, DESKS_EVERY))
        await _store_viewers(process, Portion(number, VIEWERS_EVERY))
        if number % SLOTS_EVERY == 0:
            await process.part(ConnectionSlots).renew()


async def _check_versions(process: Process) -> None:
    topics = [topic for topic in process.hub.topics() if topic.startswith("match:")]
    if topics:
        for topic, version in (await run_in_database_thread(load_match_versions, topics)).items():
            process.hub.deliver(topic, version)


def _group_windows(process: Process, portion: Portion) -> dict[int, list[Window]]:
    """Return the open windows of each match in this portion."""
    tables = process.part(Tables)
    return {match: tables.windows(match) for match in tables.matches() if match in portion}


def _list_windows(tables: Mapping[int, Iterable[Window]]) -> list[Window]:
    return [window for windows in tables.values() for window in windows]


async def _load_presence(process: Process, portion: Portion) -> None:
    """Read presence from the database, including that of players connected to other processes.

    Pokes usually report changes earlier.
    """
    people = process.part(PresenceBook)
    people.keep_only(process.part(Tables).matches())
    for some in _split_keys([*_group_windows(process, portion)]):
        process.part(Tables).notify_presence(await run_in_database_thread(people.refresh, some))


async def _check_presence(process: Process, portion: Portion) -> None:
    people, tables = process.part(PresenceBook), _group_windows(process, portion)
    seated = [window for window in _list_windows(tables) if window.seat_id]
    for some in _split_keys([*tables]):
        process.part(Tables).notify_presence(people.list_changed(some))
        await asyncio.sleep(0)
    await _record_presence(process, seated, portion)
    await _resume_deserted_tables(tables)
    await _end_loans(seated)


async def _record_presence(process: Process, windows: Iterable[Window], portion: Portion) -> None:
    """Record players who have left without notice, and connected players who count as gone."""
    attendance, silence = process.part(Attendance), int(presence.GONE_SECONDS / SWEEP_SECONDS)
    async for window in _iterate_with_breaks(windows):
        silent = window.silent_sweeps
        if silent >= PROBE_SWEEPS:
            window.send_probe()
        attendance.record_silence(window.match_id, window.seat_id, silent)
        if window.check_seat() and silent <= silence:
            await window.arrive()
    silent_ones = attendance.silent_seats(silence).items()
    if gone := {seat: match for seat, match in silent_ones if match in portion}:
        await _record_departures(process, gone)
        # Keep players who have returned during the query, because they may leave again before the
        # next check.
        attendance.forget(gone.keys() & attendance.silent_seats(silence).keys())


async def _record_departures(process: Process, departures: Mapping[int, int]) -> None:
    matches = set(departures.values())
    people = process.part(PresenceBook)
    process.part(Tables).notify_presence(
        await run_in_database_thread(people.leave, departures, process.key, matches)
    )
    for match in matches:
        process.hub.poke_others(presence_topic(match))


async def _iterate_with_breaks(windows: Iterable[Window]) -> AsyncIterator[Window]:
    """Yield the windows that are still open, and let other tasks run after every few windows."""
    for number, window in enumerate(windows):
        if number % AT_A_STRETCH == AT_A_STRETCH - 1:
            await asyncio.sleep(0)
        if window.is_open:
            yield window


def _split_keys(keys: Sequence[int]) -> Iterator[Sequence[int]]:
    """Split keys into groups, small enough that a query for one does not delay players."""
    return (keys[at : at + AT_ONCE] for at in range(0, len(keys), AT_ONCE))


async def _end_loans(windows: Collection[Window]) -> None:
    """End the loans of players who have reconnected after the death of their process."""
    waited = {match for match in {window.match_id for window in windows} if _find_lent_seats(match)}
    for window in [each for each in windows if each.match_id in waited]:
        seat = window.seat
        if seat is not None and seat in _find_lent_seats(window.match_id) and window.controls:
            await _run_for_match(services.end_loan, window.match_id, seat, timezone.now())


def _find_lent_seats(match: int) -> Collection[SeatNumber]:
    """Return the seats that were lent time because their process died.

    Only the cached snapshot of the match is read, so the result may be outdated.
    """
    snapshot = store.find_cached(match)
    return () if snapshot is None else snapshot.match.state.lost


async def _resume_deserted_tables(matches: Iterable[int]) -> None:
    """Resume tables that paused because no player was present, if a player has returned."""
    for match in matches:
        snapshot = store.find_cached(match)
        if snapshot is not None and timing.is_deserted(snapshot.match):
            await _run_for_match(services.resume_deserted_table, match, timezone.now())


async def _run_for_match(work: Callable[..., object], match: int, *arguments: object) -> None:
    """Run `work` for one match. If it fails, the sweep continues with the next match."""
    try:
        await run_in_database_thread(work, match, *arguments)
    except DATABASE_DOWN:
        raise
    except Exception:
        logger.exception("Match %s was not checked", match)


async def _store_round_trips(process: Process, portion: Portion) -> None:
    """Store players' round-trip times for organizers."""
    now = time.monotonic()
    trips = {
        window.seat_id: window.line.smallest_round_trips(now)
        for window in _list_windows(_group_windows(process, portion))
        if window.seat_id and window.controls
    }
    if trips:
        await run_in_database_thread(services.store_round_trips, trips)


async def _check_desks(process: Process, portion: Portion) -> None:
    """Load the desk's news again, because it can expire without a poke, and pokes can be lost."""
    desks, tables = process.part(Desks), _group_windows(process, portion)
    desks.keep_only(process.part(Tables).matches())
    if tables:
        await run_in_database_thread(desks.refresh, list(tables))
    async for window in _iterate_with_breaks(_list_windows(tables)):
        window.request_missed_news()


async def _store_viewers(process: Process, portion: Portion) -> None:
    """Store how many viewers of each table are connected to this process, if that has changed."""
    stored, tables = process.part(StoredCounts), _group_windows(process, portion)
    left = {match: 0 for match in stored.matches() if match in portion}
    now = {match: _count_viewers(windows) for match, windows in tables.items()}
    if changes := stored.find_changes(left | now):
        await run_in_database_thread(services.store_viewers, process.key, changes)
        stored.mark_stored(changes)


def _count_viewers(windows: Iterable[Window]) -> int:
    """Return the number of people without a seat. Several windows of an account count once."""
    viewers = [window for window in windows if window.seat is None]
    return len({each.identity.holder if each.identity else each for each in viewers})


async def _check_sessions(process: Process, portion: Portion) -> None:
    sockets = process.part(OpenSockets)
    identities = {
        socket: owner
        for socket in sockets
        if (owner := socket.identity) is not None and owner.session_key in portion
    }
    if not identities:
        return
    valid = await run_in_database_thread(identity.find_valid_keys, identities.values())
    for socket, owner in identities.items():
        if owner.session_key not in valid:
            socket.end(SIGNED_OUT, gettext_lazy("You’re signed out."))
