"""Tests of copying an event, with or without its eligibility list and its staff."""

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from tests.factories import give_role, make_organizer, make_student
from tests.tournament.helpers import make_organized_event
from tests.tournament.organizing import page, press_button
from tournament.models import Event, User

pytestmark = pytest.mark.django_db


@pytest.fixture
def organizer() -> User:
    return make_organized_event(0, title="Old Cup", slug="old-cup", time_zone="Asia/Kolkata")[1]


@pytest.fixture
def event(organizer: User) -> Event:
    organizer.user_permissions.add(Permission.objects.get(codename="add_event"))
    old = Event.objects.get(slug="old-cup")
    old.stages.filter(number=1).update(rounds_planned=5, state="closed", title="Morning")
    make_student(old, name="Tara", email="tara@college.example")
    make_student(old, name="Let in", exception="She is a guest.")
    give_role(old, make_organizer(), "desk")
    give_role(old, make_organizer(), "commentator")
    Event.objects.filter(pk=old.pk).update(capacity=30, starts_at="2026-01-01T10:00Z")
    return Event.objects.get(slug="old-cup")


def copy_event_on_page(client: Client, event: Event, **fields: str) -> Event:
    message = press_button(client, page("copy", event), "copy", **({"title": "New Cup"} | fields))
    assert "New Cup has been created. The desk shows every step from here to the winner." in message
    return Event.objects.get(slug="new-cup")


def test_copy_includes_rules_stages_and_settings_but_not_dates_or_keys(
    client: Client, event: Event
) -> None:
    made = copy_event_on_page(client, event, starts_at_0="2026-12-01", starts_at_1="15:00")
    assert (made.state, made.capacity, made.ruleset) == ("draft", 30, event.ruleset)
    assert made.starts_at is not None
    assert made.starts_at.isoformat() == "2026-12-01T09:30:00+00:00"
    assert made.lots_key != event.lots_key
    mine, theirs = (
        list(each.stages.order_by("number").values_list("title", "rounds_planned", "format"))
        for each in (made, event)
    )
    assert mine == theirs
    assert {stage.state for stage in made.stages.all()} == {"waiting"}
    keys = {stage.lots_key for each in (made, event) for stage in each.stages.all()}
    assert len(keys) == 4
    assert not made.registrations.exists()


def test_copy_omits_the_list_and_staff_unless_selected(
    client: Client, event: Event, organizer: User
) -> None:
    made = copy_event_on_page(client, event)
    assert (made.students.count(), made.starts_at) == (0, None)
    assert list(made.roles.values_list("user", "role")) == [(organizer.pk, "owner")]


def test_copied_list_omits_exceptions_and_copied_staff_omits_commentators(
    client: Client, event: Event
) -> None:
    made = copy_event_on_page(client, event, students="on", staff="on")
    assert [line.name for line in made.students.all()] == ["Tara"]
    assert sorted(made.roles.values_list("role", flat=True)) == ["desk", "owner"]
    assert event.students.count() == 2


def test_desk_links_to_the_page_that_copies_the_event(client: Client, event: Event) -> None:
    assert page("copy", event) in client.get(page("desk", event)).content.decode()
    assert client.get(page("copy", event)).status_code == 200


def test_copy_needs_a_title(client: Client, event: Event) -> None:
    message = press_button(client, page("copy", event), "copy", title=" ")
    assert "Title: This field is required." in message
    assert Event.objects.count() == 1


def test_users_who_cannot_create_events_cannot_copy_one(
    client: Client, event: Event, organizer: User
) -> None:
    organizer.user_permissions.clear()
    assert "can’t create events" in client.get(page("copy", event)).content.decode()
    asked = {"action": "copy", "title": "New Cup"}
    assert client.post(page("copy", event), asked).status_code == 403
    assert page("copy", event) not in client.get(page("desk", event)).content.decode()
    assert client.get(reverse("admin:tournament_event_add")).status_code == 403


def test_copy_needs_a_different_title(client: Client, event: Event) -> None:
    assert 'value="Old Cup"' not in client.get(page("copy", event)).text
    message = press_button(client, page("copy", event), "copy", title="old cup")
    assert "“old cup” is the event you are copying. Give the copy another title." in message
    assert Event.objects.count() == 1
