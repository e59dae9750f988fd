"""The planned end of an event."""

from dataclasses import replace
from datetime import datetime, timedelta

from tournament.models import Event, Forecast
from tournament.pure.simulation.answers import PlanAnswer
from tournament.pure.simulation.questions import Question
from tournament.pure.simulation.scenarios import CANNOT_BE, Course
from tournament.pure.simulation.timetable import minutes_at_most
from tournament.stages.outline import expected_players, stage_course

# In minutes: a round without its own length needs one, because a calendar has to show some end.
USUAL_ROUND = 45


def planned_end(event: Event) -> datetime | None:
    """Return the planned end of the event.

    It comes from the planner's answer for the current settings, otherwise from the usual or
    maximal length of the rounds. None without a start, or if the event cannot be played with its
    settings.
    """
    if event.starts_at is None:
        return None
    own = stage_course(event, expected_players(event))
    minutes = _find_simulated_length(event, own) or _bound_length(own)
    return event.starts_at + timedelta(minutes=minutes) if minutes else None


def _find_simulated_length(event: Event, course: Course) -> float | None:
    """Return the time within which nine of ten simulated days ended, or None."""
    asked = event.forecasts.filter(kind=Forecast.Kind.PLAN).exclude(answer__isnull=True).first()
    if asked is None:
        return None
    question = Question.from_json(asked.question)
    for each, told in zip(question.courses, asked.answer or [], strict=True):
        if not question.begun and _select_settings(each) == _select_settings(course):
            return PlanAnswer.from_json(told).most
    return None


def _select_settings(one: Course) -> Course:
    """Return the course without the name and number of players given to the planner."""
    return replace(one, name="", players=0)


def _bound_length(course: Course) -> float | None:
    try:
        timed = replace(course, round_minutes=course.round_minutes or USUAL_ROUND)
        return minutes_at_most(timed, Question.pause)
    except CANNOT_BE:
        return None
