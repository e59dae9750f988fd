"""Time lost to site failures, which is restored to players once and reported at the table.

`Outage` records the lost time. `Match.outage` is the last outage whose time was restored to the
match. To restore time, the match's deadlines are shifted as after a pause.

Code that is about to change a match restores the time first: `commit.retry_on_conflict` and the
ticker call `with_outage_time`. All other matches are processed one by one while the site keeps
running (`games/liveness/compensation.py`). If a process dies during this work, the next process
that sends a beat takes over.
"""

import logging
import threading
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from django.db import IntegrityError, connection, transaction
from django.db.models import F, Max
from django.utils import timezone

from games import store
from games.clocks.downtime import SILENT_SECONDS, MissedSeconds, Reading
from games.models import Beat, Outage, Seat
from games.play import deadlines, notes
from games.play.answers import GOING
from games.process import here
from games.process.components import Component
from games.store import MatchChange, Snapshot

logger = logging.getLogger(__name__)

# The site may still have worked for this long after its last beat.
BEAT_MARGIN = timedelta(seconds=SILENT_SECONDS)
# If recording an outage takes longer than this, in seconds, that time is added to the outage.
SLOW_RECORDING = 0.2
# Maximum number of quiet versions stored. An action for an older version is stale in any case.
MAX_QUIET = 20


class OwedTime(Component):
    """Time still owed to matches, as of this process's last beat.

    * `deaths`: for each dead process, when its players were cut off.
    * `lent`: the matches in which these players have been given extra time.
    * `unreadable`: the matches that cannot be loaded.
    * `turns`: the remaining matches of the current batch.

    Any thread may update this object at any time.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        # False if the outages were read in a transaction that may still be rolled back.
        self._committed = True
        self._outages: tuple[Outage, ...] = ()
        self._newest = 0
        self.deaths: Mapping[str, datetime] = {}
        self.lent: set[int] = set()
        self.unreadable: set[int] = set()
        self.turns: list[int] = []

    def __bool__(self) -> bool:
        return bool(self._outages or self.deaths)

    def read(self, newest: int, has_outages: bool, deaths: Mapping[str, datetime]) -> None:
        """Update the owed time. Queries the database only if there are unsettled or new outages."""
        outages = _load_unsettled_outages() if has_outages else ()
        with self._lock:
            self._committed = not connection.in_atomic_block
            self._newest = max([newest, *(outage.pk for outage in outages)])
            self._store_owed(outages, deaths)

    @property
    def outages(self) -> tuple[Outage, ...]:
        """Outages that have not been settled yet, oldest first."""
        with self._lock:
            committed, outages = self._committed, self._outages
        return outages if committed else _load_unsettled_outages()

    @property
    def newest(self) -> int:
        """Id of the last outage, settled or not, or 0 if there was none."""
        with self._lock:
            committed, newest = self._committed, self._newest
        return newest if committed else Outage.objects.aggregate(last=Max("pk"))["last"] or 0

    def settle(self, outages: tuple[Outage, ...], deaths: Mapping[str, datetime]) -> None:
        """Mark these outages and deaths as settled, unless new ones have been found since."""
        with self._lock:
            self._store_owed(
                () if self._outages == outages else self._outages,
                {} if self.deaths == deaths else self.deaths,
            )

    def _store_owed(self, outages: tuple[Outage, ...], deaths: Mapping[str, datetime]) -> None:
        if (outages, deaths) != (self._outages, self.deaths):
            self.turns = []
        self._outages = outages
        if deaths != self.deaths:
            # Replace the set, because another thread may still be adding matches to the old one.
            self.deaths, self.lent = deaths, set()
        if not self:
            self.unreadable = set()


def _load_unsettled_outages() -> tuple[Outage, ...]:
    return tuple(Outage.objects.filter(settled=False).order_by("pk"))


def record_outage(missed: MissedSeconds, last: Beat, now: Reading) -> bool:
    """Record the time missed after this beat.

    Players who were present when the outage began count as present when it ends. If it takes long
    to record the outage, that time counts as missed as well. Returns False if another process has
    already recorded the outage.
    """
    began, away = now.wall - missed.deadline_shift, missed.away
    try:
        with transaction.atomic():
            outage = Outage.objects.create(after=last.at, began=began, away=away, step=missed.step)
            seen = Seat.objects.filter(match__phase__in=GOING, seen_at__lte=began + BEAT_MARGIN)
            seen.update(seen_at=F("seen_at") + missed.deadline_shift)
            waited = Beat.objects.filter(lost_since__isnull=False)
            waited.update(lost_since=F("lost_since") + missed.deadline_shift)
            if (delay := Reading.take().steady - now.steady) > SLOW_RECORDING:
                away += delay
                Outage.objects.filter(pk=outage.pk).update(away=away)
    except IntegrityError:
        return False
    logger.warning("The site was down for %.1f s, its clock was set by %.1f s", away, missed.step)
    return True


def newest_outage() -> int:
    """Return the id of the newest outage. A match that begins now is owed no time for it.

    A management command sends no beats and finds no outages. A match that it starts right after an
    outage therefore gets some extra seconds.
    """
    return here().part(OwedTime).newest


def with_outage_time(snapshot: Snapshot) -> Snapshot:
    """Restore the time of all outages that the match has not been given, and return the match.

    Raises ConflictError if another process changes the match first.
    """
    match, owed = snapshot.match, here().part(OwedTime).outages
    if not owed or match.outage >= owed[-1].pk or match.phase not in GOING:
        return snapshot
    change = MatchChange.from_snapshots(snapshot, timezone.now())
    _restore_outage_time(change, [outage for outage in owed if outage.pk > match.outage])
    return commit_quietly(change)


def _restore_outage_time(change: MatchChange, outages: list[Outage]) -> None:
    change.match["outage"] = outages[-1].pk
    away, step = sum(outage.away for outage in outages), sum(outage.step for outage in outages)
    deadlines.restore_time(change, timedelta(seconds=away), timedelta(seconds=step))
    for outage in outages:
        if outage.away:
            notes.add(change, "outage", seconds=round(outage.away))
        if outage.step:
            notes.add(change, "clock-set", seconds=round(outage.step))
    change.notable = True


def commit_quietly(change: MatchChange) -> Snapshot:
    """Commit a change that does not make players' actions stale.

    Actions for the previous version are still accepted, and waiting claims are kept.
    """
    change.match.setdefault("race", change.old.match.race)
    quiet = (*change.state.quiet, change.old.version + 1)[-MAX_QUIET:]
    change.state = replace(change.state, quiet=quiet)
    return store.commit(change)
