"""Tests of editing single list entries: they are cleaned, checked for conflicts and logged."""

from typing import Any

import pytest

from tests.factories import make_event, make_student, make_user
from tests.tournament.helpers import get_refusal
from tests.typed import sure
from tournament.models import AuditEntry, EligibleStudent, Event, Registration, User
from tournament.registration.eligibility.students import remove_students, save_student
from tournament.registration.services import register

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def make_student_entry(event: Event, **fields: Any) -> EligibleStudent:
    return EligibleStudent(event=event, **({"roll_number": "CH-9", "name": "Eva"} | fields))


def list_stored_students(event: Event) -> list[tuple[str, str, str, str]]:
    columns = ("roll_number", "roll_key", "name", "email")
    return list(event.students.order_by("roll_key").values_list(*columns))


def list_student_entries() -> list[tuple[str, str, str]]:
    rows = AuditEntry.objects.filter(action="student").order_by("pk")
    return [(row.text, row.data["student"], row.reason) for row in rows]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, ("CH-9", "CH-9", "Eva", "")),
        (
            {"roll_number": " ch–9 ", "name": "  Eva \t Li ", "email": " Eva <EVA@College.edu> "},
            ("ch–9", "CH-9", "Eva Li", "eva@college.edu"),
        ),
        (
            {"name": "E\u200bva\u202e", "email": "mailto:eva@college.edu"},
            ("CH-9", "CH-9", "Eva", "eva@college.edu"),
        ),
    ],
)
def test_list_entry_is_cleaned_like_an_uploaded_one(
    event: Event, organizer: User, fields: dict[str, str], expected: tuple[str, ...]
) -> None:
    save_student(make_student_entry(event, **fields), organizer)
    assert list_stored_students(event) == [expected]
    assert [(student, reason) for _text, student, reason in list_student_entries()] == [
        ("CH-9", "")
    ]


@pytest.mark.parametrize(
    ("fields", "code", "message"),
    [
        ({"roll_number": ""}, "faulty", "The roll number is missing."),
        (
            {"roll_number": "--"},
            "faulty",
            "“--” is not a roll number: it has no letters or digits.",
        ),
        ({"name": "\u200b"}, "faulty", "The name is missing."),
        ({"name": "…"}, "faulty", "“…” is not a name: it has no letters."),
        ({"year": "x" * 21}, "faulty", f"The year “{'x' * 21}” is longer than 20 characters."),
        (
            {"email": "eva@"},
            "faulty",
            "“eva@” is not an email address; it should look like name@college.edu.",
        ),
        ({"roll_number": "ch-1"}, "roll", "Asha already has the roll number CH-1."),
        ({"roll_number": "C H–1"}, "roll", "Asha already has the roll number CH-1."),
        ({"email": "ASHA@college.edu"}, "address", "Asha (CH-1) already has this address."),
    ],
)
def test_invalid_or_conflicting_list_entry_is_refused(
    event: Event, organizer: User, fields: dict[str, str], code: str, message: str
) -> None:
    make_student(event, "CH-1", name="Asha", email="asha@college.edu")
    refused = get_refusal(save_student, make_student_entry(event, **fields), organizer)
    assert (refused.code, refused.sentence) == (code, message)
    assert list_stored_students(event) == [("CH-1", "CH-1", "Asha", "asha@college.edu")]
    assert list_student_entries() == []


def test_each_event_has_its_own_list(event: Event, organizer: User) -> None:
    make_student(make_event(), "CH-9", name="Eva", email="eva@college.edu")
    save_student(make_student_entry(event, email="eva@college.edu"), organizer)
    assert list_stored_students(event) == [("CH-9", "CH-9", "Eva", "eva@college.edu")]


def test_several_list_entries_may_lack_an_address(event: Event, organizer: User) -> None:
    for roll in ("CH-1", "CH-2"):
        save_student(make_student_entry(event, roll_number=roll), organizer)
    assert len(list_stored_students(event)) == 2


def test_edited_list_entry_may_keep_its_number_and_address(event: Event, organizer: User) -> None:
    row = make_student(event, "CH-1", name="Asha", email="asha@college.edu")
    row.name = "Asha Sen"
    save_student(row, organizer)
    assert list_stored_students(event) == [("CH-1", "CH-1", "Asha Sen", "asha@college.edu")]


def test_log_distinguishes_new_changed_and_removed_entries(event: Event, organizer: User) -> None:
    row = save_student(make_student_entry(event), organizer)
    row.year = "3"
    save_student(row, organizer)
    remove_students([row], organizer)
    assert [(text.split()[0], student) for text, student, _reason in list_student_entries()] == [
        ("Added", "CH-9"),
        ("Corrected", "CH-9"),
        ("Removed", "CH-9"),
    ]
    assert list_stored_students(event) == []
    assert {entry.actor for entry in AuditEntry.objects.all()} == {organizer}


def register_listed_player(event: Event, roll: str) -> Registration:
    user = make_user()
    make_student(event, roll, name=f"Player {roll}", email=user.email)
    return register(event, user, roll_number=roll)


def test_roll_number_of_a_registered_player_cannot_be_reassigned(
    event: Event, organizer: User
) -> None:
    mine, other = register_listed_player(event, "CH-1"), register_listed_player(event, "CH-2")
    row = sure(mine.student)
    EligibleStudent.objects.filter(registrations=other).update(roll_number="CH-7", roll_key="CH-7")
    row.roll_number = "CH-2"
    refused = get_refusal(save_student, row, organizer)
    assert (refused.code, refused.sentence) == (
        "roll",
        "Player CH-2 is already taking part with roll number CH-2. Reject or withdraw "
        "that registration first.",
    )
    Registration.objects.filter(pk=other.pk).update(state=Registration.State.WITHDRAWN)
    save_student(row, organizer)
    mine.refresh_from_db()
    assert mine.roll_number == "CH-2"


def test_roll_number_used_in_another_event_is_free(event: Event, organizer: User) -> None:
    elsewhere = make_event(eligibility_required=True)
    register_listed_player(elsewhere, "CH-2")
    row = sure(register_listed_player(event, "CH-1").student)
    row.roll_number = "CH-2"
    assert save_student(row, organizer).roll_key == "CH-2"


def test_removing_a_registered_student_is_refused_for_the_whole_selection(
    event: Event, organizer: User
) -> None:
    mine = register_listed_player(event, "CH-1")
    free = make_student(event, "CH-0", name="Ben")
    refused = get_refusal(remove_students, [free, sure(mine.student)], organizer)
    assert refused.code == "registered"
    assert refused.sentence.endswith(
        "has registered, so nothing was removed. Reject the registration instead."
    )
    assert event.students.count() == 2
    assert list_student_entries() == []


def test_removal_returns_the_number_of_students_removed(event: Event, organizer: User) -> None:
    rows = [make_student(event, f"CH-{number}") for number in range(3)]
    assert remove_students(rows[:2], organizer) == 2
    assert list(event.students.all()) == rows[2:]
    assert remove_students([], organizer) == 0
