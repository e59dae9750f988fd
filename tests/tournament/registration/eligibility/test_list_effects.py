"""Tests of naming the players whom a change would make ineligible."""

import pytest

from tests.factories import make_student, make_user
from tournament.models import Event
from tournament.pure.lists import ListedStudent
from tournament.registration.eligibility.list_effects import (
    describe_conditions,
    find_newly_ineligible,
)
from tournament.registration.services import register, withdraw

pytestmark = [pytest.mark.django_db, pytest.mark.sql]
UNDERGRADUATES_ONLY = [{"field": "programme", "value": "UG"}]


def change_event_fields(event: Event, **fields: object) -> Event:
    """Return a copy of the event with these field values, without saving it."""
    after = Event.objects.get(pk=event.pk)
    for name, value in fields.items():
        setattr(after, name, value)
    return after


def register_student(
    event: Event, roll: str, name: str, programme: str, domain: str = "uni.edu"
) -> None:
    email = f"{roll.lower()}@{domain}"
    make_student(event, roll, name=name, email=email, programme=programme)
    register(event, make_user(email=email), roll_number=roll)


@pytest.fixture
def event(event: Event) -> Event:
    register_student(event, "CHE-1", "Asha Sen", "UG")
    register_student(event, "CHE-2", "Ben Roy", "PG", "mail.uni.edu")
    return event


def test_new_conditions_list_the_players_who_fail_them(event: Event) -> None:
    assert find_newly_ineligible(
        event, change_event_fields(event, conditions=UNDERGRADUATES_ONLY)
    ) == ["Ben Roy"]
    assert find_newly_ineligible(event, change_event_fields(event, email_domains=["uni.edu"])) == [
        "Ben Roy"
    ]
    assert find_newly_ineligible(event, change_event_fields(event, conditions=[])) == []


def test_previously_ineligible_players_are_not_listed_again(event: Event) -> None:
    before = change_event_fields(event, conditions=UNDERGRADUATES_ONLY)
    assert (
        find_newly_ineligible(
            before,
            change_event_fields(event, conditions=UNDERGRADUATES_ONLY, email_domains=["uni.edu"]),
        )
        == []
    )


def test_players_with_exceptions_and_departed_players_are_not_listed(event: Event) -> None:
    event.students.filter(roll_key="CHE-2").update(exception="Guest.")
    assert (
        find_newly_ineligible(event, change_event_fields(event, conditions=UNDERGRADUATES_ONLY))
        == []
    )
    event.students.update(exception="")
    gone = event.registrations.get(name="Ben Roy")
    withdraw(gone, gone.user)
    assert (
        find_newly_ineligible(event, change_event_fields(event, conditions=UNDERGRADUATES_ONLY))
        == []
    )


def test_players_registered_before_a_required_list_are_reported(event: Event) -> None:
    event.eligibility_required = False
    event.save()
    register(event, make_user(email="zoya@uni.edu"), name="Zoya")
    assert find_newly_ineligible(event, change_event_fields(event, eligibility_required=True)) == [
        "Zoya"
    ]


def test_new_list_entry_is_checked_instead_of_the_old_one(event: Event) -> None:
    Event.objects.filter(pk=event.pk).update(conditions=UNDERGRADUATES_ONLY)
    event.refresh_from_db()
    lines = {"CHE-1": ListedStudent("CHE-1", "Asha Sen", programme="PG")}
    assert find_newly_ineligible(event, event, lines) == ["Asha Sen"]


def test_conditions_are_shown_in_one_line(event: Event) -> None:
    assert describe_conditions(event) == ""
    asked = change_event_fields(event, conditions=UNDERGRADUATES_ONLY, email_domains=["uni.edu"])
    assert describe_conditions(asked) == ("programme = UG and an email address ending in @uni.edu")
