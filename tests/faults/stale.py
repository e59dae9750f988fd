"""Organizers' open forms, which are stale once another organizer saves a change."""

from typing import Any

from django.test import Client
from django.urls import reverse

from tests.factories import make_organizer
from tests.tournament.web.admin.events.test_events import (
    read_form,
    read_form_fields,
    read_option_fields,
)
from tests.typed import Response
from tournament.models import Event

SAVE_AGAIN = "Save again to replace it with yours."


def format_conflict_notice(value: str) -> str:
    return f"Someone else has changed this to “{value}” in the meantime. {SAVE_AGAIN}"


class SettingsPage:
    """The settings form of an event, open in an organizer's browser."""

    def __init__(self, event: Event) -> None:
        self.event = event
        self.client = Client()
        self.client.force_login(make_organizer(event))
        self.address = reverse("admin:tournament_event_change", args=[event.pk])
        self.fields = read_form(self.client, self.address)

    def save(self, **fields: Any) -> Response:
        """Change these fields, post the form and return the response.

        If the form is returned with errors, `fields` takes its values from the response.
        """
        self.fields |= fields
        response = self.client.post(self.address, self.fields)
        if response.status_code == 200:
            self.fields = get_refilled_fields(response)
        return response


def get_refilled_fields(response: Response) -> dict[str, Any]:
    """Return the fields of a form that was returned with errors."""
    data = read_form_fields(response.context["adminform"].form)
    for each in response.context["inline_admin_formsets"]:
        data |= read_form_fields(each.formset.management_form)
        for form in each.formset.initial_forms:
            data |= read_form_fields(form)
    return data


def map_errors(response: Response) -> dict[str, list[str]]:
    """Return the errors of the settings form and its stages by field, or {} if it was saved."""
    if response.status_code == 302:
        return {}
    found = dict(response.context["adminform"].form.errors)
    for each in response.context["inline_admin_formsets"]:
        for form in each.formset.forms:
            found |= form.errors
    return {name: [str(error) for error in errors] for name, errors in found.items()}


class RulesPage:
    """The rules form of an event, open in an organizer's browser."""

    def __init__(self, event: Event, choose: str = "") -> None:
        self.client = Client()
        self.client.force_login(make_organizer(event))
        self.address = reverse("admin:event-rules", args=[event.pk])
        self.fields = read_option_fields(self.client, f"{self.address}?ruleset={choose}")
        self.fields |= {"action": "save", "ruleset": choose or event.ruleset}

    def save(self, **fields: Any) -> dict[str, list[str]]:
        """Change these fields, post the form, and return its errors by field, if any."""
        self.fields |= fields
        response = self.client.post(self.address, self.fields)
        if response.status_code == 302:
            return {}
        form = response.context["form"]
        self.fields |= {field.name: field.value() for field in form}
        return {name: [str(e) for e in errors] for name, errors in form.errors.items()}
