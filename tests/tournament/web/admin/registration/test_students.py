"""Tests of the admin's list of eligible students."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import make_players, make_student
from tests.tournament.helpers import make_organized_event
from tournament.models import Event, Registration

pytestmark = pytest.mark.django_db

LIST = reverse("admin:tournament_eligiblestudent_changelist")


@pytest.fixture
def event(client: Client) -> Event:
    event, organizer = make_organized_event(0, eligibility_required=True)
    for number in range(3):
        make_student(event, f"CHE-{number}")
    client.force_login(organizer)
    return event


def remove_students(client: Client, event: Event, count: int, **fields: str) -> str:
    rows = event.students.order_by("pk")[:count]
    data = {"action": "remove", "_selected_action": [str(row.pk) for row in rows]} | fields
    return client.post(f"{LIST}?event__id__exact={event.pk}", data, follow=True).text


def test_list_has_a_button_instead_of_the_action_menu(client: Client, event: Event) -> None:
    shown = client.get(LIST).text
    assert 'value="remove">Remove from the list</button>' in shown
    assert "delete_selected" not in shown
    assert '<select name="action"' not in shown


def test_removal_requires_confirmation_and_reports_the_count(client: Client, event: Event) -> None:
    shown = remove_students(client, event, 2)
    assert "2 students will be removed from the list" in shown
    assert "Remove 2 students</button>" in shown
    assert event.students.count() == 3
    assert "2 students removed from the list." in remove_students(client, event, 2, confirmed="yes")
    assert event.students.count() == 1


def test_all_rows_of_the_list_are_removed_together(client: Client, event: Event) -> None:
    other, _organizer = make_organized_event(0, eligibility_required=True)
    make_student(other, "CHE-1")
    shown = remove_students(client, event, 1, select_across="1")
    assert "3 students will be removed from the list" in shown
    assert '<input type="hidden" name="select_across" value="1">' in shown
    remove_students(client, event, 1, select_across="1", confirmed="yes")
    assert (event.students.count(), other.students.count()) == (0, 1)


def test_no_student_is_removed_if_one_is_registered(client: Client, event: Event) -> None:
    Event.objects.filter(pk=event.pk).update(eligibility_required=False)
    (registration,) = make_players(Event.objects.get(pk=event.pk), 1)
    row = event.students.order_by("pk")[1]
    Registration.objects.filter(pk=registration.pk).update(student=row)
    assert "has registered, so nothing was removed" in remove_students(
        client, event, 3, confirmed="yes"
    )
    assert event.students.count() == 3
