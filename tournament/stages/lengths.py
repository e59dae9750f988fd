"""The planned end of an event."""

from dataclasses import replace
from datetime import datetime, timedelta

from tournament.models import Event, Forecast
from tournament.pure.simulation.answers import PlanAnswer
from tournament.pure.simulation.questions import Question
from tournament.pure.simulation.scenarios import PLAN_ERRORS, PlannedEvent
from tournament.pure.simulation.timetable import compute_maximum_minutes
from tournament.stages.outline import estimate_players, make_event_course

# Assumed length of a round without a time limit, in minutes. Calendar entries need an end.
USUAL_ROUND = 45


def estimate_event_end(event: Event) -> datetime | None:
    """Return the planned end of the event.

    The end is based on the planner's forecast for the current settings. Without a forecast, it is
    based on the maximum or usual length of rounds. Returns None if the event has no start, or
    cannot be played with its settings.
    """
    if event.starts_at is None:
        return None
    course = make_event_course(event, estimate_players(event))
    minutes = _find_simulated_length(event, course) or _compute_maximum_length(course)
    return event.starts_at + timedelta(minutes=minutes) if minutes else None


def _find_simulated_length(event: Event, course: PlannedEvent) -> float | None:
    """Return the minutes within which nine of ten simulated events end, or None if unknown."""
    forecast = event.forecasts.filter(kind=Forecast.Kind.PLAN).exclude(answer__isnull=True).first()
    if forecast is None:
        return None
    question = Question.from_json(forecast.question)
    for asked, answer in zip(question.courses, forecast.answer or [], strict=True):
        if not question.begun and _select_settings(asked) == _select_settings(course):
            return PlanAnswer.from_json(answer).most
    return None


def _select_settings(course: PlannedEvent) -> PlannedEvent:
    """Return a copy of the course without name and number of players.

    The organizer enters both in the planner. They are not settings of the event.
    """
    return replace(course, name="", players=0)


def _compute_maximum_length(course: PlannedEvent) -> float | None:
    try:
        timed = replace(course, round_minutes=course.round_minutes or USUAL_ROUND)
        return compute_maximum_minutes(timed, Question.pause)
    except PLAN_ERRORS:
        return None
