"""All matches get what our failures owe them: in steps, and the site goes on between them.

Thousands of matches are many seconds of work. While it is done the process beats, acts by its
clocks and answers; a match that somebody comes to act on has its turn at once (outages.given).
"""

import logging
import random
import time

from django.db import DatabaseError
from django.db.models import F
from django.db.models.functions import Substr

from games.models import Beat, Match, Outage, Seat
from games.process import KEY, here
from games.services import cut_off
from games.services.basics import GOING, Refused
from games.services.outages import Owed

logger = logging.getLogger(__name__)

# Well below what a process may be late with its beat.
STEP_SECONDS = 0.25
BATCH = 64


def owing() -> bool:
    """Whether something is owed that not all matches have got, as far as this process knows."""
    return bool(here().part(Owed))


def make_good(seconds: float = STEP_SECONDS) -> None:
    """Go on with it, the most urgent first, for so long (one match at least) or until all is done.

    One match that cannot be read keeps the time from no other.
    """
    owed, until = here().part(Owed), time.monotonic() + seconds
    while owed:
        batch = _next(owed)
        if not batch:
            _settle(owed)
        for pk in batch:
            _make_good(pk, owed)
            if time.monotonic() >= until:
                return


def _next(owed: Owed) -> list[int]:
    matches = (_behind(owed) if owed.outages else []) or (_cut_off(owed) if owed.deaths else [])
    # Several processes do this at once, and would meet at each match.
    return random.sample(matches, len(matches))


def _behind(owed: Owed) -> list[int]:
    behind = Match.objects.filter(phase__in=GOING, outage__lt=owed.outages[-1].pk)
    urgent = behind.exclude(pk__in=owed.unreadable).order_by(F("due").asc(nulls_last=True))
    return [*urgent.values_list("pk", flat=True)[:BATCH]]


def _cut_off(owed: Owed) -> list[int]:
    seats = Seat.objects.filter(match__phase__in=GOING).exclude(controller="")
    lost = seats.annotate(process=Substr("controller", 1, KEY)).filter(process__in=owed.deaths)
    matches = {*lost.values_list("match", flat=True)} - owed.lent - owed.unreadable
    return [*matches][:BATCH]


def _make_good(match_id: int, owed: Owed) -> None:
    deaths, lent = owed.deaths, owed.lent
    try:
        cut_off.lend(match_id, deaths)
        lent.add(match_id)
    except DatabaseError:
        raise
    except (Refused, Match.DoesNotExist):
        pass  # too much happens there: it will come up again; or it is gone
    except Exception:
        logger.exception("Match %s was not given back its time", match_id)
        owed.unreadable.add(match_id)


def _settle(owed: Owed) -> None:
    Outage.objects.filter(pk__in=[one.pk for one in owed.outages]).update(settled=True)
    for process, since in owed.deaths.items():
        Beat.objects.filter(process=process, lost_since=since).update(lost_since=None)
    owed.read(False, {})
