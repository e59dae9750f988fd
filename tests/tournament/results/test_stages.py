"""Tests of the rulings in force at a given moment."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.tournament.helpers import first_stage, make_organized_event
from tournament.models import Ruling
from tournament.results.ranking import list_rulings_at

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

NOW = timezone.now()
MINUTE = timedelta(minutes=1)


@pytest.mark.parametrize(
    ("given_at", "cancelled", "then", "now"),
    [
        (-2, None, True, True),
        (-2, 1, True, False),
        (-2, -1, False, False),
        (1, None, False, True),
        (0, None, True, True),
    ],
)
def test_ruling_counts_if_it_was_in_force_at_that_moment(
    given_at: int, cancelled: int | None, then: bool, now: bool
) -> None:
    event, organizer = make_organized_event(1)
    ruling = Ruling.objects.create(
        event=event,
        registration=event.registrations.get(),
        stage=first_stage(event),
        kind=Ruling.Kind.POINTS,
        points=20,
        given_by=organizer,
        cancelled_at=None if cancelled is None else NOW + cancelled * MINUTE,
    )
    event.rulings.update(given_at=NOW + given_at * MINUTE)
    assert list_rulings_at(event, Ruling.Kind.POINTS, NOW) == [ruling] * then
    assert list_rulings_at(event, Ruling.Kind.POINTS, None) == [ruling] * now
    assert list_rulings_at(event, Ruling.Kind.CAUTION, None) == []
