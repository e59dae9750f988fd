import io
from types import ModuleType
from typing import Any

import pytest
from django.db import connection
from openpyxl import Workbook

from tests.factories import make_event, make_organizer, make_student, make_user
from tests.tournament.helpers import get_refusal_code
from tests.tournament.lists import VALID_LIST, list_roll_numbers, upload_text
from tournament.corrections.lists import undo_import
from tournament.models import AuditEntry, EligibilityImport, Event, User
from tournament.pure import lists
from tournament.pure.lists import ListReport, Verdict
from tournament.registration.eligibility import uploads
from tournament.registration.eligibility.uploads import (
    Choices,
    apply_import,
    get_report,
    upload_list,
)
from tournament.registration.services import register

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def test_preview_changes_nothing(event: Event, organizer: User) -> None:
    uploaded = upload_text(event, organizer, VALID_LIST)
    assert uploaded.counts == {"new": 2, "changed": 0, "same": 0, "duplicate": 0, "faulty": 0}
    assert list_roll_numbers(event) == []


def test_applied_list_is_stored_and_logged(event: Event, organizer: User) -> None:
    apply_import(upload_text(event, organizer, VALID_LIST), organizer)
    asha = event.students.get(roll_key="CHE-001")
    assert (asha.name, asha.email, asha.department, asha.programme, asha.year) == (
        "Asha Sen",
        "asha@college.example",
        "Chemical Engineering",
        "UG",
        "2",
    )
    assert AuditEntry.objects.get(event=event).text == "Applied list.csv: 2 new, 0 changed."


def test_applied_file_is_not_kept(event: Event, organizer: User) -> None:
    applied = apply_import(upload_text(event, organizer, VALID_LIST), organizer)
    applied.refresh_from_db()
    assert bytes(applied.content) == b""


def test_workbook_can_be_uploaded(event: Event, organizer: User) -> None:
    book = Workbook()
    assert book.active is not None
    for row in VALID_LIST.splitlines():
        book.active.append(row.split(","))
    stream = io.BytesIO()
    book.save(stream)
    apply_import(upload_list(event, organizer, "list.xlsx", stream.getvalue()), organizer)
    assert list_roll_numbers(event) == ["CHE-001", "CHE-002"]


def test_faulty_row_blocks_the_import_unless_it_is_left_out(event: Event, organizer: User) -> None:
    text = VALID_LIST + "CHE-003,,nobody\nche-001,Asha Again,,,,\n"
    uploaded = upload_text(event, organizer, text)
    assert [(row, kind) for row, kind, *_ in get_report(uploaded).rows] == [
        (4, "faulty"),
        (5, "duplicate"),
        (2, "new"),
        (3, "new"),
    ]
    assert get_refusal_code(apply_import, uploaded, organizer) == "faulty"
    assert list_roll_numbers(event) == []
    apply_import(uploaded, organizer, Choices(leave_out=True))
    assert list_roll_numbers(event) == ["CHE-001", "CHE-002"]


def test_changed_list_needs_a_new_preview(event: Event, organizer: User) -> None:
    uploaded = upload_text(event, organizer, VALID_LIST)
    make_student(event, "CHE-009")
    assert get_refusal_code(apply_import, uploaded, organizer) == "list-changed"
    assert list_roll_numbers(event) == ["CHE-009"]


def test_file_can_be_applied_only_once(event: Event, organizer: User) -> None:
    uploaded = upload_text(event, organizer, VALID_LIST)
    apply_import(uploaded, organizer)
    assert get_refusal_code(apply_import, uploaded, organizer) == "state"
    again = upload_text(event, organizer, VALID_LIST)
    assert get_refusal_code(apply_import, again, organizer) == "nothing"


def test_file_that_is_not_a_list_is_refused(event: Event, organizer: User) -> None:
    assert get_refusal_code(upload_text, event, organizer, "a\n1\n") == "no-columns"
    assert EligibilityImport.objects.count() == 0


@pytest.mark.django_db(transaction=True)
def test_file_is_read_once_outside_the_transaction(monkeypatch: pytest.MonkeyPatch) -> None:
    event = make_event(eligibility_required=True)
    organizer = make_organizer(event)
    in_transaction: list[bool] = []
    examine = lists.examine

    def examine_and_record_transaction(*args: Any, **choices: Any) -> ListReport:
        in_transaction.append(connection.in_atomic_block)
        return examine(*args, **choices)

    monkeypatch.setattr(lists, "examine", examine_and_record_transaction)
    apply_import(upload_text(event, organizer, VALID_LIST), organizer)
    assert in_transaction == [False]
    assert list_roll_numbers(event) == ["CHE-001", "CHE-002"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("module", "name"), [(lists, "examine"), (uploads, "get_report")], ids=["upload", "apply"]
)
def test_list_change_during_file_reading_is_detected(
    monkeypatch: pytest.MonkeyPatch, module: ModuleType, name: str
) -> None:
    event = make_event(eligibility_required=True)
    organizer = make_organizer(event)
    read = getattr(module, name)

    def read_while_the_list_changes(*args: Any, **choices: Any) -> Any:
        found = read(*args, **choices)
        make_student(event, "CHE-001")
        return found

    monkeypatch.setattr(module, name, read_while_the_list_changes)
    uploaded = upload_text(event, organizer, VALID_LIST)
    assert get_refusal_code(apply_import, uploaded, organizer) == "list-changed"
    assert list_roll_numbers(event) == ["CHE-001"]


def test_preview_replaced_by_a_later_file_is_refused_with_a_message(
    event: Event, organizer: User
) -> None:
    first = upload_text(event, organizer, VALID_LIST)
    upload_text(event, organizer, VALID_LIST)
    assert get_refusal_code(apply_import, first, organizer) == "state"


def test_students_may_swap_addresses(event: Event, organizer: User) -> None:
    apply_import(upload_text(event, organizer, VALID_LIST), organizer)
    swapped = VALID_LIST.replace("asha@", "x@").replace("ben@", "asha@").replace("x@", "ben@")
    apply_import(upload_text(event, organizer, swapped), organizer)
    assert event.students.get(roll_key="CHE-001").email == "ben@college.example"


def test_verdicts_are_kept_until_the_upload_is_applied(
    event: Event, organizer: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    apply_import(upload_text(event, organizer, VALID_LIST), organizer)
    text = (
        VALID_LIST.replace("Asha Sen", "Asha S. Sen")
        + "CHE-003,,\n00CHE-002,Ben,,,,\n 7.0,Chi,,,,\n"
    )
    judged = lists.judge(text.encode(), map(uploads.student_of, event.students.all()))
    uploaded = upload_text(event, organizer, text)
    monkeypatch.setattr(lists, "judge", None)
    uploaded.refresh_from_db()
    kept = get_report(uploaded)
    verdicts = [Verdict.from_json(row) for row in kept.rows]
    assert sorted(verdicts, key=lambda verdict: verdict.row) == list(judged.verdicts)
    assert {v.sentence for v in verdicts} == {v.sentence for v in judged.verdicts}
    assert (kept.absent, kept.without_address) == (0, judged.without_address)
    apply_import(uploaded, organizer, Choices(leave_out=True))
    uploaded.refresh_from_db()
    assert uploaded.verdicts == {}
    assert list_roll_numbers(event) == ["7", "CHE-001", "CHE-002"]


def test_upload_without_stored_verdicts_can_still_be_applied(event: Event, organizer: User) -> None:
    uploaded = upload_text(event, organizer, VALID_LIST)
    EligibilityImport.objects.update(verdicts={})
    uploaded.refresh_from_db()
    assert [kind for _row, kind, *_ in get_report(uploaded).rows] == ["new", "new"]
    apply_import(uploaded, organizer)
    assert list_roll_numbers(event) == ["CHE-001", "CHE-002"]


@pytest.fixture
def shorter_upload(event: Event, organizer: User) -> EligibilityImport:
    """Upload a new version of the list without Ben and Ira.

    Ira takes part in the event, but Ben does not.
    """
    apply_import(upload_text(event, organizer, VALID_LIST), organizer)
    make_student(event, "CHE-9", name="Ira Bose", email="ira@college.example")
    register(event, make_user(email="ira@college.example"), roll_number="CHE-9")
    make_student(event, "GUEST", name="Uma Das", exception="Guest.")
    return upload_text(event, organizer, "".join(VALID_LIST.splitlines(keepends=True)[:2]))


def test_students_missing_from_the_new_list_stay_unless_removal_is_requested(
    event: Event, organizer: User, shorter_upload: EligibilityImport
) -> None:
    assert get_refusal_code(apply_import, shorter_upload, organizer) == "nothing"
    apply_import(shorter_upload, organizer, Choices(remove=True))
    assert list_roll_numbers(event) == ["CHE-001", "CHE-9", "GUEST"]
    assert event.registrations.get().state == "approved"
    entry = event.audit.filter(action="import").latest("pk")
    assert entry.text == "Applied list.csv: 0 new, 0 changed. 1 entry removed."
    assert entry.data["removed"] == ["CHE-002"]


def test_registered_player_loses_their_spot_only_on_request(
    event: Event, organizer: User, shorter_upload: EligibilityImport
) -> None:
    apply_import(shorter_upload, organizer, Choices(refuse=True))
    registration = event.registrations.get()
    assert (registration.state, registration.reason) == (
        "refused",
        "Not on the students’ list any more.",
    )
    assert "CHE-002" in list_roll_numbers(event)


def test_removed_list_entries_can_be_restored(
    event: Event, organizer: User, shorter_upload: EligibilityImport
) -> None:
    before = set(event.students.values_list("pk", "roll_key", "name"))
    undo_import(apply_import(shorter_upload, organizer, Choices(remove=True)), organizer)
    assert set(event.students.values_list("pk", "roll_key", "name")) == before


def test_entry_is_not_restored_if_its_roll_number_is_in_use(
    event: Event, organizer: User, shorter_upload: EligibilityImport
) -> None:
    applied = apply_import(shorter_upload, organizer, Choices(remove=True))
    make_student(event, "CHE-002", name="Benedict")
    assert get_refusal_code(undo_import, applied, organizer) == "corrected"
    assert event.students.filter(roll_key="CHE-002").count() == 1
