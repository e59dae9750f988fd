"""When an event will be over, as it was planned."""

from dataclasses import replace
from datetime import datetime, timedelta

from tournament.models import Event, Forecast
from tournament.pure.simulation.answers import PlanAnswer
from tournament.pure.simulation.questions import Question
from tournament.pure.simulation.scenarios import CANNOT_BE, Course
from tournament.pure.simulation.timetable import minutes_at_most
from tournament.stages.outline import expected_players, own_course

# In minutes: a round without its own length needs one, because a calendar has to show some end.
USUAL_ROUND = 45


def planned_end(event: Event) -> datetime | None:
    """Return the planned end of the event.

    It is the planner's finding for the current settings, else what the rounds take at most or
    usually. None without a start, or if the event cannot be played as set.
    """
    if event.starts_at is None:
        return None
    own = own_course(event, expected_players(event))
    minutes = _find_simulated_length(event, own) or _bound_length(own)
    return event.starts_at + timedelta(minutes=minutes) if minutes else None


def _find_simulated_length(event: Event, own: Course) -> float | None:
    """In nine of ten simulated days all was over by then."""
    asked = event.forecasts.filter(kind=Forecast.Kind.PLAN).exclude(answer__isnull=True).first()
    if asked is None:
        return None
    question = Question.from_json(asked.question)
    for each, told in zip(question.courses, asked.answer or [], strict=True):
        if not question.begun and _select_settings(each) == _select_settings(own):
            return PlanAnswer.from_json(told).most
    return None


def _select_settings(one: Course) -> Course:
    """Without what the planner was asked about it."""
    return replace(one, name="", players=0)


def _bound_length(own: Course) -> float | None:
    try:
        timed = replace(own, round_minutes=own.round_minutes or USUAL_ROUND)
        return minutes_at_most(timed, Question.pause)
    except CANNOT_BE:
        return None
