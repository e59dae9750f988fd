"""Updates of the chances to advance, by the worker, whenever a hand has changed them."""

import logging
from random import Random

from django.utils import timezone

from games.process import here
from tournament.models import Event, Forecast
from tournament.planning.qualification_odds import digest, open_stage, standing
from tournament.pure.simulation.chances import ENDINGS, Chances, Standing
from tournament.pure.simulation.scenarios import CANNOT_BE

logger = logging.getLogger(__name__)

KINDS = {Forecast.Kind.PUBLIC: True, Forecast.Kind.DESK: False}


def look() -> None:
    """Update the chances of all events whose standings have changed since the last run."""
    for event in Event.objects.filter(state=Event.State.RUNNING):
        known: dict[str, object] = {}
        changed = [_look(event, kind, known) for kind in KINDS]
        if any(changed):
            here().hub.poke(event.topic)


def _look(event: Event, kind: Forecast.Kind, known: dict[str, object]) -> bool:
    """Update the forecast of this kind and return whether it has changed.

    `known`: answers by digest.
    """
    stand = standing(event, public=KINDS[kind])
    rows = event.forecasts.filter(kind=kind)
    stage = open_stage(event)
    if stand is None:
        # While the public leaderboard is frozen, the published chances stay frozen too.
        still = KINDS[kind] and event.freeze and stage is not None
        return False if still else bool(rows.delete()[0])
    ticket = digest(stand)
    if rows.filter(ticket=ticket).exists():
        return False
    if ticket not in known and stage is not None:
        known[ticket] = _compute_chances(stand, stage.number, ticket)
    fields = {
        "ticket": ticket,
        "question": {},
        "answer": known.get(ticket),
        "done": ENDINGS,
        "total": ENDINGS,
        "asked_at": timezone.now(),
        "answered_at": timezone.now(),
    }
    event.forecasts.update_or_create(kind=kind, defaults=fields)
    return True


def _compute_chances(stand: Standing, stage: int, ticket: str) -> dict[str, object] | None:
    """Simulate the stage and return each player's chance.

    Return None if no one advances or the rules cannot be played on. In that case the cut's own
    page gives the reason.
    """
    try:
        work = Chances(stand, Random(ticket))  # noqa: S311  a forecast, nobody's cards
        for _done in work.steps():
            if not any(work.through.values()):
                return None
    except CANNOT_BE as error:
        logger.info("No chances are told: %s", error)
        return None
    shares = {str(player): share for player, share in work.shares().items()}
    return {"stage": stage, "shares": shares}
