"""Time that failures of ours took from players, given back: once, and told at the table.

What was missed stands in Outage, so whoever dies while it is given back is replaced by whoever
beats next; each match knows the last one that it was given (`Match.outage`), and is moved by the
same compare-and-swap as by a pause.
"""

import logging
from dataclasses import replace
from datetime import datetime, timedelta

from django.db import DatabaseError, IntegrityError, transaction
from django.db.models import F
from django.db.models.functions import Now
from django.utils import timezone

from games import store
from games.clocks import timing
from games.clocks.pulse import SILENT_SECONDS, Missed, Reading
from games.models import Beat, Match, Outage, Seat
from games.process import KEY
from games.seats import SeatNumber
from games.services import clock, notes
from games.services.basics import GOING
from games.services.play import with_retry
from games.store import Change, Snapshot

logger = logging.getLogger(__name__)

# What happened within so long after the last beat happened before the site went away.
WHILE_HERE = timedelta(seconds=SILENT_SECONDS)
# The beat of the process that a player was connected to is older than that: it may have died.
UNSURE = timedelta(seconds=1.5)
# An action that was sent before that many of them is stale after all.
MOST_QUIET = 20


def note(missed: Missed, last: Beat, now: Reading) -> bool:
    """Write down what was missed after this beat; False if another process has done so.

    Presence stood still too: who was here when the site went away is here when it comes back.
    """
    began = now.wall - missed.moved
    try:
        with transaction.atomic():
            Outage.objects.create(after=last.at, began=began, away=missed.away, step=missed.step)
            seen = Seat.objects.filter(match__phase__in=GOING, seen_at__lte=began + WHILE_HERE)
            seen.update(seen_at=F("seen_at") + missed.moved)
    except IntegrityError:
        return False
    logger.warning(
        "The site was away for %.1f s, its clock was set by %.1f s", missed.away, missed.step
    )
    return True


def settle() -> None:
    """Give every match the time of the outages that are noted, in their order."""
    for outage in Outage.objects.filter(settled=False).order_by("pk"):
        going = Match.objects.filter(phase__in=GOING, outage__lt=outage.pk)
        for pk in going.values_list("pk", flat=True):
            _settle(pk, outage)
        Outage.objects.filter(pk=outage.pk).update(settled=True)


def _settle(pk: int, outage: Outage) -> None:
    try:
        with_retry(pk, lambda snapshot: _give_back(snapshot, outage))
    except DatabaseError:
        raise
    except Exception:
        # One match that cannot be read must not keep the time from all others.
        logger.exception("Match %s was not given back its time", pk)


def _give_back(snapshot: Snapshot, outage: Outage) -> None:
    match = snapshot.match
    if match.phase not in GOING or match.outage >= outage.pk:
        return
    change = Change.of(snapshot, timezone.now())
    change.match["outage"] = outage.pk
    clock.stood_still(change, timedelta(seconds=outage.away), timedelta(seconds=outage.step))
    if outage.away:
        notes.add(change, "outage", seconds=round(outage.away))
    if outage.step:
        notes.add(change, "clock-set", seconds=round(outage.step))
    change.notable = True
    _commit(change)


def _commit(change: Change) -> None:
    """What players send to the table as it was before counts all the same: they lost nothing."""
    quiet = (*change.state.quiet, change.old.version + 1)[-MOST_QUIET:]
    change.state = replace(change.state, quiet=quiet)
    store.commit(change)


def bury(beat: Beat, since: datetime) -> None:
    """This process beats no longer: its players are waited for, until they are back elsewhere."""
    if not Beat.objects.filter(pk=beat.pk, steady=beat.steady, dead=False).update(dead=True):
        return
    logger.warning("Process %s beats no longer", beat.process)
    # Who was there may be here again in a moment, and has not gone before that is over.
    Seat.objects.filter(here=beat.process).update(here="", seen_at=since)
    seats = Seat.objects.filter(match__phase__in=GOING, controller__startswith=beat.process)
    cut_off: dict[int, dict[SeatNumber, datetime]] = {}
    for match, number in seats.values_list("match", "number"):
        cut_off.setdefault(match, {})[number] = since
    for match, lost in cut_off.items():
        with_retry(match, lambda snapshot, lost=lost: _lend(snapshot, lost))  # type: ignore[misc]


def _lend(snapshot: Snapshot, lost: dict[SeatNumber, datetime]) -> None:
    change = Change.of(snapshot, timezone.now())
    clock.lend(change, lost)
    if (seat := change.state.turn_seat) is not None and seat in lost:
        notes.add(change, "cut-off", seat=seat, seconds=round(timing.MOST_LENT.total_seconds()))
    _commit(change)


def back(match_id: int, seat: SeatNumber, now: datetime) -> None:
    """The player of a seat that was cut off is here again."""

    def attempt(snapshot: Snapshot) -> None:
        if seat in snapshot.match.state.lost and snapshot.match.phase in GOING:
            change = Change.of(snapshot, now)
            clock.back(change, seat)
            _commit(change)

    with_retry(match_id, attempt)


def perhaps_cut_off(seat: Seat) -> bool:
    """Whether the process that the seat's player was last connected to may have died just now."""
    controller = Seat.objects.values_list("controller", flat=True).get(pk=seat.pk)
    if not controller:
        return False
    beats = Beat.objects.filter(process=controller[:KEY], dead=False)
    return beats.filter(at__lt=Now() - UNSURE).exists()
