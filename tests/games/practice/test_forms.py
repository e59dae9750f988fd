"""Tests of the form to start a practice match."""

from typing import Any

import pytest

from games.practice.forms import MAX_SEATS, PracticeForm
from games.rules.bots.bots import LEVELS
from games.rules.ruleset.rulesets import RULE_SETS

CHOSEN_FIELDS = {"ruleset": "ocho", "seats": "3", "strength": "easy"}


@pytest.mark.parametrize(
    ("data", "chosen"),
    [
        ({}, {"ruleset": "ocho", "seats": 3, "strength": "easy", "fast": False}),
        ({"fast": "on"}, {"ruleset": "ocho", "seats": 3, "strength": "easy", "fast": True}),
        ({"strength": ""}, {"ruleset": "ocho", "seats": 3, "strength": "plain", "fast": False}),
        ({"seats": "10"}, {"ruleset": "ocho", "seats": 10, "strength": "easy", "fast": False}),
    ],
)
def test_form_accepts_valid_choices(data: dict[str, str], chosen: dict[str, Any]) -> None:
    form = PracticeForm(CHOSEN_FIELDS | data)
    assert form.is_valid()
    assert form.cleaned_data == chosen


@pytest.mark.parametrize(
    ("data", "wrong"),
    [
        (
            {"seats": "1"},
            {"seats": ["Ensure this value is greater than or equal to 2."]},
        ),
        (
            {"seats": "11"},
            {"seats": ["Ensure this value is less than or equal to 10."]},
        ),
        (
            {"ruleset": "crazy-eights", "seats": "8"},
            {"seats": ["These rules are for 2 to 7 players, not 8."]},
        ),
        ({"seats": "some"}, {"seats": ["Enter a whole number."]}),
        (
            {"ruleset": "poker"},
            {"ruleset": ["Select a valid choice. poker is not one of the available choices."]},
        ),
        (
            {"strength": "divine"},
            {"strength": ["Select a valid choice. divine is not one of the available choices."]},
        ),
    ],
)
def test_invalid_choice_is_reported_at_its_field(
    data: dict[str, str], wrong: dict[str, list[str]]
) -> None:
    form = PracticeForm(CHOSEN_FIELDS | data)
    assert not form.is_valid()
    assert form.errors == wrong


def test_every_rule_set_and_strength_can_be_chosen() -> None:
    fields = PracticeForm().fields
    assert [key for key, _ in fields["ruleset"].choices] == list(RULE_SETS)  # type: ignore[attr-defined]
    assert [key for key, _ in fields["strength"].choices] == list(LEVELS)  # type: ignore[attr-defined]


@pytest.mark.parametrize("key", RULE_SETS)
def test_number_of_players_is_limited_by_the_rules(key: str) -> None:
    most = RULE_SETS[key].max_seats
    assert most <= MAX_SEATS == 10
    assert PracticeForm({"ruleset": key, "seats": most}).is_valid()
    assert not PracticeForm({"ruleset": key, "seats": most + 1}).is_valid()
