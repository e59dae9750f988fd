"""Tests of queries that pass many keys as a single value."""

import pytest
from django.contrib.auth import get_user_model

from games.json_values.key_lists import match_any

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def test_rows_can_be_found_by_numbers_and_by_strings() -> None:
    users = get_user_model().objects
    keys = [users.create(username=name, email=f"{name}@example.org").pk for name in "abc"]
    found = users.order_by("pk").values_list("username", flat=True)
    assert list(found.filter(pk__in=match_any([keys[0], keys[2], 10**12]))) == ["a", "c"]
    assert list(found.filter(username__in=match_any({"b", "c", 'it\'s "so"'}))) == ["b", "c"]
    assert list(found.filter(pk__in=match_any([]))) == []
    assert list(found.exclude(pk__in=match_any(keys[:1]))) == ["b", "c"]
