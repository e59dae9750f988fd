"""The beat of a process: once a second it says that it lives, and finds out what was missed."""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime, timedelta

from django.db import connection, transaction
from django.db.models import Exists
from django.db.models.functions import Now

from games.clocks.pulse import SILENT_SECONDS, LastBeat, Missed, Pulse, Reading, missed
from games.models import Beat, Outage
from games.process import here
from games.services import outages

FORGET = timedelta(hours=1)


def keep_time() -> None:
    """Beat now, if this process serves and has not for a while, or its clock was set since.

    Whoever acts by a deadline calls it first: usually it is a comparison and nothing else.
    """
    pulse = here().part(Pulse)
    if pulse.runs and not pulse.regular(Reading.now()):
        with _turn(pulse):
            if not pulse.regular(Reading.now()):
                _beat(pulse)


def _turn(pulse: Pulse) -> AbstractContextManager[object]:
    """The turn to beat. Inside a transaction nobody waits for it: whoever has it may be waiting
    for what that transaction holds, which is all of SQLite. Two that beat do no harm."""
    return nullcontext() if connection.in_atomic_block else pulse.beating


def beat() -> None:
    """Say that this process lives; where time was lost since the last beat, give it back."""
    pulse = here().part(Pulse)
    with pulse.beating:
        _beat(pulse)


def _beat(pulse: Pulse) -> None:
    beats, now, open_outages = _read()
    found = missed([_as_told(beat) for beat in beats], pulse.machine, now)
    if found:
        # Whoever sees the new beat sees the outage too, and gives back its time before acting.
        with transaction.atomic():
            outages.note(found, beats[0], now)
            _write(pulse.machine, now)
    else:
        _write(pulse.machine, now)
    if found or open_outages:
        outages.settle()
    _bury_silent(beats, found, now)
    pulse.beaten(now)


def _read() -> tuple[Sequence[Beat], Reading, bool]:
    """All beats, the newest first, when they were read, and whether outages are to be settled."""
    unsettled = Exists(Outage.objects.filter(settled=False))
    rows = list(Beat.objects.annotate(now=Now(), unsettled=unsettled).order_by("-at"))
    return rows, Reading.now(), any(row.unsettled for row in rows)


def _as_told(beat: Beat) -> LastBeat:
    now: datetime = beat.now  # type: ignore[attr-defined]
    reading = Reading(beat.wall, beat.steady)
    return LastBeat(beat.machine, reading, (now - beat.at).total_seconds())


def _write(machine: str, now: Reading) -> None:
    key = here().key
    told = {"at": Now(), "wall": now.wall, "steady": now.steady, "dead": False}
    if not Beat.objects.filter(process=key).update(**told):
        Beat.objects.create(process=key, machine=machine, **told)


def _bury_silent(beats: Sequence[Beat], found: Missed, now: Reading) -> None:
    """Those of the others that beat no longer; what all were away for has been given back."""
    process = here()
    machine = process.part(Pulse).machine
    for beat in beats:
        silent = _as_told(beat).seconds_ago(machine, now)
        if beat.dead or beat.process == process.key or silent <= SILENT_SECONDS:
            continue
        lost = timedelta(seconds=0.0 if found.away else silent)
        outages.bury(beat, now.wall - lost)
        Beat.objects.filter(dead=True, at__lt=Now() - FORGET).delete()
