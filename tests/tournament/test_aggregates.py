"""Many rows of a column in one, on both databases."""

import pytest
from django.db.models import F
from django.db.models.functions import NullIf

from tests.factories import make_user
from tournament.models import User
from tournament.plumbing.aggregates import Together, columns

pytestmark = pytest.mark.django_db
NAMES = ['Asha "the Ace"', "Бо\\ris", "অনিক, মিতা"]


def test_names_of_all_letters_come_together_as_they_are() -> None:
    people = User.objects.filter(pk__in=[make_user(name).pk for name in NAMES])
    assert sorted(people.aggregate(names=Together("display_name"))["names"]) == NAMES


def test_of_nobody_there_is_no_name() -> None:
    assert not User.objects.filter(pk=0).aggregate(names=Together("display_name"))["names"]


def test_columns_of_many_rows_are_their_rows() -> None:
    for name in NAMES:
        make_user(name)
    names = ("pk", "display_name", "is_staff")
    found = columns(User.objects.order_by("-pk"), *names, F("pk") * 2, NullIf("pk", "pk"))
    rows = User.objects.values_list(*names)
    assert sorted(found) == sorted((*row, 2 * row[0], None) for row in rows)


def test_columns_of_no_rows_are_no_rows() -> None:
    assert not [*columns(User.objects.none(), "pk"), *columns(User.objects.filter(pk=0), "pk")]
