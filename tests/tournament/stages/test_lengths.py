"""The planned end of an event."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.factories import make_event
from tests.tournament.staging import make_stage
from tournament.models import Event, Forecast
from tournament.planning.scenarios import PlanChoice, make_planned_event
from tournament.pure.simulation.answers import PlanAnswer
from tournament.pure.simulation.questions import Question
from tournament.stages.lengths import USUAL_ROUND, estimate_event_end

pytestmark = pytest.mark.django_db

ANSWER = PlanAnswer("It", 80.0, 95.0, 0.0, 0.0, 0.0, 0.0, ())


@pytest.fixture
def event() -> Event:
    """Create an event with two rounds of half an hour, and a pause of ten minutes between them."""
    found = make_event(starts_at=timezone.now() + timedelta(days=1), round_minutes=30)
    make_stage(found, rounds_planned=2)
    return found


def get_planned_minutes(event: Event) -> float | None:
    """Return the planned length of the event in minutes, or None if it is unknown."""
    ends = estimate_event_end(event)
    return (ends - event.starts_at).total_seconds() / 60 if ends and event.starts_at else None


def store_forecast(event: Event, **asked: object) -> None:
    """Store a forecast of the planner for the event's current settings and 99 players."""
    question = Question((make_planned_event(event, PlanChoice(), 99),), 180, **asked)  # type: ignore[arg-type]
    Forecast.objects.create(
        event=event,
        kind=Forecast.Kind.PLAN,
        ticket="t",
        question=question.to_json(),
        answer=[ANSWER.to_json()],
        total=1,
        asked_at=timezone.now(),
    )


def test_planned_end_uses_the_configured_round_length(event: Event) -> None:
    assert get_planned_minutes(event) == 70


def test_planned_end_uses_the_usual_round_length_by_default(event: Event) -> None:
    event.round_minutes = None
    assert get_planned_minutes(event) == 2 * USUAL_ROUND + 10


def test_event_without_a_start_has_no_planned_end(event: Event) -> None:
    event.starts_at = None
    assert estimate_event_end(event) is None


def test_forecast_is_used_only_for_the_same_settings(event: Event) -> None:
    store_forecast(event)
    assert get_planned_minutes(event) == 95
    event.round_minutes = 20
    assert get_planned_minutes(event) == 50


def test_forecast_made_during_play_is_ignored(event: Event) -> None:
    store_forecast(event, begun=1)
    assert get_planned_minutes(event) == 70


def test_unfinished_forecast_is_ignored(event: Event) -> None:
    store_forecast(event)
    Forecast.objects.update(answer=None)
    assert get_planned_minutes(event) == 70


def test_unplayable_event_has_no_planned_end(event: Event) -> None:
    event.stages.update(format="bracket")
    event.options = {"seats": 0}
    assert estimate_event_end(event) is None
