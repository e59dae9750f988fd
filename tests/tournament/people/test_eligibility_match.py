"""Tests of matching a registration to the list, which must not reveal who is on the list."""

from typing import Any

import pytest
from allauth.account.models import EmailAddress

from tests.factories import make_event, make_student, make_user
from tests.tournament.helpers import get_refusal
from tournament.models import EligibleStudent, Event, Registration, User
from tournament.people.eligibility_match import (
    find_student,
    has_proven_identity,
    link_to_list_entry,
    list_unmet_conditions,
    list_verified_addresses,
)

pytestmark = [pytest.mark.django_db, pytest.mark.sql]
CHEMISTRY_ONLY = [{"field": "department", "value": "Chemical Engineering"}]
NOT_LISTED = (
    "not-listed",
    "Your roll number and email address don’t match an entry on this event’s "
    "eligibility list. Check the number for typos, sign in with your college "
    "address, or ask the organizers.",
)


@pytest.fixture
def asha() -> User:
    return make_user("Ash", email="asha@college.edu")


def make_listed_student(event: Event, **fields: Any) -> EligibleStudent:
    fields = {"name": "Asha Sen", "email": "asha@college.edu"} | fields
    return make_student(event, fields.pop("roll", "CH-001"), **fields)


def get_refusal_text(event: Event, user: User, roll: str = "CH-001") -> tuple[str, str]:
    """Return the code and the sentence of the refusal."""
    refused = get_refusal(find_student, event, user, roll)
    return refused.code, refused.sentence


# -- addresses ---------------------------------------------------------------------------------


@pytest.mark.parametrize("typed", ["CH-001", " ch-001 ", "ch–001", "ＣＨ-001", "C H - 0 0 1"])
def test_roll_number_is_found_in_any_spelling(asha: User, typed: str) -> None:
    event = make_event()
    student = make_listed_student(event)
    assert find_student(event, asha, typed) == student


@pytest.mark.parametrize("typed", ["", "  ", "\u200b\n"])
def test_registration_without_a_roll_number_is_refused(asha: User, typed: str) -> None:
    event = make_event()
    make_listed_student(event)
    assert get_refusal_text(event, asha, typed) == (
        "no-roll",
        "Enter your roll number as printed on your student card.",
    )


@pytest.mark.parametrize(
    ("address", "verified", "is_found"),
    [
        ("asha@college.edu", True, True),
        ("Asha@College.EDU", True, True),
        ("asha@college.edu", False, False),
        ("asha2@college.edu", True, False),
    ],
)
def test_only_the_confirmed_address_on_the_list_proves_identity(
    address: str, *, verified: bool, is_found: bool
) -> None:
    event, user = make_event(), make_user(email="home@example.org")
    student = make_listed_student(event)
    EmailAddress.objects.create(user=user, email=address, verified=verified)
    if is_found:
        assert find_student(event, user, "CH-001") == student
    else:
        assert get_refusal_text(event, user) == NOT_LISTED


def test_unconfirmed_addresses_are_ignored() -> None:
    user = make_user(email="one@example.org")
    EmailAddress.objects.create(user=user, email="TWO@example.org", verified=True)
    EmailAddress.objects.create(user=user, email="three@example.org", verified=False)
    assert list_verified_addresses(user) == {"one@example.org", "two@example.org"}


def test_student_listed_for_another_event_is_not_listed_here(asha: User) -> None:
    event = make_event()
    make_listed_student(make_event())
    assert get_refusal_text(event, asha) == NOT_LISTED


# -- conditions and domains --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("student", "event", "expected"),
    [
        (
            {"department": "Physics"},
            {"conditions": CHEMISTRY_ONLY},
            (
                "condition",
                "This event is for students whose department is Chemical Engineering; on the "
                "eligibility list, yours is “Physics”.",
            ),
        ),
        (
            {},
            {"email_domains": ["cs.college.edu"]},
            (
                "domain",
                "This event is for people with a confirmed email address that ends in "
                "@cs.college.edu.",
            ),
        ),
        ({"department": "Physics", "email": ""}, {"conditions": CHEMISTRY_ONLY}, NOT_LISTED),
        ({"email": ""}, {"email_domains": ["cs.college.edu"]}, NOT_LISTED),
        ({"department": "chemical engineering"}, {"conditions": CHEMISTRY_ONLY}, None),
        ({}, {"email_domains": ["cs.college.edu", "college.edu"]}, None),
        ({"department": "Physics", "exception": "Helps us."}, {"conditions": CHEMISTRY_ONLY}, None),
        ({"exception": "Helps us."}, {"email_domains": ["cs.college.edu"]}, None),
    ],
)
def test_refusal_reveals_a_list_entry_only_to_its_proven_owner(
    asha: User,
    student: dict[str, str],
    event: dict[str, Any],
    expected: tuple[str, str] | None,
) -> None:
    found = make_event(**event)
    row = make_listed_student(found, **student)
    if expected is None:
        assert find_student(found, asha, "CH-001") == row
    else:
        assert get_refusal_text(found, asha) == expected


def test_all_unmet_conditions_are_reported() -> None:
    event = make_event(conditions=CHEMISTRY_ONLY, email_domains=["cs.college.edu"])
    student = make_listed_student(event, department="Physics")
    assert [each.code for each in list_unmet_conditions(event, student, [])] == [
        "condition",
        "domain",
    ]
    assert [each.code for each in list_unmet_conditions(event, student, ["a@cs.college.edu"])] == [
        "condition"
    ]


# -- the name ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("display_name", "email", "name", "proven"),
    [
        ("Ash", "asha@college.edu", "Asha Sen", True),
        ("", "asha@college.edu", "Asha Sen", True),
        ("Ash", "", "Ash", False),
        ("  Ash\u200b ", "", "Ash", False),
        ("", "", "CH-001", False),
    ],
)
def test_listed_name_is_used_only_with_proof_of_identity(
    display_name: str, email: str, name: str, *, proven: bool
) -> None:
    event = make_event()
    user = make_user(email="asha@college.edu")
    user.display_name = display_name
    registration = Registration(event=event, user=user)
    link_to_list_entry(registration, make_listed_student(event, email=email))
    assert (registration.name, has_proven_identity(registration)) == (name, proven)
    assert (registration.roll_number, registration.roll_key) == ("CH-001", "CH-001")


def test_registration_without_a_list_needs_no_proof(asha: User) -> None:
    assert has_proven_identity(Registration(event=make_event(), user=asha))
