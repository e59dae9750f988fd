"""Tests of superusers who remove an organizer's access to the desk.

The event history records this, because the organizer could have confirmed requests.
"""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import make_organizer, make_user
from tests.tournament.second_factor import list_factors
from tests.typed import Response
from tournament.models import AuditEntry, Event, User
from tournament.oversight.history_texts import history

pytestmark = [pytest.mark.django_db, pytest.mark.event(title="Chem Fest")]

LOST_ACCESS = (
    "An organizer’s account lost its access to the desk and could no longer confirm anything."
)
REGAINED_ACCESS = "An organizer’s account was given access to the desk again."


@pytest.fixture
def other_organizer(event: Event) -> User:
    return make_organizer(event, name="Ben")


@pytest.fixture
def client() -> Client:
    client = Client()
    client.force_login(make_organizer(name="Root", is_superuser=True))
    return client


def save_account(client: Client, person: User, **boxes: bool) -> Response:
    """Submit the account's form after changing only these checkboxes."""
    person.refresh_from_db()
    now = {name: getattr(person, name) for name in ("is_active", "is_staff", "is_superuser")}
    data: dict[str, Any] = {name: "on" for name, on in (now | boxes).items() if on}
    names = ("display_name", "email", "username")
    data |= {name: getattr(person, name) for name in names}
    joined = person.date_joined
    data |= {"date_joined_0": joined.date(), "date_joined_1": joined.time()}
    return client.post(reverse("admin:tournament_user_change", args=[person.pk]), data)


def list_history_texts(event: Event) -> list[str]:
    return [row.text for row in history(event).rows]


@pytest.mark.parametrize("box", ["is_active", "is_staff"])
def test_staff_access_changes_are_in_the_public_history(
    client: Client, event: Event, other_organizer: User, box: str
) -> None:
    assert save_account(client, other_organizer, **{box: False}).status_code == 302
    assert list_history_texts(event) == [LOST_ACCESS]
    save_account(client, other_organizer, **{box: True})
    assert list_history_texts(event) == [REGAINED_ACCESS, LOST_ACCESS]
    assert {row.by for row in history(event).rows} == {"a site administrator"}
    assert "Ben" not in "".join(list_history_texts(event))


def test_activity_log_names_the_person(client: Client, event: Event, other_organizer: User) -> None:
    save_account(client, other_organizer, is_active=False)
    save_account(client, other_organizer, is_active=True)
    log = AuditEntry.objects.filter(event=event, action="organizer-account").order_by("pk")
    assert [entry.text for entry in log] == [
        "Ben can no longer enter the desk.",
        "Ben can enter the desk again.",
    ]


def test_other_account_changes_are_not_in_the_history(
    client: Client, event: Event, other_organizer: User
) -> None:
    save_account(client, other_organizer, is_superuser=True)
    other_organizer.refresh_from_db()
    assert (other_organizer.is_superuser, list_history_texts(event)) == (True, [])


def test_user_without_an_event_is_in_no_history(client: Client, event: Event) -> None:
    other = make_user("Cy", is_staff=True)
    save_account(client, other, is_staff=False)
    other.refresh_from_db()
    assert (other.is_staff, list_history_texts(event)) == (False, [])


def test_account_form_still_creates_accounts(client: Client) -> None:
    data = {"username": "dee", "email": "dee@college.example", "display_name": "Dee"}
    data |= {"usable_password": "false"}
    answer = client.post(reverse("admin:tournament_user_add"), data)
    assert answer.status_code == 302
    assert list_factors(User.objects.get(username="dee")) == set()
