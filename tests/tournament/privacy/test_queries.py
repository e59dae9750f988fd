"""Tests that every column with personal data is declared, with its purpose and its deletion."""

import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from django.apps import apps
from django.conf import settings
from django.db import models
from django.db.models import Field, ForeignKey, Model
from django.test import Client
from django.urls import reverse

from games.models import Seat
from games.models.personal import Personal
from tests.tournament.helpers import make_organized_event
from tests.tournament.organizing import page
from tournament.exports.queries import EXPORTS
from tournament.exports.transfer.contents import write_event
from tournament.models import EligibleStudent, Event, Registration, User
from tournament.planning.rehearsal import create_rehearsal
from tournament.privacy.others import OTHERS
from tournament.privacy.own_data import collect_own_data, exported_columns
from tournament.privacy.queries import (
    get_column,
    make_anonymous_values,
    personal_columns,
    rows_due_for_deletion,
)
from tournament.privacy.scrubbing import iterate_rows_with_names, list_naming_columns
from tournament.privacy.services import anonymize_person

TEXT_FIELDS = (
    models.CharField,
    models.TextField,
    models.JSONField,
    models.BinaryField,
    models.FileField,
    models.GenericIPAddressField,
)
MODELS = [model for model in apps.get_models(include_auto_created=True) if model._meta.managed]


def list_text_columns(model: type[Model]) -> list[Field[object, object]]:
    """Return the columns of the model that could contain people's names.

    Columns with choices are left out, since they only contain a few of the project's own words.
    """
    columns = [each for each in model._meta.concrete_fields if isinstance(each, TEXT_FIELDS)]
    return [each for each in columns if not each.choices]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.label_lower)
def test_every_text_column_is_declared_once(model: type[Model]) -> None:
    named = personal_columns(model).declared
    missing = [each.name for each in list_text_columns(model) if each.name not in named]
    assert missing == [], f"{model.__name__}.personal does not say what becomes of them"
    known = {each.name for each in model._meta.concrete_fields}
    assert [name for name, count in Counter(named).items() if count > 1 or name not in known] == []


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.label_lower)
def test_personal_data_declares_purpose_readers_and_retention(model: type[Model]) -> None:
    """Check that purpose, readers and retention are declared once for each column."""
    said = personal_columns(model)
    result = [name for each in said.purposes for name in each.columns.split()]
    known = {each.name for each in model._meta.concrete_fields}
    assert [name for name, count in Counter(result).items() if count > 1 or name not in known] == []
    must = {*said.declared} - {*said.impersonal} | {*_list_file_columns(model)}
    assert sorted(must - {*result}) == [], f"{model.__name__}.personal has no purpose for them"
    assert all(str(each.what) and str(each.why) for each in said.purposes)


def _list_file_columns(model: type[Model]) -> list[str]:
    """Return the model's columns in a person's own export, without references to other rows."""
    names = exported_columns(model) if personal_columns(model).whose else []
    return [name for name in names if not isinstance(get_column(model, name), ForeignKey)]


def test_column_without_a_purpose_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    bare = replace(Registration.personal, purposes=Registration.personal.purposes[1:])
    monkeypatch.setattr(Registration, "personal", bare)
    with pytest.raises(AssertionError, match=r"Registration\.personal has no purpose"):
        test_personal_data_declares_purpose_readers_and_retention(Registration)


MODELS_OF_PEOPLE = (User, Registration, EligibleStudent, Seat)
# Columns that name the organizer who acted. A person's export has only data about that person.
ACTION_MODELS = {
    "admin.logentry": "user",
    "tournament.auditentry": "actor",
    "tournament.eligibilityimport": "uploaded_by",
    "tournament.result": "entered_by confirmed_by",
    "tournament.refereecall": "taken_by",
    "tournament.deskmessage": "sent_by",
    "tournament.interruption": "began_by",
    "tournament.proposal": "asked_by decided_by",
    # These rows are about two people, so neither person gets them.
    "tournament.registration_apart_from": "from_registration to_registration",
    # The site uses no groups and no individual Django permissions.
    "tournament.user_groups": "user",
    "tournament.user_user_permissions": "user",
}


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.label_lower)
def test_every_row_linked_to_a_person_is_exported_or_recorded_as_their_action(
    model: type[Model],
) -> None:
    leads = [f.name for f in model._meta.concrete_fields if f.related_model in MODELS_OF_PEOPLE]
    actions = ACTION_MODELS.get(model._meta.label_lower, "").split()
    assert personal_columns(model).whose or leads == actions


def test_declarations_for_third_party_models_name_existing_models() -> None:
    assert OTHERS.keys() <= {model._meta.label_lower for model in MODELS}


@pytest.mark.django_db
def test_every_row_that_may_contain_names_is_searched() -> None:
    event, _organizer = make_organized_event(0)
    reached = {rows.model for rows in iterate_rows_with_names(event)}
    named = {model for model in MODELS if list_naming_columns(model)}
    left = {model for model in named - reached if not personal_columns(model).goes}
    assert left == set()
    assert not any(personal_columns(model).scrubbed for model in named - reached)


def test_identifying_data_is_searched_for_and_removed() -> None:
    row = Registration(name="Asha", roll_number="CH-7", roll_key="ch7", reason="Asha is late.")
    assert Registration.personal.words(row) == ["Asha", "CH-7", "ch7"]
    assert make_anonymous_values(Registration, "Player 3") == {
        "name": "Player 3",
        "roll_number": "",
        "roll_key": "",
        "fixed_table": None,
        "extra_seconds": 0,
        "look": "",
    }
    assert User.personal.identifying == ["display_name", "email"]
    assert EligibleStudent.personal.identifying == ["roll_number", "name", "email", "roll_key"]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.label_lower)
def test_rows_about_a_person_are_found_for_their_export(model: type[Model]) -> None:
    """Check that all rows about a person are found for the person's export.

    Exceptions are lists of many people, and data that no one may read.
    """
    said, apart = personal_columns(model), {"eligibilityimport", "session", "authenticator"}
    if said.alias or said.who or (said.about and model._meta.model_name not in apart):
        assert said.whose


@pytest.fixture
def registration_with_extra_column(monkeypatch: pytest.MonkeyPatch) -> Registration:
    """Provide a registration whose model has an additional personal column."""
    event, _organizer = make_organized_event(1)
    declared = replace(Registration.personal, who="roll_number consent_digest", free={})
    monkeypatch.setattr(Registration, "personal", declared)
    event.registrations.update(consent_digest="+91 98765 43210")
    return event.registrations.get()


@pytest.mark.django_db
def test_declared_column_is_counted_on_the_page(
    registration_with_extra_column: Registration, client: Client
) -> None:
    [found] = [
        each
        for each in rows_due_for_deletion(registration_with_extra_column.event)
        if each.model is Registration
    ]
    assert (found.count, dict(found.filled_columns)) == (
        1, {"name": 1, "roll number": 1, "consent digest": 1}
    )  # fmt: skip
    client.force_login(registration_with_extra_column.event.organizers.get())
    assert (
        "consent digest" in client.get(page("privacy", registration_with_extra_column.event)).text
    )


@pytest.mark.django_db
def test_declared_column_is_cleared_and_searched_for_in_written_text(
    registration_with_extra_column: Registration,
) -> None:
    event, organizer = (
        registration_with_extra_column.event,
        registration_with_extra_column.event.organizers.get(),
    )
    Event.objects.filter(pk=event.pk).update(description="Call +91 98765 43210.")
    anonymize_person(registration_with_extra_column, organizer, "Wishes it.")
    event.refresh_from_db()
    registration_with_extra_column.refresh_from_db()
    assert (registration_with_extra_column.consent_digest, event.description) == (
        "",
        "Call Player 1.",
    )


@pytest.mark.django_db
def test_declared_column_is_in_every_export(
    registration_with_extra_column: Registration, client: Client
) -> None:
    event, phone = (
        registration_with_extra_column.event,
        registration_with_extra_column.consent_digest,
    )
    [row] = EXPORTS["registrations"].make(event, True).rows
    assert phone in row
    write_event(event, whole := BytesIO(), moved=False)
    assert phone in zipfile.ZipFile(whole).read("tournament.registration.jsonl").decode()
    client.force_login(registration_with_extra_column.user)
    message = client.get(reverse("my-data")).json()["tournament.registration"]
    assert [(each["event"], each["consent_digest"]) for each in message] == [(event.title, phone)]


@pytest.mark.django_db
def test_declared_column_is_left_out_of_a_rehearsal(
    registration_with_extra_column: Registration, monkeypatch: pytest.MonkeyPatch
) -> None:
    Event.objects.filter(pk=registration_with_extra_column.event_id).update(place="With Asha Sen")
    monkeypatch.setattr(Event, "personal", replace(Event.personal, who="place", scrubbed=""))
    made = create_rehearsal(
        registration_with_extra_column.event, registration_with_extra_column.event.organizers.get()
    )
    assert made.place == ""
    assert {*made.registrations.values_list("consent_digest", "roll_number")} == {("", "")}


@pytest.mark.django_db
def test_personal_export_contains_only_rows_of_that_user_and_no_keys() -> None:
    event, _organizer = make_organized_event(2)
    one, _other = event.registrations.all()
    result = collect_own_data(one.user)
    assert {*result} == {"tournament.user", "tournament.registration", "account.emailaddress"}
    [mine] = result["tournament.registration"]
    assert (mine["name"], mine["roll_number"]) == (one.name, one.roll_number)
    assert not {"id", "roll_key", "consent_digest", "decided_by"} & mine.keys()
    assert not {"id", "password"} & result["tournament.user"][0].keys()


def describe_model(model: type[Model], personal: Personal) -> str:
    parts = {
        "the name": personal.alias,
        "who it is": f"{personal.who} {personal.keys}".strip(),
        "details": personal.about,
        "names in it": personal.scrubbed,
        "whole": personal.redacted,
    }
    result = [
        f"{', '.join(f'`{name}`' for name in names.split())}: {what}"
        for what, names in parts.items()
        if names
    ]
    return f"| {model.__name__} | {'; '.join(result)} | {personal.goes} |"


def iter_model_rows() -> Iterator[str]:
    for model in sorted(MODELS, key=lambda model: model.__name__):
        said = personal_columns(model)
        if said.columns_with_names or said.redacted or said.goes:
            yield describe_model(model, said)


def test_personal_data_page_lists_every_declaration() -> None:
    page = Path(settings.BASE_DIR, "docs", "security.md").read_text(encoding="utf-8")
    section = page.partition("### Personal data, column by column")[2].partition("\n## ")[0]
    table = [line for line in section.splitlines() if line.startswith("| ")][1:]
    assert table == [*iter_model_rows()], "the rows are:\n" + "\n".join(iter_model_rows())
