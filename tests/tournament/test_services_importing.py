import io
from typing import Any

import pytest
from django.db import connection
from openpyxl import Workbook

from tests.factories import make_event, make_organizer, make_student
from tests.tournament.helpers import code_of
from tests.tournament.lists import GOOD, rolls, upload
from tournament import eligibility
from tournament.eligibility import Report
from tournament.models import AuditEntry, EligibilityImport, Event, User
from tournament.services.importing import apply_import, preview, upload_list

pytestmark = pytest.mark.django_db


def test_a_preview_changes_nothing(event: Event, organizer: User) -> None:
    uploaded = upload(event, organizer, GOOD)
    assert uploaded.counts == {"new": 2, "changed": 0, "same": 0, "duplicate": 0, "faulty": 0}
    assert rolls(event) == []


def test_an_applied_list_is_stored_and_written_down(event: Event, organizer: User) -> None:
    apply_import(upload(event, organizer, GOOD), organizer)
    asha = event.students.get(roll_key="CHE-001")
    assert (asha.name, asha.email, asha.department, asha.programme, asha.year) == (
        "Asha Sen",
        "asha@college.example",
        "Chemical Engineering",
        "UG",
        "2",
    )
    assert AuditEntry.objects.get(event=event).text == "Applied list.csv: 2 new, 0 changed."


def test_an_applied_file_is_not_kept(event: Event, organizer: User) -> None:
    applied = apply_import(upload(event, organizer, GOOD), organizer)
    applied.refresh_from_db()
    assert bytes(applied.content) == b""


def test_a_workbook_is_read_too(event: Event, organizer: User) -> None:
    book = Workbook()
    assert book.active is not None
    for row in GOOD.splitlines():
        book.active.append(row.split(","))
    stream = io.BytesIO()
    book.save(stream)
    apply_import(upload_list(event, organizer, "list.xlsx", stream.getvalue()), organizer)
    assert rolls(event) == ["CHE-001", "CHE-002"]


def test_a_faulty_row_blocks_all_unless_it_is_left_out(event: Event, organizer: User) -> None:
    text = GOOD + "CHE-003,,nobody\nche-001,Asha Again,,,,\n"
    uploaded = upload(event, organizer, text)
    kinds = [verdict.kind for verdict in preview(uploaded).verdicts]
    assert kinds == ["new", "new", "faulty", "duplicate"]
    assert code_of(apply_import, uploaded, organizer) == "faulty"
    assert rolls(event) == []
    apply_import(uploaded, organizer, leave_out=True)
    assert rolls(event) == ["CHE-001", "CHE-002"]


def test_a_list_that_changed_meanwhile_is_previewed_again(event: Event, organizer: User) -> None:
    uploaded = upload(event, organizer, GOOD)
    make_student(event, "CHE-009")
    assert code_of(apply_import, uploaded, organizer) == "list-changed"
    assert rolls(event) == ["CHE-009"]


def test_a_file_is_applied_once(event: Event, organizer: User) -> None:
    uploaded = upload(event, organizer, GOOD)
    apply_import(uploaded, organizer)
    assert code_of(apply_import, uploaded, organizer) == "state"
    again = upload(event, organizer, GOOD)
    assert code_of(apply_import, again, organizer) == "nothing"


def test_a_file_that_is_no_list_is_refused(event: Event, organizer: User) -> None:
    assert code_of(upload, event, organizer, "a,b\n1,2\n") == "no-columns"
    assert EligibilityImport.objects.count() == 0


@pytest.mark.django_db(transaction=True)
def test_a_file_is_read_while_nobody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    event = make_event(eligibility_required=True)
    organizer = make_organizer(event)
    held: list[bool] = []
    judge = eligibility.judge

    def watched(*args: Any) -> Report:
        held.append(connection.in_atomic_block)
        return judge(*args)

    monkeypatch.setattr(eligibility, "judge", watched)
    apply_import(upload(event, organizer, GOOD), organizer)
    assert held == [False, False]
    assert rolls(event) == ["CHE-001", "CHE-002"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("step", ["upload", "apply"])
def test_a_list_that_changes_while_the_file_is_read_is_noticed(
    monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    event = make_event(eligibility_required=True)
    organizer = make_organizer(event)
    judge = eligibility.judge
    changing = iter([step == "upload", step == "apply"])

    def slow(*args: Any) -> Report:
        report = judge(*args)
        if next(changing):
            make_student(event, "CHE-001")
        return report

    monkeypatch.setattr(eligibility, "judge", slow)
    uploaded = upload(event, organizer, GOOD)
    assert code_of(apply_import, uploaded, organizer) == "list-changed"
    assert rolls(event) == ["CHE-001"]


def test_a_preview_that_a_later_file_has_replaced_is_refused_in_words(
    event: Event, organizer: User
) -> None:
    first = upload(event, organizer, GOOD)
    upload(event, organizer, GOOD)
    assert code_of(apply_import, first, organizer) == "state"


def test_students_may_swap_addresses(event: Event, organizer: User) -> None:
    apply_import(upload(event, organizer, GOOD), organizer)
    swapped = GOOD.replace("asha@", "x@").replace("ben@", "asha@").replace("x@", "ben@")
    apply_import(upload(event, organizer, swapped), organizer)
    assert event.students.get(roll_key="CHE-001").email == "ben@college.example"
