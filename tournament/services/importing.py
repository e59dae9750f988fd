"""Uploading the list of eligible students: preview, apply as a whole, undo."""

import hashlib
import json
from collections.abc import Iterable

from django.db import transaction
from django.utils import timezone

from tournament import eligibility
from tournament.eligibility import FileRefused, Report, Student, Verdict
from tournament.models import EligibilityImport, EligibleStudent, Event, User
from tournament.services.audit import record
from tournament.services.errors import Refused
from tournament.services.locks import lock_event

State = EligibilityImport.State
FIELDS = ("roll_number", "name", "email", "department", "programme", "year")


def student_of(row: EligibleStudent) -> Student:
    """A row of the stored list as plain texts."""
    return Student(**{field: getattr(row, field) for field in FIELDS})


def list_hash(event: Event) -> str:
    """SHA-256 of the stored list, to notice that it has changed."""
    return _hash(event.students.order_by("pk"))


def _hash(rows: Iterable[EligibleStudent]) -> str:
    lines = [(row.pk, *(getattr(row, field) for field in FIELDS)) for row in rows]
    return hashlib.sha256(json.dumps(lines).encode()).hexdigest()


def judge(content: bytes, rows: Iterable[EligibleStudent]) -> Report:
    """Compare a file with a stored list. Refused with the codes of `FileRefused`.

    It takes seconds where the list is long: nobody else is to wait for it, so hold no lock.
    """
    try:
        return eligibility.judge(content, [student_of(row) for row in rows])
    except FileRefused as refused:
        raise Refused(refused.code, str(refused)) from refused


def upload_list(event: Event, actor: User, filename: str, content: bytes) -> EligibilityImport:
    """Keep a file for its preview; earlier files that were never applied are dropped.

    Refused with the codes of `FileRefused`.
    """
    rows = list(event.students.order_by("pk"))
    report = judge(content, rows)
    upload = EligibilityImport(
        event=event,
        filename=filename[-120:],
        content=content,
        content_hash=hashlib.sha256(content).hexdigest(),
        list_hash=_hash(rows),
        counts=report.counts,
        uploaded_by=actor,
    )
    return _keep(upload)


@transaction.atomic
def _keep(upload: EligibilityImport) -> EligibilityImport:
    event = lock_event(upload.event)
    event.imports.filter(state=State.PREVIEWED).delete()
    upload.save()
    return upload


def preview(upload: EligibilityImport) -> Report:
    """The verdict on every row against the list as it is now."""
    return judge(bytes(upload.content), upload.event.students.order_by("pk"))


def apply_import(
    upload: EligibilityImport, actor: User, *, leave_out: bool = False
) -> EligibilityImport:
    """Write all new and changed rows, or none.

    Faulty and duplicate rows stop it unless `leave_out`. Refused with: state, list-changed,
    faulty, nothing.
    """
    upload = _waiting(upload)
    rows = list(upload.event.students.order_by("pk"))
    _check_unchanged(_hash(rows), upload)
    report = judge(bytes(upload.content), rows)
    _check_complete(report, leave_out)
    return _apply(upload, actor, report)


@transaction.atomic
def _apply(upload: EligibilityImport, actor: User, report: Report) -> EligibilityImport:
    event = lock_event(upload.event)
    upload = _waiting(upload)
    _check_unchanged(list_hash(event), upload)
    upload.before = _write(event, report.verdicts)
    upload.state, upload.applied_at, upload.counts = State.APPLIED, timezone.now(), report.counts
    upload.content = b""  # the list now holds it; no second copy of personal data
    upload.save()
    counts = report.counts
    text = f"Applied {upload.filename}: {counts['new']} new, {counts['changed']} changed."
    record(event, actor, "import", text, upload=upload.pk, counts=counts)
    return upload


def _waiting(upload: EligibilityImport) -> EligibilityImport:
    """The file as it is now, if it still waits to be applied."""
    waiting = EligibilityImport.objects.filter(pk=upload.pk, state=State.PREVIEWED).first()
    if waiting is None:
        raise Refused("state", "This file has been applied already, or another has replaced it.")
    return waiting


def _check_unchanged(now: str, upload: EligibilityImport) -> None:
    if now != upload.list_hash:
        raise Refused(
            "list-changed",
            "The list has changed since this preview: upload the file again and look once more.",
        )


def _check_complete(report: Report, leave_out: bool) -> None:
    counts = report.counts
    bad = counts["faulty"] + counts["duplicate"]
    if bad and not leave_out:
        raise Refused(
            "faulty",
            f"{bad} {'row is' if bad == 1 else 'rows are'} faulty or duplicate. Correct the file "
            "and upload it again, or choose to leave these rows out.",
        )
    if not counts["new"] + counts["changed"]:
        raise Refused("nothing", "Nothing in this file would change the list.")


def _write(event: Event, verdicts: Iterable[Verdict]) -> dict[str, list[list[str]]]:
    """Write what is new and changed; returns what is needed to take it back."""
    stored = {row.roll_key: row for row in event.students.all()}
    chosen = [v.student for v in verdicts if v.kind in ("new", "changed") and v.student]
    new = [student for student in chosen if student.key not in stored]
    old = [stored[student.key] for student in chosen if student.key in stored]
    before = [[row.roll_key, *(getattr(row, field) for field in FIELDS)] for row in old]
    for student in chosen:
        if row := stored.get(student.key):
            for field in FIELDS:
                setattr(row, field, getattr(student, field))
    _free_addresses(old)
    EligibleStudent.objects.bulk_update(old, FIELDS)
    EligibleStudent.objects.bulk_create(
        EligibleStudent(
            event=event, roll_key=s.key, **{field: getattr(s, field) for field in FIELDS}
        )
        for s in new
    )
    return {"added": [[student.key] for student in new], "changed": before}


def _free_addresses(rows: list[EligibleStudent]) -> None:
    """Two students may have swapped addresses: let go of the old ones before writing the new."""
    EligibleStudent.objects.filter(pk__in=[row.pk for row in rows]).update(email="")


@transaction.atomic
def undo_import(upload: EligibilityImport, actor: User) -> EligibilityImport:
    """Take back the latest import: added rows go, changed rows are as before.

    Refused with: state, not-latest, registered.
    """
    event = lock_event(upload.event)
    upload.refresh_from_db()
    if upload.state != State.APPLIED:
        raise Refused("state", "Only an import that has been applied can be undone.")
    if event.imports.filter(state=State.APPLIED, pk__gt=upload.pk).exists():
        raise Refused("not-latest", "A later import has been applied: undo that one first.")
    added = event.students.filter(roll_key__in=[key for (key,) in upload.before["added"]])
    if registered := added.filter(registrations__isnull=False).count():
        raise Refused(
            "registered",
            f"{registered} of the students that this import added have registered already; "
            "refuse or correct them one by one instead.",
        )
    added.delete()
    _restore(event, upload.before["changed"])
    upload.state = State.UNDONE
    upload.save(update_fields=["state"])
    record(event, actor, "undo-import", f"Took back {upload.filename}.", upload=upload.pk)
    return upload


def _restore(event: Event, before: Iterable[list[str]]) -> None:
    old = {key: values for key, *values in before}
    rows = list(event.students.filter(roll_key__in=old))
    for row in rows:
        for field, value in zip(FIELDS, old[row.roll_key], strict=True):
            setattr(row, field, value)
    _free_addresses(rows)
    EligibleStudent.objects.bulk_update(rows, FIELDS)


def check_student(row: EligibleStudent) -> None:
    """Refuse a line that clashes with another of the list: roll, address."""
    row.roll_key = eligibility.normalise_roll(row.roll_number)
    row.email = eligibility.normalise_email(row.email)
    others = EligibleStudent.objects.filter(event=row.event_id).exclude(pk=row.pk)
    if same := others.filter(roll_key=row.roll_key).first():
        raise Refused("roll", f"{same.name} has the roll number {same.roll_number} already.")
    if row.email and (same := others.filter(email=row.email).first()):
        raise Refused("address", f"{same.name} ({same.roll_number}) has this address already.")


@transaction.atomic
def save_student(row: EligibleStudent, actor: User) -> EligibleStudent:
    """Add one line to the list or correct one. Refused with: roll, address."""
    event = lock_event(row.event)
    verb = "Corrected" if row.pk else "Added"
    check_student(row)
    row.save()
    record(event, actor, "student", f"{verb} {row} on the list.", student=row.roll_key)
    return row


@transaction.atomic
def remove_students(rows: Iterable[EligibleStudent], actor: User) -> int:
    """Take lines off the list; how many. Refused with: registered."""
    chosen = list(rows)
    for row in chosen:
        event = lock_event(row.event)
        if row.registrations.exists():
            raise Refused(
                "registered",
                f"{row} has registered: refuse the registration instead. Nothing was removed.",
            )
        row.delete()
        record(event, actor, "student", f"Took {row} off the list.", student=row.roll_key)
    return len(chosen)
