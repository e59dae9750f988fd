"""Tests of the worker's forecasts: an answer, progress reports and stopping on request."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from tournament.models import Event, Forecast
from tournament.planning import forecasts
from tournament.planning.forecasts import cancel_question, queue_question, simulate
from tournament.pure.simulation.questions import Planner, Question
from tournament.pure.simulation.scenarios import PlannedEvent

pytestmark = [pytest.mark.django_db, pytest.mark.sql, pytest.mark.event()]
PLAN = PlannedEvent(name="It", players=4, ruleset="uno-400", options={"target": 30})


@pytest.fixture(autouse=True)
def simulate_few_events(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournament.pure.simulation.questions.EVENTS", 3)
    monkeypatch.setattr("tournament.pure.simulation.hands.HANDS_PER_SIZE", 8)
    monkeypatch.setattr("tournament.pure.simulation.matches.POOL_SIZE", 8)


def call_on_each_step(
    steps: Callable[[Planner], Iterator[int]], look: Callable[[int], None]
) -> Callable[[Planner], Iterator[int]]:
    """Wrap `steps` so that `look` is called with each step before the worker receives it."""

    def watch_steps(work: Planner) -> Iterator[int]:
        for done in steps(work):
            look(done)
            yield done

    return watch_steps


def request_forecast(event: Event, players: int = 4) -> Forecast:
    return Forecast.objects.get(
        pk=queue_question(event, Question((replace(PLAN, players=players),), 60)).pk
    )


def test_forecast_is_answered_and_replaced_by_the_next_request(event: Event) -> None:
    first, second = request_forecast(event), request_forecast(event, players=5)
    assert (first.pk, first.answer is None) == (second.pk, False)
    assert (second.done, second.total, second.runs) == (3, 3, False)
    assert second.question["courses"][0]["players"] == 5
    assert Forecast.objects.count() == 1


def test_unplayable_forecast_is_answered_with_an_explanation(event: Event) -> None:
    alone = request_forecast(event, players=1)
    assert (alone.answer, alone.runs) == (None, False)
    assert alone.problem == "A table needs at least 2 players; there are 1."


def test_replaced_forecast_request_is_not_answered(event: Event) -> None:
    row = request_forecast(event)
    Forecast.objects.filter(pk=row.pk).update(answer=None, ticket="newer")
    simulate.call(row.pk, row.ticket)
    row.refresh_from_db()
    assert row.answer is None


def test_forecast_reports_progress_and_stops_when_discarded(
    event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forecasts, "SAVE_INTERVAL", -1.0)
    seen: list[int] = []

    def record_progress(progress: int) -> None:
        seen.append(progress)
        if progress == 2:
            cancel_question(event)

    monkeypatch.setattr(Planner, "simulate", call_on_each_step(Planner.simulate, record_progress))
    queue_question(event, Question((PLAN,), 60))
    assert seen == [1, 2]
    assert not Forecast.objects.exists()
    assert not cancel_question(event)
