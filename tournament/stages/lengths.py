"""The planned end of an event."""

from dataclasses import replace
from datetime import datetime, timedelta

from tournament.models import Event, Forecast
from tournament.pure.simulation.answers import PlanAnswer
from tournament.pure.simulation.questions import Question
from tournament.pure.simulation.scenarios import COURSE_ERRORS, Course
from tournament.pure.simulation.timetable import compute_maximum_minutes
from tournament.stages.outline import expected_players, stage_course

# In minutes, for rounds without a time limit, because calendar entries need an end.
USUAL_ROUND = 45


def planned_end(event: Event) -> datetime | None:
    """Return the planned end of the event.

    It is based on the planner's forecast for the current settings, or otherwise on the maximum or
    usual length of rounds. Returns None if the event has no start, or if its settings make it
    impossible to play.
    """
    if event.starts_at is None:
        return None
    course = stage_course(event, expected_players(event))
    minutes = _find_simulated_length(event, course) or _bound_length(course)
    return event.starts_at + timedelta(minutes=minutes) if minutes else None


def _find_simulated_length(event: Event, course: Course) -> float | None:
    """Return the minutes within which nine of ten simulated events end, if known."""
    forecast = event.forecasts.filter(kind=Forecast.Kind.PLAN).exclude(answer__isnull=True).first()
    if forecast is None:
        return None
    question = Question.from_json(forecast.question)
    for asked, answer in zip(question.courses, forecast.answer or [], strict=True):
        if not question.begun and _select_settings(asked) == _select_settings(course):
            return PlanAnswer.from_json(answer).most
    return None


def _select_settings(course: Course) -> Course:
    """Return the course without its name and number of players.

    Both are entered in the planner and do not belong to the event's settings.
    """
    return replace(course, name="", players=0)


def _bound_length(course: Course) -> float | None:
    try:
        timed = replace(course, round_minutes=course.round_minutes or USUAL_ROUND)
        return compute_maximum_minutes(timed, Question.pause)
    except COURSE_ERRORS:
        return None
