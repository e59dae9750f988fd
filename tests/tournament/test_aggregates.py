"""Many rows of a column in one, on both databases."""

import pytest

from tests.factories import make_user
from tournament.models import User
from tournament.plumbing.aggregates import Together

pytestmark = pytest.mark.django_db
NAMES = ['Asha "the Ace"', "Бо\\ris", "অনিক, মিতা"]


def test_names_of_all_letters_come_together_as_they_are() -> None:
    people = User.objects.filter(pk__in=[make_user(name).pk for name in NAMES])
    assert sorted(people.aggregate(names=Together("display_name"))["names"]) == NAMES


def test_of_nobody_there_is_no_name() -> None:
    assert not User.objects.filter(pk=0).aggregate(names=Together("display_name"))["names"]
