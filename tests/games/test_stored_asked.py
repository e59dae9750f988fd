"""Questions whose statements are kept: asked with other values, they answer as the ORM does."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.stored.asked import Asked
from tests.tournament.helpers import organized
from tournament.models import Event, Registration

pytestmark = pytest.mark.django_db

NAMED = Asked(
    lambda event, name: Registration.objects.filter(event=event, name=name).order_by(), (int, str)
)
NUMBERS = Asked(
    lambda event: (
        Registration.objects.filter(event=event)
        .order_by("queue_number")
        .values_list("queue_number", "state")
    )
)
SINCE = Asked(
    lambda moment: Registration.objects.filter(registered_at__gt=moment).order_by(), (datetime,)
)
SLUG = Asked(lambda key: Event.objects.filter(pk=key).only("slug").order_by())


def test_the_answer_is_that_of_the_values_asked_with_and_of_nothing_asked_before() -> None:
    (one, _), (other, _) = organized(2), organized(1, slug="other")
    first, second = one.registrations.order_by("pk")
    assert NAMED.first(one.pk, first.name) == first
    assert NAMED.first(one.pk, second.name) == second
    assert NAMED.rows(other.pk, "nobody") == []
    assert NAMED.first(other.pk, "nobody") is None


def test_an_object_has_every_column_as_the_models_own_query_reads_it() -> None:
    event, _organizer = organized(1)
    person = event.registrations.get()
    asked = NAMED.first(event.pk, person.name)
    assert asked is not None
    names = [field.attname for field in Registration._meta.concrete_fields]
    assert {n: getattr(asked, n) for n in names} == {n: getattr(person, n) for n in names}


def test_columns_come_in_the_order_of_the_question() -> None:
    event, _organizer = organized(2)
    assert NUMBERS.values(event.pk) == [[1, "approved"], [2, "approved"]]


def test_a_moment_is_compared_as_a_moment() -> None:
    event, _organizer = organized(1)
    at = event.registrations.get().registered_at
    assert [len(SINCE.rows(at - timedelta(seconds=1))), len(SINCE.rows(at))] == [1, 0]
    assert SINCE.rows(datetime(2200, 1, 1, tzinfo=UTC)) == []


def test_columns_that_were_not_asked_for_are_fetched_when_they_are() -> None:
    event, _organizer = organized(1)
    found = SLUG.first(event.pk)
    assert found is not None
    with CaptureQueriesContext(connection) as asked:
        assert (found.slug, found.title) == (event.slug, event.title)
    assert len(asked) == 1


def test_a_question_that_leaves_out_one_of_its_values_is_none() -> None:
    careless = Asked(lambda one, other: Event.objects.filter(pk=one).order_by(), (int, int))
    with pytest.raises(AssertionError):
        careless.rows(1, 2)


def test_text_is_no_part_of_the_statement() -> None:
    event, _organizer = organized(1)
    assert NAMED.rows(event.pk, "' OR 1=1 --") == []
    assert NAMED.rows(event.pk, "%s") == []
