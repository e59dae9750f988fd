"""The worker's task that updates players' chances to advance after each hand."""

import logging
from random import Random

from django.utils import timezone

from games.process import here
from tournament.models import Event, Forecast
from tournament.planning.qualification_odds import digest_standing, load_standing, open_stage
from tournament.pure.simulation.chances import ENDINGS, StageSimulator, Standing
from tournament.pure.simulation.scenarios import PLAN_ERRORS

logger = logging.getLogger(__name__)

KINDS = {Forecast.Kind.PUBLIC: True, Forecast.Kind.DESK: False}


def update_chances() -> None:
    """Update the chances in all events whose standings have changed since the last run."""
    for event in Event.objects.filter(state=Event.State.RUNNING):
        answers: dict[str, object] = {}
        updates = [_update_forecast(event, kind, answers) for kind in KINDS]
        if any(updates):
            here().hub.poke(event.topic)


def _update_forecast(event: Event, kind: Forecast.Kind, answers: dict[str, object]) -> bool:
    """Update the forecast of this kind, and return whether it changed.

    `answers` is a cache of answers by digest.
    """
    state = load_standing(event, public=KINDS[kind])
    rows = event.forecasts.filter(kind=kind)
    stage = open_stage(event)
    if state is None:
        # The published chances are frozen together with the public leaderboard.
        stays_frozen = KINDS[kind] and event.freeze and stage is not None
        return False if stays_frozen else bool(rows.delete()[0])
    ticket = digest_standing(state)
    if rows.filter(ticket=ticket).exists():
        return False
    if ticket not in answers and stage is not None:
        answers[ticket] = _compute_chances(state, stage.number, ticket)
    fields = {
        "ticket": ticket,
        "question": {},
        "answer": answers.get(ticket),
        "done": ENDINGS,
        "total": ENDINGS,
        "asked_at": timezone.now(),
        "answered_at": timezone.now(),
    }
    event.forecasts.update_or_create(kind=kind, defaults=fields)
    return True


def _compute_chances(state: Standing, stage: int, ticket: str) -> dict[str, object] | None:
    """Simulate the stage, and return each player's chance.

    Returns None if no one advances, or if the event is impossible with these rules. In the latter
    case, the cut page shows the reason.
    """
    try:
        simulation = StageSimulator(state, Random(ticket))  # noqa: S311  a forecast, not a deal
        for _done in simulation.simulate():
            if not any(simulation.through.values()):
                return None
    except PLAN_ERRORS as error:
        logger.info("No chances were computed: %s", error)
        return None
    shares = {str(player): share for player, share in simulation.compute_shares().items()}
    return {"stage": stage, "shares": shares}
