"""Waiting time for the players of dead processes, until they reconnect to another one."""

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
from games.play.outages import quietly
from games.process import KEY
from games.seats import SeatNumber
from games.store import MatchChange, Snapshot

logger = logging.getLogger(__name__)

# The beat of the process that a player was connected to is older than that: it may have died.
UNSURE = timedelta(seconds=1.5)


@transaction.atomic
def bury(beat: Beat, since: datetime) -> bool:
    """Mark the process of `beat` as dead, so that its players are lent time from `since`.

    Returns False if another process has done so, or if the process beats again.
    """
    old = Beat.objects.filter(pk=beat.pk, steady=beat.steady, dead=False)
    if not old.update(dead=True, lost_since=since):
        return False
    logger.warning("Process %s no longer sends its heartbeat", beat.process)
    # Players of the lost process may reconnect in a moment and do not count as gone before then.
    Seat.objects.filter(here=beat.process).update(here="", seen_at=since)
    return True


def lend(match_id: int, deaths: Mapping[str, datetime]) -> None:
    """Lend time to the match's players who were connected to these dead processes.

    The time counts from each process's death. A player is never lent it twice.
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
    deadlines.lend(change, lost)
    if (seat := change.state.turn_seat) is not None and seat in lost:
        notes.add(change, "cut-off", seat=seat, seconds=round(timing.MOST_LENT.total_seconds()))
    quietly(change)


def back(match_id: int, seat: SeatNumber, now: datetime) -> None:
    """Take back the time lent to a seat that was cut off, as its player has returned."""

    def take_back_loan(snapshot: Snapshot) -> None:
        if seat in _get_lent_times(snapshot) and snapshot.match.phase in GOING:
            change = MatchChange.from_snapshots(snapshot, now)
            deadlines.back(change, seat)
            quietly(change)

    retry_on_conflict(match_id, take_back_loan)


def perhaps_cut_off(seat: Seat) -> bool:
    """Return whether a dead process may have cut off the seat's player.

    The process that the player was last connected to may have died just now. Or it died
    earlier, and not all of its players have been lent time yet.
    """
    controller = Seat.objects.values_list("controller", flat=True).get(pk=seat.pk)
    if not controller:
        return False
    silent = Q(dead=False, at__lt=Now() - UNSURE) | Q(lost_since__isnull=False)
    return Beat.objects.filter(silent, process=controller[:KEY]).exists()
