"""Uploading a list of eligible students: the preview, and applying all rows or none."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.common.locks import lock_event
from tournament.common.reasons import SystemReason
from tournament.common.refusals import RefusedError
from tournament.models import EligibilityImport, EligibleStudent, Event, LogAction, User
from tournament.oversight.audit import record
from tournament.people.names import apply_changed_entries
from tournament.pure import lists
from tournament.pure.codes import Code
from tournament.pure.lists import (
    COLUMNS,
    ListedStudent,
    ListReport,
    RefusedFileError,
    StoredReport,
    Verdict,
)
from tournament.pure.lists.headings import NAME_PARTS
from tournament.pure.lists.layouts import choices_by_heading
from tournament.pure.lists.sheets import FileCode
from tournament.registration.eligibility.list_preview import (
    list_missing_players,
    list_removable_entries,
    list_roll_keys,
)
from tournament.registration.services import refuse_all

State = EligibilityImport.State
FIELDS = tuple(COLUMNS)
# The columns and name parts that an organizer can assign to a heading.
HEADING_MEANINGS = (*COLUMNS, *NAME_PARTS)


def student_of(row: EligibleStudent) -> ListedStudent:
    """Convert a stored list entry to plain texts."""
    return ListedStudent(**{field: getattr(row, field) for field in FIELDS})


def list_hash(event: Event) -> str:
    """Return the SHA-256 of the stored list, to detect changes."""
    return _hash_entries(event.students.order_by("pk"))


def _hash_entries(rows: Iterable[EligibleStudent]) -> str:
    lines = [(row.pk, *(getattr(row, field) for field in FIELDS)) for row in rows]
    return hashlib.sha256(json.dumps(lines).encode()).hexdigest()


def judge_file(
    content: bytes,
    rows: Iterable[EligibleStudent],
    chosen: Mapping[str, str] | None = None,
    meanings: Sequence[str] | None = None,
) -> ListReport:
    """Judge a file against a stored list.

    `chosen` and `meanings` are passed to `lists.examine`. The caller must not have locked the
    event, because a long list takes a second. Raises RefusedError with the code of the
    `RefusedFileError`.
    """
    students = [student_of(row) for row in rows]
    try:
        return lists.examine(content, students, chosen=chosen, meanings=meanings)
    except RefusedFileError as refused:
        raise RefusedError(refused.code, str(refused)) from refused


def upload_list(event: Event, actor: User, filename: str, content: bytes) -> EligibilityImport:
    """Store a file for its preview, and delete earlier files that were never applied.

    Raises RefusedError like `judge_file`.
    """
    rows = list(event.students.order_by("pk"))
    chosen = _load_choice(event)
    report = judge_file(content, rows, chosen)
    upload = EligibilityImport(
        event=event,
        filename=filename[-120:],
        content=content,
        content_hash=hashlib.sha256(content).hexdigest(),
        list_hash=_hash_entries(rows),
        counts=report.counts,
        verdicts=StoredReport.from_report(report).to_json(),
        columns=chosen,
        uploaded_by=actor,
    )
    return _store_upload(upload)


def _load_choice(event: Event) -> dict[str, str]:
    """Return the organizers' choices about headings from the event's latest list."""
    latest = event.imports.exclude(columns={}).order_by("-pk").values_list("columns", flat=True)
    return latest.first() or {}


def choose_columns(upload: EligibilityImport, meanings: Sequence[str]) -> EligibilityImport:
    """Apply an organizer's choice of columns, and judge the file again.

    `meanings` gives a column, a name part or "" for each heading. Raises RefusedError with the code
    `state`, `list-changed`, `no-columns` or `columns-twice`.
    """
    upload = _require_unapplied_upload(upload)
    rows = list(upload.event.students.order_by("pk"))
    _check_list_unchanged(_hash_entries(rows), upload)
    headings = [heading for heading, _use in get_report(upload).headings]
    valid_meanings = [
        text if text in HEADING_MEANINGS else "" for text in meanings[: len(headings)]
    ]
    valid_meanings += [""] * (len(headings) - len(valid_meanings))
    report = judge_file(bytes(upload.content), rows, upload.columns, valid_meanings)
    return _store_choice(
        upload, report, upload.columns | choices_by_heading(headings, valid_meanings)
    )


@transaction.atomic
def _store_choice(
    upload: EligibilityImport, report: ListReport, columns: dict[str, str]
) -> EligibilityImport:
    lock_event(upload.event)
    upload = _require_unapplied_upload(upload)
    upload.counts, upload.columns = report.counts, columns
    upload.verdicts = StoredReport.from_report(report).to_json()
    upload.save(update_fields=["counts", "columns", "verdicts"])
    return upload


@transaction.atomic
def _store_upload(upload: EligibilityImport) -> EligibilityImport:
    event = lock_event(upload.event)
    event.imports.filter(state=State.PREVIEWED).delete()
    upload.save()
    return upload


def get_report(upload: EligibilityImport) -> StoredReport:
    """Return the verdicts on all rows, based on the list at the time of the upload.

    Files uploaded to older versions of the site have no stored verdicts, and are judged now.
    """
    stored = StoredReport.from_json(upload.verdicts)
    if stored is not None:
        return stored
    rows = upload.event.students.order_by("pk")
    return StoredReport.from_report(judge_file(bytes(upload.content), rows, upload.columns))


@dataclass(frozen=True)
class Choices:
    """The organizer's choices for applying a file.

    * `leave_out`: skip invalid and duplicate rows.
    * `remove`: delete the list entries of students who are not in the file.
    * `refuse`: refuse the registrations of students who are not in the file.
    """

    leave_out: bool = False
    remove: bool = False
    refuse: bool = False


def apply_import(
    upload: EligibilityImport, actor: User, choices: Choices = Choices()
) -> EligibilityImport:
    """Write all new and changed rows, or none.

    Invalid and duplicate rows prevent this, unless they are left out. Raises RefusedError with the
    code `state`, `list-changed`, `no-columns`, `faulty` or `nothing`, or like `refuse`.
    """
    upload = _require_unapplied_upload(upload)
    _check_list_unchanged(list_hash(upload.event), upload)
    report = get_report(upload)
    if report.problem:
        raise RefusedError(FileCode.NO_COLUMNS, report.problem)
    _check_can_apply(upload.counts, choices)
    return _apply_rows(upload, actor, report, choices)


@transaction.atomic
def _apply_rows(
    upload: EligibilityImport, actor: User, report: StoredReport, choices: Choices
) -> EligibilityImport:
    event = lock_event(upload.event)
    upload = _require_unapplied_upload(upload)
    _check_list_unchanged(list_hash(event), upload)
    keys = list_roll_keys([Verdict.from_json(row) for row in report.rows])
    if choices.refuse:
        refuse_all(list_missing_players(event, keys), actor, SystemReason.NOT_LISTED.value)
    removed = _delete_entries(list_removable_entries(event, keys)) if choices.remove else []
    upload.before = _write_students(event, actor, report.students_to_write()) | {"removed": removed}
    upload.state, upload.applied_at = State.APPLIED, timezone.now()
    # The list now has this personal data, so the copy is deleted.
    upload.content, upload.verdicts = b"", {}
    upload.save()
    counts = upload.counts

    def describe_import() -> str:
        text = _("Applied {file}: {new} new, {changed} changed.")
        applied = text.format(file=upload.filename, new=counts["new"], changed=counts["changed"])
        return " ".join([applied, *_describe_removed(len(removed))])

    removed_roll_numbers = [roll_number for _pk, roll_number, *_values in removed]
    record(
        event,
        actor,
        LogAction.IMPORT,
        describe_import,
        upload=upload.pk,
        counts=counts,
        removed=removed_roll_numbers,
    )
    return upload


def _describe_removed(count: int) -> list[str]:
    text = ngettext("{count} entry removed.", "{count} entries removed.", count)
    return [text.format(count=count)] if count else []


def _delete_entries(lines: Sequence[EligibleStudent]) -> list[list[Any]]:
    """Delete these list entries, and return the data needed to restore them."""
    before = [summarize_row(line) for line in lines]
    EligibleStudent.objects.filter(pk__in=[line.pk for line in lines]).delete()
    return before


def _require_unapplied_upload(upload: EligibilityImport) -> EligibilityImport:
    """Return the reloaded upload, which must not have been applied yet.

    Raises RefusedError with the code `state`.
    """
    waiting = EligibilityImport.objects.filter(pk=upload.pk, state=State.PREVIEWED).first()
    if waiting is None:
        text = _("This file has already been applied or has been replaced by another one.")
        raise RefusedError(Code.STATE, text)
    return waiting


def _check_list_unchanged(current_hash: str, upload: EligibilityImport) -> None:
    if current_hash != upload.list_hash:
        raise RefusedError(
            Code.LIST_CHANGED,
            _(
                "The list has changed since this preview. Upload the file again and review the "
                "new preview."
            ),
        )


def _check_can_apply(counts: Mapping[str, int], choices: Choices) -> None:
    faulty = counts["faulty"] + counts["duplicate"]
    if faulty and not choices.leave_out:
        text = ngettext(
            "{count} row is invalid or a duplicate. Correct the file and upload it again, "
            "or choose to leave this row out.",
            "{count} rows are invalid or duplicates. Correct the file and upload it again, "
            "or choose to leave these rows out.",
            faulty,
        )
        raise RefusedError(Code.FAULTY, text.format(count=faulty))
    if not counts["new"] + counts["changed"] and not (choices.remove or choices.refuse):
        raise RefusedError(Code.NOTHING, _("This file wouldn’t change the list."))


def _write_students(
    event: Event, actor: User, chosen: Sequence[ListedStudent]
) -> dict[str, list[Any]]:
    """Write new and changed students, and return the data needed to undo the import."""
    stored = {row.roll_key: row for row in event.students.all()}
    new_students = [student for student in chosen if student.key not in stored]
    changed_rows = [stored[student.key] for student in chosen if student.key in stored]
    before = [summarize_row(row) for row in changed_rows]
    names = {row.pk: row.name for row in changed_rows}
    for student in chosen:
        if row := stored.get(student.key):
            for field in FIELDS:
                setattr(row, field, getattr(student, field))
    clear_addresses(changed_rows)
    EligibleStudent.objects.bulk_update(changed_rows, FIELDS)
    apply_changed_entries(event, actor, changed_rows, names)
    added = EligibleStudent.objects.bulk_create(
        EligibleStudent(
            event=event, roll_key=s.key, **{field: getattr(s, field) for field in FIELDS}
        )
        for s in new_students
    )
    after = [summarize_row(row) for row in (*changed_rows, *added)]
    return {"added": [row.pk for row in added], "changed": before, "after": after}


def summarize_row(row: EligibleStudent) -> list[Any]:
    """Return a list entry in the form that is stored with an import."""
    return [row.pk, *(getattr(row, field) for field in FIELDS)]


def clear_addresses(rows: list[EligibleStudent]) -> None:
    """Clear the email addresses in these rows before new ones are written.

    Without this, two students could not swap addresses.
    """
    EligibleStudent.objects.filter(pk__in=[row.pk for row in rows]).update(email="")
