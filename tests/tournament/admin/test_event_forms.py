"""The first round's settings: a rule that makes sense, and stays once players went through."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournament.admin.test_events import change, form_of
from tests.tournament.helpers import first_stage, organized, qualified
from tournament.models import Event, User

pytestmark = pytest.mark.django_db

SENSELESS = [
    ("number", "0", "0 is no number of players: write a whole number from 1."),
    ("top_k", "0", "0 is no number of players: write a whole number from 1."),
    ("share", "0", "A share lies between 0 and 1"),
    ("share", "150", "A share lies between 0 and 1"),
]


@pytest.fixture
def organizer() -> User:
    organizer = organized(0)[1]
    organizer.is_superuser = True
    organizer.save()
    return organizer


def rule(event: Event) -> tuple[str, int]:
    stage = first_stage(event)
    return stage.qualify_rule, stage.qualify_value


def first_fields(**fields: Any) -> dict[str, Any]:
    return {f"stages-0-{name}": value for name, value in fields.items()}


@pytest.mark.parametrize(("kind", "value", "sentence"), SENSELESS)
def test_settings_keep_a_rule_that_makes_sense(
    client: Client, kind: str, value: str, sentence: str
) -> None:
    event, _ = organized(0)
    response = change(event, client, **first_fields(qualify_rule=kind, qualify_value=value))
    (form,) = response.context["inline_admin_formsets"][0].formset.initial_forms
    (error,) = form.errors["qualify_value"]
    assert error.startswith(sentence)
    assert rule(event) == ("thresholds", 8)


def test_by_turnout_the_number_does_not_matter(client: Client) -> None:
    event, _ = organized(0)
    change(event, client, **first_fields(qualify_value="0"))
    assert rule(event) == ("thresholds", 0)


def test_the_rule_of_a_closed_round_cannot_be_changed(client: Client) -> None:
    event, organizer = organized(8)
    qualified(event, organizer, 4)
    address = reverse("admin:tournament_event_change", args=[event.pk])
    assert "Players have gone through by it" in client.get(address).content.decode()
    data = form_of(client, address) | first_fields(
        qualify_rule="share", qualify_value="50", min_matches="2", title="Morning"
    )
    assert client.post(address, data).status_code == 302
    stage = first_stage(event)
    assert (rule(event), stage.min_matches, stage.title) == (("number", 4), 1, "Morning")
