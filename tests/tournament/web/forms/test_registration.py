"""Tests of the forms of the public pages, without a database."""

from typing import Any

import pytest
from django.utils import translation

from tournament.common.refusals import RefusedError
from tournament.models import Event, User
from tournament.people.consent import compute_consent_digest
from tournament.web.forms.registration import (
    NAME_LENGTH,
    DeskCodeForm,
    ProfileForm,
    RegistrationForm,
)

CONSENT_TEXT = "Pictures are taken.\n<b>Everybody</b> may see them."


def make_form(*, listed: bool = False, consent: str = "", **typed: str) -> RegistrationForm:
    event = Event(eligibility_required=listed, consent=consent)
    return RegistrationForm(event, User(display_name="Asha"), typed or None)


def map_errors(form: Any) -> dict[str, list[str]]:
    assert not form.is_valid()
    return {name: list(said) for name, said in form.errors.items()}


# -- names -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("Asha", "Asha"),
        ("  Asha \t Sen\n", "Asha Sen"),
        ("A\u200bs\u202eha", "Asha"),
        ("7", "7"),
        ("কাজল", "কাজল"),
        ("e" + "\u0335" * 30, "e" + "\u0335" * 4),
        ("x" * NAME_LENGTH, "x" * NAME_LENGTH),
        (" " * 90 + "x", "x"),  # only the cleaned name counts
    ],
)
def test_name_is_normalized_to_readable_form(typed: str, name: str) -> None:
    found = ProfileForm({"display_name": typed})
    assert found.is_valid()
    assert found.cleaned_data == {"display_name": name}


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("", "Enter the name that the others at the table will see."),
        (" \u200b\u202e ", "Enter the name that the others at the table will see."),
        ("…!", "Use letters and numbers that others can read."),
        ("🂡🂡", "Use letters and numbers that others can read."),
        ("x" * (NAME_LENGTH + 1), "Use at most 40 characters."),
    ],
)
def test_invalid_name_is_reported_at_its_field(typed: str, expected: str) -> None:
    assert map_errors(ProfileForm({"display_name": typed})) == {"display_name": [expected]}


def test_errors_are_shown_in_the_language_of_the_reader() -> None:
    with translation.override("hi"):
        [said] = map_errors(ProfileForm({"display_name": "x" * 41}))["display_name"]
    assert "40" in said
    assert said != "Use at most 40 characters."


# -- registering -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("listed", "consent", "fields"),
    [
        (False, "", ["name"]),
        (True, "", ["roll_number"]),
        (False, CONSENT_TEXT, ["name", "consent"]),
        (True, CONSENT_TEXT, ["roll_number", "consent"]),
    ],
)
def test_form_has_only_the_fields_that_the_event_needs(
    *, listed: bool, consent: str, fields: list[str]
) -> None:
    assert list(make_form(listed=listed, consent=consent).fields) == fields


def test_name_defaults_to_the_account_name() -> None:
    assert make_form()["name"].value() == "Asha"
    assert make_form(name="Ben")["name"].value() == "Ben"


@pytest.mark.parametrize(
    ("typed", "stored"), [("CH-001", "CH-001"), ("  ch-001 ", "ch-001"), ("x" * 40, "x" * 40)]
)
def test_roll_number_is_kept_as_typed(typed: str, stored: str) -> None:
    found = make_form(listed=True, roll_number=typed)
    assert found.is_valid()
    assert found.cleaned_data == {"roll_number": stored}


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        (" ", "Enter your roll number."),
        ("x" * 41, "Ensure this value has at most 40 characters (it has 41)."),
    ],
)
def test_invalid_roll_number_is_refused(typed: str, expected: str) -> None:
    assert map_errors(make_form(listed=True, roll_number=typed)) == {"roll_number": [expected]}


def test_consent_records_the_accepted_wording() -> None:
    event = Event(eligibility_required=False, consent=CONSENT_TEXT)
    found = RegistrationForm(
        event, User(), {"name": "Asha", "consent": compute_consent_digest(event)}
    )
    assert found.is_valid()
    assert found.cleaned_data == {"name": "Asha", "consent": compute_consent_digest(event)}


@pytest.mark.parametrize(
    "ticked", ["", "yes", compute_consent_digest(Event(consent="Another text."))]
)
def test_consent_to_another_or_no_wording_is_not_accepted(ticked: str) -> None:
    event = Event(eligibility_required=False, consent=CONSENT_TEXT)
    found = RegistrationForm(event, User(), {"name": "Asha", "consent": ticked})
    said = "Read what you’re agreeing to, then tick the box."
    assert map_errors(found) == {"consent": [said]}


def test_event_text_is_escaped_with_line_breaks() -> None:
    shown = str(make_form(consent=CONSENT_TEXT)["consent"])
    assert (
        "I agree to this:<br>Pictures are taken.<br>&lt;b&gt;Everybody&lt;/b&gt; may see them."
        in shown
    )


@pytest.mark.parametrize(
    ("code", "listed", "field"),
    [
        ("no-roll", True, "roll_number"),
        ("not-listed", True, "roll_number"),
        ("taken", True, "roll_number"),
        ("taken", False, "__all__"),  # the form has no such field
        ("no-name", False, "name"),
        ("name-taken", False, "name"),
        ("name-taken", True, "__all__"),
        ("closed", False, "__all__"),
        ("condition", True, "__all__"),
        ("consent", False, "__all__"),
    ],
)
def test_refusal_is_shown_next_to_its_field(code: str, *, listed: bool, field: str) -> None:
    found = make_form(listed=listed, name="Asha", roll_number="CH-001")
    assert found.is_valid()
    found.add_refusal(RefusedError(code, "Because."))
    assert {name: list(said) for name, said in found.errors.items()} == {field: ["Because."]}


def test_desk_form_without_a_code_says_what_to_enter() -> None:
    assert map_errors(DeskCodeForm({"code": " "})) == {
        "code": ["Enter the code shown at the desk."]
    }
    assert DeskCodeForm({"code": " ab-12 "}).is_valid()
