"""Tests of forms that merge the changes of several organizers."""

from typing import Any

import pytest
from django import forms
from django.http import QueryDict

from tournament.web.admin.base.stale_forms import MergingForm, describe_value

COLOURS = [("r", "Red"), ("g", "Green"), ("b", "Blue")]
CHANGED_MEANWHILE = (
    "Someone else has changed this to “{}” in the meantime. Save again to replace it with yours."
)
LOST_DATA = (
    "Some of this form’s data has been lost. Open the page again and make your change there."
)


class SampleForm(MergingForm):
    """Form with a field of each kind, and with `basis_text` as its basis."""

    title = forms.CharField(required=False, widget=forms.Textarea)
    on = forms.BooleanField(required=False)
    colour = forms.ChoiceField(required=False, choices=[("", "None"), *COLOURS])
    several = forms.MultipleChoiceField(required=False, choices=COLOURS)
    when = forms.SplitDateTimeField(required=False)

    def __init__(self, *args: Any, basis_text: str = "", **kwargs: Any) -> None:
        self.basis_text = basis_text
        super().__init__(*args, **kwargs)

    def basis(self) -> str:
        return self.basis_text

    def describe_basis(self) -> str:
        return "The rules have changed meanwhile."


STORED_VALUES: dict[str, Any] = {"title": "Cup", "on": True, "colour": "r", "several": ["r", "g"]}


def make_form_data(**more: Any) -> dict[str, Any]:
    """Return the data that a browser submits for a form with the stored values."""
    form = SampleForm(initial=dict(STORED_VALUES), **more)
    sent = {"title": "Cup", "on": "on", "colour": "r", "several": ["r", "g"]}
    return sent | {"when_0": "", "when_1": "", "shown": form.initial["shown"]}


def submit_settings(sent: dict[str, Any], stored: dict[str, Any], **more: Any) -> SampleForm:
    data = QueryDict(mutable=True)
    for name, value in sent.items():
        data.setlist(name, value if isinstance(value, list) else [value])
    form = SampleForm(data, initial=dict(stored), **more)
    form.is_valid()
    return form


# Field, value shown in the form, value saved by the other organizer, my value.
FIELDS: list[tuple[str, Any, Any, Any]] = [
    ("title", "Cup", "Theirs", "Mine"),
    ("colour", "r", "g", "b"),
    ("several", ["r", "g"], ["b"], ["g"]),
]


@pytest.mark.parametrize(("name", "before", "theirs", "mine"), FIELDS)
def test_field_changed_only_by_me_keeps_my_value(
    name: str, before: Any, theirs: Any, mine: Any
) -> None:
    form = submit_settings(make_form_data() | {name: mine}, STORED_VALUES)
    assert form.errors == {}
    assert form.cleaned_data[name] == mine


@pytest.mark.parametrize(("name", "before", "theirs", "mine"), FIELDS)
def test_field_changed_only_by_someone_else_keeps_their_value(
    name: str, before: Any, theirs: Any, mine: Any
) -> None:
    form = submit_settings(make_form_data(), STORED_VALUES | {name: theirs})
    assert form.errors == {}
    assert form.cleaned_data[name] == theirs


@pytest.mark.parametrize(("name", "before", "theirs", "mine"), FIELDS)
def test_identical_changes_do_not_conflict(name: str, before: Any, theirs: Any, mine: Any) -> None:
    form = submit_settings(make_form_data() | {name: theirs}, STORED_VALUES | {name: theirs})
    assert form.errors == {}
    assert form.cleaned_data[name] == theirs


@pytest.mark.parametrize(
    ("name", "theirs", "mine", "expected"),
    [
        ("title", "Theirs", "Mine", "Theirs"),
        ("title", "", "Mine", "nothing"),
        ("colour", "g", "b", "Green"),
        ("colour", "", "b", "nothing"),  # the empty choice is described as “nothing”
        ("several", ["b", "g"], ["g"], "Blue, Green"),
        ("several", [], ["g"], "nothing"),
    ],
)
def test_conflicting_change_is_reported_and_saved_if_submitted_again(
    name: str, theirs: Any, mine: Any, expected: str
) -> None:
    stored = STORED_VALUES | {name: theirs}
    form = submit_settings(make_form_data() | {name: mine}, stored)
    assert form.errors == {name: [CHANGED_MEANWHILE.format(expected)]}
    again = make_form_data() | {name: mine, "shown": form["shown"].value()}
    assert submit_settings(again, stored).errors == {}
    assert submit_settings(again, stored).cleaned_data[name] == mine


@pytest.mark.parametrize(("mine", "expected"), [("on", False), (None, False)])
def test_checkbox_edits_never_conflict(mine: str | None, *, expected: bool) -> None:
    """Check that a checkbox never causes a conflict if someone else has unticked it.

    The checkbox is ticked in one submitted form and unticked in the other.
    """
    sent = make_form_data()
    if mine is None:
        del sent["on"]
    form = submit_settings(sent, STORED_VALUES | {"on": False})
    assert form.errors == {}
    assert form.cleaned_data["on"] is expected


def test_edits_to_different_fields_are_both_kept() -> None:
    form = submit_settings(make_form_data() | {"colour": "b"}, STORED_VALUES | {"title": "Theirs"})
    assert form.errors == {}
    assert (form.cleaned_data["title"], form.cleaned_data["colour"]) == ("Theirs", "b")


@pytest.mark.parametrize("text", ["Cup\r\nagain", "Cup\nagain"])
def test_line_endings_from_browsers_do_not_count_as_a_change(text: str) -> None:
    stored = STORED_VALUES | {"title": "Cup\nagain"}
    token = SampleForm(initial=stored).initial["shown"]
    form = submit_settings(
        make_form_data() | {"title": text, "shown": token}, stored | {"title": "Theirs"}
    )
    assert form.errors == {}
    assert form.cleaned_data["title"] == "Theirs"


def test_order_of_submitted_choices_does_not_matter() -> None:
    form = submit_settings(
        make_form_data() | {"several": ["g", "r"]}, STORED_VALUES | {"several": ["b"]}
    )
    assert form.errors == {}
    assert form.cleaned_data["several"] == ["b"]


def test_date_and_time_are_compared_together() -> None:
    theirs = forms.SplitDateTimeField().clean(["2026-11-28", "12:00"])
    stored = STORED_VALUES | {"when": theirs}
    untouched = submit_settings(make_form_data(), stored)
    assert (untouched.errors, untouched.cleaned_data["when"]) == ({}, theirs)
    mine = submit_settings(make_form_data() | {"when_0": "2026-11-28", "when_1": "15:00"}, stored)
    assert mine.errors == {"when": [CHANGED_MEANWHILE.format("2026-11-28, 12:00:00")]}


# -- values shown in the form ------------------------------------------------------------------


@pytest.mark.parametrize("token", ["", "forged", "x:y"])
def test_form_without_its_initial_values_saves_nothing(token: str) -> None:
    form = submit_settings(make_form_data() | {"shown": token}, STORED_VALUES)
    assert form.errors == {"__all__": [LOST_DATA]}


def test_initial_values_of_a_form_are_signed() -> None:
    sent = make_form_data()
    sent["shown"] = sent["shown"][:-1] + ("A" if sent["shown"][-1] != "A" else "B")
    assert submit_settings(sent, STORED_VALUES).errors == {"__all__": [LOST_DATA]}


def test_form_is_refused_if_its_basis_has_changed() -> None:
    form = submit_settings(
        make_form_data(basis_text="uno") | {"title": "Mine"}, STORED_VALUES, basis_text="ocho"
    )
    assert form.errors == {"__all__": ["The rules have changed meanwhile."]}
    assert (
        submit_settings(
            make_form_data(basis_text="uno") | {"title": "Mine"}, STORED_VALUES, basis_text="uno"
        ).errors
        == {}
    )


def test_field_with_the_initial_values_never_counts_as_changed() -> None:
    form = submit_settings(make_form_data(), STORED_VALUES)
    assert form.changed_data == []
    assert submit_settings(make_form_data() | {"title": "Mine"}, STORED_VALUES).changed_data == [
        "title"
    ]


def test_two_forms_on_a_page_are_kept_separate() -> None:
    one, other = (
        SampleForm(initial=dict(STORED_VALUES), prefix=prefix) for prefix in ("one", "other")
    )
    sent = {"title": "Cup", "on": "on", "colour": "r", "several": ["r", "g"]}
    data = QueryDict(mutable=True)
    for form, title in ((one, "Mine"), (other, "Cup")):
        for name, value in (sent | {"title": title, "shown": form.initial["shown"]}).items():
            data.setlist(f"{form.prefix}-{name}", value if isinstance(value, list) else [value])
    found = [
        SampleForm(data, initial=dict(STORED_VALUES), prefix=form.prefix) for form in (one, other)
    ]
    assert [form.errors for form in found] == [{}, {}]
    assert [form.cleaned_data["title"] for form in found] == ["Mine", "Cup"]


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("title", "Cup", "Cup"),
        ("title", None, ""),
        ("colour", "g", "Green"),
        ("colour", "x", "x"),  # no longer a choice
        ("several", ["r", "b"], "Red, Blue"),
        ("several", [], ""),
    ],
)
def test_conflicting_value_is_described_in_the_words_of_the_form(
    name: str, value: Any, expected: str
) -> None:
    assert describe_value(SampleForm().fields[name].widget, value) == expected
