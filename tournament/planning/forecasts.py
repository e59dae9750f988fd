"""The planner's questions, and the background task that answers them by simulation."""

import secrets
from random import Random
from time import monotonic

from django.db import transaction
from django.utils import timezone

from games.process.next_django import task
from tournament.common.language import use_site_language
from tournament.models import Event, Forecast
from tournament.pure.simulation.questions import Planner, Question
from tournament.pure.simulation.scenarios import PLAN_ERRORS

QUEUE = "forecasts"
# Seconds after which the task saves its progress and looks for a newer question.
SAVE_INTERVAL = 0.4


class SupersededError(Exception):
    """Raised if a question was cancelled or replaced before it was answered."""


@transaction.atomic
def queue_question(event: Event, question: Question) -> Forecast:
    """Queue a question of the planner, replacing any earlier one."""
    now = timezone.now()
    fields = {
        "ticket": secrets.token_hex(16),
        "question": question.to_json(),
        "answer": None,
        "done": 0,
        "total": question.total,
        "problem": "",
        "asked_at": now,
        "answered_at": None,
    }
    forecast, _new = event.forecasts.update_or_create(kind=Forecast.Kind.PLAN, defaults=fields)
    simulate.enqueue(forecast.pk, forecast.ticket)
    return forecast


def cancel_question(event: Event) -> bool:
    """Cancel the question or discard its answer. Return whether there was one."""
    return bool(event.forecasts.filter(kind=Forecast.Kind.PLAN).delete()[0])


@task(queue_name=QUEUE)
def simulate(pk: int, ticket: str) -> None:
    """Answer the question unless it was cancelled or replaced."""
    rows = Forecast.objects.filter(pk=pk, ticket=ticket)
    if (forecast := rows.first()) is None:
        return
    try:
        with use_site_language():
            answers = _answer_question(forecast)
        rows.update(answer=answers, done=forecast.total, answered_at=timezone.now())
    except PLAN_ERRORS as error:
        rows.update(problem=str(error)[:300])
    except SupersededError:
        return


def _answer_question(forecast: Forecast) -> list[dict[str, object]]:
    """Run the simulations for a question, and return the answers as JSON.

    Raises SupersededError if the question is cancelled or replaced before that.
    """
    question = Question.from_json(forecast.question)
    simulation = Planner(question, Random(forecast.ticket))  # noqa: S311  a forecast, not a deal
    last_saved = monotonic()
    for done in simulation.simulate():
        if monotonic() - last_saved > SAVE_INTERVAL:
            last_saved = monotonic()
            if not Forecast.objects.filter(pk=forecast.pk, ticket=forecast.ticket).update(
                done=done
            ):
                raise SupersededError
    return [answer.to_json() for answer in simulation.answers]
