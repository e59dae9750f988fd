"""Tests of the form fields that are used in several forms for events."""

from typing import Any
from zoneinfo import available_timezones

import pytest
from django import forms
from django.test import SimpleTestCase

from tournament.web.admin.base.fields import (
    ConditionsField,
    DomainsField,
    LongSelect,
    ZoneField,
    label_date_and_time,
    list_zone_choices,
)


@pytest.mark.parametrize("value", ["", "Asia/Kolkata", None, "no/such"])
def test_long_select_renders_like_djangos_select(value: str | None) -> None:
    how: dict[str, Any] = {"attrs": {"translate": "no"}, "choices": list_zone_choices()}
    for_it = {"id": "id_time_zone", "required": True, "disabled": False}
    long = LongSelect(**how).render("time_zone", value, for_it)
    short = forms.Select(**how).render("time_zone", value, for_it)
    SimpleTestCase().assertHTMLEqual(long, short)


def test_every_time_zone_of_the_system_can_be_chosen() -> None:
    of_site, *others = list_zone_choices()
    assert of_site[0] == ""
    assert others == [(name, name) for name in sorted(available_timezones())]


def test_long_select_escapes_its_choices() -> None:
    shown = LongSelect(choices=[("<b>", "<i>")]).render("<name>", "<b>")
    assert shown == (
        '<select name="&lt;name&gt;"><option value="&lt;b&gt;" selected>&lt;i&gt;</option></select>'
    )


# -- conditions and domains --------------------------------------------------------------------

CHEMISTRY_ONLY = [
    {"field": "department", "value": "Chemical Engineering"},
    {"field": "programme", "value": "UG"},
]


def get_validation_errors(field: forms.Field, typed: str) -> list[str]:
    with pytest.raises(forms.ValidationError) as refused:
        field.clean(typed)
    return refused.value.messages


@pytest.mark.parametrize(
    ("stored", "expected"),
    [
        ([], ""),
        (CHEMISTRY_ONLY, "department = Chemical Engineering and programme = UG"),
        ([{"field": "roll_number", "value": "7"}], "roll_number = 7"),
        ([{"field": "department", "value": "Food and Beverage"}], "department = Food and Beverage"),
    ],
)
def test_conditions_are_shown_as_they_are_typed(
    stored: list[dict[str, str]], expected: str
) -> None:
    field = ConditionsField()
    assert field.prepare_value(stored) == expected
    assert field.clean(expected) == stored


@pytest.mark.parametrize(
    ("stored", "expected"),
    [([], ""), (["uni.edu"], "uni.edu"), (["uni.edu", "cs.uni.edu"], "uni.edu, cs.uni.edu")],
)
def test_domains_are_shown_as_they_are_typed(stored: list[str], expected: str) -> None:
    field = DomainsField()
    assert field.prepare_value(stored) == expected
    assert field.clean(expected) == stored


@pytest.mark.parametrize("field", [ConditionsField(), DomainsField()])
def test_refused_input_is_shown_unchanged(field: forms.Field) -> None:
    assert field.prepare_value("shoe size = 42") == "shoe size = 42"
    assert field.prepare_value(None) is None


@pytest.mark.parametrize(
    ("field", "stored", "typed", "changed"),
    [
        (ConditionsField(), CHEMISTRY_ONLY, "Dept. = Chemical  Engineering; course = UG", False),
        (ConditionsField(), CHEMISTRY_ONLY, "department = Chemical Engineering", True),
        (ConditionsField(), CHEMISTRY_ONLY, "", True),
        (ConditionsField(), CHEMISTRY_ONLY, "shoe size = 42", True),
        (ConditionsField(), None, "", False),
        (ConditionsField(), [], None, False),
        (ConditionsField(), [], "course = UG", True),
        (DomainsField(), ["uni.edu"], "@UNI.edu", False),
        (DomainsField(), ["uni.edu"], "uni.edu; uni.edu", False),
        (DomainsField(), ["uni.edu"], "uni.edu, cs.uni.edu", True),
        (DomainsField(), ["uni.edu"], "uni", True),
        (DomainsField(), None, "  ", False),
    ],
)
def test_field_counts_as_changed_only_if_its_meaning_changes(
    field: forms.Field, stored: Any, typed: str | None, *, changed: bool
) -> None:
    assert field.has_changed(stored, typed) is changed


def test_invalid_input_is_explained() -> None:
    assert get_validation_errors(ConditionsField(), "shoe size = 42") == [
        "“shoe size = 42” is not a condition. Write a condition like department = "
        "Chemical Engineering, using any of these columns: roll number, name, email "
        "address, department, programme, year."
    ]
    assert get_validation_errors(DomainsField(), "uni.edu, uni") == [
        "“uni” is not a domain. Enter the part after the @, like uni.edu."
    ]


def test_form_can_override_field_labels() -> None:
    field = DomainsField(label="Ends", help_text="Like this.")
    assert (field.label, field.help_text, field.required) == ("Ends", "Like this.", False)
    assert str(ConditionsField().label) == "Conditions"
    assert "for example: uni.edu, cs.uni.edu" in str(DomainsField().help_text)


# -- times and zones ---------------------------------------------------------------------------


class MomentForm(forms.Form):
    title = forms.CharField()
    starts = forms.SplitDateTimeField(label="Starts", widget=forms.SplitDateTimeWidget())


def test_date_and_time_inputs_get_separate_labels() -> None:
    form = MomentForm()
    label_date_and_time(form)
    shown = str(form["starts"])
    assert 'name="starts_0" aria-label="Starts: date"' in shown
    assert 'name="starts_1" aria-label="Starts: time"' in shown
    assert "aria-label" not in str(form["title"])


def test_zone_choices_start_with_the_site_zone() -> None:
    first, *others = list_zone_choices()
    assert first == ("", "same as the site (UTC)")
    names = [key for key, _text in others]
    assert names == sorted(names)
    assert {"Asia/Kolkata", "Europe/Berlin"} <= set(names)
    assert all(key == text for key, text in others)


@pytest.mark.parametrize(("typed", "zone"), [("", ""), ("Asia/Kolkata", "Asia/Kolkata")])
def test_unknown_zone_is_refused(typed: str, zone: str) -> None:
    assert ZoneField().clean(typed) == zone
    with pytest.raises(forms.ValidationError):
        ZoneField().clean("Asia/Nowhere")
