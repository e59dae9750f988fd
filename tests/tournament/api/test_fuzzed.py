"""Tests of the API's responses to random requests."""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from hypothesis import HealthCheck, settings

from tests.tournament.helpers import (
    finish_paper_round,
    first_stage,
    make_organized_event,
    start_drafted_round,
)
from tournament.api import public
from tournament.api.v1 import api
from tournament.seating.services import seat_round
from tournament.wsgi import application

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

schema = schemathesis.openapi.from_dict(api.get_openapi_schema())
# Pass requests directly to the application, without a network.
schema.app = application


@pytest.fixture(autouse=True)
def prepare_event(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Create an event to which some of the requests refer, and raise the rate limit."""
    monkeypatch.setattr(public, "PER_MINUTE", 100_000)
    event, organizer = make_organized_event(4, slug="0")
    finish_paper_round(
        start_drafted_round(seat_round(first_stage(event), organizer), organizer), organizer
    )
    # Keep the test's database connection open after each request, as Django's test client does.
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@schema.parametrize()
@settings(
    max_examples=10,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_api_responses_match_the_schema(case: Any) -> None:
    case.call_and_validate()
