"""Rows that become objects as they were read: nothing else about them is different."""

import copy

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import Seat
from games.stored.rows import set_related
from tests.tournament.helpers import organized
from tournament.models import Registration

pytestmark = pytest.mark.django_db


def read() -> Registration:
    """A registration as the database has it."""
    event, _organizer = organized(1)
    return event.registrations.get()


def test_an_object_has_every_column_of_its_row() -> None:
    person = read()
    names = [field.attname for field in Registration._meta.concrete_fields]
    assert Registration.objects.values(*names).get() == {n: getattr(person, n) for n in names}


def test_what_is_read_is_the_row_and_no_new_one() -> None:
    person = read()
    assert (person._state.adding, person._state.db) == (False, "default")
    person.reason = "came late"
    person.save()
    assert Registration.objects.get() == person
    assert Registration.objects.get().reason == "came late"


def test_a_column_that_was_left_out_is_fetched_when_it_is_asked_for() -> None:
    name = read().name
    person = Registration.objects.defer("name").get()
    assert person.get_deferred_fields() == {"name"}
    with CaptureQueriesContext(connection) as asked:
        assert person.name == name
    assert (len(asked), person.get_deferred_fields()) == (1, set())


def test_a_join_that_finds_nothing_makes_no_object() -> None:
    read()
    with CaptureQueriesContext(connection) as asked:
        person = Registration.objects.select_related("student", "event").get()
        assert (person.student, person.event.registrations.count()) == (None, 1)
    assert len(asked) == 2


def test_what_a_key_means_is_not_asked_for_where_it_was_said() -> None:
    person, seat = read(), Seat()
    seat.user_id = person.user_id
    set_related(seat, "user", person.user)
    with CaptureQueriesContext(connection) as asked:
        assert seat.user is person.user
    assert len(asked) == 0


def test_a_copy_has_the_same_columns_and_changes_by_itself() -> None:
    person = read()
    assert person.event.title  # fetched with it
    other = copy.copy(person)
    other.name = "Somebody else"
    set_related(other, "event", None)
    assert (other.pk, other.name, person.name != other.name) == (person.pk, "Somebody else", True)
    assert (other._state.adding, other._state.db) == (False, "default")
    assert person._state.fields_cache["event"] is not None
    assert Registration.objects.get().name == person.name
