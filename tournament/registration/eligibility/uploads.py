"""Uploading the list of eligible students: preview, and applying it as a whole."""

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
from tournament.people.names import carry_over
from tournament.pure import lists
from tournament.pure.codes import Code
from tournament.pure.lists import (
    COLUMNS,
    Judgement,
    ListedStudent,
    ListReport,
    RefusedFileError,
    Verdict,
)
from tournament.pure.lists.headings import NAME_PARTS
from tournament.pure.lists.layouts import number_choices
from tournament.pure.lists.sheets import FileCode
from tournament.registration.eligibility.list_preview import (
    keys_named,
    lines_unnamed,
    playing_unnamed,
)
from tournament.registration.services import refuse_all

State = EligibilityImport.State
FIELDS = tuple(COLUMNS)
# What an organizer can say about a heading.
MEANINGS = (*COLUMNS, *NAME_PARTS)


def student_of(row: EligibleStudent) -> ListedStudent:
    """Return a row of the stored list as plain texts."""
    return ListedStudent(**{field: getattr(row, field) for field in FIELDS})


def list_hash(event: Event) -> str:
    """Return the SHA-256 of the stored list, to detect changes to it."""
    return _hash(event.students.order_by("pk"))


def _hash(rows: Iterable[EligibleStudent]) -> str:
    lines = [(row.pk, *(getattr(row, field) for field in FIELDS)) for row in rows]
    return hashlib.sha256(json.dumps(lines).encode()).hexdigest()


def judge(
    content: bytes,
    rows: Iterable[EligibleStudent],
    chosen: Mapping[str, str] | None = None,
    meanings: Sequence[str] | None = None,
) -> ListReport:
    """Compare a file with a stored list. `chosen` and `meanings` are as for `lists.judge`.

    Call without a lock: a long list takes a second, and other requests must not wait for it.
    Refused with the codes of `RefusedFileError`.
    """
    students = [student_of(row) for row in rows]
    try:
        return lists.examine(content, students, chosen=chosen, meanings=meanings)
    except RefusedFileError as refused:
        raise RefusedError(refused.code, str(refused)) from refused


def upload_list(event: Event, actor: User, filename: str, content: bytes) -> EligibilityImport:
    """Store a file for its preview; earlier files that were never applied are deleted.

    Refused with the codes of `RefusedFileError`.
    """
    rows = list(event.students.order_by("pk"))
    chosen = _load_choice(event)
    report = judge(content, rows, chosen)
    upload = EligibilityImport(
        event=event,
        filename=filename[-120:],
        content=content,
        content_hash=hashlib.sha256(content).hexdigest(),
        list_hash=_hash(rows),
        counts=report.counts,
        verdicts=Judgement.from_report(report).to_json(),
        columns=chosen,
        uploaded_by=actor,
    )
    return _store_upload(upload)


def _load_choice(event: Event) -> dict[str, str]:
    """Return the organizers' choices about the headings of the event's latest list."""
    latest = event.imports.exclude(columns={}).order_by("-pk").values_list("columns", flat=True)
    return latest.first() or {}


def choose_columns(upload: EligibilityImport, meanings: Sequence[str]) -> EligibilityImport:
    """Apply an organizer's choice of the file's columns, and rebuild its preview.

    `meanings`: for each heading a column of the list, a part of a name, or "".
    Refused with: state, list-changed, no-columns, columns-twice.
    """
    upload = _require_waiting(upload)
    rows = list(upload.event.students.order_by("pk"))
    _check_unchanged(_hash(rows), upload)
    headings = [heading for heading, _use in preview(upload).headings]
    known = [text if text in MEANINGS else "" for text in meanings[: len(headings)]]
    known += [""] * (len(headings) - len(known))
    report = judge(bytes(upload.content), rows, upload.columns, known)
    return _store_choice(upload, report, upload.columns | number_choices(headings, known))


@transaction.atomic
def _store_choice(
    upload: EligibilityImport, report: ListReport, columns: dict[str, str]
) -> EligibilityImport:
    lock_event(upload.event)
    upload = _require_waiting(upload)
    upload.counts, upload.columns = report.counts, columns
    upload.verdicts = Judgement.from_report(report).to_json()
    upload.save(update_fields=["counts", "columns", "verdicts"])
    return upload


@transaction.atomic
def _store_upload(upload: EligibilityImport) -> EligibilityImport:
    event = lock_event(upload.event)
    event.imports.filter(state=State.PREVIEWED).delete()
    upload.save()
    return upload


def preview(upload: EligibilityImport) -> Judgement:
    """Return the verdict on every row, against the list at the time of the upload.

    A file from before verdicts were stored is judged when it is viewed.
    """
    kept = Judgement.from_json(upload.verdicts)
    if kept is not None:
        return kept
    rows = upload.event.students.order_by("pk")
    return Judgement.from_report(judge(bytes(upload.content), rows, upload.columns))


@dataclass(frozen=True)
class Choices:
    """The organizer's choices for applying a file.

    `leave_out`: skip faulty and duplicate rows. For students who are not in the file: `remove`
    deletes their entries from the list, and `refuse` rejects those who take part.
    """

    leave_out: bool = False
    remove: bool = False
    refuse: bool = False


def apply_import(
    upload: EligibilityImport, actor: User, choices: Choices = Choices()
) -> EligibilityImport:
    """Write all new and changed rows, or none.

    Faulty and duplicate rows prevent it unless they are left out. Refused with: state,
    list-changed, no-columns, faulty, nothing, and as `refuse`.
    """
    upload = _require_waiting(upload)
    _check_unchanged(list_hash(upload.event), upload)
    judgement = preview(upload)
    if judgement.problem:
        raise RefusedError(FileCode.NO_COLUMNS, judgement.problem)
    _check_complete(upload.counts, choices)
    return _apply(upload, actor, judgement, choices)


@transaction.atomic
def _apply(
    upload: EligibilityImport, actor: User, judgement: Judgement, choices: Choices
) -> EligibilityImport:
    event = lock_event(upload.event)
    upload = _require_waiting(upload)
    _check_unchanged(list_hash(event), upload)
    named = keys_named([Verdict.from_json(row) for row in judgement.rows])
    if choices.refuse:
        refuse_all(playing_unnamed(event, named), actor, SystemReason.NOT_LISTED.value)
    removed = _take_off(lines_unnamed(event, named)) if choices.remove else []
    upload.before = _write(event, actor, judgement.students_to_write()) | {"removed": removed}
    upload.state, upload.applied_at = State.APPLIED, timezone.now()
    # The list now contains this personal data, so the second copy is deleted.
    upload.content, upload.verdicts = b"", {}
    upload.save()
    counts = upload.counts

    def describe_import() -> str:
        told = _("Applied {file}: {new} new, {changed} changed.")
        done = told.format(file=upload.filename, new=counts["new"], changed=counts["changed"])
        return " ".join([done, *_describe_removed(len(removed))])

    gone = [roll_number for _pk, roll_number, *_values in removed]
    record(
        event,
        actor,
        LogAction.IMPORT,
        describe_import,
        upload=upload.pk,
        counts=counts,
        removed=gone,
    )
    return upload


def _describe_removed(count: int) -> list[str]:
    text = ngettext("{count} entry removed.", "{count} entries removed.", count)
    return [text.format(count=count)] if count else []


def _take_off(lines: Sequence[EligibleStudent]) -> list[list[Any]]:
    """Delete these list entries and return the data to restore them."""
    before = [summarize_row(line) for line in lines]
    EligibleStudent.objects.filter(pk__in=[line.pk for line in lines]).delete()
    return before


def _require_waiting(upload: EligibilityImport) -> EligibilityImport:
    """Return the file reloaded, if it is still waiting to be applied.

    Refused with: state.
    """
    waiting = EligibilityImport.objects.filter(pk=upload.pk, state=State.PREVIEWED).first()
    if waiting is None:
        text = _("This file has already been applied or has been replaced by another one.")
        raise RefusedError(Code.STATE, text)
    return waiting


def _check_unchanged(now: str, upload: EligibilityImport) -> None:
    if now != upload.list_hash:
        raise RefusedError(
            Code.LIST_CHANGED,
            _(
                "The list has changed since this preview. Upload the file again and review the "
                "new preview."
            ),
        )


def _check_complete(counts: Mapping[str, int], choices: Choices) -> None:
    bad = counts["faulty"] + counts["duplicate"]
    if bad and not choices.leave_out:
        text = ngettext(
            "{count} row is invalid or a duplicate. Correct the file and upload it again, "
            "or choose to leave this row out.",
            "{count} rows are invalid or duplicates. Correct the file and upload it again, "
            "or choose to leave these rows out.",
            bad,
        )
        raise RefusedError(Code.FAULTY, text.format(count=bad))
    if not counts["new"] + counts["changed"] and not (choices.remove or choices.refuse):
        raise RefusedError(Code.NOTHING, _("This file wouldn’t change the list."))


def _write(event: Event, actor: User, chosen: Sequence[ListedStudent]) -> dict[str, list[Any]]:
    """Write new and changed students and return the data to undo it."""
    stored = {row.roll_key: row for row in event.students.all()}
    new = [student for student in chosen if student.key not in stored]
    old = [stored[student.key] for student in chosen if student.key in stored]
    before = [summarize_row(row) for row in old]
    names = {row.pk: row.name for row in old}
    for student in chosen:
        if row := stored.get(student.key):
            for field in FIELDS:
                setattr(row, field, getattr(student, field))
    free_addresses(old)
    EligibleStudent.objects.bulk_update(old, FIELDS)
    carry_over(event, actor, old, names)
    added = EligibleStudent.objects.bulk_create(
        EligibleStudent(
            event=event, roll_key=s.key, **{field: getattr(s, field) for field in FIELDS}
        )
        for s in new
    )
    after = [summarize_row(row) for row in (*old, *added)]
    return {"added": [row.pk for row in added], "changed": before, "after": after}


def summarize_row(row: EligibleStudent) -> list[Any]:
    """Return a list entry in the form that an import stores."""
    return [row.pk, *(getattr(row, field) for field in FIELDS)]


def free_addresses(rows: list[EligibleStudent]) -> None:
    """Clear the email addresses of these rows before new ones are written.

    Two students may have swapped addresses.
    """
    EligibleStudent.objects.filter(pk__in=[row.pk for row in rows]).update(email="")
