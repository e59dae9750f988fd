"""Time lent to the players of dead processes until they connect to another process."""

import logging
from collections.abc import Mapping
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone

from games.clocks import timing
from games.models import Beat, Seat
from games.play import deadlines, notes
from games.play.answers import GOING
from games.play.commit import retry_on_conflict
from games.play.outages import commit_quietly
from games.process import KEY
from games.seats import SeatNumber
from games.store import MatchChange, Snapshot

logger = logging.getLogger(__name__)

# If the last heartbeat of a process is older than this, the process may have died.
UNSURE = timedelta(seconds=1.5)


@transaction.atomic
def mark_process_dead(beat: Beat, since: datetime) -> bool:
    """Mark the process of `beat` as dead, so that its players are lent time from `since`.

    Returns False if another process has already done so, or if the process has sent a newer beat.
    """
    old = Beat.objects.filter(pk=beat.pk, steady=beat.steady, dead=False)
    if not old.update(dead=True, lost_since=since):
        return False
    logger.warning("Process %s no longer sends its heartbeat", beat.process)
    # The process's players may reconnect at any moment, so they do not count as gone yet.
    Seat.objects.filter(here=beat.process).update(here="", seen_at=since)
    return True


def lend_time(match_id: int, deaths: Mapping[str, datetime]) -> None:
    """Lend time to those players of the match who were connected to these dead processes.

    The loan begins when the process died. No player is lent the same time twice.
    """

    def apply_loan(snapshot: Snapshot) -> None:
        lost = _find_lost_seats(match_id, deaths) if deaths else {}
        new = {seat: since for seat, since in lost.items() if seat not in _get_lent_times(snapshot)}
        if new and snapshot.match.phase in GOING:
            _lend_time(snapshot, new)

    retry_on_conflict(match_id, apply_loan)


def _find_lost_seats(match_id: int, deaths: Mapping[str, datetime]) -> dict[SeatNumber, datetime]:
    seats = Seat.objects.filter(match=match_id).values_list("number", "controller")
    return {seat: deaths[key[:KEY]] for seat, key in seats if key[:KEY] in deaths}


def _get_lent_times(snapshot: Snapshot) -> Mapping[SeatNumber, int]:
    return snapshot.match.state.lost


def _lend_time(snapshot: Snapshot, lost: Mapping[SeatNumber, datetime]) -> None:
    change = MatchChange.from_snapshots(snapshot, timezone.now())
    deadlines.lend_time(change, lost)
    if (seat := change.state.turn_seat) is not None and seat in lost:
        notes.add(change, "cut-off", seat=seat, seconds=round(timing.MAX_LOAN.total_seconds()))
    commit_quietly(change)


def end_loan(match_id: int, seat: SeatNumber, now: datetime) -> None:
    """End the loan of a seat when the player who was cut off has reconnected."""

    def take_back_loan(snapshot: Snapshot) -> None:
        if seat in _get_lent_times(snapshot) and snapshot.match.phase in GOING:
            change = MatchChange.from_snapshots(snapshot, now)
            deadlines.end_loan(change, seat)
            commit_quietly(change)

    retry_on_conflict(match_id, take_back_loan)


def may_be_cut_off(seat: Seat) -> bool:
    """Return whether the seat's player may have been cut off by the death of a process.

    The process that last served the player may have died just now, or it may be known to be dead
    while some of its players have not been lent time yet.
    """
    controller = Seat.objects.values_list("controller", flat=True).get(pk=seat.pk)
    if not controller:
        return False
    silent = Q(dead=False, at__lt=Now() - UNSURE) | Q(lost_since__isnull=False)
    return Beat.objects.filter(silent, process=controller[:KEY]).exists()
