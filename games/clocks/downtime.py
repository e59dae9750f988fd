"""Detection of downtime and of adjustments to the wall clock.

Every process sends a heartbeat once a second (games/liveness/heartbeat.py). The beats show how long
no process was running, and by how much the wall clock was adjusted in that time. A process does not
act on deadlines if its last beat is too old, or if its clock was adjusted after that beat. It sends
another beat first, which detects the gap.
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

# Interval between beats. Downtime is counted from the last beat, so it may be overestimated by this
# much.
BEAT_SECONDS = 0.8
# After this long without any beat, the site is considered down.
SILENT_SECONDS = 2.0
# A process whose last beat is older than this sends a beat before it acts.
LATE_SECONDS = 1.5
# A synchronized clock drifts by less than this between two beats.
STEP_SECONDS = 0.5

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
# Neither of these clocks can be adjusted. CLOCK_BOOTTIME also runs while the machine is suspended,
# but not every platform has it.
STEADY = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


@dataclass(frozen=True, slots=True)
class Reading:
    """Simultaneous reading of the wall clock and of a steady clock, which cannot be adjusted.

    `steady` is in seconds since the machine booted.
    """

    wall: datetime
    steady: float

    @classmethod
    def take(cls) -> Self:
        return cls(timezone.now(), time.clock_gettime(STEADY))

    def clock_step(self, before: "Reading") -> float:
        """Return the number of seconds by which the wall clock was adjusted since `before`.

        Returns 0.0 for up to STEP_SECONDS, which may be drift.
        """
        passed = self.steady - before.steady
        step = (self.wall - before.wall).total_seconds() - passed
        return step if abs(step) > STEP_SECONDS else 0.0

    def has_missed_beats(self, before: "Reading") -> bool:
        """Return whether the process has missed time since its last beat, at `before`.

        A process misses time if it is silent for too long or its wall clock is adjusted.
        """
        silent = self.steady - before.steady > SILENT_SECONDS
        return silent or bool(self.clock_step(before))


@dataclass(frozen=True, slots=True)
class LastBeat:
    """The last beat of a process.

    `ago` is the age of the beat in seconds, according to the database's clock.
    """

    machine: str
    reading: Reading
    ago: float

    def seconds_ago(self, machine: str, now: Reading) -> float:
        """Return the number of seconds since this beat.

        The age of a beat from this machine is measured by the steady clock. For other beats, it is
        the age according to the database's clock.
        """
        passed = now.steady - self.reading.steady
        return passed if machine == self.machine and passed >= 0 else max(0.0, self.ago)


@dataclass(frozen=True, slots=True)
class MissedSeconds:
    """Time that the site has missed, in seconds.

    * `away`: the length of the downtime.
    * `step`: the adjustment of the wall clock.
    """

    away: float = 0.0
    step: float = 0.0

    def __bool__(self) -> bool:
        return bool(self.away or self.step)

    @property
    def deadline_shift(self) -> timedelta:
        """Time to add to each deadline, so that the remaining time is the same as before."""
        return timedelta(seconds=self.away + self.step)


def find_missed_time(beats: Sequence[LastBeat], machine: str, now: Reading) -> MissedSeconds:
    """Return the time missed since the newest of these beats, or zero if there are none."""
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

    On a machine without a boot id, each process gets its own random id.
    """
    try:
        return BOOT_ID.read_text().strip()
    except OSError:
        return secrets.token_hex(16)


class Pulse(Component):
    """Heartbeat of this process.

    `runs` is true if the process sends beats. Management commands do not.
    """

    def __init__(self) -> None:
        self.machine = read_machine_id()
        self.runs = False
        # Held by the thread that sends a beat. A thread that has waited for the lock need not send
        # another beat.
        self.beating = threading.Lock()
        self._last: Reading | None = None

    def record_beat(self, reading: Reading) -> None:
        self._last = reading

    def seconds_until_beat(self, now: Reading) -> float:
        """Return the number of seconds until the next beat is due."""
        return 0.0 if self._last is None else BEAT_SECONDS - (now.steady - self._last.steady)

    def may_act(self, now: Reading) -> bool:
        """Return whether the process may carry out what is due now.

        It may if it has missed no time since its last beat.
        """
        return self._last is not None and not now.has_missed_beats(self._last)

    def is_reliable(self, now: Reading) -> bool:
        """Return whether the process can rely on its deadlines.

        It can if its last beat is recent and the wall clock has not been adjusted since then.
        """
        if self._last is None:
            return False
        late = now.steady - self._last.steady > LATE_SECONDS
        return not late and not now.clock_step(self._last)
