"""Undoing an import of the eligibility list as a whole.

An import cannot be undone once students that it added have registered.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from tournament.common.language import translate_later
from tournament.common.locks import lock_event
from tournament.common.refusals import RefusedError
from tournament.models import EligibilityImport, EligibleStudent, Event, LogAction, User
from tournament.oversight.audit import record
from tournament.people.names import apply_changed_entries
from tournament.pure.codes import Code
from tournament.pure.lists import ListedStudent, normalise_roll
from tournament.registration.eligibility.list_effects import find_newly_ineligible
from tournament.registration.eligibility.uploads import FIELDS, clear_addresses, summarize_row

State = EligibilityImport.State
MAX_NAMES = 5


@dataclass(frozen=True)
class ImportUndo:
    """The effect of undoing the latest import.

    * `upload`: the key of the import.
    * `removed_count`: the number of rows that would be removed.
    * `restored_count`: the number of rows that would be restored.
    * `changed_count`: the number of rows that would be changed back.
    * `newly_ineligible`: the names of participants who would no longer be eligible.
    """

    upload: int
    removed_count: int
    restored_count: int
    changed_count: int
    newly_ineligible: list[str]


def preview_undo(event: Event) -> ImportUndo | None:
    """Return the effect of undoing the latest import, or None if there is none."""
    applied = event.imports.filter(state=EligibilityImport.State.APPLIED)
    latest = applied.order_by("-pk").defer("content", "verdicts").first()
    if latest is None:
        return None
    before = latest.before
    old = [ListedStudent(*values) for _pk, *values in before.get("changed", ())]
    return ImportUndo(
        upload=latest.pk,
        removed_count=len(before.get("added", ())),
        restored_count=len(before.get("removed", ())),
        changed_count=len(old),
        newly_ineligible=find_newly_ineligible(
            event, event, {student.key: student for student in old}
        ),
    )


@transaction.atomic
def undo_import(upload: EligibilityImport, actor: User) -> EligibilityImport:
    """Undo the latest import: remove added rows, and restore changed and removed ones.

    Raises RefusedError with the code `state`, `not-latest`, `old`, `corrected`, `address` or
    `registered`.
    """
    event = lock_event(upload.event, upload)
    _check_is_latest_import(event, upload)
    stored = {row.pk: row for row in event.students.all()}
    _check_no_later_corrections(upload, stored)
    _check_old_addresses_are_free(upload, stored)
    _remove_added_entries(event, upload)
    _restore_removed_entries(event, upload)
    names = {pk: row.name for pk, row in stored.items()}
    apply_changed_entries(event, actor, _restore_changed_entries(upload, stored), names)
    upload.state = State.UNDONE
    upload.save(update_fields=["state"])
    text = translate_later(gettext_noop("Undid the import of {file}."), file=upload.filename)
    record(event, actor, LogAction.UNDO_IMPORT, text, upload=upload.pk)
    return upload


def _check_is_latest_import(event: Event, upload: EligibilityImport) -> None:
    if upload.state != State.APPLIED:
        raise RefusedError(Code.STATE, _("Only an import that has been applied can be undone."))
    if event.imports.filter(state=State.APPLIED, pk__gt=upload.pk).exists():
        raise RefusedError(
            Code.NOT_LATEST, _("A later import has been applied. Undo that one first.")
        )
    if "after" not in upload.before:
        raise RefusedError(
            Code.OLD,
            _(
                "This import was applied by an earlier version of the site, which did not "
                "record the import’s changes. Correct the list by hand."
            ),
        )


def _check_no_later_corrections(
    upload: EligibilityImport, stored: dict[int, EligibleStudent]
) -> None:
    """Check that no row was corrected by hand after the import.

    Undoing the import would lose such a correction.
    """
    if any(pk not in stored for pk, *_values in upload.before["changed"]):
        raise _refuse_undo(
            Code.CORRECTED,
            _("A row that this import corrected has since been removed from the list."),
        )
    written = {pk: [pk, *values] for pk, *values in upload.before["after"]}
    rows = [
        row for pk, row in stored.items() if pk in written and summarize_row(row) != written[pk]
    ]
    text = ngettext(
        "The list entry for {students} has been corrected since this import.",
        "The list entries for {students} have been corrected since this import.",
        len(rows),
    )
    _refuse_if_any(Code.CORRECTED, rows, text)


def _check_old_addresses_are_free(
    upload: EligibilityImport, stored: dict[int, EligibleStudent]
) -> None:
    email_column = FIELDS.index("email")
    restored = {values[email_column] for _pk, *values in upload.before["changed"]} - {""}
    changed_rows = {pk for pk, *_values in upload.before["after"]}
    rows = [row for row in stored.values() if row.pk not in changed_rows and row.email in restored]
    text = ngettext(
        "{students} now has an email address that would go back to another student if "
        "the import were undone.",
        "{students} now have email addresses that would go back to other students if "
        "the import were undone.",
        len(rows),
    )
    _refuse_if_any(Code.ADDRESS, rows, text)


def _refuse_if_any(code: Code, rows: Sequence[EligibleStudent], text: str) -> None:
    """Check that `rows` is empty. Otherwise, refuse with `text` and the names in the rows."""
    if rows:
        raise _refuse_undo(code, text.format(students=_list_names(rows)))


def _refuse_undo(code: Code, reason: str) -> RefusedError:
    nothing = _("Nothing was undone. Correct the list by hand.")
    return RefusedError(code, f"{reason} {nothing}")


def _list_names(rows: Sequence[EligibleStudent]) -> str:
    names = ", ".join(map(str, rows[:MAX_NAMES]))
    if (unnamed := len(rows) - MAX_NAMES) <= 0:
        return names
    text = ngettext("{names} and {count} more", "{names} and {count} more", unnamed)
    return text.format(names=names, count=unnamed)


def _remove_added_entries(event: Event, upload: EligibilityImport) -> None:
    added = event.students.filter(pk__in=upload.before["added"])
    if registered := added.filter(registrations__isnull=False).count():
        text = ngettext(
            "{count} of the students this import added has already registered. Reject or "
            "correct that registration instead.",
            "{count} of the students this import added have already registered. Reject or "
            "correct those registrations instead.",
            registered,
        )
        raise RefusedError(Code.REGISTERED, text.format(count=registered))
    added.delete()


def _restore_removed_entries(event: Event, upload: EligibilityImport) -> None:
    """Restore the rows that the import removed, unless other rows have replaced them."""
    lines = [
        EligibleStudent(pk=pk, event=event, **dict(zip(FIELDS, values, strict=True)))
        for pk, *values in upload.before.get("removed", ())
    ]
    for line in lines:
        line.roll_key = normalise_roll(line.roll_number)
    keys = [line.roll_key for line in lines]
    addresses = [line.email for line in lines if line.email]
    conflicting = list(event.students.filter(Q(roll_key__in=keys) | Q(email__in=addresses)))
    text = ngettext(
        "{students} has since taken the place of a removed row on the list.",
        "{students} have since taken the place of removed rows on the list.",
        len(conflicting),
    )
    _refuse_if_any(Code.CORRECTED, conflicting, text)
    EligibleStudent.objects.bulk_create(lines)


def _restore_changed_entries(
    upload: EligibilityImport, stored: dict[int, EligibleStudent]
) -> list[EligibleStudent]:
    rows = []
    for pk, *values in upload.before["changed"]:
        for field, value in zip(FIELDS, values, strict=True):
            setattr(stored[pk], field, value)
        rows.append(stored[pk])
    clear_addresses(rows)
    EligibleStudent.objects.bulk_update(rows, FIELDS)
    return rows
