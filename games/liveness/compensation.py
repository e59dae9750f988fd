"""Compensation of all matches for outages, in small steps so that the site stays responsive.

Compensating thousands of matches takes many seconds. Between steps, the process sends heartbeats,
handles deadlines and answers requests. A match in which a player acts is compensated immediately
(outages.with_outage_time).
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
from games.process.db import DATABASE_DOWN

logger = logging.getLogger(__name__)

# Maximum length of a step. A heartbeat may be delayed by much more than this.
STEP_SECONDS = 0.25
BATCH = 64

Outages = tuple[Outage, ...]
Deaths = Mapping[str, datetime]


def has_uncompensated_matches() -> bool:
    """Return whether this process still has to compensate any match."""
    return bool(here().part(OwedTime))


def compensate_outages(seconds: float = STEP_SECONDS) -> None:
    """Compensate matches for at most `seconds`, the most urgent ones first.

    At least one match is compensated. A match that cannot be read does not delay the others.
    """
    owed, until = here().part(OwedTime), time.monotonic() + seconds
    while owed:
        outages, deaths = owed.outages, owed.deaths
        batch, owed.turns = owed.turns or _find_next_matches(owed, outages, deaths), []
        if not batch:
            _mark_settled(outages, deaths)
            owed.settle(outages, deaths)
            return
        for done, pk in enumerate(batch, 1):
            _compensate_outage(pk, owed)
            if time.monotonic() >= until:
                # Keep the remaining matches, because another query can take longer than a step.
                owed.turns = batch[done:]
                return


def _find_next_matches(owed: OwedTime, outages: Outages, deaths: Deaths) -> list[int]:
    matches = _find_uncompensated_matches(owed, outages[-1]) if outages else []
    matches = matches or (_find_cut_off_matches(owed, deaths) if deaths else [])
    # Several processes may do this at the same time. A random order makes conflicts unlikely.
    return random.sample(matches, len(matches))


def _find_uncompensated_matches(owed: OwedTime, newest: Outage) -> list[int]:
    uncompensated = Match.objects.filter(phase__in=GOING, outage__lt=newest.pk)
    matches = uncompensated.exclude(pk__in=owed.unreadable).values_list("pk", flat=True)
    # Matches with a deadline come first. They are found quickly by an index.
    urgent = matches.filter(due__isnull=False).order_by("due")[:BATCH]
    return [*urgent] or [*matches[:BATCH]]


def _find_cut_off_matches(owed: OwedTime, deaths: Deaths) -> list[int]:
    going = Seat.objects.filter(match__phase__in=GOING, match__due__isnull=False)
    seats = going.exclude(controller="").order_by()
    lost = seats.annotate(process=Substr("controller", 1, KEY)).filter(process__in=deaths)
    return [*{*lost.values_list("match", flat=True)} - owed.lent - owed.unreadable]


def _compensate_outage(match_id: int, owed: OwedTime) -> None:
    # Read both sets before lending time, because the match must not count as compensated for deaths
    # that are added in the meantime.
    lent, deaths = owed.lent, owed.deaths
    try:
        lost_processes.lend_time(match_id, deaths)
        lent.add(match_id)
    except DATABASE_DOWN:
        raise
    except (RefusedError, Match.DoesNotExist):
        pass  # the match is too busy and will be tried again, or it has been deleted
    except Exception:
        logger.exception("Match %s was not compensated for an outage", match_id)
        owed.unreadable.add(match_id)


def _mark_settled(outages: Outages, deaths: Deaths) -> None:
    Outage.objects.filter(pk__in=[outage.pk for outage in outages]).update(settled=True)
    for process, since in deaths.items():
        Beat.objects.filter(process=process, lost_since=since).update(lost_since=None)
