"""Tests of descriptions of changes, with the values before and after in words."""

from datetime import UTC, datetime
from typing import Any

import pytest

from games.rules.ruleset import rulesets
from tests.factories import make_event
from tournament.common.moments import moment_text
from tournament.common.values import describe_value
from tournament.models import Event
from tournament.oversight.changes import list_changes, list_rule_changes

NOON = datetime(2026, 11, 28, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, "–"),
        ("", "–"),
        ([], "–"),
        (0, "0"),
        (40, "40"),
        ("Hall 1", "Hall 1"),
        (True, "yes"),
        (False, "no"),
        (NOON, moment_text(NOON)),
        (["lots", "wins"], "lots, wins"),
        ([{"field": "programme", "value": "UG"}], "programme = UG"),
    ],
)
def test_changed_values_are_described_in_words(value: Any, expected: str) -> None:
    assert describe_value(value) == expected


@pytest.mark.django_db
def test_only_changes_in_the_named_columns_are_listed() -> None:
    after = make_event(place="Hall 1", capacity=40)
    before = Event.objects.get(pk=after.pk)
    after.place, after.capacity, after.title = "Hall 2", 40, "Another"
    assert list_changes(before, after, ["place", "capacity"]) == [
        {"field": "venue", "before": "Hall 1", "after": "Hall 2"}
    ]


@pytest.mark.django_db
def test_choice_is_described_by_its_label() -> None:
    after = make_event(viewers="live")
    before = Event.objects.get(pk=after.pk)
    after.viewers = "hand"
    assert list_changes(before, after, ["viewers"]) == [
        {
            "field": "viewers see",
            "before": "every move live",
            "after": "each hand once it’s over",
        }
    ]


def test_equal_rule_sets_have_no_differences() -> None:
    for rules in rulesets.RULE_SETS.values():
        assert list_rule_changes(rules, rules) == []


def test_different_rule_sets_are_compared_by_name_and_options() -> None:
    before, after = rulesets.RULE_SETS["uno-400"], rulesets.RULE_SETS["ocho"]
    different = [
        name for name in rulesets.OPTIONS if before.options()[name] != after.options()[name]
    ]
    message = list_rule_changes(before, after)
    assert message[0] == {"field": "rule set", "before": before.name, "after": after.name}
    titles = {rulesets.OPTIONS[name].title for name in different}
    assert {each["field"] for each in message[1:]} <= titles
    assert len(message) > 5
