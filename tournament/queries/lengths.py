"""When an event will be over, as it was planned."""

from dataclasses import replace
from datetime import datetime, timedelta

from tournament.models import Event, Forecast
from tournament.planning.answers import Answer
from tournament.planning.courses import CANNOT_BE, Course
from tournament.planning.questions import Question
from tournament.planning.timetable import minutes_at_most
from tournament.queries.courses import Wanted, course, expected_players


def planned_end(event: Event) -> datetime | None:
    """What the planner has found of the event as it is set now, else what its rounds take at most;
    None where neither is known."""
    if event.starts_at is None:
        return None
    own = course(event, Wanted(), expected_players(event))
    minutes = _simulated(event, own) or _at_most(own)
    return event.starts_at + timedelta(minutes=minutes) if minutes else None


def _simulated(event: Event, own: Course) -> float | None:
    """In nine of ten simulated days all was over by then."""
    asked = event.forecasts.filter(kind=Forecast.Kind.PLAN).exclude(answer=None).first()
    if asked is None:
        return None
    question = Question.from_json(asked.question)
    for each, told in zip(question.courses, asked.answer or [], strict=True):
        if not question.begun and _settings(each) == _settings(own):
            return Answer.from_json(told).most
    return None


def _settings(one: Course) -> Course:
    """Without what the planner was asked about it."""
    return replace(one, name="", players=0)


def _at_most(own: Course) -> float | None:
    try:
        return minutes_at_most(own, Question.pause)
    except CANNOT_BE:
        return None
