"""F48: fifty simultaneous registrations for the last spot."""

import pytest

from tests.factories import (
    make_event,
    make_registrations,
)
from tests.tournament.helpers import run_concurrently
from tournament.registration.services import register

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sql]


def test_fifty_simultaneous_registrations_fill_the_last_spot_once() -> None:
    event = make_event(capacity=2)
    make_registrations(event, 1)
    run_concurrently(lambda user, n: register(event, user, roll_number=f"R{n}"), 50)
    rows = list(event.registrations.order_by("queue_number").values_list("queue_number", "state"))
    assert [n for n, _ in rows] == list(range(1, 52))
    assert [state for _, state in rows] == ["approved"] * 2 + ["waitlist"] * 49
