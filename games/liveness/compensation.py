"""Compensation of all matches for outages, in small steps so that the site keeps running.

Thousands of matches take many seconds of work. During that time the process beats, acts
by its clocks and answers. If a player acts in a match, that match is compensated
immediately (outages.given).
"""

import logging
import random
import time
from collections.abc import Mapping
from datetime import datetime

from django.db.models.functions import Substr

from games.liveness import lost_processes
from games.models import Beat, Match, Outage, Seat
from games.play.answers import GOING, RefusedError
from games.play.outages import OwedTime
from games.process import KEY, here
from games.process.db import DATABASE_AWAY

logger = logging.getLogger(__name__)

# Well below what a process may be late with its beat.
STEP_SECONDS = 0.25
BATCH = 64

Outages = tuple[Outage, ...]
Deaths = Mapping[str, datetime]


def is_owing() -> bool:
    """Return whether any match is still owed time, as far as this process knows."""
    return bool(here().part(OwedTime))


def compensate_outages(seconds: float = STEP_SECONDS) -> None:
    """Compensate matches, most urgent first, for `seconds` or until all are done.

    At least one match is handled. A match that cannot be read does not hold up the others.
    """
    owed, until = here().part(OwedTime), time.monotonic() + seconds
    while owed:
        outages, deaths = owed.outages, owed.deaths
        batch, owed.turns = owed.turns or _next(owed, outages, deaths), []
        if not batch:
            _settle(outages, deaths)
            owed.settle(outages, deaths)
            return
        for done, pk in enumerate(batch, 1):
            _compensate_outage(pk, owed)
            if time.monotonic() >= until:
                # To ask the database in each step can take longer than the step.
                owed.turns = batch[done:]
                return


def _next(owed: OwedTime, outages: Outages, deaths: Deaths) -> list[int]:
    matches = _find_uncompensated(owed, outages[-1]) if outages else []
    matches = matches or (_cut_off(owed, deaths) if deaths else [])
    # Several processes do this together, and a random order keeps them from colliding at each
    # match.
    return random.sample(matches, len(matches))


def _find_uncompensated(owed: OwedTime, newest: Outage) -> list[int]:
    behind = Match.objects.filter(phase__in=GOING, outage__lt=newest.pk)
    matches = behind.exclude(pk__in=owed.unreadable).values_list("pk", flat=True)
    # Among all that were ever played an index has those that something is due in: all but a few.
    urgent = matches.filter(due__isnull=False).order_by("due")[:BATCH]
    return [*urgent] or [*matches[:BATCH]]


def _cut_off(owed: OwedTime, deaths: Deaths) -> list[int]:
    going = Seat.objects.filter(match__phase__in=GOING, match__due__isnull=False)
    seats = going.exclude(controller="").order_by()
    lost = seats.annotate(process=Substr("controller", 1, KEY)).filter(process__in=deaths)
    return [*{*lost.values_list("match", flat=True)} - owed.lent - owed.unreadable]


def _compensate_outage(match_id: int, owed: OwedTime) -> None:
    # In this order: where deaths are read anew between the two, too few are noted as lent.
    lent, deaths = owed.lent, owed.deaths
    try:
        lost_processes.lend(match_id, deaths)
        lent.add(match_id)
    except DATABASE_AWAY:
        raise
    except (RefusedError, Match.DoesNotExist):
        pass  # too much happens there: it will come up again; or it is gone
    except Exception:
        logger.exception("Match %s was not given back its time", match_id)
        owed.unreadable.add(match_id)


def _settle(outages: Outages, deaths: Deaths) -> None:
    Outage.objects.filter(pk__in=[one.pk for one in outages]).update(settled=True)
    for process, since in deaths.items():
        Beat.objects.filter(process=process, lost_since=since).update(lost_since=None)
