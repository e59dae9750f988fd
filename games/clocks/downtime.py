"""Detection of downtime of the site and of changes to its clock.

Every process sends a heartbeat once a second (games/liveness/heartbeat.py). The beats show how long
no process was running, and by how much the wall clock was set in that time. A process does not rely
on deadlines if its last beat is too old or its clock has been set since. It first sends a beat, and
thereby detects the gap.
"""

import secrets
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Self

from django.utils import timezone

from games.process.components import Component

# Interval between beats. Lost time is counted from the last beat, so it may be too long by this
# much.
BEAT_SECONDS = 0.8
# After this long without any beat, the site is considered down.
SILENT_SECONDS = 2.0
# A process whose last beat is older than this sends a beat before it acts.
LATE_SECONDS = 1.5
# A well-kept clock drifts by less than this from one beat to the next.
STEP_SECONDS = 0.5

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
# Neither clock can be set. CLOCK_BOOTTIME also counts time asleep, but it does not exist
# everywhere.
STEADY = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


@dataclass(frozen=True, slots=True)
class Reading:
    """A moment on two clocks: the wall clock, and a steady clock that cannot be set.

    `steady` is in seconds since the machine booted.
    """

    wall: datetime
    steady: float

    @classmethod
    def take(cls) -> Self:
        return cls(timezone.now(), time.clock_gettime(STEADY))

    def clock_step(self, before: "Reading") -> float:
        """Return by how many seconds the wall clock was set since `before`.

        Returns 0.0 for less than STEP_SECONDS.
        """
        passed = self.steady - before.steady
        step = (self.wall - before.wall).total_seconds() - passed
        return step if abs(step) > STEP_SECONDS else 0.0

    def has_missed_beats(self, before: "Reading") -> bool:
        """Return whether the process has missed something since its last beat, at `before`.

        It has if it was silent for too long, or if the wall clock was set.
        """
        silent = self.steady - before.steady > SILENT_SECONDS
        return silent or bool(self.clock_step(before))


@dataclass(frozen=True, slots=True)
class LastBeat:
    """The last beat of another process.

    `ago` is the age of the beat in seconds, by the clock of the database.
    """

    machine: str
    reading: Reading
    ago: float

    def seconds_ago(self, machine: str, now: Reading) -> float:
        """Return the seconds since this beat.

        If it was sent from this machine, they are measured by the machine's steady clock, otherwise
        by the clock of the database.
        """
        passed = now.steady - self.reading.steady
        return passed if machine == self.machine and passed >= 0 else max(0.0, self.ago)


@dataclass(frozen=True, slots=True)
class MissedSeconds:
    """Seconds by which deadlines have become wrong.

    `away` is how long the site was down, and `step` is by how much its clock was set.
    """

    away: float = 0.0
    step: float = 0.0

    def __bool__(self) -> bool:
        return bool(self.away or self.step)

    @property
    def moved(self) -> timedelta:
        """Shift that keeps wall-clock deadlines as far away as they were."""
        return timedelta(seconds=self.away + self.step)


def find_missed(beats: Sequence[LastBeat], machine: str, now: Reading) -> MissedSeconds:
    """Return the time missed since the newest of these beats.

    If there are no beats, nothing was missed.
    """
    if not beats:
        return MissedSeconds()
    silence = min(beat.seconds_ago(machine, now) for beat in beats)
    own_readings = [beat.reading for beat in beats if beat.machine == machine]
    newest = max(
        (reading for reading in own_readings if reading.steady <= now.steady),
        key=lambda reading: reading.steady,
        default=None,
    )
    return MissedSeconds(
        away=silence if silence > SILENT_SECONDS else 0.0,
        step=now.clock_step(newest) if newest else 0.0,
    )


def read_machine_id() -> str:
    """Return an id shared by all processes on this machine until it reboots.

    A machine without a boot id gives each process a random id of its own.
    """
    try:
        return BOOT_ID.read_text().strip()
    except OSError:
        return secrets.token_hex(16)


class Pulse(Component):
    """Last beat of this process.

    `runs` is true only in processes that must send beats, so not in a management command.
    """

    def __init__(self) -> None:
        self.machine = read_machine_id()
        self.runs = False
        # The thread that holds this lock sends the beat. A thread that has waited for the lock need
        # not send another one.
        self.beating = threading.Lock()
        self._last: Reading | None = None

    def record_beat(self, reading: Reading) -> None:
        self._last = reading

    def seconds_left(self, now: Reading) -> float:
        """Return the number of seconds until the next beat is due."""
        return 0.0 if self._last is None else BEAT_SECONDS - (now.steady - self._last.steady)

    def may_act(self, now: Reading) -> bool:
        """Return whether the process may act on what is due now.

        It may if it has missed nothing since its last beat.
        """
        return self._last is not None and not now.has_missed_beats(self._last)

    def is_reliable(self, now: Reading) -> bool:
        """Return whether the process can rely on its deadlines.

        It can if its last beat is recent and the clock has not been set since then.
        """
        if self._last is None:
            return False
        late = now.steady - self._last.steady > LATE_SECONDS
        return not late and not now.clock_step(self._last)
