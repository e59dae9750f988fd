"""Tests of students whom an organizer admits as exceptions, and of email domains."""

import pytest

from tests.factories import make_student, make_user
from tests.tournament.helpers import get_refusal_code
from tournament.models import Event, User
from tournament.pure.lists import ListedStudent
from tournament.registration.eligibility.exceptions import admit_student, end_student_exception
from tournament.registration.services import register

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture
def event(event: Event) -> Event:
    Event.objects.filter(pk=event.pk).update(
        conditions=[{"field": "programme", "value": "UG"}], email_domains=["uni.edu"]
    )
    event.refresh_from_db()
    return event


def test_unlisted_person_gets_a_list_entry_by_exception(event: Event, organizer: User) -> None:
    student = ListedStudent("CHE-9", "Asha Sen", "asha@home.example")
    admit_student(event, organizer, student, " Joined in June. ")
    user = make_user(email="asha@home.example")
    assert register(event, user, roll_number="che-9").state == "approved"
    entry = event.audit.get(action="exception")
    assert (entry.text, entry.reason) == (
        "Admitted CHE-9 Asha Sen as an exception.",
        "Joined in June.",
    )


def test_exception_overrides_an_unmet_condition(event: Event, organizer: User) -> None:
    line = make_student(event, "CHE-7", programme="PG", email="asha@uni.edu")
    user = make_user(email="asha@uni.edu")
    assert get_refusal_code(register, event, user, roll_number="CHE-7") == "condition"
    assert admit_student(event, organizer, ListedStudent("CHE-7", ""), "Club member.") == line
    assert register(event, user, roll_number="CHE-7").state == "approved"


def test_exception_needs_a_reason_and_a_complete_list_entry(event: Event, organizer: User) -> None:
    assert (
        get_refusal_code(admit_student, event, organizer, ListedStudent("CHE-9", "Asha"), " ")
        == "no-reason"
    )
    assert (
        get_refusal_code(admit_student, event, organizer, ListedStudent("CHE-9", ""), "Guest.")
        == "faulty"
    )


def test_exception_can_be_ended_once(event: Event, organizer: User) -> None:
    line = admit_student(event, organizer, ListedStudent("CHE-9", "Asha Sen"), "Guest.")
    assert end_student_exception(line, organizer).exception == ""
    assert event.audit.get(action="exception-off").data["before"] == "Guest."
    assert get_refusal_code(end_student_exception, line, organizer) == "same"


def test_listed_student_needs_an_address_in_the_domain(event: Event) -> None:
    make_student(event, "CHE-7", programme="UG", email="asha@uni.edu.evil.com")
    user = make_user(email="asha@uni.edu.evil.com")
    assert get_refusal_code(register, event, user, roll_number="CHE-7") == "domain"


def test_domain_refusal_does_not_reveal_whether_a_roll_number_is_listed(event: Event) -> None:
    make_student(event, "CHE-7", programme="UG")
    user = make_user(email="asha@home.example")
    assert get_refusal_code(register, event, user, roll_number="CHE-7") == "not-listed"


def test_only_the_domain_decides_without_a_list(event: Event) -> None:
    Event.objects.filter(pk=event.pk).update(eligibility_required=False)
    event.refresh_from_db()
    assert (
        get_refusal_code(register, event, make_user(email="a@mail.uni.edu"), name="Asha")
        == "domain"
    )
    assert register(event, make_user(email="b@uni.edu"), name="Ben").state == "approved"
