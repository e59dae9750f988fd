"""Heartbeat of a process, sent every second, and detection of missed time."""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime, timedelta
from functools import partial
from typing import NamedTuple

from django.db import connection, transaction
from django.db.models import Exists, Subquery
from django.db.models.functions import Now

from games.clocks.downtime import (
    SILENT_SECONDS,
    LastBeat,
    MissedSeconds,
    Pulse,
    Reading,
    find_missed_time,
)
from games.liveness import lost_processes
from games.liveness.compensation import compensate_outages
from games.liveness.disk_space import check_disk_space
from games.models import Beat, Outage
from games.play import outages
from games.play.outages import OwedTime
from games.process import here

# Heartbeats of dead processes are deleted after this long.
FORGET = timedelta(hours=1)


def beat_if_overdue() -> None:
    """Send a beat now if this process sends beats and cannot rely on its last one.

    Call this function before acting on a deadline. It usually costs only a comparison.
    """
    pulse = here().part(Pulse)
    if pulse.runs and not pulse.is_reliable(Reading.take()):
        with _beat_lock(pulse):
            if not pulse.is_reliable(Reading.take()):
                _beat_in_time(pulse)


def _beat_lock(pulse: Pulse) -> AbstractContextManager[object]:
    """Return the lock for sending a beat, or an empty context inside a transaction.

    A transaction must not wait for the lock, because the thread that holds it may be waiting for
    rows locked by the transaction (on SQLite, for the whole database). It does no harm if two
    threads send a beat at the same time.
    """
    return nullcontext() if connection.in_atomic_block else pulse.beating


def beat() -> None:
    """Record that this process is alive, and continue to compensate matches for outages."""
    pulse = here().part(Pulse)
    with pulse.beating:
        _beat_in_time(pulse)
    compensate_outages()


def _beat_in_time(pulse: Pulse) -> None:
    """Send a beat, and another one if sending the first took so long that time was missed."""
    check_disk_space()
    began = _beat_once(pulse)
    if Reading.take().has_missed_beats(began):
        _beat_once(pulse)


def _beat_once(pulse: Pulse) -> Reading:
    beats, now, known_outage = _load_beats()
    missed = find_missed_time([_to_last_beat(beat) for beat in beats], pulse.machine, now)
    if missed:
        # Any process that reads the new beat must read the outage as well, so that it restores the
        # lost time before it acts.
        with transaction.atomic():
            outages.record_outage(missed, _find_last_beat(beats), now)
            now = _choose_beat_time(now)
            _write_beat(pulse.machine, now)
    else:
        _write_beat(pulse.machine, now)
    deaths = _mark_dead_processes(beats, missed, now)
    here().part(OwedTime).read(known_outage.newest, bool(missed) or known_outage.unsettled, deaths)
    # Other threads must not rely on a beat that may still be rolled back.
    transaction.on_commit(partial(pulse.record_beat, now))
    return now


def _choose_beat_time(read: Reading) -> Reading:
    """Return the time for the beat that is sent after an outage was found at `read`.

    Recording an outage may take so long that a beat with the earlier time would already be overdue.
    Another outage would then be found, and so on forever.
    """
    now = Reading.take()
    return read if now.clock_step(read) else now


class _KnownOutage(NamedTuple):
    """Id of the newest outage, or 0 if there is none, and whether any outage is unsettled."""

    newest: int
    unsettled: bool


def _load_beats() -> tuple[Sequence[Beat], Reading, _KnownOutage]:
    """Return all beats, newest first, the time at which they were read, and the known outage."""
    unsettled = Exists(Outage.objects.filter(settled=False))
    newest = Subquery(Outage.objects.order_by("-pk").values("pk")[:1])
    beats = Beat.objects.annotate(now=Now(), newest=newest, unsettled=unsettled)
    rows = list(beats.order_by("-at"))
    known_outage = (
        _KnownOutage(rows[0].newest or 0, rows[0].unsettled) if rows else _KnownOutage(0, False)
    )
    return rows, Reading.take(), known_outage


def _find_last_beat(beats: Sequence[Beat]) -> Beat:
    """Return the newest beat that is not in the future. All processes choose the same one.

    If the database's clock was set back, the last beat of a dead process may be in the future. It
    would otherwise remain the newest for a long time.
    """
    past = [beat for beat in beats if beat.at <= _read_database_time(beat)]
    return (past or beats)[0]


def _read_database_time(beat: Beat) -> datetime:
    """Return the database's time at the moment when the beat was read."""
    now: datetime = beat.now  # type: ignore[attr-defined]
    return now


def _to_last_beat(beat: Beat) -> LastBeat:
    reading = Reading(beat.wall, beat.steady)
    return LastBeat(beat.machine, reading, (_read_database_time(beat) - beat.at).total_seconds())


def _write_beat(machine: str, now: Reading) -> None:
    key = here().key
    values = {"at": Now(), "wall": now.wall, "steady": now.steady}
    values |= {"dead": False, "lost_since": None}
    if not Beat.objects.filter(process=key).update(**values):
        # Two threads may do this at the same time. It does not matter whose row is kept.
        row = Beat(process=key, machine=machine, **values)
        Beat.objects.bulk_create([row], ignore_conflicts=True)


def _mark_dead_processes(
    beats: Sequence[Beat], missed_seconds: MissedSeconds, now: Reading
) -> dict[str, datetime]:
    """Mark processes that no longer send beats as dead, and return their times of death.

    Players of a dead process are lent time from its death on. The process remains in the result
    until all of them have been lent time. Downtime of all processes is restored separately.
    """
    shift = missed_seconds.deadline_shift
    deaths = {}
    for beat in beats:
        if beat.process == here().key:
            continue
        if beat.lost_since:
            deaths[beat.process] = beat.lost_since + shift
        elif not beat.dead and (since := _find_silence_start(beat, missed_seconds, now)):
            if lost_processes.mark_process_dead(beat, since):
                deaths[beat.process] = since
            Beat.objects.filter(dead=True, at__lt=Now() - FORGET).delete()
    return deaths


def _find_silence_start(beat: Beat, missed_seconds: MissedSeconds, now: Reading) -> datetime | None:
    silent = _to_last_beat(beat).seconds_ago(here().part(Pulse).machine, now)
    if silent <= SILENT_SECONDS:
        return None
    return now.wall - timedelta(seconds=0.0 if missed_seconds.away else silent)
