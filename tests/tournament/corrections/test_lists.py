import pytest

from tests.factories import make_student, make_user
from tests.tournament.helpers import get_refusal_code
from tests.tournament.lists import HEADER, VALID_LIST, list_roll_numbers, upload_text
from tournament.common.refusals import RefusedError
from tournament.corrections.lists import preview_undo, undo_import
from tournament.models import EligibilityImport, EligibleStudent, Event, User
from tournament.registration.eligibility.uploads import Choices, apply_import
from tournament.registration.services import register

pytestmark = [pytest.mark.django_db, pytest.mark.sql, pytest.mark.event(eligibility_required=True)]


def test_undo_restores_the_previous_list(event: Event, organizer: User) -> None:
    make_student(event, "CHE-001", name="Asha S", email="old@college.example")
    before = list(event.students.values())
    applied = apply_import(upload_text(event, organizer, VALID_LIST), organizer)
    undo_import(applied, organizer)
    assert list(event.students.values()) == before
    assert get_refusal_code(undo_import, applied, organizer) == "state"


def test_undo_is_refused_once_an_added_student_has_registered(
    event: Event, organizer: User
) -> None:
    applied = apply_import(upload_text(event, organizer, VALID_LIST), organizer)
    register(event, make_user(email="asha@college.example"), roll_number="CHE-001")
    assert get_refusal_code(undo_import, applied, organizer) == "registered"
    assert list_roll_numbers(event) == ["CHE-001", "CHE-002"]


def test_latest_import_is_undone_first(event: Event, organizer: User) -> None:
    first = apply_import(upload_text(event, organizer, VALID_LIST), organizer)
    apply_import(upload_text(event, organizer, HEADER + "CHE-003,Chitra Das,,,,\n"), organizer)
    assert get_refusal_code(undo_import, first, organizer) == "not-latest"


@pytest.fixture
def applied_import(event: Event, organizer: User) -> EligibilityImport:
    """Provide an applied import that corrected Asha's entry and added Ben's."""
    make_student(event, "CHE-001", name="Asha S", email="old@college.example")
    return apply_import(upload_text(event, organizer, VALID_LIST), organizer)


def get_refusal(applied: EligibilityImport, organizer: User) -> tuple[str, str]:
    """Return the code and the sentence of a refusal, and check that nothing changed."""
    before = list(applied.event.students.values())
    with pytest.raises(RefusedError) as refused:
        undo_import(applied, organizer)
    applied.refresh_from_db()
    assert (list(applied.event.students.values()), applied.state) == (before, "applied")
    return refused.value.code, refused.value.sentence


def test_undo_is_refused_if_an_address_now_belongs_to_another_student(
    applied_import: EligibilityImport, organizer: User
) -> None:
    make_student(applied_import.event, "CHE-009", name="Dev", email="old@college.example")
    assert get_refusal(applied_import, organizer) == (
        "address",
        "CHE-009 Dev now has an email address that would go back to another student if the "
        "import were undone. Nothing was undone. Correct the list by hand.",
    )


@pytest.mark.parametrize(("roll", "line"), [("CHE-001", "Asha Sen"), ("CHE-002", "Ben Roy")])
def test_undo_does_not_overwrite_later_corrections(
    applied_import: EligibilityImport, organizer: User, roll: str, line: str
) -> None:
    applied_import.event.students.filter(roll_key=roll).update(year="4")
    assert get_refusal(applied_import, organizer) == (
        "corrected",
        f"The list entry for {roll} {line} has been corrected since this import. Nothing was "
        "undone. Correct the "
        "list by hand.",
    )


def test_refusal_to_undo_names_five_of_many_corrected_entries(
    event: Event, organizer: User
) -> None:
    text = HEADER + "".join(f"C{n},Student {n},,,,\n" for n in range(7))
    applied = apply_import(upload_text(event, organizer, text), organizer)
    event.students.update(year="4")
    assert get_refusal(applied, organizer)[1] == (
        "The list entries for C0 Student 0, C1 Student 1, C2 Student 2, C3 Student 3, C4 "
        "Student 4 and 2 "
        "more have been corrected since this import. Nothing was undone. Correct the "
        "list by hand."
    )


def test_deleting_a_corrected_entry_prevents_undo(
    applied_import: EligibilityImport, organizer: User
) -> None:
    applied_import.event.students.get(roll_key="CHE-001").delete()
    assert get_refusal(applied_import, organizer) == (
        "corrected",
        "A row that this import corrected has since been removed from the list. "
        "Nothing was undone. Correct the list by hand.",
    )


def test_deleting_an_added_entry_does_not_prevent_undo(
    applied_import: EligibilityImport, organizer: User
) -> None:
    event = applied_import.event
    event.students.get(roll_key="CHE-002").delete()
    own = make_student(event, "CHE-002", name="Ben Roy")
    undo_import(applied_import, organizer)
    lines = EligibleStudent.objects.filter(event=event).values_list("pk", "name")
    assert list(lines)[1:] == [(own.pk, "Ben Roy")]
    assert lines[0][1] == "Asha S"


def test_undo_restores_swapped_addresses(event: Event, organizer: User) -> None:
    apply_import(upload_text(event, organizer, VALID_LIST), organizer)
    before = list(event.students.values())
    swapped = VALID_LIST.replace("asha@", "x@").replace("ben@", "asha@").replace("x@", "ben@")
    undo_import(apply_import(upload_text(event, organizer, swapped), organizer), organizer)
    assert list(event.students.values()) == before


def test_import_without_stored_values_cannot_be_undone(
    applied_import: EligibilityImport, organizer: User
) -> None:
    applied_import.before = {"added": [["CHE-002"]], "changed": []}
    applied_import.save()
    assert get_refusal_code(undo_import, applied_import, organizer) == "old"


def test_undo_preview_counts_its_changes(event: Event, organizer: User) -> None:
    assert preview_undo(event) is None
    for roll, name in (("CHE-1", "Asha Sen"), ("CHE-2", "Ben Roy")):
        email = f"{roll.lower()}@uni.edu"
        make_student(event, roll, name=name, email=email, programme="PG")
        register(event, make_user(email=email), roll_number=roll)
    make_student(event, "CHE-5", name="Ira Bose")
    text = VALID_LIST.replace(
        "CHE-001,Asha Sen,asha@college.example", "CHE-1,Asha Sen,che-1@uni.edu"
    )
    applied = apply_import(upload_text(event, organizer, text), organizer, Choices(remove=True))
    effect = preview_undo(event)
    assert effect is not None
    assert (effect.upload, effect.removed_count, effect.restored_count, effect.changed_count) == (
        applied.pk,
        1,
        1,
        1,
    )
    assert effect.newly_ineligible == []
