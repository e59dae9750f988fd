"""Tests of the settings for advancing and for eligibility."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import make_student, make_user
from tests.tournament.helpers import first_stage, make_organized_event, make_second_stage
from tests.tournament.web.admin.events.test_events import change_event, read_form
from tournament.models import Event, User
from tournament.registration.services import register

pytestmark = pytest.mark.django_db

INVALID_RULES = [
    ("number", "0", "0 is not a valid number of players. Enter a whole number of at least 1."),
    ("top_k", "0", "0 is not a valid number of players. Enter a whole number of at least 1."),
    ("share", "0", "A share must be between 0 and 1"),
    ("share", "150", "A share must be between 0 and 1"),
]


@pytest.fixture
def organizer() -> User:
    organizer = make_organized_event(0)[1]
    organizer.is_superuser = True
    organizer.save()
    return organizer


def get_rule(event: Event) -> tuple[str, int]:
    stage = first_stage(event)
    return stage.qualify_rule, stage.qualify_value


def make_first_stage_fields(**fields: Any) -> dict[str, Any]:
    return {f"stages-0-{name}": value for name, value in fields.items()}


def test_date_and_time_inputs_have_their_own_labels(client: Client, organizer: User) -> None:
    client.force_login(organizer)
    address = reverse("admin:tournament_event_change", args=[Event.objects.get().pk])
    page = client.get(address).content.decode()
    for name in ("First round starts: date", "First round starts: time"):
        assert f'aria-label="{name}"' in page


@pytest.mark.parametrize(("kind", "value", "sentence"), INVALID_RULES)
def test_settings_accept_only_a_valid_rule(
    client: Client, kind: str, value: str, sentence: str
) -> None:
    event, _ = make_organized_event(0)
    response = change_event(
        event, client, **make_first_stage_fields(qualify_rule=kind, qualify_value=value)
    )
    (form,) = response.context["inline_admin_formsets"][0].formset.initial_forms
    (error,) = form.errors["qualify_value"]
    assert error.startswith(sentence)
    assert get_rule(event) == ("thresholds", 8)


def test_turnout_rule_ignores_the_number(client: Client) -> None:
    event, _ = make_organized_event(0)
    change_event(event, client, **make_first_stage_fields(qualify_value="0"))
    assert get_rule(event) == ("thresholds", 0)


def test_rule_of_a_closed_stage_cannot_be_changed(client: Client) -> None:
    event, organizer = make_organized_event(8)
    make_second_stage(event, organizer, 4)
    address = reverse("admin:tournament_event_change", args=[event.pk])
    assert "Players have already advanced by this rule" in client.get(address).content.decode()
    data = read_form(client, address) | make_first_stage_fields(
        qualify_rule="share", qualify_value="50", min_matches="2", title="Morning"
    )
    assert client.post(address, data).status_code == 302
    stage = first_stage(event)
    assert (get_rule(event), stage.min_matches, stage.title) == (("number", 4), 1, "Morning")


# -- eligibility -------------------------------------------------------------------------------


@pytest.fixture
def event_with_students() -> Event:
    """Create an event with Asha of uni.edu and Ben of mail.uni.edu, both undergraduates."""
    event, _ = make_organized_event(0, eligibility_required=True)
    for roll, name, email in (
        ("CHE-1", "Asha Sen", "asha@uni.edu"),
        ("CHE-2", "Ben Roy", "ben@mail.uni.edu"),
    ):
        make_student(event, roll, name=name, email=email, programme="UG")
        register(event, make_user(email=email), roll_number=roll)
    return event


def test_domains_are_entered_as_text(client: Client, event_with_students: Event) -> None:
    change_event(event_with_students, client, email_domains="@Uni.edu, mail.uni.edu")
    event_with_students.refresh_from_db()
    assert event_with_students.email_domains == ["uni.edu", "mail.uni.edu"]
    form = client.get(reverse("admin:tournament_event_change", args=[event_with_students.pk]))
    assert 'value="uni.edu, mail.uni.edu"' in form.content.decode()


def test_invalid_domain_is_explained(client: Client, event_with_students: Event) -> None:
    answer = change_event(event_with_students, client, email_domains="*.edu")
    [error] = answer.context["adminform"].form.errors["email_domains"]
    assert error.startswith("“*.edu” is not a domain")


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (
            {"email_domains": "uni.edu"},
            "Already taking part, but no longer eligible: Ben Roy. Tick the box below to "
            "let this player keep their spot. To remove the player, use “Registrations”.",
        ),
        (
            {"conditions": "programme = PG"},
            "2 players are already taking part, but no longer eligible: Asha Sen, Ben Roy. "
            "Tick the box below to let them keep their spots. To remove a player, use "
            "“Registrations”.",
        ),
    ],
)
def test_players_who_would_lose_their_spot_are_listed_before_saving(
    client: Client, event_with_students: Event, fields: dict[str, str], expected: str
) -> None:
    before = (event_with_students.email_domains, event_with_students.conditions)
    answer = change_event(event_with_students, client, **fields)
    assert answer.context["adminform"].form.errors["unfit_stay"] == [expected]
    assert '<input type="checkbox" name="unfit_stay"' in answer.content.decode()
    event_with_students.refresh_from_db()
    assert (event_with_students.email_domains, event_with_students.conditions) == before
    change_event(event_with_students, client, unfit_stay="on", **fields)
    event_with_students.refresh_from_db()
    assert (event_with_students.email_domains, event_with_students.conditions) != before
    assert set(event_with_students.registrations.values_list("state", flat=True)) == {"approved"}


def test_no_confirmation_is_needed_if_all_players_stay_eligible(
    client: Client, event_with_students: Event
) -> None:
    page = client.get(reverse("admin:tournament_event_change", args=[event_with_students.pk]))
    assert '<input type="hidden" name="unfit_stay"' in page.content.decode()
    change_event(event_with_students, client, conditions="programme = UG")
    event_with_students.refresh_from_db()
    assert event_with_students.conditions == [{"field": "programme", "value": "UG"}]
