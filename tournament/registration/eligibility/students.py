"""Adding, correcting and removing entries of the eligibility list by hand."""

from collections.abc import Iterable

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from tournament.common.language import translate_later
from tournament.common.locks import lock_event
from tournament.common.refusals import RefusedError
from tournament.models import EligibleStudent, LogAction, Registration, User
from tournament.oversight.audit import record
from tournament.people.names import apply_changed_entries
from tournament.pure import lists
from tournament.pure.codes import Code
from tournament.pure.lists import COLUMNS
from tournament.pure.texts import clean_text
from tournament.registration.eligibility.uploads import student_of


def check_student(row: EligibleStudent) -> None:
    """Normalize and check an entry in the same way as uploaded entries.

    Raises RefusedError with the code `faulty`, `roll` or `address` if the entry is invalid or
    clashes with another entry.
    """
    for field in COLUMNS:
        setattr(row, field, clean_text(getattr(row, field)))
    row.roll_key = lists.normalise_roll(row.roll_number)
    row.email = lists.normalise_email(row.email)
    if fault := lists.find_fault(student_of(row)):
        raise RefusedError(Code.FAULTY, f"{fault.text[0].upper()}{fault.text[1:]}.")
    _check_unique(row)
    _check_roll_number_is_free(row)


def _check_unique(row: EligibleStudent) -> None:
    others = EligibleStudent.objects.filter(event=row.event_id).exclude(pk=row.pk)
    if clashing := others.filter(roll_key=row.roll_key).first():
        text = _("{name} already has the roll number {roll_number}.")
        raise RefusedError(
            Code.ROLL, text.format(name=clashing.name, roll_number=clashing.roll_number)
        )
    if row.email and (clashing := others.filter(email=row.email).first()):
        text = _("{name} ({roll_number}) already has this address.")
        raise RefusedError(
            Code.ADDRESS, text.format(name=clashing.name, roll_number=clashing.roll_number)
        )


def _check_roll_number_is_free(row: EligibleStudent) -> None:
    """Check that no other player uses the entry's roll number.

    A correction also changes the roll number of the player who is registered with the entry.
    """
    playing = Registration.objects.filter(Registration.TAKES_PART, event=row.event_id)
    if row.pk is None or not playing.filter(student=row.pk).exists():
        return
    if other := playing.filter(roll_key=row.roll_key).exclude(student=row.pk).first():
        text = _(
            "{name} is already taking part with roll number {roll_number}. Reject or "
            "withdraw that registration first."
        )
        raise RefusedError(Code.ROLL, text.format(name=other.name, roll_number=other.roll_number))


@transaction.atomic
def save_student(row: EligibleStudent, actor: User) -> EligibleStudent:
    """Add or correct a list entry. Raises RefusedError like `check_student`."""
    event = lock_event(row.event)
    before = EligibleStudent.objects.filter(pk=row.pk).first()
    check_student(row)
    row.save()

    def describe_change() -> str:
        text = (
            _("Corrected {student}’s entry on the list.")
            if before
            else _("Added {student} to the list.")
        )
        return text.format(student=row)

    record(event, actor, LogAction.STUDENT, describe_change, student=row.roll_key)
    if before:
        apply_changed_entries(event, actor, [row], {row.pk: before.name})
    return row


@transaction.atomic
def remove_students(rows: Iterable[EligibleStudent], actor: User) -> int:
    """Remove entries from the list, and return their number.

    Raises RefusedError with the code `registered`.
    """
    chosen = list(rows)
    for row in chosen:
        _remove_student(row, actor)
    return len(chosen)


def _remove_student(row: EligibleStudent, actor: User) -> None:
    event = lock_event(row.event)
    if row.registrations.exists():
        message = _(
            "{student} has registered, so nothing was removed. Reject the registration instead."
        )
        raise RefusedError(Code.REGISTERED, message.format(student=row))
    row.delete()
    text = translate_later(gettext_noop("Removed {student} from the list."), student=row)
    record(event, actor, LogAction.STUDENT, text, student=row.roll_key)
